// SPDX-License-Identifier: MIT
//
// A scenario file over a protocol of your own: links, bots, timeline, gates and report as
// `wavetank run` has them. This is what a program includes that brings a protocol along; the file
// says `[transport] kind = "own"`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/core/own_protocol.hpp"

namespace wt::sim {

struct OwnRunOptions {
    std::optional<std::uint64_t> seed{};  // Else the file's.
    std::string variant{};                // Of [variants]; empty: the file as it is.
    std::vector<std::string> settings{};  // "PATH=VALUE", as --set takes them.
};

struct OwnRunResult {
    // As of `wavetank run`: 0 passed, 1 a gate failed, 2 bad input, 3 a bug.
    int exit_code = 2;
    std::string text{};   // For people: the report, or every error of the file with its place.
    std::string json{};   // The report for programs; empty on bad input.
    std::string junit{};  // The same.
    // 128 bits in hexadecimal: equal for equal protocol, file, settings and seed, on every machine.
    std::string digest{};
};

// Both makers of `protocol` must be there. Nothing is printed and nothing is written.
[[nodiscard]] OwnRunResult run_own(const std::string& file, const OwnProtocol& protocol,
                                   const OwnRunOptions& options = {});

}  // namespace wt::sim
