// SPDX-License-Identifier: MIT
//
// Exact faults as a file says them, and what is refused: message, place in the text, advice.
#include <doctest/doctest.h>

#include "simulator/scenario/read_scenario.hpp"
#include "simulator/scenario/reader.hpp"

namespace wt::sim::read_faults_test {

namespace {

FaultSelector selector(const std::string& text) {
    const Result<FaultSelector, TextError> parsed = parse_selector(text);
    REQUIRE_MESSAGE(parsed.has_value(), text);
    return *parsed;
}

// "offset: message (hint)"
std::string refused(const std::string& text) {
    const Result<FaultSelector, TextError> parsed = parse_selector(text);
    if (parsed.has_value()) return "no error";
    const TextError& error = parsed.error();
    return std::to_string(error.offset) + ": " + error.message + " (" + error.hint + ")";
}

const std::string head =
    "[scenario]\nphases = [\"join 5s\", \"play 20s\"]\n[bots.runner]\ncount = 8\n";

std::string bad(const std::string& text) {
    const auto read = read_scenario_text(head + text, "dir/test.toml", {});
    if (read.has_value()) return "no problem";
    const Problem& first = read.error().front();
    return first.message + " (" + first.hint + ")";
}

Act act_of(const std::string& text) {
    const auto read = read_scenario_text(head + "[[at]]\n" + text, "dir/test.toml", {});
    if (!read.has_value()) FAIL_CHECK(format_problems(read.error()));
    REQUIRE(read.has_value());
    return read->acts.at(0);
}

}  // namespace

TEST_CASE("direction, kind, filters, ordinals, every") {
    const FaultSelector plain = selector("down datagram");
    CHECK(plain.way == Way::down);
    CHECK(!plain.kind.has_value());
    CHECK(plain.ordinals.first == 1);
    CHECK(plain.ordinals.is_open());
    CHECK(!plain.is_finite());

    const FaultSelector full = selector(
        "down bulk message 7 fragment 2.. transmission 1..2 tick 0..9 sequence 65000 lane bulk "
        "#3..50 every 10");
    CHECK(full.kind == transport::Kind::bulk);
    CHECK(full.message->first == 7);
    CHECK(full.message->last == 7);
    CHECK(full.fragment->is_open());
    CHECK(full.transmission->last == 2);
    CHECK(full.tick->first == 0);
    CHECK(full.sequence->first == 65'000);
    CHECK(full.lane == transport::Lane::bulk);
    CHECK(full.takes(3));
    CHECK(full.takes(43));
    CHECK(!full.takes(2));
    CHECK(!full.takes(4));
    CHECK(!full.takes(53));
    CHECK(full.is_finite());
    CHECK(selector("up input tick 5").is_finite());
    CHECK(!selector("up input tick 5.. #2..").is_finite());
}

TEST_CASE("what a label must have to match") {
    transport::Label label;
    label.add(transport::Kind::snapshot);
    label.on_lane = true;
    label.lane = transport::Lane::gameplay;
    label.message = 9;
    CHECK(selector("down snapshot").matches(label));
    CHECK(selector("down datagram lane gameplay").matches(label));
    CHECK(selector("down snapshot message 9").matches(label));
    CHECK(!selector("down snapshot message 8").matches(label));
    CHECK(!selector("down bulk").matches(label));
    // Unreliable: it has no fragments, no transmissions and no transmission sequence.
    CHECK(!selector("down snapshot fragment 0").matches(label));
    CHECK(!selector("down snapshot transmission 1").matches(label));
    CHECK(!selector("down snapshot sequence 0").matches(label));
    label.transmission = 2;
    CHECK(selector("down snapshot transmission 2 fragment 0 sequence 0").matches(label));

    transport::Label ack;
    ack.add(transport::Kind::ack);
    ack.sequence = 500;
    CHECK(selector("up ack sequence 400..500").matches(ack));
    CHECK(!selector("up ack lane control").matches(ack));
    ack.add(transport::Kind::input);  // It carries more than acknowledgements.
    CHECK(!selector("up ack").matches(ack));
    CHECK(selector("up input").matches(ack));
}

TEST_CASE("selectors that cannot be") {
    CHECK(refused("") == "0: the selector is empty (e.g. what = \"down snapshot #3..5\")");
    CHECK(refused("snapshot #3") ==
          "0: a selector begins with up or down, not \"snapshot\" (e.g. what = \"down snapshot "
          "#3..5\")");
    CHECK(refused("down snapshto #3") ==
          "5: unknown kind \"snapshto\" (did you mean \"snapshot\"?)");
    CHECK(refused("up snapshot") ==
          "3: a datagram of kind snapshot only goes down (write \"down snapshot\")");
    CHECK(refused("up input framgent 2") ==
          "9: unknown filter \"framgent\" (did you mean \"fragment\"?)");
    CHECK(refused("up input lane gamepaly") ==
          "14: unknown lane \"gamepaly\" (did you mean \"gameplay\"?)");
    CHECK(refused("up input #") == "9: \"#\" names no numbers (3, 3..5 or 3..)");
    CHECK(refused("up input #0") == "9: ordinals begin with 1 (the first one is #1)");
    CHECK(refused("up input #5..3") == "9: \"#5..3\" ends before it begins (smaller one first)");
    CHECK(refused("up input #1..2x") == "9: \"#1..2x\" names no numbers (3, 3..5 or 3..)");
    CHECK(refused("up input #1 #2") == "12: \"#\" stands twice (leave one out)");
    CHECK(refused("up input tick") == "13: tick needs numbers (3, 3..5 or 3..)");
    CHECK(refused("up input every 0") == "15: \"0\" is no count (1 or more, e.g. every 10)");
    CHECK(refused("up input tick 9999999999999") ==
          "14: \"9999999999999\" names no numbers (3, 3..5 or 3..)");
}

TEST_CASE("faults and their keys") {
    const Act drop = act_of("phase = \"play\"\ndo = \"drop\"\nwhat = \"up input #1..4\"\n");
    CHECK(drop.what == Act::Do::drop);
    CHECK(drop.fault->action == FaultAction::drop);
    CHECK(drop.selector == "up input #1..4");
    CHECK(drop.who.at(0).kind == Target::Kind::all);
    CHECK(drop.end == Instant{} + Duration::seconds(25));
    const Act delay =
        act_of("time = \"play\"\ndo = \"delay\"\nby = \"700ms\"\nwhat = \"up input\"\n");
    CHECK(delay.fault->by == Duration::millis(700));
    CHECK(delay.end == Instant::never());
    const Act twice = act_of(
        "time = \"1s\"\ndo = \"duplicate\"\ncopies = 3\nafter = \"2ms\"\nwhat = \"up input\"\n");
    CHECK(twice.fault->copies == 3);
    CHECK(twice.fault->after == Duration::millis(2));
    CHECK(act_of("time = \"1s\"\ndo = \"corrupt\"\nbit = 77\nwhat = \"up input\"\n").fault->bit ==
          77);
    CHECK(act_of("time = \"1s\"\ndo = \"replay\"\nfrom = \"stranger\"\nwhat = \"up input\"\n")
              .fault->is_from_stranger);
}

TEST_CASE("a fault that repeats holds until it begins anew") {
    const Act act =
        act_of("phase = \"play\"\nevery = \"2s\"\ndo = \"drop\"\nwhat = \"up input #1\"\n");
    CHECK(act.every == Duration::seconds(2));
    CHECK(act.end - act.start == Duration::seconds(2));
    CHECK(act.every_until == Instant{} + Duration::seconds(25));
}

TEST_CASE("faults that cannot be") {
    const std::string at = "[[at]]\ntime = \"1s\"\n";
    CHECK(bad(at + "do = \"drop\"\n") ==
          "[[at]] needs what: the datagrams that are meant (e.g. what = \"down snapshot #3..5\")");
    CHECK(bad(at + "do = \"delay\"\nwhat = \"up input\"\n") ==
          "[[at]] needs by (e.g. by = \"700ms\")");
    CHECK(bad(at + "do = \"drop\"\nby = \"1s\"\nwhat = \"up input\"\n")
              .starts_with("unknown key \"by\""));
    CHECK(bad(at + "do = \"droop\"\nwhat = \"up input\"\n") ==
          "unknown act \"droop\" (did you mean \"drop\"?)");
    CHECK(bad("[[at]]\nphase = \"play\"\nevery = \"1ms\"\ndo = \"drop\"\nwhat = \"up input\"\n") ==
          "the exact faults fire 20001 times (at most 10,000 in all: a longer every)");
    const std::string loopback = "[transport]\nkind = \"loopback\"\n";
    CHECK(bad(loopback + at + "do = \"drop\"\nwhat = \"down bulk fragment 2\"\n")
              .starts_with("loopback has no fragments"));
    CHECK(bad(loopback + at + "do = \"replay\"\nfrom = \"stranger\"\nwhat = \"up input\"\n")
              .starts_with("loopback believes every address"));
    CHECK(bad(loopback + at + "do = \"drop\"\nwhat = \"down bulk tick 2\"\n") == "no problem");
}

}  // namespace wt::sim::read_faults_test
