// SPDX-License-Identifier: MIT
#include "simulator/core/parcel_pool.hpp"

#include "engine/base/check.hpp"

namespace wt::sim {

ParcelPool::ParcelPool(std::uint32_t home) : home_(home) {
    WT_CHECK(home < homes_max);
    small_.chunks.reserve(chunks_max);
    large_.chunks.reserve(chunks_max);
}

template <std::size_t Bytes>
ParcelId ParcelPool::acquire(Class<Bytes>& from) {
    if (from.free.empty()) {
        WT_CHECK(from.chunks.size() < chunks_max);
        const std::uint32_t first = static_cast<std::uint32_t>(from.chunks.size()) * chunk_parcels;
        from.chunks.push_back(std::make_unique<std::array<Cell<Bytes>, chunk_parcels>>());
        from.free.reserve(from.chunks.size() * chunk_parcels);
        // Lowest first, so that a small run stays in few pages.
        for (std::uint32_t i = chunk_parcels; i-- > 0;)
            from.free.push_back(first + i);
    }
    const std::uint32_t index = from.free.back();
    from.free.pop_back();
    ++from.in_use;
    const std::uint32_t id = home_ << index_bits | index;
    return {Bytes == large_bytes ? id | large_bit : id};
}

template ParcelId ParcelPool::acquire(Class<ParcelPool::small_bytes>& from);
template ParcelId ParcelPool::acquire(Class<ParcelPool::large_bytes>& from);

void ParcelPool::release(ParcelId id) {
    WT_CHECK(home_of(id) == home_);
    const std::uint32_t index = id.value & ((std::uint32_t{1} << index_bits) - 1);
    if (is_large(id)) {
        WT_CHECK(large_.in_use > 0);
        --large_.in_use;
        large_.free.push_back(index);
    } else {
        WT_CHECK(small_.in_use > 0);
        --small_.in_use;
        small_.free.push_back(index);
    }
}

ParcelPools::ParcelPools(std::uint32_t workers) : away_(workers) {
    // A worker that takes whatever another one sent gives back a few windows' worth.
    constexpr std::size_t away_estimate = 4'096;
    for (std::uint32_t worker = 0; worker < workers; ++worker) {
        pools_.push_back(std::make_unique<ParcelPool>(worker));
        if (workers > 1) away_[worker].reserve(away_estimate);
    }
}

void ParcelPools::return_home() {
    for (std::vector<ParcelId>& ids : away_) {
        for (const ParcelId id : ids)
            pools_[ParcelPool::home_of(id)]->release(id);
        ids.clear();
    }
}

std::uint64_t ParcelPools::in_use() const {
    std::uint64_t sum = 0;
    for (const std::unique_ptr<ParcelPool>& pool : pools_)
        sum += pool->in_use();
    return sum;
}

std::uint64_t ParcelPools::chunks_grown() const {
    std::uint64_t sum = 0;
    for (const std::unique_ptr<ParcelPool>& pool : pools_)
        sum += pool->chunks_grown();
    return sum;
}

}  // namespace wt::sim
