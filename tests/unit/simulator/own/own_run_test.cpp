// SPDX-License-Identifier: MIT
//
// The public way into a run, with loopback's ends as somebody's own protocol: they have lanes, so
// that the game can be played over them too.
#include "simulator/own/own_run.hpp"

#include <doctest/doctest.h>

#include <string>

#include "engine/transport/loopback.hpp"
#include "tests/support/scratch_folder.hpp"

namespace wt::sim {

namespace {

OwnProtocol loopback() {
    const transport::LoopbackConfig config{.peers_max = 8};
    return {[config](Entropy) { return transport::make_loopback_server(config); },
            [config](Entropy) { return transport::make_loopback_client(config); }};
}

std::string scenario(const std::string& world) {
    return "[scenario]\nphases = [\"join 1s\", \"play 2s\"]\n[transport]\nkind = \"own\"\n" +
           world +
           "[links.default]\none_way_delay = \"20ms\"\n[bots.runner]\ncount = 3\n"
           "[gates]\neveryone_in = \"peers.active min == 100% in play\"\n"
           "delay = \"links.delay max <= 20ms\"\n";
}

}  // namespace

TEST_CASE("an own protocol runs a scenario, with or without the game") {
    std::string digests[2];
    for (const bool has_game : {false, true}) {
        CAPTURE(has_game);
        const test::ScratchFolder folder;
        const std::string file =
            folder.write("own.toml", scenario(has_game ? "[world]\ngame = \"arena\"\n" : ""));
        const OwnRunResult result = run_own(file, loopback());
        CHECK_MESSAGE(result.exit_code == 0, result.text);
        CHECK(result.text.find("a protocol of its own") != std::string::npos);
        CHECK(result.text.find("GATES   2 passed, 0 failed") != std::string::npos);
        CHECK(result.json.find("\"transport\": \"own\"") != std::string::npos);
        CHECK(result.json.find("\"insecure\": true") != std::string::npos);
        CHECK(result.junit.find("failures=\"0\"") != std::string::npos);
        digests[has_game ? 1 : 0] = result.digest;
        CHECK(run_own(file, loopback()).digest == result.digest);
        CHECK(run_own(file, loopback(), {.seed = 2}).digest != result.digest);
    }
    CHECK(digests[0].size() == 32);
    CHECK(digests[0] != digests[1]);
}

TEST_CASE("a gate that fails, settings, and what is no scenario of this kind") {
    const test::ScratchFolder folder;
    const std::string file = folder.write("own.toml", scenario(""));
    const OwnRunResult slow =
        run_own(file, loopback(), {.settings = {"links.default.one_way_delay=30ms"}});
    CHECK(slow.exit_code == 1);
    CHECK(slow.text.find("FAIL  delay") != std::string::npos);
    const OwnRunResult wrong = run_own(file, loopback(), {.settings = {"links.default.rtd=30ms"}});
    CHECK(wrong.exit_code == 2);
    CHECK(wrong.json.empty());
    const OwnRunResult other = run_own(file, loopback(), {.settings = {"transport.kind=secure"}});
    CHECK(other.exit_code == 2);
    CHECK(other.text.find("not for a protocol of your own") != std::string::npos);
    CHECK(run_own("/nowhere.toml", loopback()).exit_code == 2);
}

}  // namespace wt::sim
