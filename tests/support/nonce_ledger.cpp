// SPDX-License-Identifier: MIT
#include "tests/support/nonce_ledger.hpp"

#include <sys/mman.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <mutex>

namespace wt::test {

namespace {

constexpr std::size_t page_bytes = 1'024 * 1'024;
constexpr std::size_t step = 16;
constexpr std::size_t largest = 256;

// Free rooms of one size each hold a pointer to the next one.
struct Rooms {
    std::array<void*, largest / step + 1> free{};
    std::uint8_t* page = nullptr;
    std::size_t left = 0;
};
Rooms& rooms() {
    static Rooms all;
    return all;
}
std::size_t place_of(std::size_t bytes) {
    if (bytes > largest) std::abort();
    return (bytes + step - 1) / step;
}

}  // namespace

void* ledger_room(std::size_t bytes) {
    const std::size_t place = place_of(bytes);
    Rooms& all = rooms();
    if (void* const again = all.free[place]; again != nullptr) {
        std::memcpy(&all.free[place], again, sizeof(void*));
        return again;
    }
    if (all.left < place * step) {
        void* const page =
            mmap(nullptr, page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (page == MAP_FAILED) std::abort();
        all.page = static_cast<std::uint8_t*>(page);
        all.left = page_bytes;
    }
    void* const room = all.page;
    all.page += place * step;
    all.left -= place * step;
    return room;
}

void ledger_give_back(void* at, std::size_t bytes) {
    void*& first = rooms().free[place_of(bytes)];
    std::memcpy(at, &first, sizeof(void*));
    first = at;
}

bool NonceLedger::note(const Key& key, std::uint64_t counter) {
    Runs& runs = keys_[key];
    const auto next = runs.upper_bound(counter);
    const auto before = next == runs.begin() ? runs.end() : std::prev(next);
    if (before != runs.end() && counter <= before->second) return false;
    ++pairs_;
    const bool grows_before = before != runs.end() && before->second + 1 == counter;
    // No run begins at 0 behind a wrap: the largest counter has no successor.
    const bool grows_next = next != runs.end() && next->first - 1 == counter;
    if (grows_before && grows_next) {
        before->second = next->second;
        runs.erase(next);
        --runs_;
    } else if (grows_before) {
        before->second = counter;
    } else if (grows_next) {
        const std::uint64_t last = next->second;
        runs.erase(next);
        runs.emplace(counter, last);
    } else {
        runs.emplace(counter, counter);
        ++runs_;
    }
    return true;
}

void NonceLedger::clear() {
    *this = {};
}

namespace {

// A run's workers seal at the same time.
std::mutex& gate() {
    static std::mutex mutex;
    return mutex;
}
NonceLedger& ledger() {
    static NonceLedger one;
    return one;
}
std::uint64_t noted = 0;

}  // namespace

void forget_nonces() {
    const std::lock_guard<std::mutex> hold(gate());
    ledger().clear();
}

std::uint64_t nonces_noted() {
    const std::lock_guard<std::mutex> hold(gate());
    return noted;
}

// For the files that stand in front of the suites.
void note_sealed(const std::uint8_t* key, std::uint64_t counter);
void note_sealed(const std::uint8_t* key, std::uint64_t counter) {
    const std::lock_guard<std::mutex> hold(gate());
    NonceLedger::Key name{};
    std::memcpy(name.data(), key, name.size());
    ++noted;
    if (ledger().note(name, counter)) return;
    std::fprintf(stderr, "nonce ledger: counter %llu was sealed twice under key %02x%02x%02x%02x\n",
                 static_cast<unsigned long long>(counter), name[0], name[1], name[2], name[3]);
    std::abort();
}

}  // namespace wt::test
