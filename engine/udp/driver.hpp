// SPDX-License-Identifier: MIT
//
// An endpoint on a socket. The driver carries datagrams and time; what the endpoint says in events
// is the application's business, between the two steps:
//
//     waiter.wait(clock, quantum);
//     driver.receive(now, [&] { while (endpoint.next_event(event)) ...; });
//     ... the application's tick ...
//     driver.flush(now);
//     while (endpoint.next_event(event)) ...
#pragma once

#include "engine/transport/endpoint.hpp"
#include "engine/udp/batch.hpp"
#include "engine/udp/socket.hpp"

namespace wt::udp {

class Driver {
public:
    // How often an application looks at its socket where nothing else decides (seed 000's flush).
    static constexpr Duration quantum = Duration::millis(5);
    // Datagrams that one receive() reads at most: under a flood the application's tick still comes,
    // and what waits longer than the socket's buffer holds is the kernel's to drop. 5 ms of 400,000
    // a second.
    static constexpr std::size_t receive_max = 2'048;

    // Both must outlive the driver.
    Driver(transport::Endpoint& endpoint, Socket& socket) : endpoint_(endpoint), socket_(socket) {}

    // Reads what waits into the endpoint. `drain` is called after each datagram, so that messages
    // come out in the order in which they came in and the endpoint's inbox never fills.
    template <class Drain>
    void receive(Instant now, Drain&& drain) {
        for (std::size_t done = 0; done < receive_max;) {
            const std::size_t count = socket_.receive(received_);
            for (std::size_t i = 0; i < count; ++i) {
                endpoint_.receive(now, received_.from(i), received_.bytes(i), {});
                drain();
            }
            done += count;
            if (count < batch_datagrams) return;
        }
    }

    // Timers, then everything that the endpoint wants to send. `sent` hears of each datagram.
    template <class Sent>
    void flush(Instant now, Sent&& sent) {
        endpoint_.advance(now);
        while (true) {
            if (outgoing_.is_full()) socket_.send(outgoing_);
            transport::Datagram datagram;
            datagram.room = outgoing_.room();
            if (!endpoint_.next_datagram(now, datagram)) break;
            sent(datagram);
            outgoing_.add(datagram.size, datagram.to);
        }
        socket_.send(outgoing_);
    }
    void flush(Instant now) {
        flush(now, [](const transport::Datagram&) {});
    }

private:
    transport::Endpoint& endpoint_;
    Socket& socket_;
    ReceiveBatch received_{};
    SendBatch outgoing_{};
};

}  // namespace wt::udp
