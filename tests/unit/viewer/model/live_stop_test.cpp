// SPDX-License-Identifier: MIT
//
// Ctrl-C behind a window that was closed: the run ends where it is, and says so.
#include <doctest/doctest.h>

#include "tests/support/scratch_folder.hpp"
#include "viewer/model/live_source.hpp"

using namespace wt;
using namespace wt::viewer;

TEST_CASE("a run that nobody watches any more ends when it is asked to") {
    const test::ScratchFolder folder;
    // A day of virtual time: no machine comes to its end meanwhile.
    (void)folder.write(
        "run.toml",
        "[scenario]\nphases = [\"play 24h\"]\n[links.default]\nprofile = \"perfect\"\n"
        "[bots.fighter]\ncount = 1\n[gates]\nin = \"peers.active min >= 0% in play\"\n");
    auto source = LiveSource::open(folder.file("run.toml"), {}, {});
    if (!source) FAIL(source.error());
    int asked = 0;
    const sim::RunResult result = (*source)->wait_for_end([&] { return ++asked > 3; });
    CHECK(asked > 3);
    CHECK(result.stopped == sim::Stopped::interrupted);
    CHECK(result.exit_code() == 130);
    CHECK(result.ran_until < Instant{86'400'000'000'000});
}
