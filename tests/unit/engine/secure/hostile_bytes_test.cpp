// SPDX-License-Identifier: MIT
//
// Real datagrams of every kind, bent at random: bytes turned, cut, lengthened, sent to the wrong
// end, from the wrong address, out of their time. Nothing may crash, nobody unproven may get in,
// and the session at hand goes on.
#include <doctest/doctest.h>

#include "tests/support/handshake_bench.hpp"

namespace wt::secure {

using test::Bench;
using test::Flying;

namespace {

// Keeps a copy of everything that crosses the wire.
class Collector {
public:
    explicit Collector(Bench& bench) : bench_(bench) {}

    void exchange() {
        const std::vector<Flying> up = bench_.client_step();
        seen.insert(seen.end(), up.begin(), up.end());
        bench_.to_server(up);
        const std::vector<Flying> down = bench_.server_step();
        seen.insert(seen.end(), down.begin(), down.end());
        bench_.to_client(down);
        bench_.wait(Bench::tick);
    }

    std::vector<Flying> seen;

private:
    Bench& bench_;
};

Flying bent(const Flying& original, LuckStream& luck) {
    Flying out = original;
    const std::uint64_t turns = 1 + luck.below(3);
    for (std::uint64_t i = 0; i < turns; ++i) {
        const auto at = static_cast<std::size_t>(luck.below(out.bytes.size()));
        out.bytes[at] ^= static_cast<std::uint8_t>(1 + luck.below(255));
    }
    if (luck.below(4) == 0) out.bytes.resize(luck.below(out.bytes.size() + 1));
    if (luck.below(8) == 0) out.bytes.resize(out.bytes.size() + luck.below(300), 0x33);
    // Mostly keep the frame, so that the bytes behind it are looked at.
    if (out.bytes.size() >= frame_bytes && luck.below(4) != 0) {
        out.bytes[0] = magic;
        out.bytes[1] = transport_version;
        if (luck.below(3) != 0) out.bytes[2] = original.bytes[2];
    }
    return out;
}

}  // namespace

TEST_CASE("bent datagrams during a join and a session do no harm") {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        CAPTURE(seed);
        Bench bench;
        LuckStream luck(LuckKey::root(seed).with("hostile"));
        Collector wire(bench);
        const auto attack = [&](unsigned count) {
            for (unsigned i = 0; i < count && !wire.seen.empty(); ++i) {
                const Flying& original = wire.seen[luck.below(wire.seen.size())];
                const Flying forged = bent(original, luck);
                const bool spoofed = luck.below(2) == 0;
                bench.server.receive(bench.now,
                                     spoofed ? bench.client.address : test::address_of(9), forged);
                bench.client.receive(bench.now,
                                     spoofed ? bench.server.address : test::address_of(9), forged);
            }
        };
        REQUIRE(
            bench.client.endpoint->connect(bench.now, test::bound_request(bench.server.address)) ==
            transport::ConnectStatus::ok);
        std::size_t answered = 0;
        for (int i = 0; i < 700 && bench.server.connected.empty(); ++i) {
            wire.exchange();
            attack(20);
            for (; answered < bench.server.asked.size(); ++answered) {
                static_cast<void>(
                    bench.answer(test::bound_answer(bench.server.asked[answered].attempt)));
            }
            // A bent reject that still names the attempt may end it: that much is granted.
            if (!bench.client.closed.empty() && bench.client.connected.empty()) {
                bench.client.closed.clear();
                static_cast<void>(bench.client.endpoint->connect(
                    bench.now, test::bound_request(bench.server.address)));
            }
        }
        REQUIRE(bench.server.connected.size() == 1);
        CHECK(bench.server.connected[0].address == bench.client.address);
        for (int i = 0; i < 100; ++i) {
            REQUIRE(bench.talks());
            wire.exchange();
            attack(200);
        }
        CHECK(bench.talks());
        CHECK(bench.server.connected.size() == 1);
        CHECK(bench.client.connected.size() == 1);
        CHECK(bench.server.endpoint->counters().violations == 0);
        CHECK(bench.server.got.size() == bench.client.got.size());
    }
}

}  // namespace wt::secure
