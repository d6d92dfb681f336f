// SPDX-License-Identifier: MIT
#include "simulator/cli/output_file.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>

namespace wt::sim {

bool can_write(const std::string& path) {
    std::error_code failure;
    const std::filesystem::file_status status = std::filesystem::status(path, failure);
    const bool was_there = std::filesystem::exists(status);
    // Opening and closing a pipe would already be the whole conversation.
    if (std::filesystem::is_fifo(status)) return access(path.c_str(), W_OK) == 0;
    std::FILE* file = std::fopen(path.c_str(), "ab");
    if (file == nullptr) return false;
    std::fclose(file);
    if (!was_there) std::filesystem::remove(path, failure);
    return true;
}

bool write_file(const std::string& path, std::string_view text) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) return false;
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    return std::fclose(file) == 0 && written;
}

}  // namespace wt::sim
