// SPDX-License-Identifier: MIT
//
// The fixed words of the gate grammar, and a gate's text cut into words with their offsets.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/gates/gate.hpp"
#include "simulator/scenario/exact_text.hpp"

namespace wt::sim {

struct Word {
    std::string_view text{};
    std::size_t offset = 0;
};

struct PickWord {
    std::string_view text;
    Pick pick;
};
inline constexpr auto picks = std::to_array<PickWord>({
    {"min", Pick::min},
    {"mean", Pick::mean},
    {"max", Pick::max},
    {"last", Pick::last},
    {"p01", Pick::p01},
    {"p05", Pick::p05},
    {"p10", Pick::p10},
    {"p25", Pick::p25},
    {"p50", Pick::p50},
    {"p75", Pick::p75},
    {"p90", Pick::p90},
    {"p95", Pick::p95},
    {"p99", Pick::p99},
    {"p99.9", Pick::p999},
});

struct CompareWord {
    std::string_view text;
    Compare compare;
};
inline constexpr auto compares = std::to_array<CompareWord>({
    {"<", Compare::less},
    {"<=", Compare::less_equal},
    {">", Compare::greater},
    {">=", Compare::greater_equal},
    {"==", Compare::equal},
    {"!=", Compare::not_equal},
});

struct LaneWord {
    std::string_view text;
    transport::Lane lane;
};
inline constexpr auto lanes = std::to_array<LaneWord>({
    {"control", transport::Lane::control},
    {"gameplay", transport::Lane::gameplay},
    {"state", transport::Lane::state},
    {"chat", transport::Lane::chat},
    {"bulk", transport::Lane::bulk},
});

template <class Table>
std::vector<std::string> words_of(const Table& table) {
    std::vector<std::string> words;
    for (const auto& entry : table)
        words.emplace_back(entry.text);
    return words;
}

inline std::vector<Word> split(std::string_view text) {
    std::vector<Word> words;
    std::size_t i = 0;
    while (i < text.size()) {
        if (text[i] == ' ' || text[i] == '\n' || text[i] == '\t') {
            ++i;
            continue;
        }
        std::size_t end = text.find_first_of(" \n\t", i);
        if (end == std::string_view::npos) end = text.size();
        words.push_back({text.substr(i, end - i), i});
        i = end;
    }
    return words;
}

}  // namespace wt::sim
