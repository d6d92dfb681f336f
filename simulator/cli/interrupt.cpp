// SPDX-License-Identifier: MIT
//
// A signal handler may do one thing: set a lock-free flag.
#include "simulator/cli/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace wt::sim {

namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void note_interrupt(int) {
    interrupted.store(true, std::memory_order_relaxed);
}

}  // namespace

void ignore_broken_pipes() {
    struct sigaction action {};
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, nullptr);
}

void catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = note_interrupt;
    // The default action comes back after the first one. Calls under way are restarted.
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

bool was_interrupted() {
    return interrupted.load(std::memory_order_relaxed);
}

}  // namespace wt::sim
