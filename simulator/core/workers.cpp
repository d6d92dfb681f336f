// SPDX-License-Identifier: MIT
#include "simulator/core/workers.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "engine/base/check.hpp"

namespace wt::sim {

namespace {

// A window's work is a few hundred microseconds: looking this often for its end or for the next
// one costs less than being woken. After that a waiting worker sleeps. With more workers than cores
// whoever looks keeps a core from one who works: then nobody does.
constexpr std::uint32_t spins_with_a_core_each = 4'000;

void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

// Returns when `value` is no longer `old`, after looking `spins` times at most before it sleeps.
void wait_while(const std::atomic<std::uint32_t>& value, std::uint32_t old, std::uint32_t spins) {
    for (std::uint32_t spin = 0; spin < spins; ++spin) {
        if (value.load(std::memory_order_acquire) != old) return;
        pause_briefly();
    }
    while (value.load(std::memory_order_acquire) == old)
        value.wait(old, std::memory_order_acquire);
}

}  // namespace

struct Workers::Crew {
    std::uint64_t seed = 0;
    std::uint32_t spins = 0;
    std::uint32_t helper_count = 0;
    std::atomic<std::uint32_t> next_chunk{0};
    std::atomic<std::uint32_t> window{0};   // Helpers start when it counts on.
    std::atomic<std::uint32_t> resting{0};  // Helpers that are done with it.
    std::atomic<bool> is_over{false};
    std::vector<std::thread> helpers{};

    void work(Workers& workers, std::uint32_t worker) {
        check_context().seed = seed;
        for (std::uint32_t seen = 0;; ++seen) {
            wait_while(window, seen, spins);
            if (is_over.load(std::memory_order_acquire)) return;
            workers.take_chunks(workers.stations_[worker]);
            const std::uint32_t before = resting.fetch_add(1, std::memory_order_release);
            if (before + 1 == helper_count) resting.notify_one();
        }
    }

    void start_window() {
        next_chunk.store(0, std::memory_order_relaxed);
        resting.store(0, std::memory_order_relaxed);
        if (helpers.empty()) return;
        window.fetch_add(1, std::memory_order_release);
        window.notify_all();
    }

    void wait_for_helpers() {
        while (true) {
            const std::uint32_t now = resting.load(std::memory_order_acquire);
            if (now == helper_count) return;
            wait_while(resting, now, spins);
        }
    }
};

Workers::Workers(std::vector<std::unique_ptr<Host>>& hosts, Network& network, Schedule& schedule,
                 std::vector<Chunk> chunks, std::uint32_t count, Observer* observer)
    : hosts_(hosts),
      network_(network),
      schedule_(schedule),
      chunks_(std::move(chunks)),
      stations_(count),
      crew_(std::make_unique<Crew>()) {
    WT_CHECK(count > 0);
    for (std::uint32_t worker = 0; worker < count; ++worker) {
        stations_[worker].worker = worker;
        stations_[worker].observer = observer;
        if (count == 1 || observer == nullptr) continue;
        buffers_.push_back(std::make_unique<ObserverBuffer>(*observer));
        stations_[worker].observer = buffers_.back().get();
    }
    crew_->seed = check_context().seed;
    crew_->helper_count = count - 1;
    if (count <= std::thread::hardware_concurrency()) crew_->spins = spins_with_a_core_each;
    for (std::uint32_t worker = 1; worker < count; ++worker)
        crew_->helpers.emplace_back([this, worker] { crew_->work(*this, worker); });
}

Workers::~Workers() {
    crew_->is_over.store(true, std::memory_order_release);
    crew_->window.fetch_add(1, std::memory_order_release);
    crew_->window.notify_all();
    for (std::thread& helper : crew_->helpers)
        helper.join();
}

Instant Workers::earliest() const {
    Instant earliest = Instant::never();
    for (const Station& station : stations_)
        earliest = std::min(earliest, station.first_mail);
    for (std::uint32_t entity = 0; entity < schedule_.entity_count(); ++entity) {
        earliest = std::min(earliest, schedule_.next(entity));
    }
    return earliest;
}

std::uint32_t Workers::spares() const {
    std::uint32_t spares = 0;
    for (const Station& station : stations_)
        spares += station.has_spare ? 1 : 0;
    return spares;
}

void Workers::run_window(Instant end) {
    schedule_.turn();
    for (Station& station : stations_)
        station.first_mail = Instant::never();
    end_ = end;
    crew_->start_window();
    take_chunks(stations_[0]);
    crew_->wait_for_helpers();
    network_.parcels().return_home();
    for (const std::unique_ptr<ObserverBuffer>& buffer : buffers_)
        buffer->replay();
}

void Workers::take_chunks(Station& station) {
    const std::uint32_t count = static_cast<std::uint32_t>(chunks_.size());
    while (true) {
        const std::uint32_t chunk = crew_->next_chunk.fetch_add(1, std::memory_order_relaxed);
        if (chunk >= count) return;
        run_chunk(station, chunk, end_);
    }
}

void Workers::run_chunk(Station& station, std::uint32_t chunk, Instant end) {
    schedule_.deliver_chunk(chunk);
    for (const Group& group : chunks_[chunk].groups)
        run_group(station, group, end);
}

void Workers::run_group(Station& station, const Group& group, Instant end) {
    CheckContext& place = check_context();
    if (group.hosts.size() == 1 && group.nodes.empty()) {
        // The usual case: nobody else's time matters inside the window.
        const std::uint32_t host = group.hosts.front();
        while (schedule_.next(host) < end) {
            const Instant now = schedule_.next(host);
            place.virtual_ns = now.ns;
            ++place.event;
            hosts_[host]->run(now, station);
        }
        return;
    }
    while (true) {
        Instant now = Instant::never();
        for (const std::uint32_t host : group.hosts)
            now = std::min(now, schedule_.next(host));
        for (const std::uint32_t node : group.nodes)
            now = std::min(now, schedule_.next(node));
        if (now >= end) return;
        place.virtual_ns = now.ns;
        // Hosts of one instant cannot see each other. What they send without delay reaches nodes
        // in this very instant, and passes them level by level.
        for (const std::uint32_t host : group.hosts) {
            if (schedule_.next(host) != now) continue;
            ++place.event;
            hosts_[host]->run(now, station);
        }
        for (const std::uint32_t node : group.nodes) {
            if (schedule_.next(node) != now) continue;
            ++place.event;
            network_.run_node(station, node, now);
        }
    }
}

}  // namespace wt::sim
