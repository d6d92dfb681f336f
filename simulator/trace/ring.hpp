// SPDX-License-Identifier: MIT
//
// The flight recorder: keeps the records of the last stretch of virtual time, and of those no more
// than fit into its memory. What is overwritten is counted.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "simulator/trace/layout.hpp"

namespace wt::trace {

class Ring {
public:
    // 8 million records.
    static constexpr std::uint64_t bytes_max = 256ull * 1'024 * 1'024;

    explicit Ring(std::int64_t span_ns, std::uint64_t room_bytes = bytes_max);

    void add(const std::uint8_t* stored_record);
    // Everything from the record numbered `first` (all that were ever added count) to the last.
    [[nodiscard]] std::uint64_t added() const { return added_; }
    // The oldest record that a trace ending at `end_ns` holds: none older than the span.
    [[nodiscard]] std::uint64_t first_kept(std::int64_t end_ns) const;
    // Whether its memory ended before the span did.
    [[nodiscard]] bool was_full() const { return was_full_; }
    [[nodiscard]] const std::uint8_t* at(std::uint64_t number) const;

private:
    static constexpr std::uint32_t chunk_records = 4'096;
    using Chunk = std::vector<std::uint8_t>;

    void drop_old(std::int64_t now_ns);
    [[nodiscard]] std::int64_t time_of(std::uint64_t number) const;

    std::int64_t span_ns_;
    std::size_t chunks_max_;
    std::vector<std::unique_ptr<Chunk>> chunks_{};  // The oldest first.
    std::vector<std::unique_ptr<Chunk>> spare_{};
    std::uint64_t first_ = 0;  // Number of the oldest chunk's first record.
    std::uint64_t added_ = 0;
    bool was_full_ = false;
};

}  // namespace wt::trace
