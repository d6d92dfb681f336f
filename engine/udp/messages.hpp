// SPDX-License-Identifier: MIT
//
// The system's side of batches and addresses: what recvmmsg and sendmmsg want, laid out once.
// Included by this folder's sources only.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cstdint>

#include "engine/transport/endpoint.hpp"
#include "engine/udp/batch.hpp"

namespace wt::udp {

// An address as the system has it, of either family.
struct SystemAddress {
    sockaddr_storage storage{};
    socklen_t bytes = 0;
};
[[nodiscard]] SystemAddress to_system(const transport::Address& address, bool as_ipv4);
[[nodiscard]] transport::Address from_system(const sockaddr_storage& storage);

// Control data of a received message: the count of SO_RXQ_OVFL, and room to spare.
inline constexpr std::size_t control_bytes = 64;

struct ReceiveBatch::Messages {
    // One more than ours are, so that a longer one shows.
    static constexpr std::size_t room_bytes = transport::datagram_bytes_max + 1;

    std::array<std::array<std::uint8_t, room_bytes>, batch_datagrams> rooms{};
    std::array<sockaddr_storage, batch_datagrams> names{};
    struct alignas(cmsghdr) Control {
        std::array<std::uint8_t, control_bytes> bytes{};
    };
    std::array<Control, batch_datagrams> controls{};
    std::array<iovec, batch_datagrams> parts{};
    std::array<mmsghdr, batch_datagrams> headers{};
    std::array<transport::Address, batch_datagrams> from{};

    // The system overwrites lengths with what it used.
    void prepare();
};

struct SendBatch::Messages {
    std::array<std::array<std::uint8_t, transport::datagram_bytes_max>, batch_datagrams> rooms{};
    std::array<transport::Address, batch_datagrams> to{};
    std::array<SystemAddress, batch_datagrams> names{};
    std::array<iovec, batch_datagrams> parts{};
    std::array<mmsghdr, batch_datagrams> headers{};
};

}  // namespace wt::udp
