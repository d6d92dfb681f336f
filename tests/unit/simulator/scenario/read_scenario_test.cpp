// SPDX-License-Identifier: MIT
//
// What is read, and what is refused. Refusals are compared by message; problem_test.cpp has the
// whole layout.
#include "simulator/scenario/read_scenario.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace wt::sim::read_scenario_test {

namespace {

const std::string head = "[scenario]\nphases = [\"join 5s\", \"play 20s\"]\n";
const std::string some_bots = "[bots.runner]\ncount = 8\n";

Scenario good(const std::string& text, const Settings& settings = {}) {
    const auto read = read_scenario_text(text, "dir/test.toml", settings);
    if (!read.has_value()) {
        const std::string errors = format_problems(read.error());
        FAIL_CHECK(errors);
        return {};
    }
    return *read;
}

// The message of the only problem.
std::string bad(const std::string& text, const Settings& settings = {}) {
    const auto read = read_scenario_text(text, "dir/test.toml", settings);
    if (read.has_value()) return "no problem";
    if (read.error().size() != 1) return format_problems(read.error());
    return read.error().front().message;
}

std::string bad_hint(const std::string& text, const Settings& settings = {}) {
    const auto read = read_scenario_text(text, "dir/test.toml", settings);
    if (read.has_value()) return "no problem";
    return read.error().front().hint;
}

const LinkConfig& link(const Scenario& scenario, std::string_view name) {
    const auto found = std::find_if(scenario.links.begin(), scenario.links.end(),
                                    [&](const LinkConfig& entry) { return entry.name == name; });
    REQUIRE(found != scenario.links.end());
    return *found;
}

LinkConfig default_link(const std::string& keys) {
    return link(good(head + some_bots + "[links.default]\n" + keys), "default");
}

std::string bad_link(const std::string& keys) {
    return bad(head + some_bots + "[links.default]\n" + keys);
}

}  // namespace

TEST_CASE("the smallest scenario and its defaults") {
    const Scenario scenario = good("[scenario]\nduration = \"10s\"\n[bots.runner]\n");
    CHECK(scenario.name == "test");
    CHECK(scenario.seed == 1);
    REQUIRE(scenario.phases.size() == 1);
    CHECK(scenario.phases[0].name == "all");
    CHECK(scenario.end() == Instant{10'000'000'000});
    CHECK(scenario.server.tick_rate.per_second == 60);
    CHECK(scenario.server.max_peers == 17);
    REQUIRE(scenario.groups.size() == 1);
    CHECK(scenario.groups[0].count == 1);
    CHECK(scenario.groups[0].behaviour == BehaviourKind::runner);
    REQUIRE(scenario.links.size() == 1);
    CHECK(scenario.links[0].name == "default");
    CHECK(scenario.links[0].up.delay == Duration{});
}

TEST_CASE("phases follow one another, half open") {
    const Scenario scenario = good(head + some_bots);
    REQUIRE(scenario.phases.size() == 2);
    CHECK(scenario.phases[0].end == Instant{5'000'000'000});
    CHECK(scenario.phases[1].start == Instant{5'000'000'000});
    CHECK(scenario.phases[1].end == Instant{25'000'000'000});
}

TEST_CASE("phases that cannot be") {
    const auto phases = [](const std::string& list) {
        return bad("[scenario]\nphases = " + list + "\n" + some_bots);
    };
    CHECK(phases("[\"in 5s\"]") == "\"in\" is a word of the gate language");
    CHECK(phases("[\"Join 5s\"]") == "\"Join\" cannot name a phase");
    CHECK(phases("[\"join\"]") == "a phase needs a name and a duration");
    CHECK(phases("[\"join 5\"]") == "\"5\" has no unit");
    CHECK(phases("[\"join -5s\"]") == "a phase of \"-5s\" is out of range");
    CHECK(phases("[\"join 0s\"]") == "a phase of \"0s\" is out of range");
    CHECK(phases("[\"join 16666666ns\"]") == "no problem");
    CHECK(phases("[\"join 16666665ns\"]") == "phase \"join\" is shorter than one tick");
    CHECK(phases("[\"join 5s\", \"join 5s\"]") == "there are two phases \"join\"");
    CHECK(phases("[]") == "phases is a list of 1 to 64 texts");
    CHECK(bad("[scenario]\n" + some_bots) == "the scenario has no phases");
    CHECK(bad("[scenario]\nphases = [\"a 1s\"]\nduration = \"2s\"\n" + some_bots) ==
          "phases and duration stand together");
}

TEST_CASE("rtt is split in halves, the odd nanosecond goes up") {
    const LinkConfig config = default_link("rtt = \"61ns\"\n");
    CHECK(config.up.delay == Duration::nanos(31));
    CHECK(config.down.delay == Duration::nanos(30));
    CHECK(bad_link("rtt = \"60ms\"\none_way_delay = \"30ms\"\n") ==
          "rtt and one_way_delay stand in one table");
    CHECK(bad_link("[links.default.up]\nrtt = \"60ms\"\n") == "rtt is of both directions");
    const LinkConfig mixed =
        default_link("rtt = \"60ms\"\n[links.default.up]\none_way_delay = \"80ms\"\n");
    CHECK(mixed.up.delay == Duration::millis(80));
    CHECK(mixed.down.delay == Duration::millis(30));
}

TEST_CASE("keys of a direction") {
    const LinkConfig config = default_link(R"(one_way_delay = "10ms"
jitter = { kind = "lognormal", p50 = "2ms", p99 = "18ms" }
order = "free"
loss = "4%"
burst = "5.5 packets"
rate = "5Mbit/s"
queue = "400ms"
mtu = "1400B"
duplicate = { chance = "1%", delay = "3ms" }
reorder = { chance = "2%", by = "7ms" }
corrupt = { chance = "0.5%", kind = "truncate" }
bad = { share = "6%", for = "150ms", loss = "50%", extra_delay = "100ms", rate = "1Mbit/s" }
[links.default.down]
jitter = "12ms"
burst = "50ms"
queue = "64KiB"
bad = "none"
)");
    CHECK(config.up.jitter.kind == JitterConfig::Kind::lognormal);
    CHECK(config.up.jitter.p99 == Duration::millis(18));
    CHECK(config.up.order == LinkOrder::free);
    CHECK(config.up.loss == Chance::percent(4));
    CHECK(config.up.burst.unit == BurstConfig::Unit::packets);
    CHECK(config.up.burst.milli_packets == 5'500);
    CHECK(config.up.rate.bits_per_second == 5'000'000);
    CHECK(config.up.queue.time == Duration::millis(400));
    CHECK(config.up.mtu == 1'400);
    CHECK(config.up.duplicate.delay == Duration::millis(3));
    CHECK(config.up.reorder.by == Duration::millis(7));
    CHECK(config.up.corrupt.kind == CorruptConfig::Kind::truncate);
    REQUIRE(config.up.bad.has_value());
    CHECK(config.up.bad->extra_delay == Duration::millis(100));
    CHECK(config.down.jitter.kind == JitterConfig::Kind::uniform);
    CHECK(config.down.jitter.width == Duration::millis(12));
    CHECK(config.down.burst.time == Duration::millis(50));
    CHECK(config.down.queue.unit == QueueConfig::Unit::bytes);
    CHECK(config.down.queue.bytes == 65'536);
    CHECK(!config.down.bad.has_value());
    CHECK(config.down.delay == Duration::millis(10));
}

TEST_CASE("links that cannot be") {
    CHECK(bad_link("loss = 2\n") == "2 has no unit");
    CHECK(bad_link("loss = 0.02\n") == "0.02 is a bare float");
    CHECK(bad_link("loss = \"101%\"\n") == "loss = \"101%\" is out of range");
    CHECK(bad_link("loss = \"-1%\"\n") == "loss = \"-1%\" is out of range");
    CHECK(bad_link("rtt = \"-1ms\"\n") == "rtt = \"-1ms\" is out of range");
    CHECK(bad_link("rtt = \"99999h\"\n") == "rtt = \"99999h\" is out of range");
    CHECK(bad_link("rate = \"1Mbit/s\"\n") == "rate without queue");
    CHECK(bad_link("rate = \"512kbps\"\nqueue = \"10ms\"\n") ==
          "\"512kbps\": \"kbps\" has two readings or none");
    CHECK(bad_link("loss = \"50%\"\nburst = \"2 packets\"\n") == "no problem");
    CHECK(bad_link("loss = \"50%\"\nburst = \"1.9 packets\"\n") ==
          "loss 50 % with a mean burst of 1.9 packets is impossible");
    CHECK(bad_link("loss = \"100%\"\nburst = \"2 packets\"\n") ==
          "a burst of 100 % loss never ends");
    CHECK(bad_link("burst = \"2 packets\"\n") == "a burst without loss");
    CHECK(bad_link("burst = \"2 packets\"\nloss = \"0%\"\n") == "no problem");
    CHECK(bad_link("reorder = { chance = \"1%\", by = \"5ms\" }\n") ==
          "reorder on a link that keeps order");
    CHECK(bad_link("jitter = { kind = \"normal\", p50 = \"5ms\", p99 = \"5ms\" }\n") ==
          "p99 is not above p50");
    CHECK(bad_link("jitter = { kind = \"table\", p50 = \"5ms\" }\n") ==
          "a jitter of kind table needs file and p50");
    CHECK(bad_link("order = \"kep\"\n") == "unknown order \"kep\"");
    CHECK(bad_link("profile = \"home-brodband\"\n") == "no link or preset \"home-brodband\"");
    CHECK(bad_link("profile = \"default\"\n") == "link \"default\" is its own profile");
    CHECK(bad_link("bad = { share = \"0%\", for = \"1ms\" }\n") ==
          "a bad state of 0% or 100% of the time is no state");
    CHECK(bad_link("bad = { share = \"10%\" }\n") == "a bad state needs share and for");
    CHECK(bad_link("via = \"default\"\n") == "via goes round in a circle");
    CHECK(bad_link("share = 0\n") == "share = 0 is out of range");
    CHECK(bad_link("mtu = \"68B\"\n") == "mtu = \"68B\" is out of range");
    CHECK(bad_link("mtu = \"69B\"\n") == "no problem");
    CHECK(bad_link("mtu = \"69B\"\nmtu_reply = true\n") == "no problem");
    CHECK(bad_link("mtu_reply = \"yes\"\n") == "mtu_reply = \"yes\" is not true or false");
}

TEST_CASE("what a server does about a new address") {
    CHECK(good(head + some_bots).transport.rebind == secure::Rebind::challenge);
    CHECK(good(head + some_bots + "[transport]\nrebind = \"refuse\"\n").transport.rebind ==
          secure::Rebind::refuse);
    CHECK(bad(head + some_bots + "[transport]\nrebind = \"refused\"\n") ==
          "unknown rebind \"refused\"");
}

TEST_CASE("words that this build does not have are named as such") {
    CHECK(bad(head + some_bots + "[transport]\nkind = \"enet\"\n") == "\"enet\" is not built yet");
    CHECK(bad(head + some_bots + "clients = \"1.0.0.25\"\n") ==
          "\"clients\" is not built yet in [bots.runner]");
}

TEST_CASE("what the game cannot do is said before it runs") {
    const std::string file = head + some_bots;
    CHECK(bad(file + "[server]\ntick_rate = \"19Hz\"\ninput_rate = \"19Hz\"\nsnapshot_rate = "
                     "\"19Hz\"\n") == "the game does not run at 19 Hz");
    CHECK(bad(file + "[server]\ntick_rate = \"251Hz\"\ninput_rate = \"251Hz\"\nsnapshot_rate = "
                     "\"251Hz\"\n") == "the game does not run at 251 Hz");
    CHECK(good(file + "[server]\ntick_rate = \"250Hz\"\ninput_rate = \"125Hz\"\nsnapshot_rate = "
                      "\"50Hz\"\n")
              .server.tick_rate.per_second == 250);
    CHECK(bad(file + "[server]\nsnapshot_budget = \"255B\"\n") ==
          "a snapshot of the game does not fit 255B");
    CHECK(good(file + "[server]\nsnapshot_budget = \"256B\"\n").server.snapshot_budget == 256);
    CHECK(bad(file + "[transport]\ninput_repeats = 15\n") == "an input of 16 ticks is too long");
    CHECK(good(file + "[transport]\ninput_repeats = 14\n").transport.input_repeats == 14);
    CHECK(bad(file + "[world]\nobjects = 12_000\n[server]\nmax_peers = 4_321\n") ==
          "16321 objects and players are too many");
    CHECK(good(file + "[world]\nobjects = 12_000\n[server]\nmax_peers = 4_320\n").world.objects ==
          12'000);
    // The transport alone has no such bounds.
    CHECK(good(file + "[world]\ngame = \"none\"\n[transport]\ninput_repeats = 16\n")
              .transport.input_repeats == 16);
    CHECK(good(file + "[server]\nticket_memory = \"lost\"\n").server.tickets_are_forgotten);
}

TEST_CASE("profiles chain, and a link may bear the name of its preset") {
    const Scenario scenario = good(head + R"([bots.runner]
link = "stormy"
[links.wireless]
profile = "home-broadband"
loss = "0.2%"
burst = "40ms"
[links.stormy]
profile = "wireless"
loss = "1%"
[links.wifi-bad]
profile = "wifi-bad"
)");
    const LinkConfig& stormy = link(scenario, "stormy");
    CHECK(stormy.up.loss == Chance::percent(1));
    CHECK(stormy.up.burst.time == Duration::millis(40));
    CHECK(stormy.up.delay == Duration::millis(20));
    CHECK(stormy.down.rate.bits_per_second == 100'000'000);
    CHECK(stormy.source == "this file:9");
    CHECK(link(scenario, "wifi-bad").up.bad.has_value());
    CHECK(bad(head + some_bots + "[links.a]\nprofile = \"b\"\n[links.b]\nprofile = \"a\"\n") ==
          "the profiles go round in a circle");
}

TEST_CASE("via: four links in a row are the most") {
    std::string text = head + "[bots.runner]\nlink = \"a\"\n";
    const char* const names = "abcdef";
    for (int i = 0; i < 4; ++i) {
        text += std::string("[links.") + names[i] + "]\n";
        if (i < 3) text += std::string("via = \"") + names[i + 1] + "\"\n";
    }
    CHECK(bad(text) == "no problem");
    CHECK(bad(text + "via = \"e\"\n[links.e]\n") == "more than 4 links in a row");
    CHECK(bad(text + "via = \"x\"\n") == "no link \"x\" in this file");
}

TEST_CASE("model n1 has keys of its own and nothing beside them") {
    const LinkConfig config = default_link(
        "model = \"n1\"\ndelay_us = 25000\njitter_us = 500\nloss = 500\nduplicate = 10\n");
    REQUIRE(config.n1.has_value());
    CHECK(config.n1->delay_us == 25'000);
    CHECK(config.n1->loss_per_ten_thousand == 500);
    CHECK(bad_link("model = \"n1\"\nloss = 10001\n") == "loss = 10001 is out of range");
    CHECK(bad_link("model = \"n1\"\nrtt = \"5ms\"\n") == "unknown key \"rtt\" in [links.default]");
    CHECK(bad_link("model = \"n2\"\n") == "unknown model \"n2\"");
}

TEST_CASE("bots that cannot be") {
    CHECK(bad(head) == "the scenario has no bots");
    CHECK(bad(head + "[bots.runner]\ncount = 0\n") == "count = 0 is out of range");
    CHECK(bad(head + "[world]\ngame = \"none\"\n[bots.runner]\ncount = 100000\n") == "no problem");
    CHECK(bad(head + "[bots.runner]\ncount = 1_000_000\n") == "count = 1000000 is out of range");
    CHECK(bad(head + "[world]\ngame = \"none\"\n[bots.runner]\ncount = 60000\n[bots.idle]\ncount = "
                     "60000\n") == "the groups add up to 120000 bots");
    CHECK(bad(head + "[bots.runner]\ncount = \"8\"\n") == "count = \"8\" is not a whole number");
    CHECK(bad(head + "[bots.player]\n") == "[bots.player] needs a behaviour");
    CHECK(bad(head + "[bots.in]\nbehaviour = \"idle\"\n") == "\"in\" cannot name a group");
    CHECK(bad(head + some_bots + "join_at = \"later\"\n") == "unknown phase \"later\"");
    CHECK(bad(head + some_bots + "join_at = \"25s\"\n") == "the group joins when the run is over");
    CHECK(bad(head + some_bots + "join_at = \"play+19s\"\njoin_over = \"2s\"\n") ==
          "the last bots would join when the run is over");
    CHECK(bad(head + some_bots + "link = \"dflt\"\n") == "no link or preset \"dflt\"");
    CHECK(bad(head + some_bots + "[links.default]\n[server]\nsnapshot_rate = \"25Hz\"\n") ==
          "snapshot_rate 25 Hz does not divide tick_rate 60 Hz");
}

TEST_CASE("transport profiles set keys before the explicit ones") {
    const Scenario tuned = good(head + some_bots + "[transport]\nprofile = \"tuned\"\n");
    CHECK(tuned.transport.reliability.fast_retransmit == 3);
    CHECK(tuned.transport.reliability.send_window == 64);
    const Scenario mixed = good(head + some_bots +
                                "[transport]\nfast_retransmit = 5\nprofile = \"tuned\"\n"
                                "pacing = \"2Mbit/s\"\ncipher = \"null\"\n"
                                "authorisation = { delay = \"1s\", at_once = 2 }\n");
    CHECK(mixed.transport.reliability.fast_retransmit == 5);
    CHECK(mixed.transport.reliability.ack_matching == secure::AckMatching::any);
    CHECK(mixed.transport.reliability.pacing == secure::Pacing::rate);
    CHECK(mixed.transport.reliability.pacing_rate.bits_per_second == 2'000'000);
    CHECK(mixed.transport.cipher == CipherKind::null);
    CHECK(mixed.transport.authorisation_delay == Duration::seconds(1));
    CHECK(bad(head + some_bots + "[transport]\npacing = \"window\"\n") ==
          "pacing \"window\" without a send_window");
    CHECK(bad(head + some_bots + "[transport]\nkeepalive = \"10s\"\n") ==
          "keepalive is not shorter than timeout");
    const Scenario initial = good(head + some_bots + "[initial]\ntransmission_sequence = 65_500\n");
    CHECK(initial.transport.initial.transmission_sequence == 65'500);
    CHECK(bad(head + some_bots + "[initial]\nmessage_id = 65536\n") ==
          "message_id = 65536 is out of range");
}

TEST_CASE("variables take their type, settings go first") {
    const std::string text =
        "[scenario]\nphases = [\"join $long\"]\n[vars]\npeers = 128\n"
        "long = \"5s\"\n[bots.runner]\ncount = \"$peers\"\n";
    CHECK(good(text).groups[0].count == 128);
    CHECK(good(text, {"vars.peers=16"}).groups[0].count == 16);
    CHECK(good(text, {"bots.runner.count=3", "bots.runner.count=4"}).groups[0].count == 4);
    CHECK(good(text, {"vars.long=7s"}).end() == Instant{7'000'000'000});
    CHECK(bad(text + "link = \"$pers\"\n") == "no variable \"pers\" in [vars]");
}

TEST_CASE("settings reach what exists") {
    const std::string text = head + some_bots +
                             "[[at]]\nname = \"door\"\ntime = \"play\"\n"
                             "for = \"2s\"\ndo = \"partition\"\n";
    CHECK(good(text, {"links.default.profile=satellite-geo"}).links[0].up.delay ==
          Duration::millis(280));
    CHECK(good(text, {"at.door.for=3s"}).acts[0].end == Instant{8'000'000'000});
    CHECK(good(text, {"transport.fast_retransmit=3"}).transport.reliability.fast_retransmit == 3);
    CHECK(bad(text, {"links.wired.rtt=5ms"}) == "links has no \"wired\"");
    CHECK(bad(text, {"lnks.default.rtt=5ms"}) == "unknown section \"lnks\"");
    CHECK(bad_hint(text, {"lnks.default.rtt=5ms"}) == "did you mean \"links\"?");
    CHECK(bad(text, {"at.dor.for=5ms"}) == "no [[at]] is named \"dor\"");
    CHECK(bad(text, {"server.tick=5ms"}) == "unknown key \"tick\" in [server]");
    CHECK(bad(text, {"nonsense"}) == "a setting is PATH=VALUE");
    CHECK(bad(text, {"bots.runner.count.x=1"}) == "\"count\" is not a table");
    CHECK(bad(text, {"bots..count=1"}) == "\"bots..count\" is not a path");
}

TEST_CASE("acts: phase, time, for, every") {
    const Scenario scenario = good(head + some_bots + R"(
[[at]]
name = "storm"
phase = "play"
do = "change"
set = { loss = "5%" }
[[at]]
time = "play+8s"
for = "2500ms"
do = "partition"
who = "runner-1..2, runner-7"
direction = "up"
[[at]]
phase = "play"
every = "6s"
for = "1s"
do = "pause"
who = "any 2 of runner"
[[at]]
time = "20s"
do = "kill"
who = "runner-0"
[[at]]
time = "21s"
do = "restart"
who = "server"
)");
    REQUIRE(scenario.acts.size() == 5);
    const Act& storm = scenario.acts[0];
    CHECK(storm.name == "storm");
    CHECK(storm.start == Instant{5'000'000'000});
    CHECK(storm.end == Instant{25'000'000'000});
    CHECK(storm.link == "default");
    REQUIRE(storm.becomes.has_value());
    CHECK(storm.becomes->up.loss == Chance::percent(5));
    CHECK(storm.up_keys == 1u << static_cast<unsigned>(LinkKey::loss));
    const Act& cut = scenario.acts[1];
    CHECK(cut.name == "at.1");
    CHECK(cut.start == Instant{13'000'000'000});
    CHECK(cut.end == Instant{15'500'000'000});
    CHECK(cut.direction == Way::up);
    REQUIRE(cut.who.size() == 2);
    CHECK(cut.who[0].first == 1);
    CHECK(cut.who[0].last == 2);
    CHECK(cut.who[1].last == 7);
    const Act& tunnel = scenario.acts[2];
    CHECK(tunnel.every == Duration::seconds(6));
    CHECK(tunnel.every_until == Instant{25'000'000'000});
    CHECK(tunnel.end == Instant{6'000'000'000});
    CHECK(tunnel.who[0].kind == Target::Kind::any);
    CHECK(tunnel.who[0].any == 2);
    CHECK(scenario.acts[3].end == Instant::never());
    CHECK(scenario.acts[4].end == scenario.acts[4].start);
}

TEST_CASE("acts that cannot be") {
    const auto act = [](const std::string& keys) {
        return bad(head + some_bots + "[[at]]\n" + keys);
    };
    CHECK(act("do = \"kill\"\n") == "[[at]] needs time or phase");
    CHECK(act("time = \"1s\"\nphase = \"play\"\ndo = \"kill\"\n") ==
          "[[at]] has both time and phase");
    CHECK(act("time = \"1s\"\n") == "[[at]] needs do");
    CHECK(act("time = \"1s\"\ndo = \"kil\"\n") == "unknown act \"kil\"");
    CHECK(act("time = \"25s\"\ndo = \"kill\"\n") == "the act comes when the run is over");
    CHECK(act("phase = \"strom\"\ndo = \"kill\"\n") == "unknown phase \"strom\"");
    CHECK(act("phase = \"play\"\nfor = \"21s\"\ndo = \"pause\"\n") == "the act outlasts its phase");
    CHECK(act("phase = \"play\"\nevery = \"5s\"\ndo = \"pause\"\n") ==
          "an act that repeats needs for");
    CHECK(act("phase = \"play\"\nevery = \"5s\"\nfor = \"6s\"\ndo = \"pause\"\n") ==
          "the act lasts longer than its every");
    CHECK(act("time = \"1s\"\ndo = \"kill\"\nwho = \"runner-8\"\n") ==
          "\"runner-8\" is outside the group");
    CHECK(act("time = \"1s\"\ndo = \"kill\"\nwho = \"runer\"\n") == "unknown bots \"runer\"");
    CHECK(act("time = \"1s\"\ndo = \"kill\"\nwho = \"any 9 of runner\"\n") == "any 9 of 8 bots");
    CHECK(act("time = \"1s\"\ndo = \"kill\"\nwho = \"server\"\n") == "the server cannot kill");
    CHECK(act("time = \"1s\"\ndo = \"change\"\n") == "[[at]] needs either to or set");
    CHECK(act("time = \"1s\"\ndo = \"change\"\nto = \"nowhere\"\n") ==
          "no link or preset \"nowhere\"");
    CHECK(act("time = \"1s\"\ndo = \"behave\"\n") == "behave needs as");
    CHECK(act("time = \"1s\"\ndo = \"pause\"\nas = \"idle\"\n") == "unknown key \"as\" in [[at]]");
}

TEST_CASE("sections, TOML errors and nesting") {
    CHECK(bad(head + some_bots + "[boots.x]\n") == "unknown section [boots]");
    CHECK(bad(head + some_bots + "x = [\n").starts_with("this is not TOML: "));
    CHECK(bad("[scenario]\nseed = -1\nduration = \"5s\"\n" + some_bots) ==
          "seed = -1 is out of range");
    CHECK(bad("[scenario]\nseed = 99999999999999999999\n").starts_with("this is not TOML"));
    std::string deep = "x = ";
    for (int i = 0; i < 40; ++i)
        deep += "[";
    for (int i = 0; i < 40; ++i)
        deep += "]";
    CHECK(bad(head + some_bots + "[vars]\n" + deep + "\n") ==
          "tables and arrays are nested too deep");
}

TEST_CASE("keys that begin with what no key begins with are errors, not failed assertions") {
    for (const char* const table :
         {"[?x]", "[[?x]]", "[ ?x]", "[a.?x]", "[=]", "?x = 1", "a.? = 1"}) {
        CAPTURE(table);
        CHECK(bad(std::string(table) + "\n").starts_with("this is not TOML: "));
        CHECK(bad(head + some_bots + table + "\n").starts_with("this is not TOML: "));
    }
    // toml++ 3.3.0 asks of these whether they are white space, and does not expect the answer no.
    for (const char* const letter : {"\u00a1", "\u00b1", "\u00fc", "\u0499", "\u3001", "\ufefe"}) {
        CAPTURE(letter);
        const std::string text(letter);
        CHECK(bad(head + some_bots + "[sc" + text + "en]\n").starts_with("this is not TOML: "));
        CHECK(bad(head + some_bots + text + " = 1\n").starts_with("this is not TOML: "));
        CHECK(bad(head + some_bots + "x = 1 " + text + "\n").starts_with("this is not TOML: "));
        CHECK(bad("[scenario]\nabout = \"\\" + text + "\"\n").starts_with("this is not TOML: "));
    }
    // Where letters may stand, they do: in quotes and comments, and after a line that goes on.
    const std::string words =
        "[scenario] # \u00fcber\nabout = \"\"\"\u00fc \\\n \u00e9\"\"\"\nphases = [\"join 5s\"]\n";
    CHECK(good(words + some_bots).about == "\u00fc \u00e9");
    // A value that is no TOML is a text, whatever it begins with.
    CHECK(good(head + some_bots + "[vars]\nx = \"a\"\n", {"vars.x=?"}).phases.size() == 2);
}

TEST_CASE("a link that nobody uses is a warning") {
    const Scenario scenario = good(head + some_bots + "[links.spare]\nrtt = \"5ms\"\n");
    REQUIRE(scenario.warnings.size() == 1);
    CHECK(scenario.warnings[0].message == "link \"spare\" is not used by anybody");
}

TEST_CASE("the printed document reads back to itself") {
    const Scenario first = good(head + some_bots + R"(
[vars]
x = "5ms"
[links.default]
profile = "wifi-bad"
jitter = { kind = "gamma", p50 = "$x", p99 = "18ms" }
[links.default.up]
loss = "3%"
burst = "2 packets"
[[at]]
name = "a b \"c\""
phase = "play"
do = "change"
set = { loss = "5%", burst = "none" }
[gates]
g = "peers.rtt p95 < 100ms"
)",
                                {"server.snapshot_rate=30Hz"});
    const Scenario second = good(first.resolved_text);
    CHECK(second.resolved_text == first.resolved_text);
    CHECK(second.server.snapshot_rate.per_second == 30);
    CHECK(second.links[0].up.loss == first.links[0].up.loss);
    CHECK(second.links[0].down.jitter.p50 == Duration::millis(5));
    CHECK(second.acts[0].name == first.acts[0].name);
    CHECK(first.resolved_text.find("vars") == std::string::npos);
}

}  // namespace wt::sim::read_scenario_test
