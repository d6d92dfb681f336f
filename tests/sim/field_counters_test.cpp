// SPDX-License-Identifier: MIT
//
// Reports from the field about numbers that run out, wrap or are cut (F1, F2, F3, F10, F25, F27):
// both ends for real, numbers set to just before the place that hurt others, every content
// compared.
#include <limits>

#include "tests/sim/field_lab.hpp"

namespace wt::sim::field_counters_test {
namespace {

using transport::CloseReason;
using transport::Lane;
using transport::Refusal;
using transport::SendStatus;

std::uint64_t refused_in_all(const Mouth& end) {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : end.counters().refused)
        sum += count;
    return sum;
}

}  // namespace

// 200 messages a tick, 70,000 of them: past half a lap of the 16-bit ids (32,768) and past a whole
// one (65,536). 5.9 s at 60 ticks a second. The channel takes 1,024 a poll.
TEST_CASE("F1: a fragmented message comes through after 70,000 small ones") {
    LabSettings settings = lab_of(Duration::millis(20), Duration::seconds(12));
    settings.up.order = LinkOrder::free;
    settings.up.reorder = {.chance = Chance::percent(10), .by = Duration::millis(5)};
    Lab lab(settings);
    Stream stream(Lane::state);
    lab.client.on_tick = [&](bots::Context& context, Script& self) {
        for (int i = 0; i < 200 && stream.sent() < 70'000; ++i)
            REQUIRE(stream.send(context, self, 10) == SendStatus::ok);
        if (stream.sent() == 70'000) REQUIRE(stream.send(context, self, 8'192) == SendStatus::ok);
    };
    lab.run();
    CHECK(stream.sent() == 70'001);
    CHECK(stream.arrived_at(lab.server));
    REQUIRE(!lab.server.got.empty());
    CHECK(lab.server.got.back().size == 8'192);
    CHECK(lab.client.closed.empty());
}

// Of each hundred datagrams one comes through, both ways, acknowledgements included; nobody gives
// up meanwhile. 4,000 messages are under way on four lanes, and repeated every 2 s in the end, so
// that the transmission sequence goes round twice (131,072) in some minutes. Whatever was released
// by an acknowledgement of another lap would be missing in the end.
TEST_CASE("F2: at 99 % loss no acknowledgement of another lap releases anything") {
    LabSettings settings = lab_of(Duration::millis(20), Duration::seconds(1'200));
    settings.timeout = Duration::seconds(3'600);
    Lab lab(settings);
    std::vector<Stream> streams{Stream(Lane::gameplay), Stream(Lane::state), Stream(Lane::chat),
                                Stream(Lane::bulk)};
    lab.client.on_tick = [&](bots::Context& context, Script& self) {
        if (context.now < Instant{} + Duration::millis(1'200)) return;
        for (Stream& stream : streams)
            for (int i = 0; i < 50 && stream.sent() < 1'000; ++i)
                REQUIRE(stream.send(context, self, 8) == SendStatus::ok);
    };
    bool bad = true;
    std::uint64_t datagrams = 0;
    const LuckKey luck = LuckKey::root(1).with("99 %");
    const auto swallow = [&](Instant now, const transport::Label&) {
        return bad && now > Instant{} + Duration::seconds(1) && luck.draw(datagrams++) % 100 != 0;
    };
    lab.client_mouth->swallow = swallow;
    lab.server_mouth->swallow = swallow;
    Duration until{};
    const auto sent = [&] { return lab.client_mouth->counters().fragments_sent; };
    for (; until < Duration::seconds(1'000) && sent() < 2 * 65'536;
         until = until + Duration::seconds(10))
        lab.run_until(until + Duration::seconds(10));
    CHECK(sent() >= 2 * 65'536);
    // What was released did arrive.
    CHECK(lab.client_mouth->counters().acked <= lab.server_mouth->counters().reassembled);
    bad = false;
    lab.run();
    for (const Stream& stream : streams) {
        CHECK(stream.sent() == 1'000);
        CHECK(stream.arrived_at(lab.server));
    }
    CHECK(lab.client.closed.empty());
    CHECK(lab.client_mouth->counters().acked == 4'000);
}

// 300 numbers before the last one. Each tick costs the client one reliable datagram and one
// acknowledgement; 64 numbers are kept back for the goodbye (engine/secure/README.md, "ends of
// counters"), so that it comes after at most 236.
TEST_CASE("F3: packet numbers walk to their end, every one of them valid, and the end is said") {
    LabSettings settings = lab_of(Duration::millis(20), Duration::seconds(20));
    settings.initial.packet_number = std::numeric_limits<std::uint64_t>::max() - 300;
    for (DirectionConfig* way : {&settings.up, &settings.down}) {
        way->order = LinkOrder::free;
        way->reorder = {.chance = Chance::percent(20), .by = Duration::millis(30)};
    }
    Lab lab(settings);
    Stream up(Lane::state);
    Stream down(Lane::state);
    const auto one_each_tick = [](Stream& stream) {
        return [&stream](bots::Context& context, Script& self) {
            static_cast<void>(stream.send(context, self, 40));
        };
    };
    lab.client.on_tick = one_each_tick(up);
    lab.server.on_tick = one_each_tick(down);
    lab.run();
    REQUIRE(lab.client.closed.size() == 1);
    REQUIRE(lab.server.closed.size() == 1);
    // Whoever gets there first says it, and the other end hears why.
    CHECK(lab.client.closed[0] == CloseReason::counters_exhausted);
    CHECK(lab.server.closed[0] == CloseReason::counters_exhausted);
    // Two datagrams a tick and end: more than 100 messages each way before the end, all in order;
    // what was under way at the end (10 and 30 ms, and a tick) may be cut off.
    for (const auto& [stream, receiver] : {std::pair{&up, &lab.server}, {&down, &lab.client}}) {
        const std::vector<std::uint64_t> got = stream->hashes_of(*receiver);
        CHECK(got.size() >= 100);
        CHECK(got.size() + 5 >= stream->sent());
    }
    for (const Refusal why :
         {Refusal::packet_too_old, Refusal::packet_replayed, Refusal::bad_tag}) {
        CHECK(lab.server_mouth->counters().of(why) == 0);
        CHECK(lab.client_mouth->counters().of(why) == 0);
    }
}

TEST_CASE("F10: acknowledgements go on over packet numbers 2^31, 2^32 and 2^48") {
    for (const unsigned bits : {31u, 32u, 48u}) {
        CAPTURE(bits);
        LabSettings settings = lab_of(Duration::millis(20), Duration::seconds(10));
        settings.initial.packet_number = (std::uint64_t{1} << bits) - 50;
        settings.initial.record_counter = settings.initial.packet_number;
        Lab lab(settings);
        Stream stream(Lane::state);
        lab.client.on_tick = [&](bots::Context& context, Script& self) {
            if (stream.sent() < 200) REQUIRE(stream.send(context, self, 40) == SendStatus::ok);
        };
        lab.run();
        CHECK(stream.sent() == 200);
        CHECK(stream.arrived_at(lab.server));
        CHECK(lab.client_mouth->counters().acked == 200);
        CHECK(lab.client_mouth->counters().retransmits == 0);
        CHECK(refused_in_all(*lab.server_mouth) == 0);
        CHECK(refused_in_all(*lab.client_mouth) == 0);
    }
}

// Sizes from 1,000 B in steps of 7: records of 1,024 to 6,617 B, one to seven fragments, last ones
// of every remainder modulo 8, arriving out of order.
TEST_CASE("F25: messages of odd lengths come together whole from fragments in any order") {
    LabSettings settings = lab_of(Duration::millis(40), Duration::seconds(30));
    settings.up.order = LinkOrder::free;
    settings.up.reorder = {.chance = Chance::percent(30), .by = Duration::millis(15)};
    settings.up.loss = Chance::percent(2);
    Lab lab(settings);
    Stream stream(Lane::bulk);
    lab.client.on_tick = [&](bots::Context& context, Script& self) {
        if (stream.sent() < 800)
            REQUIRE(stream.send(context, self, 1'000 + 7 * stream.sent()) == SendStatus::ok);
    };
    lab.run();
    CHECK(stream.sent() == 800);
    CHECK(stream.arrived_at(lab.server));
    CHECK(lab.server_mouth->counters().violations == 0);
}

// Message ids, transmission sequences and the low half of packet numbers all wrap within a second,
// and the client hears no acknowledgement meanwhile: what it repeats then has ids and sequences
// from before the wrap in packets from after it.
TEST_CASE("F27: what comes late from before a wrap is ignored and ends nothing") {
    LabSettings settings = lab_of(Duration::millis(20), Duration::seconds(20));
    settings.initial = {.transmission_sequence = 65'500,
                        .message_id = 65'500,
                        .packet_number = 0xffff'ff00,
                        .record_counter = 0xffff'ffc0};
    Lab lab(settings);
    Stream stream(Lane::state);
    lab.client.on_tick = [&](bots::Context& context, Script& self) {
        if (stream.sent() < 200) REQUIRE(stream.send(context, self, 40) == SendStatus::ok);
    };
    lab.server_mouth->swallow = [](Instant now, const transport::Label& label) {
        return now < Instant{} + Duration::millis(2'500) && label.has(transport::Kind::ack);
    };
    lab.run();
    CHECK(stream.arrived_at(lab.server));
    CHECK(lab.server_mouth->counters().duplicates > 200);
    CHECK(lab.server_mouth->counters().violations == 0);
    CHECK(lab.client_mouth->counters().acked == 200);
    CHECK(lab.client.closed.empty());
    CHECK(lab.server.closed.empty());
}

}  // namespace wt::sim::field_counters_test
