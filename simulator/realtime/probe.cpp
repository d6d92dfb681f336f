// SPDX-License-Identifier: MIT
#include "simulator/realtime/probe.hpp"

#include "engine/crypto/entropy.hpp"
#include "engine/secure/endpoints.hpp"
#include "engine/udp/driver.hpp"
#include "simulator/realtime/portal.hpp"

namespace wt::sim {

Result<ProbeAnswer, udp::OpenError> probe(const transport::Address& server, Duration patience,
                                          udp::Waiter& waiter) {
    auto opened = udp::Socket::open({.bind = local_for(server), .peer = server});
    if (!opened) return unexpected(opened.error());
    udp::Socket socket = std::move(*opened);
    secure::ClientConfig config;
    config.attempt_timeout = patience;
    const auto client = secure::make_client(config, crypto::system_entropy());
    udp::Driver driver(*client, socket);
    const udp::Clock clock;
    Instant now = clock.now();
    const Instant end = now + patience;
    transport::ConnectRequest request;
    request.server = server;
    (void)client->connect(now, request);
    constexpr auto refused = static_cast<unsigned>(udp::SocketError::refused);
    while (now < end) {
        if (waiter.is_stopped()) return ProbeAnswer::stopped;
        // The challenge is looked for before anything is sent in answer to it.
        driver.receive(now, [] {});
        if (client->counters().datagrams_received > 0) return ProbeAnswer::answered;
        driver.flush(now);
        waiter.wait(clock, udp::next_quantum(now, udp::Driver::quantum));
        now = clock.now();
    }
    return socket.counters().receive_errors[refused] > 0 ? ProbeAnswer::refused
                                                         : ProbeAnswer::silent;
}

}  // namespace wt::sim
