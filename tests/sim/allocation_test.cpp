// SPDX-License-Identifier: MIT
//
// Goal: in steady windows nothing is allocated, neither by operator new nor by malloc. Method: this
// executable has an operator new and a malloc of its own that count while a window is open; the
// window is ticks 600 to 1,200 of the 128-peer churn (losses, retransmissions, reassembly, kills
// and reconnects) and of the 128-peer game (spawns, despawns, jumps, changes of hands), run with
// metrics as the command line runs them.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <new>

#include "simulator/core/world.hpp"
#include "simulator/metrics/collector.hpp"
#include "simulator/run/metrics_observer.hpp"
#include "simulator/run/world_builder.hpp"
#include "tests/sim/scenario_run.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define WT_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WT_SANITIZED 1
#endif
#endif

#ifndef WT_SANITIZED

namespace {

struct AllocationCount {
    bool is_open = false;
    std::uint64_t news = 0;
    std::uint64_t mallocs = 0;
};
AllocationCount counted;

// Where a debugger stops to see who it was.
[[gnu::noinline]] void note_allocation(std::uint64_t& kind) {
    ++kind;
}

}  // namespace

// glibc's own, under the names that it keeps for whoever replaces malloc.
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* old, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);

void* malloc(std::size_t bytes) {
    if (counted.is_open) note_allocation(counted.mallocs);
    return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) {
    if (counted.is_open) note_allocation(counted.mallocs);
    return __libc_calloc(count, bytes);
}
void* realloc(void* old, std::size_t bytes) {
    if (counted.is_open) note_allocation(counted.mallocs);
    return __libc_realloc(old, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
    if (counted.is_open) note_allocation(counted.mallocs);
    return __libc_memalign(alignment, bytes);
}
}

// Not inlined, or gcc at -O1 pairs a malloc that it sees with a delete that it does not.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
    if (counted.is_open) note_allocation(counted.news);
    void* const memory = __libc_malloc(bytes == 0 ? 1 : bytes);
    if (memory == nullptr) std::abort();
    return memory;
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
    if (counted.is_open) note_allocation(counted.news);
    void* const memory = __libc_memalign(static_cast<std::size_t>(alignment), bytes);
    if (memory == nullptr) std::abort();
    return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

namespace wt::sim {

#ifdef WT_LONG_RUNS
constexpr std::uint64_t seeds = 3;
#else
constexpr std::uint64_t seeds = 1;
#endif

TEST_CASE("the counter counts") {
    counted = {.is_open = true};
    // Called by name: what a new expression allocates may be optimised away.
    ::operator delete(::operator new(1));
    std::free(std::malloc(1));
    counted.is_open = false;
    CHECK(counted.news == 1);
    CHECK(counted.mallocs == 1);
}

struct Steady {
    const char* path = "";
    std::uint64_t datagrams_min = 0;  // In the window, so that it is not an idle one.
};

void check_steady(const Steady& steady) {
    const Scenario scenario = quick_scenario(steady.path);
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        CAPTURE(seed);
        std::vector<Problem> problems;
        const std::vector<Gate> gates = compile_gates(scenario, problems);
        CollectorPlan collector_plan = plan_of(scenario);
        collector_plan.watches = watches_of(gates);
        Collector collector(std::move(collector_plan));
        BuiltWorld built = build_world(scenario, seed);
        MetricsObserver observer(scenario, collector);
        World world(built.plan, &observer);
        world.run_until(scenario.server.tick_rate.tick(600));
        const std::uint64_t datagrams = world.totals().datagrams;
        counted = {.is_open = true};
        world.run_until(scenario.server.tick_rate.tick(1'200));
        counted.is_open = false;
        CHECK(counted.news == 0);
        CHECK(counted.mallocs == 0);
        CHECK(world.totals().datagrams - datagrams > steady.datagrams_min);
        world.finish();
    }
}

TEST_CASE("ticks 600 to 1,200 of the churn allocate nothing") {
    // 10 s of 128 bots: 120 datagrams up and 20 down a second each, acknowledgements beside.
    check_steady({"scenarios/gates/peers_128_churn.toml", 128 * 10 * 140});
}

TEST_CASE("ticks 600 to 1,200 of the game allocate nothing") {
    // 10 s of 128 fighters among objects that come, go and jump: 60 inputs and 20 snapshots a
    // second each.
    check_steady({"scenarios/gates/peers_128.toml", 128 * 10 * 80});
}

}  // namespace wt::sim

#else

TEST_CASE("sanitizers bring an allocator of their own, which is not counted") {}

#endif
