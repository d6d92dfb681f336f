// SPDX-License-Identifier: MIT
//
// A folder for the files of one test, removed with all that is in it, and what tests do with files.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace wt::test {

// The whole file; empty where it cannot be read.
inline std::string read_all(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

class ScratchFolder {
public:
    ScratchFolder() {
        path_ = (std::filesystem::temp_directory_path() / "wavetank-test-XXXXXX").string();
        REQUIRE(mkdtemp(path_.data()) != nullptr);
    }
    ~ScratchFolder() {
        std::error_code failure;
        std::filesystem::remove_all(path_, failure);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }
    // Its path; folders on the way are made.
    std::string write(const std::string& name, std::string_view text) const {
        std::filesystem::create_directories(std::filesystem::path(file(name)).parent_path());
        std::ofstream(file(name), std::ios::binary) << text;
        return file(name);
    }

private:
    std::string path_;
};

}  // namespace wt::test
