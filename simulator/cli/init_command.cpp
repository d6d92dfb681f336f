// SPDX-License-Identifier: MIT
//
// `wavetank init`: a scenario to begin with, which says what can be changed in it, and passes.
#include <filesystem>

#include "simulator/cli/commands.hpp"
#include "simulator/cli/output_file.hpp"
#include "simulator/cli/terminal.hpp"
#include "simulator/report/format.hpp"

namespace wt::sim {

namespace {

constexpr const char* default_file = "scenario.toml";

constexpr std::string_view first_scenario =
    R"(# A scenario: who plays, over which lines, what happens, and what must hold.
#
#   wavetank check FILE          what is wrong with it
#   wavetank run FILE            runs it; --seed N, --repeat 20, --html report.html
#   wavetank links               lines to choose from; wavetank links NAME has every key of one
#   wavetank explain METRIC      what a gate can measure; without a name: the list

[scenario]
about = """
Eight players on an ordinary home line; in the middle of the game it becomes bad for ten seconds.
"""
seed   = 1
phases = ["join 3s", "calm 8s", "storm 10s", "heal 10s"]

[links.default]                 # what every group without a link of its own uses
profile = "home-broadband"      # try wifi-bad, mobile-4g, satellite-geo
# rtt    = "80ms"               # keys of your own stand beside a profile, or instead of it
# jitter = "12ms"
# loss   = "2%"
# burst  = "40ms"

[links.stormy]                  # a link that is built from another one
profile = "default"
loss    = "5%"
burst   = "60ms"

[bots.fighter]                  # walks, pushes, shoots; others: runner, chatter, hoarder, idle
count     = 8
join_over = "2s"

[[at]]                          # something happens; without acts nothing does
name  = "storm"
phase = "storm"                 # holds for the phase, then the link is what it was
do    = "change"                # others: partition, suspend, pause, kill, restart, rebind, drop
link  = "default"
to    = "stormy"
ramp  = "2s"

[gates]                         # metric, statistic, comparison, bound, and where it is looked at
everyone_in = "peers.active min == 100% in calm"
stay        = "peers.disconnects total == 0"
fresh       = "peers.snapshot_age p95 < 150ms in calm"
healed      = "peers.snapshot_age p95 < 150ms in heal after 3s"
responsive  = "peers.response p95 < 300ms in calm for every peer"

# [vary]                        # values that the seed draws: wavetank run FILE --repeat 50
# "links.stormy.loss" = "1%..20%"

# [variants.crowd]              # wavetank run FILE --variant crowd
# "bots.fighter.count" = 64
)";

}  // namespace

int init_command(const Options& options) {
    const std::string file = options.subject.empty() ? default_file : options.subject;
    std::error_code failure;
    if (std::filesystem::exists(std::filesystem::symlink_status(file, failure))) {
        print_error("wavetank: error: " + file + " is there already; nothing was written\n");
        return exit_bad_input;
    }
    if (!write_file(file, first_scenario)) {
        print_error("wavetank: error: cannot write " + file + "\n");
        return exit_bad_input;
    }
    print("wrote " + file + "\nnow   wavetank run " + shell_word(file) + "\n");
    return exit_passed;
}

}  // namespace wt::sim
