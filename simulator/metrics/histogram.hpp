// SPDX-License-Identifier: MIT
//
// A log-linear histogram: 256 cells a doubling, so that a reported percentile lies at most 0.4 %
// above the true value and never below it. Integers only, and merging is addition: any order of
// values, merges and workers gives the same numbers. Cells live in chunks (one doubling each) of
// a pool that is filled up front, so that recording allocates nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/wide.hpp"

namespace wt::sim {

inline constexpr unsigned cells_per_doubling = 256;

class ChunkPool {
public:
    using Chunk = std::array<std::uint64_t, cells_per_doubling>;

    // Makes room for `chunks` before the run; more are allocated as needed, and counted.
    explicit ChunkPool(std::size_t chunks);

    // The number of a chunk of zeros.
    std::int32_t acquire();
    Chunk& at(std::int32_t chunk) {
        const std::size_t index = static_cast<std::size_t>(chunk);
        return (*blocks_[index / chunks_per_block])[index % chunks_per_block];
    }
    [[nodiscard]] const Chunk& at(std::int32_t chunk) const {
        const std::size_t index = static_cast<std::size_t>(chunk);
        return (*blocks_[index / chunks_per_block])[index % chunks_per_block];
    }
    [[nodiscard]] std::uint64_t growth() const { return growth_; }

private:
    static constexpr std::size_t chunks_per_block = 64;  // 128 KiB
    using Block = std::array<Chunk, chunks_per_block>;

    std::vector<std::unique_ptr<Block>> blocks_;
    std::size_t used_ = 0;
    std::uint64_t growth_ = 0;
};

class Histogram {
public:
    // A percentile as a fraction: p99.9 is {999, 1'000}.
    struct Rank {
        std::uint32_t numerator = 0;
        std::uint32_t denominator = 1;
    };

    Histogram() { chunks_.fill(-1); }

    void add(ChunkPool& pool, std::int64_t value) {
        ++count_;
        sum_ += value;
        if (value < min_) min_ = value;
        if (value > max_) max_ = value;
        const Cell cell = cell_of(value);
        std::int32_t& chunk = chunks_[cell.chunk];
        if (chunk < 0) [[unlikely]]
            chunk = pool.acquire();
        ++pool.at(chunk)[cell.index];
    }
    // Both histograms may live in different pools.
    void merge(ChunkPool& pool, const Histogram& other, const ChunkPool& others_pool);

    [[nodiscard]] std::uint64_t count() const { return count_; }
    // All four are 0 where nothing was recorded.
    [[nodiscard]] std::int64_t min() const { return count_ == 0 ? 0 : min_; }
    [[nodiscard]] std::int64_t max() const { return count_ == 0 ? 0 : max_; }
    [[nodiscard]] std::int64_t mean() const;  // floor(sum / count)
    // Nearest rank ceil(count * q); the upper edge of its cell, held to the exact maximum.
    [[nodiscard]] std::int64_t percentile(const ChunkPool& pool, Rank rank) const;

private:
    // 256 exact cells, then one chunk for each doubling up to 2^63, and the same below zero.
    static constexpr unsigned chunks_a_side = 56;

    struct Cell {
        unsigned chunk = 0;
        unsigned index = 0;
    };
    static Cell cell_of(std::int64_t value);
    // The largest value of a cell.
    static std::int64_t upper_edge(Cell cell);

    std::uint64_t count_ = 0;
    SignedWide sum_ = 0;
    std::int64_t min_ = INT64_MAX;
    std::int64_t max_ = INT64_MIN;
    std::array<std::int32_t, 2 * chunks_a_side> chunks_{};
};

}  // namespace wt::sim
