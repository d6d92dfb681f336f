// SPDX-License-Identifier: MIT
//
// Parents: what is merged, what is replaced, and errors that name both files. The files lie in a
// directory of their own under /tmp.
#include <doctest/doctest.h>

#include "simulator/scenario/read_scenario.hpp"
#include "tests/support/scratch_folder.hpp"

namespace wt::sim::extends_test {

namespace {

using Files = test::ScratchFolder;

const char* const parent_text = R"([scenario]
name = "parent"
about = "The parent."
phases = ["join 5s", "play 20s"]
[vars]
peers = 128
[links.default]
rtt = "60ms"
loss = "2%"
[bots.runner]
count = "$peers"
[[at]]
name = "door"
time = "play"
for = "1s"
do = "partition"
[[at]]
time = "play+2s"
for = "1s"
do = "pause"
[gates]
a = "peers.rtt p95 < 1s"
b = "peers.rtt max < 2s"
)";

}  // namespace

TEST_CASE("tables merge key by key, acts are appended or replaced by name") {
    const Files files;
    files.write("base/parent.toml", parent_text);
    const std::string child = files.write("child.toml", R"([scenario]
extends = "base/parent.toml"
[vars]
peers = 16
[links.default]
loss = "1%"
[[at]]
name = "door"
time = "play+5s"
for = "3s"
do = "partition"
[gates]
b = "off"
c = "peers.rtt p50 < 1s"
)");
    const auto read = read_scenario(child, {});
    REQUIRE_MESSAGE(read.has_value(), format_problems(read.error()));
    CHECK(read->name == "child");
    CHECK(read->about.empty());
    CHECK(read->phases.size() == 2);
    CHECK(read->groups[0].count == 16);
    CHECK(read->links[0].up.delay == Duration::millis(30));
    CHECK(read->links[0].up.loss == Chance::percent(1));
    REQUIRE(read->acts.size() == 2);
    CHECK(read->acts[0].what == Act::Do::pause);
    CHECK(read->acts[1].name == "door");
    CHECK(read->acts[1].start == Instant{10'000'000'000});
    REQUIRE(read->gates.size() == 3);
    CHECK(read->gates[1].text == "off");
    CHECK(read->parents == std::vector<std::string>{files.file("base/parent.toml")});
    CHECK(read->resolved_text.find("extends") == std::string::npos);
}

TEST_CASE("do = nothing takes a parent's act away") {
    const Files files;
    files.write("parent.toml", parent_text);
    const std::string child = files.write(
        "child.toml",
        "[scenario]\nextends = \"parent.toml\"\n[[at]]\nname = \"door\"\ndo = \"nothing\"\n");
    const auto read = read_scenario(child, {});
    REQUIRE(read.has_value());
    REQUIRE(read->acts.size() == 1);
    CHECK(read->acts[0].what == Act::Do::pause);
}

TEST_CASE("an error between a child's key and a parent's names both files") {
    const Files files;
    files.write("parent.toml",
                "[scenario]\nphases = [\"a 5s\"]\n[bots.runner]\n"
                "[links.default]\nloss = \"50%\"\n");
    const std::string child = files.write(
        "child.toml",
        "[scenario]\nextends = \"parent.toml\"\n[links.default]\nburst = \"1 packets\"\n");
    const auto read = read_scenario(child, {});
    REQUIRE(!read.has_value());
    REQUIRE(read.error().size() == 1);
    const Problem& problem = read.error()[0];
    CHECK(problem.place.file == child);
    CHECK(problem.place.line == 4);
    REQUIRE(problem.notes.size() == 1);
    CHECK(problem.notes[0] == "from parent " + files.file("parent.toml") + ":5:8: loss = \"50%\"");
}

TEST_CASE("an error in a parent names the child") {
    const Files files;
    const std::string parent =
        files.write("parent.toml", "[scenario]\nphases = [\"a 5s\"]\n[bots.runner]\ncuont = 1\n");
    const std::string child = files.write("child.toml", "[scenario]\nextends = \"parent.toml\"\n");
    const auto read = read_scenario(child, {});
    REQUIRE(!read.has_value());
    const Problem& problem = read.error()[0];
    CHECK(problem.place.file == parent);
    CHECK(problem.source_line == "cuont = 1");
    CHECK(problem.notes.back() == "in a parent of " + child);
}

TEST_CASE("chains: eight parents, not nine; circles; missing parents") {
    const Files files;
    files.write("0.toml", "[scenario]\nphases = [\"a 5s\"]\n[bots.runner]\n");
    for (int i = 1; i <= 9; ++i) {
        files.write(std::to_string(i) + ".toml",
                    "[scenario]\nextends = \"" + std::to_string(i - 1) + ".toml\"\n");
    }
    CHECK(read_scenario(files.file("8.toml"), {}).has_value());
    const auto nine = read_scenario(files.file("9.toml"), {});
    REQUIRE(!nine.has_value());
    CHECK(nine.error()[0].message == "extends goes round in a circle, or deeper than 8 parents");
    const std::string self =
        files.write("self.toml", "[scenario]\nextends = \"self.toml\"\nphases = [\"a 5s\"]\n");
    CHECK(!read_scenario(self, {}).has_value());
    const std::string orphan = files.write("orphan.toml", "[scenario]\nextends = \"no.toml\"\n");
    const auto lost = read_scenario(orphan, {});
    REQUIRE(!lost.has_value());
    CHECK(lost.error()[0].message == "cannot read the parent " + files.file("no.toml"));
    CHECK(lost.error()[0].hint == "there is no such file");
}

}  // namespace wt::sim::extends_test
