// SPDX-License-Identifier: MIT
//
// Datagrams under way. An endpoint seals straight into a large parcel; short ones move into a
// small one, so that memory follows what is in flight. Each worker takes from a pool of its own;
// what another one gives back waits until the window's end and then returns home. Pools grow by
// chunks, never shrink, and count their growth (DESIGN R10). Ids outlive calls, references do not.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/bytes.hpp"
#include "engine/base/time.hpp"
#include "engine/transport/endpoint.hpp"
#include "simulator/link/corruption.hpp"

namespace wt::sim {

// Everything about a datagram under way except its bytes.
struct Parcel {
    Instant sent{};           // Handed over by its source.
    Instant arrival{};        // At its next stop.
    std::uint64_t order = 0;  // Rank of the source's name, its sequence, the copy: unique.
    transport::Label label{};
    std::uint32_t path = 0;
    std::uint16_t fault = 0;      // Exact fault that waits for the first node; ExactFaults::judge.
    bool is_passing : 1 = false;  // Put in by a replay: nodes let it through without weather.
    bool is_strange : 1 = false;  // From an address that is nobody's.
    bool is_copy : 1 = false;     // A link made it.
    std::uint8_t stop = 0;        // Which node of the path comes next; past the last: the host.
    std::uint16_t size = 0;
    std::uint16_t from_port = 0;
    std::uint16_t to_port = 0;
    std::uint8_t from_place = 0;  // Outer addresses of a translated bot (core/nat.hpp).
    std::uint8_t to_place = 0;
};
// One cache line, and the bytes begin on the next one.
static_assert(sizeof(Parcel) == 64);

// Where a parcel lives: its size class, its home (a worker), its number there.
struct ParcelId {
    std::uint32_t value = 0;
    friend bool operator==(ParcelId, ParcelId) = default;
};

class ParcelPool {
public:
    static constexpr std::size_t small_bytes = 192;
    static constexpr std::size_t cache_line_bytes = 64;
    // Room for the largest datagram and for junk behind it.
    static constexpr std::size_t large_bytes = transport::datagram_bytes_max + junk_bytes_max;

    static constexpr std::uint32_t homes_max = 16;

    explicit ParcelPool(std::uint32_t home);

    [[nodiscard]] ParcelId acquire_large() { return acquire(large_); }
    // For `size` bytes, whichever class they fit.
    [[nodiscard]] ParcelId acquire(std::size_t size) {
        return size <= small_bytes ? acquire(small_) : acquire(large_);
    }
    // Of this pool only.
    void release(ParcelId id);

    [[nodiscard]] static std::uint32_t home_of(ParcelId id) {
        return id.value >> index_bits & (homes_max - 1);
    }
    [[nodiscard]] Parcel& head(ParcelId id) {
        return is_large(id) ? large_.at(id).head : small_.at(id).head;
    }
    [[nodiscard]] MutableBytes room(ParcelId id) {
        if (is_large(id)) return large_.at(id).bytes;
        return small_.at(id).bytes;
    }

    [[nodiscard]] std::uint64_t in_use() const { return small_.in_use + large_.in_use; }
    [[nodiscard]] std::uint64_t chunks_grown() const {
        return small_.chunks.size() + large_.chunks.size();
    }

private:
    static constexpr std::uint32_t large_bit = std::uint32_t{1} << 31;
    static constexpr std::uint32_t index_bits = 27;
    static constexpr std::uint32_t chunk_parcels = 256;
    // 16.7 million parcels of each class. Room for so many chunks' addresses is there from the
    // start, because other workers look chunks up while the owner adds one.
    static constexpr std::size_t chunks_max = 65'536;

    template <std::size_t Bytes>
    struct Cell {
        Parcel head{};
        std::array<std::uint8_t, Bytes> bytes{};
    };
    template <std::size_t Bytes>
    struct Class {
        std::vector<std::unique_ptr<std::array<Cell<Bytes>, chunk_parcels>>> chunks{};
        std::vector<std::uint32_t> free{};
        std::uint64_t in_use = 0;

        Cell<Bytes>& at(ParcelId id) {
            const std::uint32_t index = id.value & ((std::uint32_t{1} << index_bits) - 1);
            return (*chunks[index / chunk_parcels])[index % chunk_parcels];
        }
    };

    [[nodiscard]] static bool is_large(ParcelId id) { return (id.value & large_bit) != 0; }
    template <std::size_t Bytes>
    [[nodiscard]] ParcelId acquire(Class<Bytes>& from);

    std::uint32_t home_;
    Class<small_bytes> small_{};
    Class<large_bytes> large_{};
};

// The pools of all workers: any of them reads any parcel, each takes from its own pool.
class ParcelPools {
public:
    explicit ParcelPools(std::uint32_t workers);

    [[nodiscard]] ParcelPool& of(std::uint32_t worker) { return *pools_[worker]; }
    [[nodiscard]] Parcel& head(ParcelId id) { return pools_[ParcelPool::home_of(id)]->head(id); }
    [[nodiscard]] MutableBytes room(ParcelId id) {
        return pools_[ParcelPool::home_of(id)]->room(id);
    }
    void release(std::uint32_t worker, ParcelId id) {
        const std::uint32_t home = ParcelPool::home_of(id);
        if (home == worker) {
            pools_[home]->release(id);
        } else {
            away_[worker].push_back(id);
        }
    }
    // Between windows: what was given back abroad goes home.
    void return_home();

    // Head and first bytes will be wanted soon.
    void prefetch(ParcelId id) {
        const char* const at = static_cast<const char*>(static_cast<const void*>(&head(id)));
        constexpr std::size_t bytes = sizeof(Parcel) + ParcelPool::small_bytes;
        for (std::size_t line = 0; line < bytes; line += ParcelPool::cache_line_bytes) {
            __builtin_prefetch(at + line);
        }
    }

    [[nodiscard]] std::uint64_t in_use() const;
    [[nodiscard]] std::uint64_t chunks_grown() const;

private:
    std::vector<std::unique_ptr<ParcelPool>> pools_{};
    std::vector<std::vector<ParcelId>> away_{};  // By the worker that gave them back.
};

}  // namespace wt::sim
