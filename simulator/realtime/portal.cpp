// SPDX-License-Identifier: MIT
#include "simulator/realtime/portal.hpp"

#include <algorithm>

#include "engine/base/mutated.hpp"
#include "engine/udp/address_text.hpp"

namespace wt::sim {

namespace {

// Addresses of this range are invented (simulator/core): any number of them, so they share a door.
bool is_forged(const transport::Address& address) {
    return address.ip[0] == 0x20 && address.ip[1] == 0x01 && address.ip[2] == 0x0d &&
           address.ip[3] == 0xb8;
}

}  // namespace

transport::Address local_for(const transport::Address& server) {
    transport::Address local;
    if (!udp::is_ipv4(server)) return local;
    local.ip[10] = 0xff;
    local.ip[11] = 0xff;
    return local;
}

Portal::Portal(const transport::Address& server) : server_(server) {}

Portal::Door* Portal::door_of(const transport::Address& inside) {
    const Ip key = is_forged(inside) ? Ip{} : inside.ip;
    const auto found = door_at_.find(key);
    if (found != door_at_.end()) {
        Door& door = doors_[found->second];
        const bool is_same = door.inside.port == inside.port || mutated<"portal-new-port">();
        if (is_same || is_forged(inside)) {
            door.inside = inside;
            return &door;
        }
    }
    // The default receive buffer of a host in a run is 208 KiB of datagrams; the kernel counts what
    // it needs to keep them, which is up to four times as much.
    constexpr std::uint32_t buffer_bytes = 1'024 * 1'024;
    auto opened = udp::Socket::open(
        {.bind = local_for(server_), .peer = server_, .receive_buffer_bytes = buffer_bytes});
    if (!opened) {
        ++unopened_;
        return nullptr;
    }
    if (found == door_at_.end()) {
        door_at_.emplace(key, doors_.size());
        doors_.push_back({inside, std::move(*opened)});
        return &doors_.back();
    }
    // The process behind the old port is gone, and so is its socket.
    Door& door = doors_[found->second];
    closed_.add(door.socket.counters());
    door.inside = inside;
    door.socket = std::move(*opened);
    return &door;
}

void Portal::receive(Instant, const transport::Address& from, ConstBytes datagram,
                     const transport::Label&) {
    Door* const door = door_of(from);
    if (door == nullptr) return;
    ++count().datagrams_received;
    count().bytes_received += datagram.size();
    outgoing_.add_outside(datagram, server_);
    door->socket.send(outgoing_);
}

void Portal::read() {
    ready_.clear();
    for (const Door& door : doors_)
        ready_.add(door.socket);
    ready_.look();
    for (std::size_t place = 0; place < doors_.size(); ++place) {
        if (!ready_.is_ready(place)) continue;
        Door& door = doors_[place];
        // Whoever floods a client in this process gets no more of it than this in a step.
        constexpr unsigned rounds_max = 16;
        std::size_t count = udp::batch_datagrams;
        for (unsigned round = 0; round < rounds_max && count == udp::batch_datagrams; ++round) {
            count = door.socket.receive(received_);
            for (std::size_t i = 0; i < count; ++i)
                keep(door.inside, received_.bytes(i));
        }
    }
}

void Portal::keep(const transport::Address& to, ConstBytes bytes) {
    // No server of ours sends one that long.
    if (bytes.size() > transport::datagram_bytes_max) return;
    if (waiting_.size() - next_waiting_ >= waiting_max) {
        ++overflow_;
        return;
    }
    Waiting& waiting = waiting_.emplace_back();
    waiting.to = to;
    waiting.size = static_cast<std::uint16_t>(bytes.size());
    std::copy(bytes.begin(), bytes.end(), waiting.bytes.begin());
}

bool Portal::next_datagram(Instant, transport::Datagram& out) {
    if (next_waiting_ == waiting_.size()) {
        waiting_.clear();
        next_waiting_ = 0;
        return false;
    }
    const Waiting& waiting = waiting_[next_waiting_++];
    std::copy_n(waiting.bytes.begin(), waiting.size, out.room.begin());
    out.size = waiting.size;
    out.to = waiting.to;
    out.connection = {};
    out.label = {};
    ++count().datagrams_sent;
    count().bytes_sent += waiting.size;
    return true;
}

udp::SocketCounters Portal::sockets() const {
    udp::SocketCounters sum = closed_;
    for (const Door& door : doors_)
        sum.add(door.socket.counters());
    return sum;
}

}  // namespace wt::sim
