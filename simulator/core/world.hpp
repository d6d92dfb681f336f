// SPDX-License-Identifier: MIT
//
// A run: hosts, links between them and a timeline, from time 0 to its end. The same plan and seed
// give the same digest on every machine. One World is one run; it cannot be rewound.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulator/core/windows.hpp"
#include "simulator/core/workers.hpp"

namespace wt::sim {

// What the digest of one place looked like at the end of every second.
struct PlaceDigest {
    std::string name{};  // "player-7", or a shared link's "cell/0/down".
    DigestValue value{};
    std::vector<DigestValue> seconds{};
};

struct WorldTotals {
    std::uint64_t events = 0;     // Wake-ups, arrivals, samples.
    std::uint64_t datagrams = 0;  // Handed over, copies included.
    std::uint64_t parcel_chunks = 0;
    std::uint64_t last_draw = 0;  // Of the root stream; unequal means an unequal history.
};

// Counters of one direction of one instance of a link.
struct LinkReport {
    std::string name{};  // "home/player-7/up"
    std::string link{};
    Way way = Way::up;
    DirectionCounters counters{};
};

class World {
public:
    // The plan's endpoints and behaviours must outlive the world; the observer too, if any.
    explicit World(WorldPlan plan, Observer* observer = nullptr);

    // Runs everything before `until` (at most the plan's end). May be called again and again.
    void run_until(Instant until);
    // Where run_until has come to, which need not be the plan's end: closes the chronicles and
    // checks conservation on every path.
    void finish();

    // --- For tests and verify; before the first run_until ---
    // Writes the records of one place's second as text. False if there is no such place.
    bool watch(const std::string& place, std::uint64_t second);
    bool tamper(const std::string& place, Tampering tampering);

    [[nodiscard]] DigestValue digest() const;
    // By name: hosts, then shared links.
    [[nodiscard]] std::vector<PlaceDigest> place_digests() const;
    [[nodiscard]] const std::vector<std::string>& watched_lines(const std::string& place) const;
    [[nodiscard]] WorldTotals totals() const;
    [[nodiscard]] PathCounters path_counters(std::uint32_t bot, Way way) const;
    [[nodiscard]] std::vector<LinkReport> link_reports() const;
    // How long the bad state of the path's worst link has lasted at `at`; none in good weather.
    [[nodiscard]] std::optional<Duration> bad_for(std::uint32_t bot, Way way, Instant at) const;
    [[nodiscard]] bool is_cut(std::uint32_t bot, Way way, Instant at) const {
        return network_->is_cut(path_of(bot, way), at, at);
    }
    // What an exact fault did; `act` is an index into the plan's acts.
    [[nodiscard]] FaultReport fault_report(std::uint32_t act) const {
        return network_->faults().report_of(act);
    }
    [[nodiscard]] const Host& host(std::uint32_t index) const { return *hosts_[index]; }
    [[nodiscard]] std::uint32_t bot_count() const {
        return static_cast<std::uint32_t>(network_->topology().bots.size());
    }
    [[nodiscard]] std::uint64_t windows_run() const { return windows_run_; }
    [[nodiscard]] const WorldPlan& plan() const { return plan_; }

private:
    struct Named {
        std::string text{};
        Chronicle* chronicle = nullptr;
    };
    void make_hosts(bool is_observed);
    [[nodiscard]] std::vector<Group> make_groups() const;
    [[nodiscard]] std::vector<Chunk> make_chunks(std::vector<Group> groups) const;
    void make_workers(Observer* observer);
    [[nodiscard]] Chronicle* find_place(const std::string& place) const;
    void count_in_flight();

    WorldPlan plan_;
    Observer* observer_;
    std::unique_ptr<Schedule> schedule_{};
    std::unique_ptr<Network> network_{};
    std::unique_ptr<Windows> windows_{};
    std::vector<std::unique_ptr<Host>> hosts_{};
    std::unique_ptr<Workers> workers_{};
    std::vector<Named> places_{};             // In the order of names: hosts, then nodes.
    std::vector<std::uint64_t> in_flight_{};  // By path, after finish().
    Instant reached_{};
    std::uint64_t windows_run_ = 0;
    bool is_finished_ = false;
};

}  // namespace wt::sim
