// SPDX-License-Identifier: MIT
//
// The digest is a function of plan and seed: not of insertion order, window length, grouping or
// observers. And it sees everything: altering any field of any kind of record changes it.
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "tests/unit/simulator/core/world_fixture.hpp"

namespace wt::sim {
namespace {

// Six bots, rough links, a shared bottleneck behind them, the server's uplink, and acts of every
// kind: whatever the order of things could depend on.
void furnish(Party& party) {
    party.up() = rough();
    party.down() = rough();
    party.plan.links[0].via = "cell";
    LinkConfig cell;
    cell.name = "cell";
    cell.share = {ShareConfig::Kind::count, 3};
    cell.up.rate = {600'000};
    cell.up.queue = {QueueConfig::Unit::bytes, 2'000, 0, {}};
    cell.down = cell.up;
    cell.down.duplicate = {Chance::percent(2), Duration{}};
    LinkConfig uplink;
    uplink.name = "uplink";
    uplink.up.delay = Duration::millis(2);
    uplink.down.delay = Duration::millis(2);
    uplink.up.loss = Chance::percent(1);
    party.plan.links.push_back(cell);
    party.plan.links.push_back(uplink);
    party.plan.server_via = "uplink";
    party.act(ActPlan::Do::partition, 700, 900, {party.host_of_bot(1)});
    party.act(ActPlan::Do::kill, 800, 1'100, {party.host_of_bot(2)});
    party.act(ActPlan::Do::pause, 1'000, 1'200, {party.host_of_bot(3)});
    party.act(ActPlan::Do::leave, 1'200, 1'900, {party.host_of_bot(4)});
    party.act(ActPlan::Do::restart, 1'500, 1'530, {party.at[0]});
    ActPlan& change = party.act(ActPlan::Do::change, 2'000, 2'400, {});
    change.link = "test";
    change.becomes = party.plan.links[0];
    change.becomes->up.delay = Duration::millis(1);
    change.becomes->down.loss = Chance::percent(30);
}

// What holds and moves paths, on top of all that.
void furnish_paths(Party& party) {
    furnish(party);
    party.up().suspend = {Duration::millis(400), Duration::millis(30), SuspendConfig::Side::sender};
    party.down().suspend = {Duration::millis(250), Duration::millis(20),
                            SuspendConfig::Side::receiver};
    // The shared cell has others in it, and its server's side drops early.
    LinkConfig& cell = party.plan.links[1];
    cell.up.cross = {{.name = "video", .kind = CrossKind::greedy},
                     {.name = "calls", .kind = CrossKind::poisson, .rate = {100'000}}};
    cell.up.discipline = Discipline::codel;
    cell.down.discipline = Discipline::pie;
    cell.down.police = {{500'000}, 20'000};
    cell.down.handover = {Duration::millis(800), Duration::millis(40), Duration::millis(15),
                          Chance::percent(30)};
    party.act(ActPlan::Do::suspend, 1'100, 1'250, {party.host_of_bot(1)});
    party.act(ActPlan::Do::rebind, 2'100, 2'100, {party.host_of_bot(0), party.host_of_bot(2)})
        .gives = RebindKind::both;
    party.plan.hosts[party.host_of_bot(3)].nat = {
        .idle = Duration::millis(20), .every = Duration::millis(900), .gives = RebindKind::address};
}

// Queues that judge at turns: own ones at both ends of a path, and a shared one with others in it.
void furnish_turns(Party& party) {
    furnish(party);
    party.up().rate = {100'000};
    party.up().queue = {QueueConfig::Unit::packets, 0, 2, {}};
    party.up().discipline = Discipline::drophead;
    party.up().suspend = {Duration::millis(400), Duration::millis(30), SuspendConfig::Side::sender};
    party.down() = party.up();
    party.down().discipline = Discipline::fq_codel;
    LinkConfig& cell = party.plan.links[1];
    cell.up.cross = {{.name = "video", .kind = CrossKind::greedy},
                     {.name = "calls", .kind = CrossKind::poisson, .rate = {100'000}}};
    cell.up.discipline = Discipline::fq_codel;
    cell.up.fair = {16, 300};
    cell.down.discipline = Discipline::drophead;
    cell.down.queue = {QueueConfig::Unit::bytes, 700, 0, {}};
    ActPlan& change = party.plan.acts.back();
    change.becomes = party.plan.links[0];
    change.becomes->up.delay = Duration::millis(1);
    change.becomes->up.rate = {80'000};
    ActPlan& twice = party.act(ActPlan::Do::fault, 500, -1, {party.host_of_bot(0)});
    twice.fault = FaultPlan{};
    twice.fault->action = FaultAction::duplicate;
    twice.fault->what.way = Way::up;
    twice.fault->copies = 2;
    twice.fault->after = Duration::millis(3);
}

struct Result {
    DigestValue digest{};
    std::uint64_t events = 0;
    std::uint64_t last_draw = 0;
    std::uint64_t windows = 0;
    friend bool operator==(const Result& a, const Result& b) {
        return a.digest == b.digest && a.events == b.events && a.last_draw == b.last_draw;
    }
};

Result result_of(Party& party, Observer* observer = nullptr) {
    World& world = party.run(observer);
    const WorldTotals totals = world.totals();
    return {world.digest(), totals.events, totals.last_draw, world.windows_run()};
}

struct Story {
    std::vector<Duration> delays{};
    std::array<std::uint64_t, 2> lost{};
    friend bool operator==(const Story&, const Story&) = default;
};

class CountingObserver final : public Observer {
public:
    void on_handed(const DatagramHanded& handed) override {
        ++handed_count;
        if (handed.cause != DropCause::none) ++lost_count;
        copies += handed.copies > 1 ? 1 : 0;
    }
    void on_delivered(const DatagramDelivered& delivered) override {
        ++delivered_count;
        if (delivered.is_reordered) ++reordered_count;
    }
    void on_lost(const DatagramLost&) override { ++lost_count; }
    void on_message_sent(const MessageSent&) override { ++sent_messages; }
    void on_message(const MessageDelivered&) override { ++messages; }
    void on_connection(const ConnectionChange& change) override {
        ++changes[static_cast<unsigned>(change.what)];
        if (change.what == ConnectionChange::What::up && !change.is_server_side) {
            CHECK(change.attempts_since < change.at);
        }
    }
    void on_levels(const LevelsTaken&) override { ++levels; }
    void on_level_point(const LevelPoint& point) override {
        server_points += point.is_server ? 1 : 0;
    }
    void on_window_end(Instant end) override {
        CHECK(end > window_end);
        window_end = end;
    }

    std::uint64_t handed_count = 0, lost_count = 0, copies = 0, delivered_count = 0;
    std::uint64_t reordered_count = 0, sent_messages = 0, messages = 0, levels = 0;
    std::uint64_t server_points = 0;
    std::array<std::uint64_t, 5> changes{};
    Instant window_end{};
};

}  // namespace

TEST_CASE("the digest does not know insertion order, window length or grouping") {
    Party reference_party(6);
    furnish(reference_party);
    const Result reference = result_of(reference_party);
    CHECK(reference_party.server().received > 500);
    using Grouping = WindowPlan::Grouping;
    const std::vector<std::vector<std::uint32_t>> orders = {
        {0, 1, 2, 3, 4, 5, 6}, {6, 5, 4, 3, 2, 1, 0}, {3, 0, 6, 1, 5, 2, 4}};
    std::uint64_t most_windows = 0;
    for (const std::vector<std::uint32_t>& order : orders) {
        for (const Duration longest :
             {Duration::micros(300), Duration::millis(1), Duration::millis(7), Duration::max()}) {
            for (const Grouping grouping :
                 {Grouping::automatic, Grouping::pairs, Grouping::everything}) {
                Party party(6, order);
                furnish(party);
                std::reverse(party.plan.links.begin() + 1, party.plan.links.end());
                party.plan.windows = {grouping, longest};
                const Result result = result_of(party);
                CAPTURE(longest.ns);
                CHECK(result == reference);
                most_windows = std::max(most_windows, result.windows);
            }
        }
    }
    CHECK(most_windows > 2 * reference.windows);
}

namespace {

// Another order of hosts, window lengths, groupings and numbers of workers: the result is the same.
void check_schedules(void (*furnish_party)(Party&), const Result& reference) {
    using Grouping = WindowPlan::Grouping;
    const auto check = [&](WindowPlan windows) {
        Party party(6, {6, 2, 4, 0, 1, 5, 3});
        furnish_party(party);
        party.plan.windows = windows;
        CAPTURE(windows.window_max.ns);
        CAPTURE(windows.workers);
        CHECK(result_of(party) == reference);
    };
    for (const Duration longest : {Duration::micros(300), Duration::millis(7), Duration::max()}) {
        for (const Grouping grouping : {Grouping::automatic, Grouping::pairs, Grouping::everything})
            check({grouping, longest, 1});
    }
    for (const std::uint32_t workers : {2u, 3u, 8u})
        check({Grouping::automatic, Duration::max(), workers});
}

}  // namespace

TEST_CASE("holds and translators do not know order, windows, grouping or workers either") {
    Party first(6);
    furnish_paths(first);
    const Result reference = result_of(first);
    Party plain(6);
    furnish(plain);
    CHECK(!(result_of(plain) == reference));
    check_schedules(furnish_paths, reference);
}

TEST_CASE("turns do not know order, windows, grouping, workers or stops either") {
    Party first(6);
    furnish_turns(first);
    const Result reference = result_of(first);
    std::uint64_t queue = 0;
    std::uint64_t duplicated = 0;
    for (std::uint32_t bot = 0; bot < 6; ++bot) {
        for (const Way way : {Way::up, Way::down}) {
            const PathCounters counters = first.world->path_counters(bot, way);
            queue += counters.dropped.of(DropCause::queue);
            duplicated += counters.duplicated;
        }
    }
    CHECK(first.server().received > 200);
    CHECK(queue > 20);
    CHECK(duplicated > 20);
    check_schedules(furnish_turns, reference);
    Party pieces(6);
    furnish_turns(pieces);
    World world(pieces.plan);
    for (std::int64_t ms = 100; ms <= 3'000; ms += 100)
        world.run_until(Instant{} + Duration::millis(ms));
    world.finish();
    CHECK(world.digest() == reference.digest);
}

// What flushes at 985 ms arrives at 998 ms, where the next poll is the instant of the second's
// sample. A host that is down plans no wake-up of its own there, so its arrival alone makes one.
TEST_CASE("samples come behind arrivals at a host that is down, whatever the windows") {
    const auto run = [](WindowPlan windows) {
        Party party(2);
        party.up().delay = Duration::millis(13);
        party.down().delay = Duration::millis(13);
        party.act(ActPlan::Do::kill, 700, -1, {party.host_of_bot(1)});
        party.plan.windows = windows;
        World world(party.plan);
        CHECK(world.watch("player-1", 1));
        world.run_until(party.plan.end);
        world.finish();
        return std::make_pair(world.digest(), world.watched_lines("player-1"));
    };
    const auto [reference, lines] = run({});
    const auto is_sample = [](const std::string& line) { return line.starts_with("checksum"); };
    const auto sample = std::find_if(lines.begin(), lines.end(), is_sample);
    REQUIRE(sample != lines.end());
    REQUIRE(sample != lines.begin());
    CHECK(std::prev(sample)->starts_with("lost_on_arrival time=1000000000 "));
    using Grouping = WindowPlan::Grouping;
    for (const Grouping grouping : {Grouping::automatic, Grouping::pairs, Grouping::everything}) {
        for (const Duration longest : {Duration::micros(300), Duration::millis(7), Duration::max()})
            CHECK(run({grouping, longest, 1}).first == reference);
    }
}

TEST_CASE("the digest and what an observer hears do not know how many workers there are") {
    const auto run = [](std::uint32_t workers, WindowPlan::Grouping grouping,
                        CountingObserver& observer) {
        Party party(6);
        furnish(party);
        party.plan.level_rate = {60};
        party.plan.windows = {grouping, Duration::max(), workers};
        return result_of(party, &observer);
    };
    CountingObserver alone;
    const Result reference = run(1, WindowPlan::Grouping::automatic, alone);
    CHECK(alone.messages > 500);
    for (const WindowPlan::Grouping grouping :
         {WindowPlan::Grouping::automatic, WindowPlan::Grouping::pairs}) {
        for (std::uint32_t workers = 2; workers <= 8; ++workers) {
            CAPTURE(workers);
            CountingObserver observer;
            CHECK(run(workers, grouping, observer) == reference);
            CHECK(observer.handed_count == alone.handed_count);
            CHECK(observer.delivered_count == alone.delivered_count);
            CHECK(observer.lost_count == alone.lost_count);
            CHECK(observer.messages == alone.messages);
            CHECK(observer.sent_messages == alone.sent_messages);
            CHECK(observer.levels == alone.levels);
            CHECK(observer.server_points == alone.server_points);
            CHECK(observer.changes == alone.changes);
        }
    }
}

TEST_CASE("the digest is the same on every compiler and at every optimisation level") {
    // Changes only when behaviour changes; then it is named in the commit that changes it.
    Party party(6);
    furnish(party);
    const Result result = result_of(party);
    CHECK(result.digest.high == 4'685'301'719'724'601'051);
    CHECK(result.digest.low == 16'831'231'240'281'781'925u);
    CHECK(result.events == 8'791);
}

TEST_CASE("quanta of 0 and perfect links give one digest for all groupings too") {
    const auto run = [](WindowPlan windows) {
        Party party(4);
        party.plan.grid = {Duration{}, Duration{}};
        party.plan.links[0].via = "hub";
        LinkConfig hub;
        hub.name = "hub";
        hub.share = {ShareConfig::Kind::all, 1};
        party.plan.links.push_back(hub);
        party.plan.windows = windows;
        return result_of(party);
    };
    const Result reference = run({});
    CHECK(run({WindowPlan::Grouping::everything, Duration::max()}) == reference);
    CHECK(run({WindowPlan::Grouping::automatic, Duration::micros(10)}) == reference);
}

TEST_CASE("stopping and going on between windows changes nothing") {
    Party whole(5);
    furnish(whole);
    const Result reference = result_of(whole);
    Party pieces(5);
    furnish(pieces);
    World world(pieces.plan);
    for (std::int64_t ms = 100; ms <= 3'000; ms += 100)
        world.run_until(Instant{} + Duration::millis(ms));
    world.finish();
    CHECK(world.digest() == reference.digest);
}

TEST_CASE("another seed, one more bot or another loss rate are another run") {
    Party party(5);
    furnish(party);
    const Result reference = result_of(party);
    Party seed(5);
    furnish(seed);
    seed.plan.seed = 8;
    CHECK_FALSE(result_of(seed) == reference);
    Party loss(5);
    furnish(loss);
    loss.up().loss = Chance::percent(6);
    CHECK_FALSE(result_of(loss) == reference);
}

TEST_CASE("adding a group leaves the other hosts' weather alone") {
    // Sequences at the server count all bots' datagrams, so digests differ; what happened to this
    // bot does not.
    const auto first_bot = [](bool with_guests) {
        Party party(2);
        party.up() = rough();
        party.down() = rough();
        PingEndpoint guest_endpoint(false);
        Talker guest;
        if (with_guests) {
            HostPlan host = party.plan.hosts[party.host_of_bot(1)];
            host.name = {"aardvark", 0};
            host.endpoint = &guest_endpoint;
            host.behaviour = &guest;
            party.plan.hosts.push_back(host);
        }
        World& world = party.run();
        return Story{party.bot(0).delays,
                     {world.path_counters(0, Way::up).dropped.total(),
                      world.path_counters(0, Way::down).dropped.total()}};
    };
    const Story alone = first_bot(false);
    CHECK(alone.delays.size() > 100);
    CHECK(alone.lost[0] > 0);
    CHECK(alone == first_bot(true));
}

TEST_CASE("an observer sees everything and changes nothing") {
    Party alone(5);
    furnish(alone);
    const Result reference = result_of(alone);
    Party watched(5);
    furnish(watched);
    watched.plan.level_rate = {60};
    CountingObserver observer;
    World& world = watched.run(&observer);
    CHECK(world.digest() == reference.digest);
    CHECK(observer.window_end == watched.plan.end);
    PathCounters sum;
    for (std::uint32_t bot = 0; bot < 5; ++bot) {
        for (const Way way : {Way::up, Way::down}) {
            const PathCounters path = world.path_counters(bot, way);
            sum.sent += path.sent;
            sum.duplicated += path.duplicated;
            sum.delivered += path.delivered;
            sum.dropped.add(path.dropped);
        }
    }
    CHECK(observer.handed_count == sum.sent);
    CHECK(observer.delivered_count == sum.delivered);
    CHECK(observer.lost_count == sum.dropped.total());
    CHECK(observer.copies > 0);
    CHECK(observer.reordered_count > 0);
    std::uint64_t messages = 0;
    std::uint64_t sent = 0;
    for (const auto& talker : watched.talkers) {
        messages += talker->received;
        sent += talker->sent;
    }
    CHECK(observer.messages == messages);
    CHECK(observer.sent_messages == sent);
    CHECK(observer.server_points == 180);
    CHECK(observer.levels > 1'000);
    for (const std::uint64_t count : observer.changes)
        CHECK(count > 0);
}

TEST_CASE("seconds are kept for each place, and the first difference is found there") {
    Party party(5);
    furnish(party);
    World& world = party.run();
    Party other(5);
    furnish(other);
    // Something that begins in the last second.
    other.act(ActPlan::Do::pause, 2'700, 2'800, {other.host_of_bot(0)});
    World& changed = other.run();
    const std::vector<PlaceDigest> a = world.place_digests();
    const std::vector<PlaceDigest> b = changed.place_digests();
    REQUIRE(a.size() == b.size());
    for (std::size_t place = 0; place < a.size(); ++place) {
        REQUIRE(a[place].seconds.size() == 3);
        CHECK(a[place].name == b[place].name);
        CHECK(a[place].seconds[0] == b[place].seconds[0]);
        CHECK(a[place].seconds[1] == b[place].seconds[1]);
        CHECK(a[place].seconds[2] == a[place].value);
        if (a[place].name == "player-0") CHECK(a[place].seconds[2] != b[place].seconds[2]);
    }
}

TEST_CASE("altering any field of any kind of record changes the digest, and watching shows it") {
    Party party(5);
    furnish(party);
    World& world = party.run();
    const DigestValue reference = world.digest();

    // Which ordinals of player-2's chain have which kind: read from the written records.
    std::map<std::string, std::uint64_t> ordinal_of;
    std::uint64_t ordinal = 0;
    for (std::uint64_t second = 0; second < 3; ++second) {
        Party watched(5);
        furnish(watched);
        World again(watched.plan);
        REQUIRE(again.watch("player-2", second));
        again.run_until(watched.plan.end);
        again.finish();
        CHECK(again.digest() == reference);
        for (const std::string& line : again.watched_lines("player-2")) {
            ordinal_of.try_emplace(line.substr(0, line.find(' ')), ordinal);
            ++ordinal;
        }
    }
    CHECK(ordinal == world.host(party.host_of_bot(2)).chronicle().records());
    REQUIRE(ordinal_of.size() == record_kind_count);

    const std::map<std::string, RecordKind> kinds = {
        {"handed_over", RecordKind::handed_over},
        {"received", RecordKind::received},
        {"lost_on_arrival", RecordKind::lost_on_arrival},
        {"message", RecordKind::message},
        {"connection", RecordKind::connection},
        {"act", RecordKind::act},
        {"checksum", RecordKind::checksum}};
    for (const std::pair<const std::string, std::uint64_t>& each : ordinal_of) {
        const RecordField* fields = fields_of(kinds.at(each.first));
        for (unsigned field = 0; fields[field].width != 0; ++field) {
            Party altered(5);
            furnish(altered);
            World bent(altered.plan);
            REQUIRE(bent.tamper("player-2", {each.second, field}));
            bent.run_until(altered.plan.end);
            bent.finish();
            CAPTURE(each.first);
            CAPTURE(fields[field].name);
            CHECK(bent.digest() != reference);
        }
    }
    CHECK_FALSE(world.watch("player-9", 0));
}

}  // namespace wt::sim
