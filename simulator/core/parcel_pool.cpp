// SPDX-License-Identifier: MIT
#include "simulator/core/parcel_pool.hpp"

#include "engine/base/check.hpp"

namespace wt::sim {

template <std::size_t Bytes>
ParcelId ParcelPool::acquire(Class<Bytes>& from) {
    if (from.free.empty()) {
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
    return {Bytes == large_bytes ? index | large_bit : index};
}

template ParcelId ParcelPool::acquire(Class<ParcelPool::small_bytes>& from);
template ParcelId ParcelPool::acquire(Class<ParcelPool::large_bytes>& from);

void ParcelPool::release(ParcelId id) {
    const std::uint32_t index = id.value & ~large_bit;
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

}  // namespace wt::sim
