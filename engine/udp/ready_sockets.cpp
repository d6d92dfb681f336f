// SPDX-License-Identifier: MIT
#include "engine/udp/ready_sockets.hpp"

#include <poll.h>

#include <vector>

namespace wt::udp {

struct ReadySockets::Watched {
    std::vector<pollfd> each{};
};

ReadySockets::ReadySockets() : watched_(std::make_unique<Watched>()) {}
ReadySockets::~ReadySockets() = default;

void ReadySockets::clear() {
    watched_->each.clear();
}

void ReadySockets::add(const Socket& socket) {
    watched_->each.push_back({.fd = socket.descriptor(), .events = POLLIN, .revents = 0});
}

void ReadySockets::look() {
    if (watched_->each.empty()) return;
    const int ready = poll(watched_->each.data(), watched_->each.size(), 0);
    if (ready >= 0) return;
    // Interrupted: nothing is known, so nothing is ready until the next look.
    for (pollfd& each : watched_->each)
        each.revents = 0;
}

bool ReadySockets::is_ready(std::size_t place) const {
    return watched_->each[place].revents != 0;
}

}  // namespace wt::udp
