// SPDX-License-Identifier: MIT
#include "tests/support/touched_pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace wt::test {

namespace {

struct Watched {
    bool is_on = false;
    std::uint8_t* first = nullptr;
    std::size_t bytes = 0;
    std::size_t count = 0;
};
Watched watched;

std::size_t page_bytes() {
    static const std::size_t size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return size;
}

void on_fault(int number, siginfo_t* about, void*) {
    std::uint8_t* const at = static_cast<std::uint8_t*>(about->si_addr);
    if (at < watched.first || at >= watched.first + watched.bytes) {
        // A fault like any other: it happens again, and ends the program.
        std::signal(number, SIG_DFL);
        return;
    }
    const std::size_t offset = static_cast<std::size_t>(at - watched.first);
    ++watched.count;
    (void)mprotect(watched.first + offset / page_bytes() * page_bytes(), page_bytes(), PROT_READ);
}

}  // namespace

TouchedPages::TouchedPages() {
    watched = {.is_on = true};
    struct sigaction mine {};
    mine.sa_sigaction = on_fault;
    mine.sa_flags = SA_SIGINFO | SA_ONSTACK;
    (void)sigaction(SIGSEGV, &mine, &before_);
}

TouchedPages::~TouchedPages() {
    if (watched.bytes > 0) (void)mprotect(watched.first, watched.bytes, PROT_READ);
    watched = {};
    (void)sigaction(SIGSEGV, &before_, nullptr);
}

std::size_t TouchedPages::mapped() const {
    return (watched.bytes + page_bytes() - 1) / page_bytes();
}

std::size_t TouchedPages::count() const {
    return watched.count;
}

}  // namespace wt::test

// The names are the linker's: __real_X is what X was, __wrap_X is who gets the calls.
// NOLINTBEGIN
extern "C" {

void* __real_mmap(void* at, std::size_t bytes, int protection, int flags, int file, off_t offset);

void* __wrap_mmap(void* at, std::size_t bytes, int protection, int flags, int file, off_t offset) {
    void* const map = __real_mmap(at, bytes, protection, flags, file, offset);
    wt::test::Watched& watched = wt::test::watched;
    if (!watched.is_on || file < 0 || map == MAP_FAILED) return map;
    watched.first = static_cast<std::uint8_t*>(map);
    watched.bytes = bytes;
    watched.count = 0;
    (void)mprotect(map, bytes, PROT_NONE);
    return map;
}

}  // extern "C"
// NOLINTEND
