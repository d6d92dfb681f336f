// SPDX-License-Identifier: MIT
//
// WT_CHECK: a broken invariant of ours. It is on in every build, prints where the run was and
// aborts. Bytes from outside must never reach a check that they could fail: those are counted
// refusals. Split `a && b` into two checks, so that the message names the one that broke.
#pragma once

#include <cstdint>

namespace wt {

// Where a run was when a check failed. The simulator keeps one per thread up to date.
struct CheckContext {
    std::uint64_t seed = 0;
    std::int64_t virtual_ns = 0;
    std::uint64_t event = 0;
};

// The calling thread's context. Written by whoever drives the run, read only by check_failed.
// The one mutable global of the tree: a crash report needs it where no argument reaches.
CheckContext& check_context();

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace wt

#define WT_CHECK(condition)                                     \
    do {                                                        \
        if (!(condition)) [[unlikely]] {                        \
            ::wt::check_failed(#condition, __FILE__, __LINE__); \
        }                                                       \
    } while (false)
