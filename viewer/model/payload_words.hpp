// SPDX-License-Identifier: MIT
//
// What captured messages say, for the rows of the record list that are in sight. A snapshot's
// objects need the ones before it decoded, so the words come some frames later the first time, and
// are kept.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "simulator/trace/payload_text.hpp"

namespace wt::viewer {

class PayloadWords {
public:
    static constexpr std::size_t kept_max = 4'096;
    static constexpr std::size_t objects_max = 6;   // In words; the others are counted.
    static constexpr std::size_t a_frame = 25'000;  // Records looked at, to find what came before.

    // The trace must outlive this.
    explicit PayloadWords(const trace::TraceFile& trace) : teller_(trace) {}

    // Of a record with the payload flag; empty: not yet, and noted as wanted.
    [[nodiscard]] const std::string& of(std::uint64_t record);
    // Works on what was wanted since; true when nothing is left.
    bool refresh();

private:
    trace::PayloadTeller teller_;
    std::map<std::uint64_t, std::string> known_{};
    std::set<std::uint64_t> wanted_{};
};

}  // namespace wt::viewer
