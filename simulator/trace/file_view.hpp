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

    // How the bytes will be looked at. in_order: mostly one behind the other, and the system may
    // read ahead. scattered: a page here and a page there, and only those are read.
    enum class Access : std::uint8_t { in_order, scattered };
    // The error is a sentence without the file's name.
    [[nodiscard]] static Result<FileView, std::string> open(const std::string& path,
                                                            Access access = Access::in_order);

    // These bytes are wanted soon, all of them.
    void read_ahead(std::size_t from, std::size_t bytes) const;

    // A copy of what lies there; false where it does not, or cannot be read. Reading a whole file
    // so costs a third of looking at it through a new mapping: no page has to be mapped.
    [[nodiscard]] bool copy(std::size_t from, MutableBytes out) const;

    // Valid as long as this is, moved or not.
    [[nodiscard]] ConstBytes bytes() const {
        return map_ != nullptr ? ConstBytes(static_cast<const std::uint8_t*>(map_), mapped_bytes_)
                               : ConstBytes(memory_);
    }

private:
    FileView(int file, void* map, std::size_t bytes)
        : file_(file), map_(map), mapped_bytes_(bytes) {}

    int file_ = -1;  // Open while it is mapped.
    void* map_ = nullptr;
    std::size_t mapped_bytes_ = 0;
    std::vector<std::uint8_t> memory_{};
};

}  // namespace wt::trace
