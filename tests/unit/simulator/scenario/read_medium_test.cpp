// SPDX-License-Identifier: MIT
//
// Keys about a link's medium and the traffic of others, and recordings from files.
#include <doctest/doctest.h>

#include "simulator/scenario/read_scenario.hpp"
#include "simulator/scenario/recording.hpp"
#include "tests/support/scratch_folder.hpp"

namespace wt::sim::read_medium_test {

namespace {

const std::string head = R"([scenario]
phases = ["join 2s", "play 8s"]
[bots.runner]
[links.default]
)";
const std::string narrow = "rate = \"1Mbit/s\"\nqueue = \"64KiB\"\n";

DirectionConfig up_with(const std::string& text) {
    const auto read = read_scenario_text(head + text, "dir/test.toml", {});
    REQUIRE_MESSAGE(read.has_value(), format_problems(read.error()));
    return read->links.front().up;
}

std::string bad(const std::string& text) {
    const auto read = read_scenario_text(head + text, "dir/test.toml", {});
    return read.has_value() ? "no problem" : read.error().front().message;
}

std::string cross(const std::string& text) {
    return narrow + "[links.default.cross.flow]\n" + text;
}

}  // namespace

TEST_CASE("disciplines need something to wait for") {
    CHECK(up_with(narrow + "discipline = \"codel\"\n").discipline == Discipline::codel);
    CHECK(up_with(narrow + "discipline = \"red\"\n").discipline == Discipline::red);
    CHECK(up_with(narrow + "discipline = \"pie\"\n").discipline == Discipline::pie);
    CHECK(up_with(narrow + "discipline = \"drophead\"\n").discipline == Discipline::drophead);
    const DirectionConfig fair = up_with(narrow + "discipline = \"fq-codel\"\n");
    CHECK(fair.discipline == Discipline::fq_codel);
    CHECK(fair.fair == FairQueueConfig{1'024, 1'514});
    CHECK(
        up_with(narrow + "discipline = { kind = \"fq-codel\", buckets = 8, quantum = \"300B\" }\n")
            .fair == FairQueueConfig{8, 300});
    const std::string front = narrow + "discipline = { ";
    CHECK(bad(front + "buckets = 8 }\n") == "[links.default] discipline needs kind");
    CHECK(bad(front + "kind = \"codel\", buckets = 8 }\n") ==
          "buckets and quantum are of fq-codel");
    CHECK(bad(front + "kind = \"fq-codel\", buckets = 0 }\n") == "buckets = 0 is out of range");
    CHECK(bad(front + "kind = \"fq-codel\", quantum = \"67B\" }\n") ==
          "quantum = \"67B\" is out of range");
    CHECK(bad(front + "kind = \"fq-codel\", quantum = 300 }\n") == "300 has no unit");
    CHECK(bad(narrow + "discipline = 3\n") == "discipline cannot be 3");
    CHECK(bad("discipline = \"fq-codel\"\n") == "a discipline without anything to wait for");
    CHECK(bad(narrow + "discipline = \"codle\"\n") == "unknown discipline \"codle\"");
    CHECK(bad("discipline = \"codel\"\n") == "a discipline without anything to wait for");
}

TEST_CASE("a change keeps the kind of a queue that judges at turns") {
    const std::string change = "\n[[at]]\nphase = \"play\"\ndo = \"change\"\n";
    const std::string refused = "a change cannot make or end a queue of drophead or fq-codel";
    const std::string fair = narrow + "discipline = \"fq-codel\"\n";
    CHECK(bad(fair + change + "set = { rate = \"2Mbit/s\" }\n") == "no problem");
    CHECK(bad(fair + change + "set = { discipline = \"codel\" }\n") == refused);
    CHECK(bad(narrow + change + "set = { discipline = \"drophead\" }\n") == refused);
    CHECK(bad(fair + change + "to = \"wifi-bad\"\n") == refused);
    CHECK(bad(narrow + change + "set = { discipline = \"codel\" }\n") == "no problem");
}

TEST_CASE("police, handover, slot, drops") {
    DirectionConfig up = up_with("police = { rate = \"2Mbit/s\", burst = \"1500B\" }\n");
    CHECK(up.police.rate.bits_per_second == 2'000'000);
    CHECK(up.police.burst == 1'500);
    CHECK(bad("police = { rate = \"2Mbit/s\" }\n") ==
          "[links.default] police needs rate and burst");
    CHECK(bad("police = { rate = \"2Mbit/s\", burst = \"1499B\" }\n") ==
          "burst = \"1499B\" is out of range");
    up = up_with(
        "handover = { every = \"15s\", gap = \"60ms\", step = \"30ms\", loss = \"50%\" }\n");
    CHECK(up.handover.every == Duration::seconds(15));
    CHECK(up.handover.loss == Chance::percent(50));
    CHECK(bad("handover = { gap = \"60ms\" }\n") == "[links.default] handover needs every");
    CHECK(bad("handover = { every = \"1s\", gap = \"1s\" }\n") == "the gap never ends");
    CHECK(bad("handover = { every = \"1s\", loss = \"1%\" }\n") ==
          "loss is of the gap, and there is none");
    up = up_with("queue = \"64KiB\"\nslot = { every = \"10ms\", bytes = \"6000B\" }\n");
    CHECK(up.slot.bytes == 6'000);
    CHECK(bad("slot = { every = \"10ms\", bytes = \"6000B\" }\n") ==
          "slots and recordings need a queue");
    CHECK(bad(narrow + "slot = { every = \"10ms\", bytes = \"6000B\" }\n") ==
          "rate, slot and trace say the same thing");
    CHECK(up_with("drops = { every = 10 }\n").drops.every == 10);
    CHECK(up_with("drops = { list = [9, 3, 4] }\n").drops.list ==
          std::vector<std::uint64_t>{3, 4, 9});
    CHECK(bad("drops = { every = 0 }\n") == "every = 0 is out of range");
    CHECK(bad("drops = { list = [] }\n") ==
          "list is 1 to 1,000 numbers, the first datagram being 1");
    CHECK(bad("drops = { list = [0] }\n") ==
          "list is 1 to 1,000 numbers, the first datagram being 1");
    CHECK(bad("drops = {}\n") == "[links.default] drops needs either every or list");
    CHECK(bad("drops = { every = 2, list = [1] }\n") ==
          "[links.default] drops needs either every or list");
    // "none" takes away what a profile has.
    CHECK(up_with("police = \"none\"\nhandover = \"none\"\nslot = \"none\"\ntrace = \"none\"\n"
                  "drops = \"none\"\n")
              .police.burst == 0);
}

TEST_CASE("the traffic of others") {
    DirectionConfig up =
        up_with(cross("direction = \"up\"\nkind = \"poisson\"\nrate = \"500kbit/s\"\n"));
    REQUIRE(up.cross.size() == 1);
    CHECK(up.cross[0].name == "flow");
    CHECK(up.cross[0].packet == 1'200);
    CHECK(up.cross[0].end == Instant::never());
    up = up_with(cross("direction = \"up\"\nkind = \"greedy\"\nphase = \"play\"\n"));
    CHECK(up.cross[0].start == Instant{2'000'000'000});
    CHECK(up.cross[0].end == Instant{10'000'000'000});
    up =
        up_with(cross("direction = \"up\"\nkind = \"onoff\"\nrate = \"1Mbit/s\"\non = \"2s\"\n"
                      "off = \"8s\"\ntime = \"play+1s\"\nfor = \"500ms\"\npacket = \"100B\"\n"));
    CHECK(up.cross[0].start == Instant{3'000'000'000});
    CHECK(up.cross[0].end == Instant{3'500'000'000});
    CHECK(bad(cross("direction = \"up\"\n")) ==
          "[links.default.cross.flow] needs direction and kind");
    CHECK(bad(cross("direction = \"up\"\nkind = \"poisson\"\n")) ==
          "[links.default.cross.flow] needs a rate");
    CHECK(bad(cross("direction = \"up\"\nkind = \"greedy\"\nrate = \"1Mbit/s\"\n")) ==
          "a greedy flow takes what it gets");
    CHECK(bad(cross("direction = \"up\"\nkind = \"onoff\"\nrate = \"1Mbit/s\"\non = \"2s\"\n")) ==
          "[links.default.cross.flow] needs on and off");
    CHECK(bad(cross("direction = \"up\"\nkind = \"poisson\"\nrate = \"1Mbit/s\"\non = \"2s\"\n"
                    "off = \"2s\"\n")) == "[links.default.cross.flow] has on and off of onoff");
    CHECK(bad(cross("direction = \"up\"\nkind = \"greedy\"\nphase = \"paly\"\n")) ==
          "unknown phase \"paly\"");
    CHECK(bad(cross("direction = \"up\"\nkind = \"greedi\"\n")) == "unknown kind \"greedi\"");
    CHECK(bad("[links.default.cross.flow]\ndirection = \"up\"\nkind = \"greedy\"\n") ==
          "traffic of others on a link without a limit changes nothing");
    // A link that starts from another one has its flows, or its own.
    const auto read = read_scenario_text(
        head + cross("direction = \"up\"\nkind = \"greedy\"\n") +
            "[links.near]\nprofile = \"default\"\n[links.far]\nprofile = \"default\"\n"
            "[links.far.cross.film]\ndirection = \"down\"\nkind = \"greedy\"\n",
        "t.toml", {});
    REQUIRE(read.has_value());
    CHECK(read->links[2].up.cross.size() == 1);
    CHECK(read->links[1].up.cross.empty());
    CHECK(read->links[1].down.cross[0].name == "film");
}

TEST_CASE("Mahimahi: a line is a millisecond") {
    const auto trace = parse_mahimahi("0\n0\n7\r\n20\n");
    REQUIRE(trace.has_value());
    CHECK(trace->times == std::vector<std::int64_t>{0, 0, 7'000'000, 20'000'000});
    CHECK(trace->period == Duration::millis(20));
    CHECK(trace->bytes == 1'500);
    CHECK(parse_mahimahi("0\n5\n4\n").error().message == "time goes back");
    CHECK(parse_mahimahi("0\n5\n4\n").error().line == 3);
    CHECK(parse_mahimahi("0\nx\n").error().message == "no millisecond");
    CHECK(parse_mahimahi("0\n\n5\n").error().line == 2);
    CHECK(parse_mahimahi("0\n0\n").error().message == "the recording has no length");
    CHECK(parse_mahimahi("1\n").has_value());
    CHECK(!parse_mahimahi("9999999999999\n").has_value());
}

TEST_CASE("CSV: a rate from a time on") {
    // 12 Mbit/s are 1,500 B a millisecond; 6 Mbit/s one each 2 ms.
    const auto trace = parse_rate_csv("time_ms,kbit_s\n0,12000\n3,6000\n8,0\n10,0\n");
    REQUIRE(trace.has_value());
    CHECK(trace->times ==
          std::vector<std::int64_t>{1'000'000, 2'000'000, 3'000'000, 5'000'000, 7'000'000});
    CHECK(trace->period == Duration::millis(10));
    // What one stretch begins the next one ends: 6,000 bits of 12,000, then 6 ms of 1,000.
    const auto carried = parse_rate_csv("time_ms,kbit_s\n0,6000\n1,1000\n9,0\n");
    REQUIRE(carried.has_value());
    CHECK(carried->times == std::vector<std::int64_t>{7'000'000});
    CHECK(parse_rate_csv("time,rate\n0,1\n").error().message == "the first line is time_ms,kbit_s");
    CHECK(parse_rate_csv("time_ms,kbit_s\n1,5\n").error().message == "the first time is 0");
    CHECK(parse_rate_csv("time_ms,kbit_s\n0,5\n0,5\n").error().message == "time goes back");
    CHECK(parse_rate_csv("time_ms,kbit_s\n0,1.5\n").error().message == "no millisecond and rate");
    CHECK(parse_rate_csv("time_ms,kbit_s\n0,1\n5,0\n").error().message == "nothing ever passes");
}

TEST_CASE("a recording lies beside its scenario, and its content is part of it") {
    const test::ScratchFolder folder;
    const auto read_with = [&](const std::string& name, const std::string& content) {
        folder.write(name, content);
        return read_scenario_text(head + "queue = \"64KiB\"\ntrace = { file = \"" + name + "\" }\n",
                                  folder.file("t.toml"), {});
    };
    const auto first = read_with("drive.down", "0\n10\n");
    REQUIRE(first.has_value());
    CHECK(first->links[0].up.trace.opportunities->times.size() == 2);
    const auto second = read_with("drive.down", "0\n11\n");
    REQUIRE(second.has_value());
    CHECK(first->resolved_text != second->resolved_text);
    CHECK(read_with("drive.csv", "time_ms,kbit_s\n0,12000\n5,0\n").has_value());
    CHECK(read_with("drive.pcap", "0\n10\n").error().front().message ==
          "\"drive.pcap\" is no kind of recording that is known");
    const auto list = read_with("calls.txt", "0\n20\n55\n60\n");
    REQUIRE(list.has_value());
    CHECK(list->links[0].up.trace.lateness->late.size() == 4);
    CHECK(list->links[0].up.trace.opportunities == nullptr);
    CHECK(read_with("calls.txt", "0\n-20\n").error().front().message ==
          folder.file("calls.txt:2: no millisecond"));
    CHECK(read_with("back.up", "10\n5\n").error().front().message ==
          folder.file("back.up:2: time goes back"));
    CHECK(bad("queue = \"64KiB\"\ntrace = { file = \"no.up\" }\n") ==
          "cannot read the recording dir/no.up");
    CHECK(bad("queue = \"64KiB\"\ntrace = {}\n") == "[links.default] trace needs file");
}

TEST_CASE("a list of arrivals: how late each one was, behind an even pace") {
    const auto late = [](std::string_view text) {
        std::vector<std::int64_t> ms;
        const Result<LatenessList, RecordingError> list = parse_arrivals(text);
        for (const std::int64_t ns : list->late)
            ms.push_back(ns / 1'000'000);
        return ms;
    };
    using List = std::vector<std::int64_t>;
    // Sent each 20 ms: the third one is 15 ms late.
    CHECK(late("0\n20\n55\n60\n") == List{0, 0, 15, 0});
    // The third one overtakes the second, and is the least late.
    CHECK(late("10\n50\n40\n70\n") == List{10, 30, 0, 10});
    CHECK(parse_arrivals("5\n").error().message == "fewer than two arrivals");
    CHECK(parse_arrivals("5\n5\n").error().message == "the last one came before the first");
    CHECK(parse_arrivals("5\nx\n9\n").error().line == 2);
}

TEST_CASE("a table of a distribution: numbers of 16 bits, counted from the least one") {
    const auto table = parse_delay_table("# from: somewhere\n 5 -3\t1\r\n\n5 # the last one\n");
    REQUIRE(table.has_value());
    CHECK(table->above_least == std::vector<std::int64_t>{0, 4, 8, 8});
    CHECK(table->median() == 4);
    CHECK(parse_delay_table("-32768 32767 32767\n").has_value());
    CHECK(parse_delay_table("1\n2 32768\n").error().line == 2);
    CHECK(parse_delay_table("1 -32769\n").error().message ==
          "no whole number from -32,768 to 32,767");
    for (const char* word : {"1.5", "-", "--1", "0x10", "9999999999999", "1e3", "+1"})
        CHECK(!parse_delay_table(std::string("1 2 ") + word).has_value());
    CHECK(parse_delay_table("").error().message == "fewer than two values");
    CHECK(parse_delay_table("# 1 2 3\n7\n").error().message == "fewer than two values");
    CHECK(parse_delay_table("7 7 7 9\n").error().message == "half of the values are the least one");
    std::string many;
    for (int i = 0; i < 16'384; ++i)
        many += std::to_string(i % 7) + " ";
    CHECK(parse_delay_table(many).has_value());
    CHECK(parse_delay_table(many + "1").error().message == "more than 16,384 values");
}

TEST_CASE("jitter with a table or a memory") {
    const test::ScratchFolder folder;
    const auto message = [&](const std::string& jitter) {
        const auto read =
            read_scenario_text(head + "jitter = { " + jitter + " }\n", folder.file("t.toml"), {});
        return read.has_value() ? std::string("no problem") : read.error().front().message;
    };
    folder.write("wifi.dist", "-5 0 1 2 9\n");
    folder.write("flat.dist", "1 1 1 2\n");
    const std::string table = "kind = \"table\", file = \"wifi.dist\", ";
    CHECK(message(table + "p50 = \"4ms\"") == "no problem");
    CHECK(message(table + "p50 = \"4ms\", drift = \"200ms\"") == "no problem");
    CHECK(message(table + "p50 = \"4ms\", p99 = \"9ms\"") ==
          "p99 of a table is what its shape says");
    CHECK(message("kind = \"table\", p50 = \"4ms\"") ==
          "a jitter of kind table needs file and p50");
    CHECK(message("kind = \"table\", file = \"no.dist\", p50 = \"4ms\"") ==
          "cannot read the table " + folder.file("no.dist"));
    CHECK(message("kind = \"table\", file = \"wifi.csv\", p50 = \"4ms\"") ==
          "\"wifi.csv\" is no table of a distribution");
    CHECK(message("kind = \"table\", file = \"flat.dist\", p50 = \"4ms\"") ==
          folder.file("flat.dist:1: half of the values are the least one"));
    CHECK(message("kind = \"table\", file = 3, p50 = \"4ms\"") == "file cannot be 3");
    const std::string normal = "kind = \"normal\", p50 = \"4ms\", p99 = \"9ms\", ";
    CHECK(message(normal + "drift = \"2s\"") == "no problem");
    CHECK(message(normal + "drift = \"1ms\"") == "drift = \"1ms\" is out of range");
    CHECK(message(normal + "drift = \"90%\"") == "\"90%\": the unit \"%\" does not fit");
    CHECK(message(normal + "drift = 2") == "2 has no unit");
    CHECK(message(normal + "file = \"wifi.dist\"") == "file is of kind table");
    const DirectionConfig up = up_with("jitter = { " + normal + "drift = \"2s\" }\n");
    CHECK(up.jitter.drift == Duration::seconds(2));
}

TEST_CASE("a profile can be a file with one link") {
    const test::ScratchFolder folder;
    const auto read_with = [&](const std::string& profile, const std::string& more = "") {
        folder.write("lines/dsl.toml", profile);
        return read_scenario_text(head + "profile = \"lines/dsl.toml\"\n" + more,
                                  folder.file("t.toml"), {});
    };
    const std::string line = "[links.measured]\none_way_delay = \"9ms\"\nloss = \"1%\"\n";
    const auto read = read_with(
        line + "[links.measured.up]\nrate = \"1Mbit/s\"\nqueue = \"9KiB\"\n", "loss = \"2%\"\n");
    REQUIRE_MESSAGE(read.has_value(), format_problems(read.error()));
    CHECK(read->links[0].name == "default");
    CHECK(read->links[0].up.delay == Duration::millis(9));
    CHECK(read->links[0].up.rate.bits_per_second == 1'000'000);
    CHECK(read->links[0].down.rate.bits_per_second == 0);
    CHECK(read->links[0].up.loss == Chance::percent(2));
    CHECK(read->resolved_text != read_with(line, "loss = \"2%\"\n")->resolved_text);
    const auto preset = read_with("[links.measured]\nprofile = \"wifi-bad\"\n");
    REQUIRE(preset.has_value());
    CHECK(preset->links[0].up.bad.has_value());
    const auto message = [&](const std::string& profile) {
        const auto wrong = read_with(profile);
        return wrong.has_value() ? std::string("no problem") : wrong.error().front().message;
    };
    const std::string path = folder.file("lines/dsl.toml");
    CHECK(message("") == "cannot read the profile " + path);
    CHECK(message("# nothing\n") == path + " is no profile");
    CHECK(message(line + "[links.other]\n") == path + " is no profile");
    CHECK(message(line + "[bots.runner]\n") == path + " is no profile");
    CHECK(message("links = 3\n") == path + " is no profile");
    CHECK(message("[links.measured]\nvia = \"dsl\"\n") ==
          "unknown key \"via\" in [links.measured]");
    CHECK(message("[links.measured]\nprofile = \"dsl.toml\"\n") ==
          "a profile's own profile is a preset");
    CHECK(message("[links.measured]\nloss = 3\n") == "3 has no unit");
    CHECK(message("[links.measured]\nrate = \"1Mbit/s\"\n") ==
          "[links.default]: rate without queue");
    CHECK(!read_with("[links.measured\n").has_value());
    CHECK(bad("profile = \"no.toml\"\n") == "cannot read the profile dir/no.toml");
}

}  // namespace wt::sim::read_medium_test
