// SPDX-License-Identifier: MIT
//
// A trace is of the run, not of how it was run: the same bytes for any number of workers, the same
// records for either cipher, and the run's digest is the one that it has without a trace.
#include "engine/base/hash.hpp"
#include "simulator/trace/trace_file.hpp"
#include "tests/sim/scenario_run.hpp"

namespace wt::sim::trace_test {

namespace {

// Acts, shared links, deaths and returns; where the compiler does not optimise, four bots that
// join.
Scenario small_storm(const std::string& cipher) {
#ifdef WT_LONG_RUNS
    const std::string path = "scenarios/adverse/turmoil.toml";
#else
    const std::string path = "scenarios/smoke/first.toml";
#endif
    return scenario_of(path, {"transport.cipher=" + cipher, "scenario.seed=3"});
}

struct Traced {
    RunResult result{};
    std::vector<std::uint8_t> bytes{};
};

Traced traced(const Scenario& scenario, std::uint32_t workers, TraceOptions trace = {}) {
    Traced out;
    RunOptions options;
    options.workers = workers;
    trace.memory = &out.bytes;
    options.trace = trace;
    out.result = run_of(scenario, options);
    REQUIRE(out.result.trace_is_whole);
    return out;
}

trace::TraceFile opened(const Traced& traced) {
    Result<trace::TraceFile, std::string> file = trace::TraceFile::parse(traced.bytes);
    if (!file) FAIL(file.error());
    CHECK(file->damage().empty());
    return std::move(*file);
}

// One run that most cases look at.
const Traced& base() {
    static const Traced run = traced(small_storm("null"), 1, {.payload = true});
    return run;
}

DigestValue last_digest(const trace::TraceFile& file) {
    REQUIRE(file.block_count() > 0);
    const trace::Block& block = file.block(file.block_count() - 1);
    return {block.digest_high, block.digest_low};
}

}  // namespace

TEST_CASE("the run is the same without a trace, with one, with payloads") {
    const Scenario scenario = small_storm("null");
    const RunResult plain = run_of(scenario);
    const Traced last = traced(scenario, 1, {.last = Duration::seconds(2)});
    CHECK(base().result.digest == plain.digest);
    CHECK(base().result.events == plain.events);
    CHECK(last.result.digest == plain.digest);
    const trace::TraceFile whole = opened(base());
    const trace::TraceFile end = opened(last);
    CHECK(whole.outcome()->digest == plain.digest);
    CHECK(end.record_count() + end.counts().dropped == whole.record_count());
    // The last two seconds, but for the flag that says where bytes are.
    const std::int64_t from = plain.ran_until.ns - 2'000'000'000;
    CHECK(end.record_count() == whole.record_count() - whole.range_of(from, from).first);
}

TEST_CASE("byte for byte the same for 1, 2 and 8 workers") {
    const Scenario scenario = small_storm("null");
    CHECK(opened(base()).record_count() > 1'000);
    for (const std::uint32_t workers : {2u, 8u}) {
        CAPTURE(workers);
        CHECK(traced(scenario, workers, {.payload = true}).bytes == base().bytes);
    }
}

TEST_CASE("the same records for either cipher") {
    const trace::TraceFile null_file = opened(base());
    const trace::TraceFile real_file =
        opened(traced(small_storm("chacha20-poly1305"), 1, {.payload = true}));
    CHECK(null_file.record_count() == real_file.record_count());
    CHECK(last_digest(null_file) == last_digest(real_file));
    CHECK(null_file.about().cipher == "null");
    CHECK(real_file.about().cipher == "chacha20-poly1305");
}

TEST_CASE("times rise, datagrams are conserved, series agree with records") {
    const trace::TraceFile file = opened(base());
    std::uint64_t sent = 0, copies = 0, received = 0, dropped = 0;
    std::uint64_t falls = 0;
    std::int64_t time = 0;
    for (std::uint64_t i = 0; i < file.record_count(); ++i) {
        const trace::Record record = file.record(i);
        falls += record.time < time ? 1u : 0u;
        time = record.time;
        const auto type = static_cast<trace::Type>(record.type);
        sent += type == trace::Type::send ? 1u : 0u;
        copies += type == trace::Type::duplicate ? 1u : 0u;
        received += type == trace::Type::receive ? 1u : 0u;
        dropped += type == trace::Type::drop ? 1u : 0u;
    }
    CHECK(falls == 0);
    const RunResult& result = base().result;
    CHECK(sent == result.up.sent + result.down.sent);
    CHECK(received == result.up.delivered + result.down.delivered);
    CHECK(dropped == result.up.dropped + result.down.dropped);
    CHECK(copies <= result.up.duplicated + result.down.duplicated);
    std::int64_t counted = 0;
    for (std::uint16_t peer = 0; peer < file.peer_count(); ++peer) {
        for (std::uint64_t cell = 0; cell < file.series().cells(0); ++cell) {
            for (const trace::Series which :
                 {trace::Series::datagrams_up, trace::Series::datagrams_down}) {
                trace::SeriesCell one;
                file.series().read(static_cast<std::uint32_t>(which), peer, 0, cell, {&one, 1});
                if (!one.is_empty()) counted += one.max;
            }
        }
    }
    CHECK(static_cast<std::uint64_t>(counted) == sent);
}

TEST_CASE("a tick's counted work is what the records between two ticks say") {
    const trace::TraceFile file = opened(base());
    struct Work {
        std::int32_t opened = 0, inputs = 0, sealed = 0;
    };
    Work now;
    std::vector<Work> cells(file.series().cells(0));
    for (std::uint64_t i = 0; i < file.record_count(); ++i) {
        const trace::Record record = file.record(i);
        const auto type = static_cast<trace::Type>(record.type);
        const bool is_server = (record.flags & trace::flag::server_side) != 0;
        now.opened += type == trace::Type::receive && is_server ? 1 : 0;
        now.sealed += type == trace::Type::send && is_server ? 1 : 0;
        now.inputs += type == trace::Type::input ? 1 : 0;
        if (type != trace::Type::tick) continue;
        Work& most = cells.at(static_cast<std::size_t>(record.time / trace::cell_ns));
        most.opened = std::max(most.opened, now.opened);
        most.inputs = std::max(most.inputs, now.inputs);
        most.sealed = std::max(most.sealed, now.sealed);
        now = {};
    }
    std::int32_t most = 0;
    const auto told = [&](trace::Series which, std::size_t cell) {
        trace::SeriesCell one;
        file.series().read(static_cast<std::uint32_t>(which), 0, 0, cell, {&one, 1});
        most = std::max(most, one.max);
        return one.max;
    };
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        CAPTURE(cell);
        CHECK(told(trace::Series::tick_opened, cell) == cells[cell].opened);
        CHECK(told(trace::Series::tick_inputs, cell) == cells[cell].inputs);
        CHECK(told(trace::Series::tick_sealed, cell) == cells[cell].sealed);
    }
    CHECK(most > 0);
}

TEST_CASE("only the peers that were asked for have records, all have series") {
    const Scenario scenario = small_storm("null");
    TraceOptions options;
    Target target;
    target.kind = Target::Kind::range;
    target.group = scenario.groups.front().name;
    options.peers = {target};
    const trace::TraceFile file = opened(traced(scenario, 2, options));
    const std::optional<std::uint16_t> chosen = file.find_peer(target.group + "-0");
    REQUIRE(chosen.has_value());
    std::uint64_t strangers = 0;
    for (std::uint64_t i = 0; i < file.record_count(); ++i) {
        const std::uint16_t peer = file.record(i).peer;
        strangers += peer == 0 || peer == *chosen || peer == trace::no_peer ? 0u : 1u;
    }
    CHECK(strangers == 0);
    CHECK(file.counts().by_peer[*chosen] > 100);
    trace::SeriesCell cell;
    std::uint64_t seen = 0;
    for (std::uint16_t peer = 1; peer < file.peer_count(); ++peer) {
        for (std::uint64_t at = 0; at < file.series().cells(0); ++at) {
            file.series().read(static_cast<std::uint32_t>(trace::Series::bytes_up), peer, 0, at,
                               {&cell, 1});
            if (!cell.is_empty() && cell.max > 0) {
                ++seen;
                break;
            }
        }
    }
    CHECK(seen + 1 == file.peer_count());
}

}  // namespace wt::sim::trace_test
