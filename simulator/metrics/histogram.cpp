// SPDX-License-Identifier: MIT
//
// Cells: 0..255 are exact (chunk 0); chunk k > 0 holds [2^(k+7), 2^(k+8)) in 256 cells of width
// 2^(k-1), so chunk 1 is exact too. A negative value v lies where -(v + 1) would lie, on a side of
// its own; there the upper edge of a cell is the value nearest to zero.
#include "simulator/metrics/histogram.hpp"

#include <algorithm>
#include <bit>

#include "engine/base/check.hpp"

namespace wt::sim {

ChunkPool::ChunkPool(std::size_t chunks) {
    const std::size_t blocks = (chunks + chunks_per_block - 1) / chunks_per_block;
    blocks_.reserve(blocks + 64);
    for (std::size_t i = 0; i < blocks; ++i)
        blocks_.push_back(std::make_unique<Block>());
}

std::int32_t ChunkPool::acquire() {
    if (used_ == blocks_.size() * chunks_per_block) {
        blocks_.push_back(std::make_unique<Block>());
        ++growth_;
    }
    return static_cast<std::int32_t>(used_++);
}

Histogram::Cell Histogram::cell_of(std::int64_t value) {
    const bool negative = value < 0;
    // -(v + 1) is the complement: it exists for the smallest value as well.
    const std::uint64_t size = static_cast<std::uint64_t>(negative ? ~value : value);
    const unsigned side = negative ? chunks_a_side : 0;
    if (size < cells_per_doubling) return {side, static_cast<unsigned>(size)};
    const unsigned shift = static_cast<unsigned>(std::bit_width(size)) - 9;
    return {side + shift + 1, static_cast<unsigned>(size >> shift) - cells_per_doubling};
}

std::int64_t Histogram::upper_edge(Cell cell) {
    const bool negative = cell.chunk >= chunks_a_side;
    const unsigned chunk = negative ? cell.chunk - chunks_a_side : cell.chunk;
    std::uint64_t low = cell.index;
    std::uint64_t width = 1;
    if (chunk > 0) {
        low = std::uint64_t{cell.index + cells_per_doubling} << (chunk - 1);
        width = std::uint64_t{1} << (chunk - 1);
    }
    if (negative) return ~static_cast<std::int64_t>(low);
    return static_cast<std::int64_t>(low + width - 1);
}

void Histogram::merge(ChunkPool& pool, const Histogram& other, const ChunkPool& others_pool) {
    if (other.count_ == 0) return;
    count_ += other.count_;
    sum_ += other.sum_;
    min_ = std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
        if (other.chunks_[i] < 0) continue;
        if (chunks_[i] < 0) chunks_[i] = pool.acquire();
        ChunkPool::Chunk& mine = pool.at(chunks_[i]);
        const ChunkPool::Chunk& theirs = others_pool.at(other.chunks_[i]);
        for (std::size_t cell = 0; cell < mine.size(); ++cell)
            mine[cell] += theirs[cell];
    }
}

std::int64_t Histogram::mean() const {
    if (count_ == 0) return 0;
    const SignedWide count = static_cast<SignedWide>(count_);
    SignedWide quotient = sum_ / count;
    // Division truncates towards zero; the mean is a floor.
    if (sum_ % count < 0) --quotient;
    return static_cast<std::int64_t>(quotient);
}

std::int64_t Histogram::percentile(const ChunkPool& pool, Rank rank) const {
    WT_CHECK(rank.denominator > 0);
    WT_CHECK(rank.numerator <= rank.denominator);
    if (count_ == 0) return 0;
    __extension__ using Unsigned = unsigned __int128;
    const Unsigned scaled = static_cast<Unsigned>(count_) * rank.numerator;
    std::uint64_t wanted =
        static_cast<std::uint64_t>((scaled + rank.denominator - 1) / rank.denominator);
    wanted = std::max<std::uint64_t>(wanted, 1);

    std::uint64_t passed = 0;
    const unsigned total = 2 * chunks_a_side;
    for (unsigned step = 0; step < total; ++step) {
        // From the most negative chunk up to zero, then from zero upwards.
        const bool negative = step < chunks_a_side;
        const unsigned chunk = negative ? total - 1 - step : step - chunks_a_side;
        if (chunks_[chunk] < 0) continue;
        const ChunkPool::Chunk& cells = pool.at(chunks_[chunk]);
        for (unsigned i = 0; i < cells_per_doubling; ++i) {
            const unsigned cell = negative ? cells_per_doubling - 1 - i : i;
            passed += cells[cell];
            if (passed >= wanted) return std::min(upper_edge({chunk, cell}), max_);
        }
    }
    return max_;
}

}  // namespace wt::sim
