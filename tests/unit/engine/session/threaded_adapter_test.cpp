// SPDX-License-Identifier: MIT
//
// An adapter as a library with threads of its own would need one: its callbacks post copies into a
// bounded queue, and everything else happens in poll on the session's thread. Nothing of the
// endpoint or the session moves between two polls, whatever the other thread does meanwhile; and
// the session ends up where it would have without the thread.
#include <doctest/doctest.h>

#include <array>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/unit/engine/session/session_bench.hpp"

namespace wt::session::threaded_adapter_test {

namespace {

using namespace wt::test;
using session::AdapterStatus;

constexpr std::size_t mailbox_places = 64;

class ThreadedAdapter {
public:
    explicit ThreadedAdapter(transport::Endpoint& endpoint)
        : endpoint_(endpoint), inner_(endpoint) {}

    // From any thread: the library's callback. False, and counted, where the mailbox is full.
    bool post(const transport::Address& from, ConstBytes datagram) {
        const std::lock_guard<std::mutex> guard(lock_);
        if (mailbox_.size() == mailbox_places) {
            ++overflows_;
            return false;
        }
        mailbox_.push_back({.to = from, .bytes = {datagram.begin(), datagram.end()}});
        return true;
    }

    AdapterStatus open(Instant now, const transport::ConnectRequest& request) {
        return inner_.open(now, request);
    }
    AdapterStatus poll(Instant now, MutableBytes ingress, transport::Event& out) {
        std::vector<Flying> taken;
        {
            const std::lock_guard<std::mutex> guard(lock_);
            taken.swap(mailbox_);
        }
        for (const Flying& flying : taken)
            endpoint_.receive(now, flying.to, flying.bytes, {});
        return inner_.poll(now, ingress, out);
    }
    AdapterStatus send(Instant now, transport::ConnectionId to, const transport::Message& message) {
        return inner_.send(now, to, message);
    }
    AdapterStatus close(Instant now, transport::ConnectionId connection) {
        return inner_.close(now, connection);
    }
    AdapterStatus stats(Instant now, transport::ConnectionId connection,
                        transport::ConnectionLevels& out) const {
        return inner_.stats(now, connection, out);
    }
    [[nodiscard]] const transport::Capabilities& capabilities() const {
        return inner_.capabilities();
    }
    [[nodiscard]] unsigned overflows() {
        const std::lock_guard<std::mutex> guard(lock_);
        return overflows_;
    }

private:
    transport::Endpoint& endpoint_;
    session::EndpointAdapter inner_;
    std::mutex lock_;
    std::vector<Flying> mailbox_{};
    unsigned overflows_ = 0;
};

static_assert(session::MessageAdapter<ThreadedAdapter>);

std::vector<Flying> outgoing(transport::Endpoint& endpoint, Instant now) {
    endpoint.advance(now);
    std::vector<Flying> all;
    std::array<std::uint8_t, transport::datagram_bytes_max> room{};
    transport::Datagram datagram;
    datagram.room = room;
    while (endpoint.next_datagram(now, datagram)) {
        all.push_back(
            {.to = datagram.to,
             .bytes = {room.begin(), room.begin() + static_cast<std::ptrdiff_t>(datagram.size)}});
        datagram.room = room;
    }
    return all;
}

}  // namespace

TEST_CASE("callbacks of another thread change nothing outside of poll") {
    SessionBench bench(Wire::loopback);
    bench.join();
    ThreadedAdapter adapter(*bench.server_endpoint);
    auto& client = bench.clients[0];
    std::vector<std::uint8_t> ingress(300'000);
    constexpr std::uint32_t rounds = 50;
    const std::uint32_t before = bench.link().counters().messages_in;
    for (std::uint32_t round = 0; round < rounds; ++round) {
        std::array<std::uint8_t, 8> input{};
        store_u32(input.data(), static_cast<std::uint32_t>(bench.server->tick()));
        REQUIRE(client.session->send(bench.now, Kind::input, 0, input) == session::SendStatus::ok);
        client.session->pump(bench.now, *client.endpoint);
        const std::vector<Flying> all = outgoing(*client.endpoint, bench.now);
        const std::uint32_t messages = bench.link().counters().messages_in;
        const std::uint64_t datagrams = bench.server_endpoint->counters().datagrams_received;
        std::thread library([&] {
            for (const Flying& flying : all)
                adapter.post(client.address, flying.bytes);
        });
        library.join();
        CHECK(bench.link().counters().messages_in == messages);
        CHECK(bench.server_endpoint->counters().datagrams_received == datagrams);
        transport::Event event;
        while (adapter.poll(bench.now, ingress, event) == AdapterStatus::ok) {
            CHECK(bench.server->on_event(bench.now, *bench.server_endpoint, event));
            session::SessionEvent out;
            while (bench.server->next_event(out))
                CHECK(bench.server->accept());
        }
        CHECK(bench.link().counters().messages_in == messages + 1);
        bench.now += Duration::millis(16);
        bench.server->begin_tick(bench.now, *bench.server_endpoint, ++bench.tick_number);
    }
    CHECK(bench.link().counters().messages_in == before + rounds);
    CHECK(adapter.overflows() == 0);
}

TEST_CASE("a mailbox that nobody polls is bounded") {
    SessionBench bench(Wire::loopback);
    ThreadedAdapter adapter(*bench.server_endpoint);
    const std::array<std::uint8_t, 4> noise{};
    std::thread library([&] {
        for (std::size_t i = 0; i < mailbox_places + 10; ++i)
            adapter.post(bench.clients[0].address, noise);
    });
    library.join();
    CHECK(adapter.overflows() == 10);
}

}  // namespace wt::session::threaded_adapter_test
