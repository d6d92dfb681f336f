// SPDX-License-Identifier: MIT
//
// Which pages of a mapped file somebody reads, counted by the machine itself: files that are mapped
// while one of these is alive are locked, and each page is opened by the fault of its first reader.
// The page cache says less: the kernel reads ahead of whoever reads.
// Needs -Wl,--wrap=mmap; one at a time, and only one thread may read.
#pragma once

#include <csignal>
#include <cstddef>

namespace wt::test {

class TouchedPages {
public:
    TouchedPages();
    ~TouchedPages();
    TouchedPages(const TouchedPages&) = delete;
    TouchedPages& operator=(const TouchedPages&) = delete;

    [[nodiscard]] std::size_t mapped() const;  // Pages of the newest file,
    [[nodiscard]] std::size_t count() const;   // and how many of them were read.

private:
    struct sigaction before_ {};
};

}  // namespace wt::test
