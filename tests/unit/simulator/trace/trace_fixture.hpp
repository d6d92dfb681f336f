// SPDX-License-Identifier: MIT
//
// Small traces made by hand: three peers (server, a-0, a-1), records every millisecond.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "simulator/trace/trace_file.hpp"
#include "simulator/trace/writer.hpp"

namespace wt::trace {

inline constexpr std::int64_t ms = 1'000'000;

inline About small_about() {
    About about;
    about.scenario = "small";
    about.text = "[scenario]\n";
    about.groups = {"server", "a"};
    about.peers = {{"server", 0, true}, {"a-0", 1, true}, {"a-1", 1, true}};
    about.phases = {{"join", 0, 1'000 * ms}, {"play", 1'000 * ms, 2'000 * ms}};
    add_words(about);
    return about;
}

inline Header small_header() {
    Header header;
    header.seed = 7;
    header.end = 2'000 * ms;
    header.tick_rate = 60;
    header.peers = 3;
    return header;
}

// Record `n`: at n ms, of the peers in turn, its number as sequence.
inline Record numbered(std::uint64_t n) {
    Record record;
    record.time = static_cast<std::int64_t>(n) * ms;
    record.peer = static_cast<std::uint16_t>(n % 3);
    record.type = static_cast<std::uint8_t>(n % 2 == 0 ? Type::send : Type::receive);
    record.sequence = static_cast<std::uint32_t>(n);
    record.size = 100;
    return record;
}

struct SmallTrace {
    std::vector<std::uint8_t> bytes{};

    // `count` records; `last_ns` as About has it.
    static SmallTrace of(std::uint64_t count, std::int64_t last_ns = 0) {
        SmallTrace made;
        About about = small_about();
        about.last_ns = last_ns;
        Output output(made.bytes);
        Writer writer(small_header(), about, output);
        for (std::uint64_t n = 0; n < count; ++n)
            (void)writer.add(numbered(n));
        Writer::Ending ending;
        ending.end_ns = count == 0 ? 0 : static_cast<std::int64_t>(count) * ms;
        ending.outcome.ran_until = ending.end_ns;
        REQUIRE(writer.finish(ending));
        return made;
    }
};

inline TraceFile opened(std::vector<std::uint8_t> bytes) {
    Result<TraceFile, std::string> file = TraceFile::parse(std::move(bytes));
    if (!file) FAIL(file.error());
    return std::move(*file);
}

inline std::string error_of(std::vector<std::uint8_t> bytes) {
    const Result<TraceFile, std::string> file = TraceFile::parse(std::move(bytes));
    REQUIRE(!file);
    return file.error();
}

}  // namespace wt::trace
