// SPDX-License-Identifier: MIT
#include "simulator/trace/file_view.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace wt::trace {

FileView::~FileView() {
    if (map_ != nullptr) munmap(map_, mapped_bytes_);
    if (file_ >= 0) close(file_);
}

FileView::FileView(FileView&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      map_(std::exchange(other.map_, nullptr)),
      mapped_bytes_(std::exchange(other.mapped_bytes_, 0)),
      memory_(std::move(other.memory_)) {}

Result<FileView, std::string> FileView::open(const std::string& path, Access access) {
    // A pipe has no end that could be looked at first.
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return unexpected(std::string("there is no such file"));
    if (S_ISDIR(status.st_mode)) return unexpected(std::string("this is a directory"));
    if (!S_ISREG(status.st_mode)) return unexpected(std::string("this is not a regular file"));
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return unexpected(std::string("the file cannot be read"));
    const std::size_t bytes = static_cast<std::size_t>(status.st_size);
    if (bytes == 0) {
        close(file);
        return FileView(std::vector<std::uint8_t>{});
    }
    void* const map = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    if (map == MAP_FAILED) {
        close(file);
        return unexpected(std::string("the file cannot be mapped"));
    }
    if (access == Access::scattered) (void)madvise(map, bytes, MADV_RANDOM);
    return FileView(file, map, bytes);
}

bool FileView::copy(std::size_t from, MutableBytes out) const {
    const ConstBytes all = bytes();
    if (from > all.size() || out.size() > all.size() - from) return false;
    if (file_ < 0) {
        std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(from), out.size(), out.begin());
        return true;
    }
    for (std::size_t done = 0; done < out.size();) {
        const ssize_t got =
            pread(file_, out.data() + done, out.size() - done, static_cast<off_t>(from + done));
        if (got <= 0) return false;
        done += static_cast<std::size_t>(got);
    }
    return true;
}

void FileView::read_ahead(std::size_t from, std::size_t bytes) const {
    if (map_ == nullptr || from >= mapped_bytes_) return;
    // Advice is given by whole pages.
    constexpr std::size_t page = 4'096;
    const std::size_t begin = from / page * page;
    const std::size_t length = std::min(bytes, mapped_bytes_ - from) + (from - begin);
    (void)madvise(static_cast<std::uint8_t*>(map_) + begin, length, MADV_WILLNEED);
}

}  // namespace wt::trace
