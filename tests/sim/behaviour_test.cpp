// SPDX-License-Identifier: MIT
//
// Goal: each kind of bot does what its name says, and the server's application answers it. Method:
// small scenarios over perfect or lossy links, run as the command line runs them; what arrived is
// asked of bots, application and an observer.
#include <map>
#include <string>

#include "simulator/core/world.hpp"
#include "simulator/run/world_builder.hpp"
#include "tests/sim/scenario_run.hpp"

namespace wt::sim::behaviour_test {
namespace {

// Counts messages by direction and lane for each bot, and keeps contents of the state lane.
class Ledger final : public Observer {
public:
    void on_message_sent(const MessageSent& what) override {
        if (what.status == transport::SendStatus::ok) ++sent[key(what.flow, what.message.lane)];
        if (what.status == transport::SendStatus::replaced) ++replaced;
        if (what.message.replace_tag.has_value()) {
            const std::uint64_t order = ++writes;
            order_of[load_u64(what.message.bytes.data())] = {*what.message.replace_tag, order};
        }
    }
    void on_message(const MessageDelivered& what) override {
        ++got[key(what.flow, what.message.lane)];
        if (what.message.lane != transport::Lane::state) return;
        const auto found = order_of.find(load_u64(what.message.bytes.data()));
        if (found == order_of.end()) return;
        ++latest_got;
        std::uint64_t& newest = newest_of[found->second.first];
        if (found->second.second <= newest) ++older_after_newer;
        newest = std::max(newest, found->second.second);
    }
    void on_connection(const ConnectionChange& what) override {
        if (what.is_server_side) return;
        if (what.what == ConnectionChange::What::up) ups.push_back(what.at);
        if (what.what == ConnectionChange::What::down) downs.push_back(what.at);
    }

    using Key = std::tuple<std::uint32_t, Way, transport::Lane>;
    static Key key(const Flow& flow, transport::Lane lane) { return {flow.bot, flow.way, lane}; }

    std::map<Key, std::uint64_t> sent{};
    std::map<Key, std::uint64_t> got{};
    std::map<std::uint64_t, std::pair<std::uint32_t, std::uint64_t>> order_of{};
    std::map<std::uint32_t, std::uint64_t> newest_of{};
    std::uint64_t writes = 0;
    std::uint64_t replaced = 0;
    std::uint64_t latest_got = 0;
    std::uint64_t older_after_newer = 0;
    std::vector<Instant> ups{};
    std::vector<Instant> downs{};
};

struct Party {
    Party(const std::string& text, Duration length) {
        PartialScenario read =
            read_text_partly(text, "party.toml", {"transport.cipher=null", "world.game=none"});
        for (const Problem& problem : read.problems)
            FAIL_CHECK(problem.message);
        REQUIRE(read.problems.empty());
        scenario = read.scenario;
        built = build_world(scenario, 1);
        World world(built.plan, &ledger);
        world.run_until(Instant{} + length);
        world.finish();
        CHECK(built.server_application().broken_contents() == 0);
        for (std::uint32_t bot = 0; bot < scenario.bot_count(); ++bot) {
            CHECK(built.bot(bot).broken_contents() == 0);
        }
    }
    [[nodiscard]] std::uint64_t got(std::uint32_t bot, Way way, transport::Lane lane) {
        return ledger.got[{bot, way, lane}];
    }
    [[nodiscard]] std::uint64_t sent(std::uint32_t bot, Way way, transport::Lane lane) {
        return ledger.sent[{bot, way, lane}];
    }

    Scenario scenario{};
    BuiltWorld built{};
    Ledger ledger{};
};

std::string file_of(const std::string& bots, const std::string& link) {
    return "[scenario]\nabout = \"t\"\nduration = \"30s\"\n[transport]\nprofile = \"tuned\"\n"
           "[links.default]\n" +
           link + "\n" + bots;
}

constexpr const char* lossy = "rtt = \"40ms\"\nloss = \"5%\"\n";
constexpr const char* clean = "rtt = \"40ms\"\n";

using transport::Lane;

}  // namespace

TEST_CASE("idle bots say nothing, and get join record, content and snapshots") {
    Party party(file_of("[bots.idle]\ncount = 2\n", clean), Duration::seconds(10));
    for (std::uint32_t bot = 0; bot < 2; ++bot) {
        for (unsigned lane = 0; lane < transport::lane_count; ++lane) {
            CHECK(party.sent(bot, Way::up, static_cast<Lane>(lane)) == 0);
        }
        CHECK(party.got(bot, Way::down, Lane::bulk) == 1);
        CHECK(party.got(bot, Way::down, Lane::control) == 1);
        CHECK(party.built.bot(bot).bulk_records() == 1);
        // 20 Hz for what is left of ten seconds after a join of a quarter of one.
        CHECK(party.built.bot(bot).snapshots() >= 190);
        CHECK(party.built.bot(bot).snapshots() <= 200);
    }
}

TEST_CASE("runners send an input and a report sixty times a second; every report arrives") {
    Party party(file_of("[bots.runner]\ncount = 2\n", lossy), Duration::seconds(10));
    for (std::uint32_t bot = 0; bot < 2; ++bot) {
        const std::uint64_t reports = party.sent(bot, Way::up, Lane::state);
        CHECK(reports >= 570);
        CHECK(reports <= 600);
        CHECK(party.sent(bot, Way::up, Lane::gameplay) == reports);
        // At most a second of reports is under way at the end: held behind a lost one.
        CHECK(party.got(bot, Way::up, Lane::state) >= reports - 60);
        // 5 % of 580 are 29 with a deviation of 5.3: 5 of them.
        const std::uint64_t inputs = party.got(bot, Way::up, Lane::gameplay);
        CHECK(inputs >= reports - 60);
        CHECK(inputs < reports);
    }
    CHECK(party.built.server_application().reports() ==
          party.got(0, Way::up, Lane::state) + party.got(1, Way::up, Lane::state));
}

TEST_CASE("a chat line goes to everybody, its writer included") {
    Party party(
        file_of("[bots.chatter]\ncount = 3\n[bots.idle]\ncount = 2\njoin_at = \"0s\"\n", lossy),
        Duration::seconds(20));
    // Groups stand by name: chatter-0..2, idle-0..1.
    std::uint64_t lines = 0;
    for (std::uint32_t bot = 0; bot < 3; ++bot) {
        CHECK(party.sent(bot, Way::up, Lane::chat) >= 18);
        lines += party.got(bot, Way::up, Lane::chat);
    }
    for (std::uint32_t bot = 0; bot < 5; ++bot) {
        CHECK(party.sent(bot, Way::down, Lane::chat) == lines);
        // Three lines of this instant may be under way.
        CHECK(party.got(bot, Way::down, Lane::chat) + 3 >= lines);
    }
}

TEST_CASE("a hoarder's records of 200 KiB come whole, one every three seconds") {
    Party party(file_of("[bots.hoarder]\ncount = 1\n", lossy), Duration::seconds(20));
    // The join record, and one for each wish: at 3, 6 ... 18 s after the join.
    CHECK(party.sent(0, Way::up, Lane::control) == 6);
    CHECK(party.got(0, Way::down, Lane::bulk) == 7);
    CHECK(party.built.bot(0).bulk_records() == 7);
}

TEST_CASE("a joiner leaves after ten seconds and is back a second later, with a new ticket") {
    Party party(file_of("[bots.joiner]\ncount = 1\n", lossy), Duration::seconds(30));
    // In at 0.2 s, out at 10.2, in at 11.4, out at 21.4, in at 22.6.
    REQUIRE(party.ledger.ups.size() == 3);
    REQUIRE(party.ledger.downs.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        const Duration stay = party.ledger.downs[i] - party.ledger.ups[i];
        CHECK(stay >= Duration::seconds(10));
        CHECK(stay <= Duration::millis(10'600));  // Five copies of a goodbye, 100 ms apart.
        const Duration away = party.ledger.ups[i + 1] - party.ledger.downs[i];
        CHECK(away >= Duration::millis(500));
        CHECK(away <= Duration::seconds(2));
    }
    // Every visit is received like the first.
    CHECK(party.got(0, Way::down, Lane::bulk) == 3);
}

TEST_CASE("a reporter's newest value of each tag arrives, and never an older one after it") {
    Party party(file_of("[bots.reporter]\ncount = 1\n", lossy), Duration::seconds(20));
    // 1 kHz over four tags; most are replaced before they leave.
    CHECK(party.ledger.writes > 19'000);
    CHECK(party.ledger.replaced > party.ledger.writes / 2);
    CHECK(party.ledger.latest_got > 1'000);
    CHECK(party.ledger.older_after_newer == 0);
    REQUIRE(party.ledger.newest_of.size() == 4);
    for (const std::pair<const std::uint32_t, std::uint64_t>& each : party.ledger.newest_of) {
        // At most a second old at the end: held behind a lost report.
        CHECK(each.second + 1'000 > party.ledger.writes);
    }
}

}  // namespace wt::sim::behaviour_test
