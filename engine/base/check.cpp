// SPDX-License-Identifier: MIT
#include "engine/base/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace wt {

CheckContext& check_context() {
    static thread_local CheckContext context;
    return context;
}

void check_failed(const char* condition, const char* file, int line) {
    const CheckContext& at = check_context();
    std::fprintf(stderr,
                 "wavetank: broken invariant: %s\n  at %s:%d\n"
                 "  seed %llu, virtual time %lld ns, event %llu\n",
                 condition, file, line, static_cast<unsigned long long>(at.seed),
                 static_cast<long long>(at.virtual_ns), static_cast<unsigned long long>(at.event));
    std::fflush(stderr);
    std::abort();
}

}  // namespace wt
