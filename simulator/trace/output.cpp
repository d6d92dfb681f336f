// SPDX-License-Identifier: MIT
#include "simulator/trace/output.hpp"

namespace wt::trace {

Output::Output(const std::string& path) : file_(std::fopen(path.c_str(), "wb")) {
    is_good_ = file_ != nullptr;
    // Sections come whole: another copy in between would only cost.
    if (is_good_) (void)std::setvbuf(file_, nullptr, _IONBF, 0);
}

Output::~Output() {
    (void)close();
}

void Output::write(ConstBytes bytes) {
    position_ += bytes.size();
    if (!is_good_ || bytes.empty()) return;
    if (memory_ != nullptr) {
        memory_->insert(memory_->end(), bytes.begin(), bytes.end());
        return;
    }
    is_good_ =
        file_ != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size();
}

bool Output::close() {
    if (file_ != nullptr) {
        is_good_ = std::fclose(file_) == 0 && is_good_;
        file_ = nullptr;
    }
    return is_good_;
}

}  // namespace wt::trace
