// SPDX-License-Identifier: MIT
//
// Waits for the next quantum without using the processor, and hears of Ctrl-C and SIGTERM while it
// does: a program on real sockets ends its connections and says what it measured before it goes.
#pragma once

#include "engine/udp/clock.hpp"

namespace wt::udp {

class Waiter {
public:
    // From now on SIGINT and SIGTERM of this thread come here. The first one asks to stop; after
    // it they do again what they always did, so that the second one ends the process.
    Waiter();
    // Gives the signals back.
    ~Waiter();

    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;
    Waiter(Waiter&&) = delete;
    Waiter& operator=(Waiter&&) = delete;

    // Returns when `clock` has reached `until`, or at once when somebody asked to stop.
    void wait(const Clock& clock, Instant until);
    [[nodiscard]] bool is_stopped() const { return is_stopped_; }

private:
    void take_signal();

    int signals_ = -1;  // The descriptor on which they come.
    bool is_blocked_ = false;
    bool is_stopped_ = false;
};

}  // namespace wt::udp
