// SPDX-License-Identifier: MIT
//
// Every (key, counter) pair that was sealed, once: a second sealing of a pair ends the program,
// whichever suite it was. The linker puts it in front of both suites' sealing calls (`--wrap`, see
// tests/CMakeLists.txt), so that the product does not know of it. Runs of a test repeat their keys,
// since these come from the seed: a ledger begins with each test case and each server that is made.
// A restarted endpoint is the same endpoint, so restarts are inside one ledger.
// Spec: 000, encrypted records and authenticated datagrams (a pair is never sealed twice).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

namespace wt::test {

// Room for one node, and back. Sizes up to 256 bytes.
void* ledger_room(std::size_t bytes);
void ledger_give_back(void* at, std::size_t bytes);

// Nodes from pages of its own, so that tests which count allocations do not count the ledger's.
template <class T>
class LedgerAllocator {
public:
    using value_type = T;

    LedgerAllocator() = default;
    template <class Other>
    LedgerAllocator(const LedgerAllocator<Other>&) {}

    [[nodiscard]] T* allocate(std::size_t count) {
        return static_cast<T*>(ledger_room(count * sizeof(T)));
    }
    void deallocate(T* at, std::size_t count) { ledger_give_back(at, count * sizeof(T)); }
    friend bool operator==(const LedgerAllocator&, const LedgerAllocator&) { return true; }
};

class NonceLedger {
public:
    using Key = std::array<std::uint8_t, 32>;

    // False where the pair was noted before; nothing changes then.
    [[nodiscard]] bool note(const Key& key, std::uint64_t counter);
    void clear();

    [[nodiscard]] std::size_t key_count() const { return keys_.size(); }
    // Runs of counters without a gap, over all keys: what the ledger holds in memory.
    [[nodiscard]] std::size_t run_count() const { return runs_; }
    [[nodiscard]] std::uint64_t pair_count() const { return pairs_; }

private:
    // First to last counter of a run, both included. Ends count up, so most keys have one run.
    using Runs = std::map<std::uint64_t, std::uint64_t, std::less<>,
                          LedgerAllocator<std::pair<const std::uint64_t, std::uint64_t>>>;

    std::map<Key, Runs, std::less<>, LedgerAllocator<std::pair<const Key, Runs>>> keys_{};
    std::size_t runs_ = 0;
    std::uint64_t pairs_ = 0;
};

// The one that the seals of this program are written into. Call forget_nonces() where a test makes
// connections under the same keys again.
void forget_nonces();
// Pairs noted since the program's start, whatever was forgotten in between.
[[nodiscard]] std::uint64_t nonces_noted();

}  // namespace wt::test
