// SPDX-License-Identifier: MIT
//
// The first link worked out once more from a trace: every loss has its draw below its chance and
// every survivor a draw that is not, delays are the sums of their parts, and where the trace and
// the replay part nothing is said. Method: runs with a trace, against its records.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "simulator/gates/gate.hpp"
#include "simulator/run/link_replay.hpp"
#include "simulator/run/run_scenario.hpp"
#include "simulator/scenario/read_scenario.hpp"
#include "tests/support/scratch_folder.hpp"

namespace wt::sim {
namespace {

using trace::Record;

trace::TraceFile run(const test::ScratchFolder& folder, const std::string& links) {
    const std::string text =
        "[scenario]\nphases = [\"play 6s\"]\nseed = 7\n" + links + "[bots.fighter]\ncount = 3\n";
    auto scenario = read_scenario_text(text, "run.toml", {});
    REQUIRE(scenario.has_value());
    std::vector<Problem> problems;
    const std::vector<Gate> gates = compile_gates(*scenario, problems);
    RunOptions options;
    options.trace = TraceOptions{};
    options.trace->path = folder.file("run.wtrace");
    (void)run_scenario(*scenario, gates, options);
    auto file = trace::TraceFile::open(folder.file("run.wtrace"));
    REQUIRE(file.has_value());
    return std::move(*file);
}

Way way_of(const Record& record) {
    return (record.flags & trace::flag::down) != 0 ? Way::down : Way::up;
}
bool is(const Record& record, trace::Type type) {
    return record.type == static_cast<std::uint8_t>(type);
}

struct Tally {
    std::uint64_t lost = 0;
    std::uint64_t arrived = 0;
    std::uint64_t unknown = 0;
    bool is_right = true;
};

// Each drop by the first link and each arrival, one bot and one way after the other as a replay
// likes it.
template <class Check>
Tally look(const trace::TraceFile& file, Check check) {
    Tally tally;
    LinkReplay replay(file);
    REQUIRE(replay.problem() == "");
    for (std::uint16_t peer = 1; peer < file.peer_count(); ++peer) {
        for (const Way way : {Way::up, Way::down}) {
            for (std::uint64_t number = 0; number < file.record_count(); ++number) {
                const Record record = file.record(number);
                if (record.peer != peer || way_of(record) != way) continue;
                const bool is_drop = is(record, trace::Type::drop) && record.age == 0;
                const bool is_arrival = is(record, trace::Type::receive);
                if (!is_drop && !is_arrival) continue;
                const Instant sent{record.time - std::int64_t{record.age} * 1'000};
                const ReplayedSend* const send = replay.find(peer, way, record.sequence, sent);
                if (send == nullptr) {
                    ++tally.unknown;
                    continue;
                }
                ++(is_drop ? tally.lost : tally.arrived);
                tally.is_right = tally.is_right && check(record, is_drop, *send);
            }
        }
    }
    return tally;
}

}  // namespace

TEST_CASE("a loss has a draw below its chance, a survivor has none, and delays add up") {
    const test::ScratchFolder folder;
    const trace::TraceFile file =
        run(folder, "[links.default]\nrtt = \"60ms\"\njitter = \"8ms\"\nloss = \"5%\"\n");
    const Tally tally =
        look(file, [](const Record& record, bool is_drop, const ReplayedSend& send) {
            const Draw* const loss = send.log.find(Purpose::loss);
            if (loss == nullptr || loss->chance != Chance::ppm(50'000)) return false;
            if ((loss->value < loss->chance.threshold) != is_drop || loss->holds != is_drop)
                return false;
            if (is_drop) return luck_text(send).starts_with("draw 0.0");
            // What the record says of the way, to its microsecond.
            const Duration way = send.log.base + send.log.jitter + send.log.behind_earlier;
            const std::int64_t off = way.ns / 1'000 - record.age;
            return off >= -1 && off <= 1;
        });
    CHECK(tally.is_right);
    CHECK(tally.unknown == 0);
    CHECK(tally.lost > 20);
    CHECK(tally.arrived > 1'000);
}

TEST_CASE("bursts on the clock and bad states say until when they last") {
    const test::ScratchFolder folder;
    const trace::TraceFile file =
        run(folder, "[links.default]\nrtt = \"60ms\"\nloss = \"10%\"\nburst = \"200ms\"\n");
    const Tally tally =
        look(file, [](const Record& record, bool is_drop, const ReplayedSend& send) {
            if (send.log.is_in_burst != is_drop) return false;
            if (!is_drop) return true;
            return send.log.burst_until.ns > record.time &&
                   luck_text(send).starts_with("in a burst until ");
        });
    CHECK(tally.is_right);
    CHECK(tally.unknown == 0);
    CHECK(tally.lost > 20);
}

TEST_CASE("a narrow link's queue is worked out as well") {
    const test::ScratchFolder folder;
    const trace::TraceFile file =
        run(folder,
            "[links.default]\nrtt = \"60ms\"\nloss = \"2%\"\nrate = \"300kbit/s\"\n"
            "queue = \"100ms\"\n");
    const Tally tally = look(file, [](const Record&, bool, const ReplayedSend&) { return true; });
    CHECK(tally.unknown == 0);
    CHECK(tally.arrived > 500);
}

TEST_CASE("where the trace is another run's, nothing is said from there on") {
    const test::ScratchFolder folder;
    const std::string links = "[links.default]\nrtt = \"60ms\"\nloss = \"5%\"\n";
    { const trace::TraceFile file = run(folder, links); }
    std::ifstream in(folder.file("run.wtrace"), std::ios::binary);
    std::vector<std::uint8_t> bytes((std::istreambuf_iterator<char>(in)),
                                    std::istreambuf_iterator<char>());
    // The seed, so that luck is other luck; the header's hash over it follows.
    bytes[trace::Header::offset_seed] ^= 1;
    const std::uint64_t hash =
        hash_bytes(ConstBytes(bytes).first(trace::Header::offset_hash), trace::header_key);
    for (unsigned i = 0; i < 8; ++i)
        bytes[trace::Header::offset_hash + i] = static_cast<std::uint8_t>(hash >> (8 * i));
    const auto file = trace::TraceFile::parse(std::move(bytes));
    REQUIRE(file.has_value());
    const Tally tally = look(*file, [](const Record&, bool, const ReplayedSend&) { return true; });
    // 5 % are lost: at another seed about one in ten of the first hundred parts.
    CHECK(tally.unknown > 1'000);
    CHECK(tally.arrived < tally.unknown / 10);
}

}  // namespace wt::sim
