// SPDX-License-Identifier: MIT
//
// Goal: the four cases that the seed's rules make hard end as decided (engine/secure/README.md).
// Method: a server and a client with real endpoints; contents are hashed by the receiving
// application after delivery and compared with what was sent.
#include <doctest/doctest.h>

#include <array>

#include "tests/sim/lab.hpp"

namespace wt::sim::hard_cases_test {
namespace {

using transport::CloseReason;
using transport::Delivery;
using transport::Kind;
using transport::Lane;
using transport::SendStatus;

constexpr std::size_t largest_record = 256 * 1'024;

struct Profile {
    const char* name = "";
    secure::Reliability reliability{};
};
const std::array<Profile, 3> profiles = {{{"default", secure::Reliability::profile_default()},
                                          {"literal", secure::Reliability::profile_literal()},
                                          {"tuned", secure::Reliability::profile_tuned()}}};

std::vector<std::uint8_t> record_of(std::size_t size, std::uint64_t seed) {
    std::vector<std::uint8_t> bytes(size);
    const LuckKey key = LuckKey::root(seed).with("content");
    for (std::size_t i = 0; i < size; ++i) {
        bytes[i] = static_cast<std::uint8_t>(key.draw(i / 8) >> (i % 8 * 8));
    }
    return bytes;
}

SendStatus send(bots::Context& context, const Script& self, Lane lane, ConstBytes bytes) {
    return context.endpoint.send(context.now, self.peer,
                                 {.lane = lane, .bytes = bytes, .replace_tag = {}});
}

std::vector<std::uint64_t> hashes_on(const Script& script, Lane lane) {
    std::vector<std::uint64_t> hashes;
    for (const Got& got : script.got) {
        if (got.lane == lane) hashes.push_back(got.hash);
    }
    return hashes;
}

// The largest records on the bulk lane at the first chance; their hashes.
struct BulkLoad {
    explicit BulkLoad(unsigned count) {
        for (unsigned i = 0; i < count; ++i) {
            records.push_back(record_of(largest_record, i + 1));
            hashes.push_back(content_hash(records.back()));
        }
    }
    void send_all(bots::Context& context, const Script& self) {
        if (is_sent) return;
        is_sent = true;
        for (const std::vector<std::uint8_t>& record : records) {
            CHECK(send(context, self, Lane::bulk, record) == SendStatus::ok);
        }
    }
    std::vector<std::vector<std::uint8_t>> records{};
    std::vector<std::uint64_t> hashes{};
    bool is_sent = false;
};

}  // namespace

// (a) 15 complete records behind one whose fragments were all lost once fill the reassembly budget
// of 4 MiB to the brim; the bytes reserved for the lane's next message let the first one in.
TEST_CASE("(a) 16 largest records, the first one lost once: all arrive in every profile") {
    for (const Profile& profile : profiles) {
        CAPTURE(std::string(profile.name));
        LabSettings settings{.reliability = profile.reliability, .length = Duration::seconds(30)};
        settings.grid = {};
        settings.up = half_of(Duration::millis(50));
        settings.down = settings.up;
        Lab lab(settings);
        BulkLoad load(16);
        lab.client.on_tick = [&](bots::Context& context, Script& self) {
            load.send_all(context, self);
        };
        lab.client_mouth->swallow = [](Instant, const transport::Label& label) {
            return label.on_lane && label.lane == Lane::bulk && label.message == 0 &&
                   label.transmission == 1;
        };
        lab.run();
        // 256 KiB and the record's 24 bytes are 239 fragments of 1,100.
        CHECK(lab.client_mouth->swallowed == 239);
        CHECK(hashes_on(lab.server, Lane::bulk) == load.hashes);
        CHECK(lab.client.closed.empty());
        CHECK(lab.server.closed.empty());
        CHECK(lab.client_mouth->counters().acked == 16 * 239);
    }
}

// (b) 15 such records take 15 * 239 datagrams of 1,165 B and more: 33 s at 1 Mbit/s, if nothing
// else went that way. 200 records/s of 64 B are 200 * 150 B * 8 = 240 kbit/s beside them. The
// line's queue holds 800 ms: 64 datagrams in flight are 64 * 1,165 * 8 / 10^6 = 597 ms, so `tuned`
// loses little; `literal` sends all at once and again, until every fragment was lucky.
TEST_CASE("(b) 15 largest records at 1 Mbit/s beside 200 records a second") {
    for (const Profile& profile : profiles) {
        CAPTURE(std::string(profile.name));
        LabSettings settings{.reliability = profile.reliability, .length = Duration::seconds(240)};
        settings.grid = {};
        settings.up = half_of(Duration::millis(50));
        settings.down = settings.up;
        settings.up.rate = {1'000'000};
        settings.up.queue = {.unit = QueueConfig::Unit::time, .time = Duration::millis(800)};
        Lab lab(settings);
        BulkLoad load(15);
        std::vector<std::uint64_t> small;
        std::uint64_t refused = 0;
        std::uint64_t offered = 0;
        bool last_was_refused = false;
        Instant since{};
        lab.client.on_tick = [&](bots::Context& context, Script& self) {
            if (since == Instant{}) since = context.now;
            load.send_all(context, self);
            // 200 a second for 150 seconds.
            const std::uint64_t due = std::min<std::uint64_t>(
                static_cast<std::uint64_t>((context.now - since).ns / 5'000'000), 30'000);
            for (; offered < due; ++offered) {
                const std::vector<std::uint8_t> bytes = record_of(64, 1'000 + offered);
                const SendStatus status = send(context, self, Lane::state, bytes);
                last_was_refused = status != SendStatus::ok;
                if (!last_was_refused) {
                    small.push_back(content_hash(bytes));
                } else {
                    CHECK(status == SendStatus::backlogged);
                    ++refused;
                }
            }
        };
        lab.run();
        CHECK(lab.client.closed.empty());
        CHECK(lab.server.closed.empty());
        CHECK(hashes_on(lab.server, Lane::bulk) == load.hashes);
        CHECK(hashes_on(lab.server, Lane::state) == small);
        CHECK(lab.server_mouth->counters().of(transport::Refusal::record_too_old) == 0);
        // While an old record is under way, records 4,096 newer than it may not be sealed.
        CHECK(offered == 30'000);
        CHECK(refused > 0);
        CHECK_FALSE(last_was_refused);
        if (profile.reliability.send_window != 0) CHECK(refused < small.size() / 10);
    }
}

// (c) One-byte messages on all eight lanes from the server, whose channel has no bound of its own,
// while the client's acknowledgements are withheld and its keepalives are not.
TEST_CASE(
    "(c) 16,384 outstanding ids on a lane close the connection as backlogged, 16,383 do not") {
    for (const std::uint32_t count : {16'383u, 16'384u}) {
        CAPTURE(count);
        Lab lab({.up = half_of(Duration::millis(50)),
                 .down = half_of(Duration::millis(50)),
                 .length = Duration::seconds(8)});
        lab.client_mouth->swallow = [](Instant, const transport::Label& label) {
            return label.has(Kind::ack);
        };
        bool is_sent = false;
        std::array<std::uint64_t, 2> statuses{};  // ok, not_connected
        lab.server.on_tick = [&](bots::Context& context, Script& self) {
            if (is_sent) return;
            is_sent = true;
            const transport::ConnectionId peer = self.peer;
            for (std::uint32_t i = 0; i < count; ++i) {
                for (unsigned lane = 0; lane < transport::lane_count; ++lane) {
                    const std::array<std::uint8_t, 1> byte{static_cast<std::uint8_t>(i)};
                    const SendStatus status = context.endpoint.send(
                        context.now, peer,
                        {.lane = static_cast<Lane>(lane), .bytes = byte, .replace_tag = {}});
                    CHECK((status == SendStatus::ok || status == SendStatus::not_connected));
                    ++statuses[status == SendStatus::ok ? 0 : 1];
                }
            }
        };
        lab.run();
        if (count == 16'383) {
            CHECK(statuses[0] == 8u * 16'383);
            CHECK(lab.server.closed.empty());
            CHECK(lab.client.closed.empty());
        } else {
            // The first lane's last message ends it; the seven behind it meet a closed door.
            CHECK(statuses[0] == 8u * 16'383 + 1);
            CHECK(statuses[1] == 7);
            CHECK(lab.server.closed == std::vector<CloseReason>{CloseReason::backlogged});
            CHECK(lab.client.closed == std::vector<CloseReason>{CloseReason::backlogged});
        }
    }
}

// 4,096 records may be under way: the receiver's record window. The literal rule sends them at 0,
// 0.2, 0.6, 1.4, 3, 5, 7 and 9 s: 8 * 4,096 = 32,768, where the next sequence could be mistaken.
TEST_CASE("(c) 4,000 a lane close nothing: transmissions stop at the stall, and all arrive later") {
    Lab lab({.up = half_of(Duration::millis(50)),
             .down = half_of(Duration::millis(50)),
             .length = Duration::seconds(60)});
    bool is_sent = false;
    lab.server.on_tick = [&](bots::Context& context, Script& self) {
        if (is_sent) return;
        is_sent = true;
        for (std::uint32_t i = 0; i < 4'000; ++i) {
            for (unsigned lane = 0; lane < transport::lane_count; ++lane) {
                const std::array<std::uint8_t, 1> byte{static_cast<std::uint8_t>(i * 7 + lane)};
                CHECK(send(context, self, static_cast<Lane>(lane), byte) == SendStatus::ok);
            }
        }
    };
    const Instant resumed = Instant{} + Duration::millis(12'500);
    lab.client_mouth->swallow = [&](Instant now, const transport::Label& label) {
        return now < resumed && label.has(Kind::ack);
    };
    lab.run_until(Duration::seconds(12));
    CHECK(lab.server_mouth->counters().sequence_stalls == 1);
    CHECK(lab.server_mouth->counters().fragments_sent == 32'768);
    CHECK(lab.server_mouth->counters().acked == 0);
    lab.run();
    CHECK(lab.server.closed.empty());
    CHECK(lab.client.closed.empty());
    CHECK(lab.server_mouth->counters().acked == 32'000);
    for (unsigned lane = 0; lane < transport::lane_count; ++lane) {
        std::vector<std::uint64_t> expected;
        for (std::uint32_t i = 0; i < 4'000; ++i) {
            const std::array<std::uint8_t, 1> byte{static_cast<std::uint8_t>(i * 7 + lane)};
            expected.push_back(content_hash(byte));
        }
        CHECK(hashes_on(lab.client, static_cast<Lane>(lane)) == expected);
    }
}

// (d) A round trip of 2.1 s lies above the 2 s cap, so that the latest transmission is never the
// one that is acknowledged. 250 records/s of 8 KiB are 2 MiB/s: 8 MiB unacknowledged after 4.1 s,
// when 1,025 records of 8 fragments were sent 3.6 times each: 29,500 transmissions, before the
// 32,768 at which the sender would stop and listen.
TEST_CASE("(d) at 2.1 s round trip literal and default end as backlogged") {
    for (const Profile& profile : {profiles[0], profiles[1]}) {
        CAPTURE(std::string(profile.name));
        Lab lab({.reliability = profile.reliability,
                 .up = half_of(Duration::millis(2'100)),
                 .down = half_of(Duration::millis(2'100)),
                 .length = Duration::seconds(20)});
        std::uint64_t accepted_bytes = 0;
        Instant since{};
        lab.client.on_tick = [&](bots::Context& context, Script& self) {
            if (since == Instant{}) since = context.now;
            const std::vector<std::uint8_t> bytes(8 * 1'024);
            const std::uint64_t due =
                static_cast<std::uint64_t>((context.now - since).ns) / 4'000'000 * bytes.size();
            while (accepted_bytes < due) {
                if (send(context, self, Lane::bulk, bytes) != SendStatus::ok) break;
                accepted_bytes += bytes.size();
            }
        };
        lab.run();
        // The first record beyond 8 MiB.
        CHECK(accepted_bytes == 8u * 1'024 * 1'024 + 8 * 1'024);
        CHECK(lab.client_mouth->counters().acked == 0);
        CHECK(lab.client.closed == std::vector<CloseReason>{CloseReason::backlogged});
        CHECK(lab.server.closed == std::vector<CloseReason>{CloseReason::backlogged});
    }
}

// 20 messages/s of one fragment need 42 places of the window of 64. Each is repeated once, at 2 s,
// and released at 2.1 s; only those of the first 1.4 s, before the backed-off timeout is carried,
// may go out twice more: 28 * 2 = 56.
TEST_CASE("(d) at 2.1 s round trip tuned delivers everything with two transmissions a fragment") {
    Lab lab({.reliability = secure::Reliability::profile_tuned(),
             .up = half_of(Duration::millis(2'100)),
             .down = half_of(Duration::millis(2'100)),
             .length = Duration::seconds(75)});
    std::vector<std::uint64_t> hashes;
    lab.client.on_tick = [&](bots::Context& context, Script& self) {
        if (context.tick % 3 != 0 || hashes.size() == 1'200) return;
        const std::vector<std::uint8_t> bytes = record_of(64, hashes.size());
        CHECK(send(context, self, Lane::state, bytes) == SendStatus::ok);
        hashes.push_back(content_hash(bytes));
    };
    lab.run();
    CHECK(hashes.size() == 1'200);
    CHECK(hashes_on(lab.server, Lane::state) == hashes);
    CHECK(lab.client.closed.empty());
    const transport::Counters& counters = lab.client_mouth->counters();
    CHECK(counters.acked == 1'200);
    CHECK(counters.fragments_sent >= 2 * 1'200);
    CHECK(counters.fragments_sent <= 2 * 1'200 + 56);
    for (const Got& got : lab.server.got) {
        CHECK(got.latency == Duration::millis(1'050) + Duration::nanos(1));
    }
}

}  // namespace wt::sim::hard_cases_test
