// SPDX-License-Identifier: MIT
//
// Asks an address whether a server of ours answers there, before a hundred bots do. It takes a
// challenge for an answer and goes no further: the server keeps nothing of it.
#pragma once

#include "engine/udp/socket.hpp"
#include "engine/udp/waiter.hpp"

namespace wt::sim {

enum class ProbeAnswer : std::uint8_t {
    answered,
    refused,  // The machine is there and says that nobody listens.
    silent,
    stopped,  // By a signal.
};

// Goes on asking for `patience`, since the server may be starting just now.
[[nodiscard]] Result<ProbeAnswer, udp::OpenError> probe(const transport::Address& server,
                                                        Duration patience, udp::Waiter& waiter);

}  // namespace wt::sim
