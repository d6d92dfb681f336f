// SPDX-License-Identifier: MIT
//
// Captured bytes by record number, for those who want many of them: a section is walked through
// once, when something of it is wanted for the first time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/trace/trace_file.hpp"

namespace wt::trace {

class PayloadReader {
public:
    // The trace must outlive this.
    explicit PayloadReader(const TraceFile& trace);

    // Nothing where the record has none, or its section is damaged there.
    [[nodiscard]] std::optional<ConstBytes> of(std::uint64_t record);
    [[nodiscard]] const TraceFile& trace() const { return trace_; }

private:
    struct Entry {
        std::uint64_t record = 0;
        std::uint32_t offset = 0;  // Of the bytes, in the section.
        std::uint32_t bytes = 0;
    };
    struct Section {
        bool is_read = false;
        std::vector<Entry> entries{};  // Numbers go up.
    };
    void read(std::size_t section);

    const TraceFile& trace_;
    std::vector<Section> sections_{};
};

}  // namespace wt::trace
