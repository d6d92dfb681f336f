// SPDX-License-Identifier: MIT
//
// The bytes of a file, mapped where that is possible, so that only what is looked at is read; or
// bytes in memory. A file must not shrink while it is open.
#pragma once

#include <string>
#include <vector>

#include "engine/base/bytes.hpp"
#include "engine/base/result.hpp"

namespace wt::trace {

class FileView {
public:
    explicit FileView(std::vector<std::uint8_t> bytes) : memory_(std::move(bytes)) {}
    ~FileView();
    FileView(FileView&& other) noexcept;
    FileView& operator=(FileView&&) = delete;
    FileView(const FileView&) = delete;

    // The error is a sentence without the file's name.
    [[nodiscard]] static Result<FileView, std::string> open(const std::string& path);

    // Valid as long as this is, moved or not.
    [[nodiscard]] ConstBytes bytes() const {
        return map_ != nullptr ? ConstBytes(static_cast<const std::uint8_t*>(map_), mapped_bytes_)
                               : ConstBytes(memory_);
    }

private:
    FileView(void* map, std::size_t bytes) : map_(map), mapped_bytes_(bytes) {}

    void* map_ = nullptr;
    std::size_t mapped_bytes_ = 0;
    std::vector<std::uint8_t> memory_{};
};

}  // namespace wt::trace
