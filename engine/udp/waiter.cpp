// SPDX-License-Identifier: MIT
#include "engine/udp/waiter.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <ctime>

namespace wt::udp {

namespace {

sigset_t stop_signals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

}  // namespace

Waiter::Waiter() {
    const sigset_t set = stop_signals();
    signals_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    // Without the descriptor nobody would hear them: they stay as they are.
    if (signals_ >= 0) is_blocked_ = pthread_sigmask(SIG_BLOCK, &set, nullptr) == 0;
}

Waiter::~Waiter() {
    const sigset_t set = stop_signals();
    if (is_blocked_) pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    if (signals_ >= 0) close(signals_);
}

void Waiter::take_signal() {
    signalfd_siginfo info{};
    if (read(signals_, &info, sizeof(info)) != static_cast<ssize_t>(sizeof(info))) return;
    is_stopped_ = true;
    const sigset_t set = stop_signals();
    if (is_blocked_) pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    is_blocked_ = false;
}

void Waiter::wait(const Clock& clock, Instant until) {
    constexpr std::int64_t second = 1'000'000'000;
    while (!is_stopped_) {
        const Duration left = until - clock.now();
        // Time that is over still gives a signal its chance.
        const std::int64_t ns = left.ns > 0 ? left.ns : 0;
        const timespec timeout{.tv_sec = ns / second, .tv_nsec = ns % second};
        pollfd watched{.fd = signals_, .events = POLLIN, .revents = 0};
        // A negative descriptor is one that poll leaves out.
        const int ready = ppoll(&watched, 1, &timeout, nullptr);
        if (ready > 0) take_signal();
        if (ready <= 0 && left.ns <= 0) return;
    }
}

}  // namespace wt::udp
