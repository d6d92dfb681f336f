// SPDX-License-Identifier: MIT
//
// Bytes of delivered messages on their way to the file: sections of about 1 MiB, each a list of
// (record number 64 bits, length 32 bits, bytes). A flight recorder keeps them in memory and
// drops the oldest; what is dropped is dropped with its section.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "simulator/trace/section_writer.hpp"

namespace wt::trace {

class PayloadStore {
public:
    static constexpr std::size_t section_bytes = 1'024 * 1'024;
    static constexpr std::size_t held_sections_max = 64;
    static constexpr std::size_t entry_head_bytes = 12;

    explicit PayloadStore(bool holds) : holds_(holds) {}

    void add(std::uint64_t record, ConstBytes bytes);
    // Full sections go to the file, or wait if this one holds.
    void settle(SectionWriter& writer);
    // All of them, those of records before `first` left out, numbers counted from there.
    void finish(SectionWriter& writer, std::uint64_t first);

private:
    bool holds_;
    std::vector<std::uint8_t> open_{};
    std::deque<std::vector<std::uint8_t>> held_{};
};

}  // namespace wt::trace
