// SPDX-License-Identifier: MIT
//
// Reports from the field about queues and ends (F11, F12, F14, F18): refusals that leave no hole,
// the latest value on a line that is too thin, an end that is said, a thousand lives at one
// address.
#include "tests/sim/field_lab.hpp"

namespace wt::sim::field_queue_test {
namespace {

using transport::CloseReason;
using transport::Lane;
using transport::SendStatus;

}  // namespace

// The client's channel takes 1,024 messages between two polls. Each tick offers 1,100 of what is
// left and stops at the first refusal: that message is offered again in the next tick.
TEST_CASE("F11: a send that is refused takes no number, and the order has no hole") {
    Lab lab(lab_of(Duration::millis(20), Duration::seconds(20)));
    Stream stream(Lane::state);
    std::uint64_t refused = 0;
    lab.client.on_tick = [&](bots::Context& context, Script& self) {
        for (int i = 0; i < 1'100 && stream.sent() < 10'000; ++i) {
            const SendStatus status = stream.send(context, self, 16);
            if (status == SendStatus::ok) continue;
            CHECK(status == SendStatus::backlogged);
            ++refused;
            return;
        }
    };
    lab.run();
    CHECK(stream.sent() == 10'000);
    CHECK(refused >= 9);
    CHECK(stream.arrived_at(lab.server));
    CHECK(lab.client.closed.empty());
}

// 1,020 values of 64 B a second, each 150 B on the wire, are 1.2 Mbit/s; the line has 64 kbit/s. A
// value leaves when all before it have left, so one each tick from the join (200 ms at most) to 15
// s: 888 at least. The line carries 53 a second, 1,049 in the 19.8 s, so that all of them arrive,
// and what its queue dropped once more.
TEST_CASE(
    "F12: of a value written 1,020 times a second the newest arrives, and no older one after") {
    LabSettings settings = lab_of(Duration::millis(40), Duration::seconds(20));
    settings.up.rate = {64'000};
    settings.up.queue = {.unit = QueueConfig::Unit::time, .time = Duration::millis(500)};
    Lab lab(settings);
    std::uint64_t written = 0;
    std::vector<std::uint64_t> values;
    lab.client.on_tick = [&](bots::Context& context, Script& self) {
        if (context.now >= Instant{} + Duration::seconds(15)) return;
        for (int i = 0; i < 17; ++i) {
            const std::vector<std::uint8_t> bytes = numbered(written, 64);
            const SendStatus status = context.endpoint.send(
                context.now, self.peer, {.lane = Lane::state, .bytes = bytes, .replace_tag = 7});
            CHECK((status == SendStatus::ok || status == SendStatus::replaced));
            values.push_back(content_hash(bytes));
            ++written;
        }
    };
    lab.run();
    REQUIRE(!lab.server.got.empty());
    CHECK(lab.server.got.back().hash == values.back());
    std::size_t place = 0;
    for (const Got& got : lab.server.got) {
        const auto found =
            std::find(values.begin() + static_cast<std::ptrdiff_t>(place), values.end(), got.hash);
        REQUIRE(found != values.end());
        place = static_cast<std::size_t>(found - values.begin()) + 1;
    }
    CHECK(lab.server.got.size() >= 60 * 148 / 10);
    CHECK(lab.server.got.size() <= 60 * 15 + 1);
    CHECK(lab.client_mouth->counters().messages_replaced + lab.server.got.size() == written);
}

// No acknowledgement comes back: every fragment goes out again at 0.2, 0.6, 1.4, 3, 5, ... s, and
// once in 2 s from then on. The client leaves with all of them outstanding; the server hears why.
TEST_CASE("F18: without acknowledgements repeats are bounded, and a goodbye over them is one") {
    Lab lab(lab_of(Duration::millis(40), Duration::seconds(30)));
    lab.server_mouth->swallow = [](Instant, const transport::Label& label) {
        return label.has(transport::Kind::ack);
    };
    Stream stream(Lane::state);
    bool is_leaving = false;
    lab.client.on_tick = [&](bots::Context& context, Script& self) {
        if (stream.sent() < 60) CHECK(stream.send(context, self, 64) == SendStatus::ok);
        if (is_leaving || context.now < Instant{} + Duration::seconds(20)) return;
        is_leaving = true;
        CHECK(context.endpoint.close(context.now, self.peer, CloseReason::application));
    };
    lab.run_until(Duration::seconds(15));
    // All sent in the first 1.2 s: by 15 s each has been sent 5 times in 3 s and once in 2 s after
    // that at most, and once in 2 s at least.
    CHECK(lab.client_mouth->counters().fragments_sent <= 60 * (5 + 5 + 1));
    CHECK(lab.client_mouth->counters().fragments_sent >= 60 * 7);
    CHECK(lab.server.closed.empty());
    lab.run();
    CHECK(stream.arrived_at(lab.server));
    CHECK(lab.client.closed == std::vector<CloseReason>{CloseReason::application});
    CHECK(lab.server.closed == std::vector<CloseReason>{CloseReason::remote});
    // In the 18.8 s until then each went out once, and 9 times more at the least.
    CHECK(lab.server_mouth->counters().duplicates >= 60 * 9);
}

}  // namespace wt::sim::field_queue_test
