// SPDX-License-Identifier: MIT
//
// What holds or moves a path: suspend as a key and as an act, nat and rebind, ramps.
#include <doctest/doctest.h>

#include "simulator/scenario/read_scenario.hpp"

namespace wt::sim::read_paths_test {

namespace {

const std::string head = R"([scenario]
phases = ["join 2s", "play 8s"]
[bots.runner]
count = 4
)";

Scenario good(const std::string& text) {
    const auto read = read_scenario_text(head + text, "dir/test.toml", {});
    REQUIRE_MESSAGE(read.has_value(), format_problems(read.error()));
    return *read;
}

std::string bad(const std::string& text) {
    const auto read = read_scenario_text(head + text, "dir/test.toml", {});
    return read.has_value() ? "no problem" : read.error().front().message;
}

LinkConfig link_with(const std::string& text) {
    return good("[links.default]\n" + text).links.front();
}

std::string bad_link(const std::string& text) {
    return bad("[links.default]\n" + text);
}

Act act_with(const std::string& text) {
    return good("[[at]]\n" + text).acts.front();
}

std::string bad_act(const std::string& text) {
    return bad("[[at]]\n" + text);
}

}  // namespace

TEST_CASE("suspend as a key") {
    LinkConfig link = link_with("suspend = { every = \"2s\", for = \"50ms\" }\n");
    CHECK(link.up.suspend.every == Duration::seconds(2));
    CHECK(link.up.suspend.length == Duration::millis(50));
    CHECK(link.up.suspend.side == SuspendConfig::Side::receiver);
    link = link_with(
        "[links.default.down]\nsuspend = { every = \"2s\", for = \"50ms\", side = "
        "\"sender\" }\n");
    CHECK(link.up.suspend.every == Duration{});
    CHECK(link.down.suspend.side == SuspendConfig::Side::sender);
    CHECK(link_with("suspend = \"none\"\n").up.suspend.every == Duration{});
    CHECK(bad_link("suspend = \"50ms\"\n") == "suspend is a table, not \"50ms\"");
    CHECK(bad_link("suspend = { every = \"2s\" }\n") == "suspend needs every and for");
    CHECK(bad_link("suspend = { every = \"2s\", for = \"2s\" }\n") ==
          "the link would be suspended for ever");
    CHECK(link_with("suspend = { every = \"2s\", for = \"1999ms\" }\n").up.suspend.length ==
          Duration::millis(1'999));
    CHECK(bad_link("suspend = { every = \"2s\", for = \"1s\", side = \"sendre\" }\n") ==
          "unknown side \"sendre\"");
    CHECK(bad_link("suspend = { every = \"2s\", fro = \"1s\" }\n") ==
          "unknown key \"fro\" in [links.default] suspend");
}

TEST_CASE("nat as a key") {
    const LinkConfig link = link_with("nat = { idle = \"30s\", new = \"address\" }\n");
    REQUIRE(link.nat.has_value());
    CHECK(link.nat->idle == Duration::seconds(30));
    CHECK(link.nat->every == Duration{});
    CHECK(link.nat->gives == RebindKind::address);
    CHECK(link_with("nat = { every = \"5s\" }\n").nat->gives == RebindKind::port);
    CHECK(!link_with("nat = \"none\"\n").nat.has_value());
    CHECK(bad_link("nat = { new = \"port\" }\n") == "nat needs idle or every");
    CHECK(bad_link("nat = { every = \"99ms\" }\n") == "every = \"99ms\" is out of range");
    CHECK(bad_link("nat = { every = \"5s\", new = \"prot\" }\n") == "unknown new \"prot\"");
    // It is of the link, not of one direction.
    CHECK(bad_link("[links.default.up]\nnat = { every = \"5s\" }\n") ==
          "unknown key \"nat\" in [links.default.up]");
}

TEST_CASE("acts on paths") {
    Act act = act_with(
        "time = \"3s\"\nfor = \"1s\"\ndo = \"suspend\"\nwho = \"runner-1\"\n"
        "direction = \"down\"\n");
    CHECK(act.what == Act::Do::suspend);
    CHECK(act.direction == Way::down);
    CHECK(act.end == Instant{4'000'000'000});
    act = act_with("phase = \"play\"\ndo = \"rebind\"\nnew = \"both\"\n");
    CHECK(act.what == Act::Do::rebind);
    CHECK(act.gives == RebindKind::both);
    CHECK(act.start == Instant{2'000'000'000});
    CHECK(act.end == act.start);
    CHECK(act.who.size() == 1);
    act = act_with("phase = \"play\"\ndo = \"rebind\"\nevery = \"2s\"\n");
    CHECK(act.every == Duration::seconds(2));
    CHECK(bad_act("time = \"3s\"\nfor = \"1s\"\ndo = \"rebind\"\n") ==
          "unknown key \"for\" in [[at]]");
    CHECK(bad_act("time = \"3s\"\ndo = \"rebind\"\nwho = \"server\"\n") ==
          "the server cannot rebind");
    CHECK(bad_act("time = \"3s\"\ndo = \"rebnid\"\n") == "unknown act \"rebnid\"");
    CHECK(bad_act("time = \"3s\"\nfor = \"1s\"\ndo = \"suspend\"\nnew = \"port\"\n") ==
          "unknown key \"new\" in [[at]]");
}

TEST_CASE("ramps") {
    const std::string change = "do = \"change\"\nset = { loss = \"9%\" }\n";
    CHECK(act_with("phase = \"play\"\nramp = \"8s\"\n" + change).ramp == Duration::seconds(8));
    CHECK(act_with("time = \"9s\"\nramp = \"1s\"\n" + change).ramp == Duration::seconds(1));
    CHECK(bad_act("phase = \"play\"\nramp = \"8100ms\"\n" + change) == "the ramp outlasts its act");
    CHECK(bad_act("time = \"9s\"\nramp = \"1100ms\"\n" + change) == "the ramp outlasts its act");
    CHECK(bad_act("phase = \"play\"\nramp = \"150ms\"\n" + change) ==
          "a ramp goes in steps of 100 ms");
    CHECK(bad_act("phase = \"play\"\nramp = \"99ms\"\n" + change) ==
          "ramp = \"99ms\" is out of range");
    CHECK(bad_act("phase = \"play\"\nramp = \"1s\"\ndo = \"pause\"\n") ==
          "unknown key \"ramp\" in [[at]]");
}

}  // namespace wt::sim::read_paths_test
