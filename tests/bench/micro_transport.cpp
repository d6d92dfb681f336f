// SPDX-License-Identifier: MIT
//
// Two connections without a world between them, and the receiving half alone.
#include <benchmark/benchmark.h>

#include <array>
#include <vector>

#include "engine/secure/connection.inl"
#include "engine/secure/real_suite.hpp"
#include "engine/secure/reassembly.hpp"
#include "simulator/cipher/null_suite.hpp"

namespace wt::bench {

namespace {

using transport::Delivery;
using transport::Lane;

// A client and a server whose datagrams arrive as they leave.
template <class Suite>
class Pair {
public:
    Pair() {
        secure::SessionKeys keys;
        keys.record_out.fill(1);
        keys.record_in.fill(2);
        keys.packet_out.fill(3);
        keys.packet_in.fill(4);
        const secure::SessionKeys swapped{keys.record_in, keys.record_out, keys.packet_in,
                                          keys.packet_out};
        const secure::ConnectionConfig config{.reliability = secure::Reliability::profile_tuned()};
        client_.open(now_, keys, config, {1, 1}, {}, true);
        server_.open(now_, swapped, config, {1, 1}, {}, false);
    }

    // One message up and everything it causes, 5 ms at a time. True if the server's application got
    // it.
    bool exchange(ConstBytes bytes, Delivery delivery) {
        const transport::Message message{.lane = Lane::state, .delivery = delivery, .bytes = bytes};
        if (client_.send(now_, message) != transport::SendStatus::ok) return false;
        // What does not fit the send window waits for acknowledgements.
        constexpr int turns_max = 1'000;
        bool arrived = false;
        for (int turn = 0; turn < turns_max && !arrived; ++turn) {
            carry(client_, server_);
            transport::Received got;
            while (server_.next_message(got))
                arrived = got.bytes.size() == bytes.size();
            carry(server_, client_);
            now_ += Duration::millis(5);
        }
        return arrived;
    }

private:
    void carry(secure::Connection<Suite>& from, secure::Connection<Suite>& to) {
        from.advance(now_);
        transport::Datagram out;
        out.room = room_;
        while (from.next_datagram(now_, out)) {
            to.receive(now_, ConstBytes(room_).first(out.size), out.label);
            out.room = room_;
        }
    }

    BufferPool client_pool_;
    BufferPool server_pool_;
    secure::Connection<Suite> client_{client_pool_};
    secure::Connection<Suite> server_{server_pool_};
    Instant now_{1'000'000'000};
    std::array<std::uint8_t, transport::datagram_bytes_max> room_{};
};

template <class Suite>
void exchange(benchmark::State& state, Delivery delivery) {
    Pair<Suite> pair;
    const std::vector<std::uint8_t> bytes(static_cast<std::size_t>(state.range(0)), 1);
    for (auto _ : state)
        if (!pair.exchange(bytes, delivery)) state.SkipWithError("message did not arrive");
    state.SetBytesProcessed(state.iterations() * state.range(0));
}

template <class Suite>
void reliable_message(benchmark::State& state) {
    exchange<Suite>(state, Delivery::reliable_ordered);
}

template <class Suite>
void unreliable_message(benchmark::State& state) {
    exchange<Suite>(state, Delivery::unreliable);
}

// A record of so many fragments, the last one first.
void reassembly(benchmark::State& state) {
    BufferPool pool;
    secure::Reassembly half(pool);
    half.reset(0);
    transport::Counters counters;
    const std::vector<std::uint8_t> fragment(secure::fragment_bytes_max, 1);
    const std::uint8_t count = static_cast<std::uint8_t>(state.range(0));
    secure::ReliableHeader header{.lane = 4, .count = count};
    for (auto _ : state) {
        secure::Reassembly::Slot* complete = nullptr;
        for (std::uint8_t i = count; i-- > 0;) {
            header.index = i;
            (void)half.add(header, fragment, {}, counters, complete);
        }
        secure::Reassembly::Delivery delivery;
        if (complete == nullptr) {
            state.SkipWithError("record not complete");
            break;
        }
        half.opened(*complete);
        if (!half.next(delivery)) state.SkipWithError("record not delivered");
        ++header.message;
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

using secure::RealSuite;
using sim::NullSuite;

BENCHMARK(reliable_message<RealSuite>)->Arg(64)->Arg(200 * 1'024);
BENCHMARK(reliable_message<NullSuite>)->Arg(64)->Arg(200 * 1'024);
BENCHMARK(unreliable_message<RealSuite>)->Arg(80)->Arg(1'076);
BENCHMARK(unreliable_message<NullSuite>)->Arg(80)->Arg(1'076);
BENCHMARK(reassembly)->Arg(1)->Arg(187)->Arg(239);

}  // namespace

}  // namespace wt::bench
