// SPDX-License-Identifier: MIT
//
// Runs the groups of one window on as many workers as there are. Groups share nothing that changes
// during a window but parcels and outboxes, and those belong to a worker each. Workers take chunks
// of groups, whoever is free first, so which worker runs what is up to the machine, and nothing
// that enters a digest or a figure depends on it (DESIGN R4, R10).
//
// The only threads of a run are in workers.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "simulator/core/host.hpp"
#include "simulator/core/observer_buffer.hpp"

namespace wt::sim {

// The members of one group, in the order in which they are stored; it never matters.
struct Group {
    std::vector<std::uint32_t> hosts{};
    std::vector<std::uint32_t> nodes{};  // By level.
};

// Groups that one worker takes at once.
struct Chunk {
    std::vector<Group> groups{};
};

class Workers {
public:
    // `observer` may be nullptr. With one worker no thread is started and the observer is called
    // directly; with more, it hears of a window when the window is over.
    Workers(std::vector<std::unique_ptr<Host>>& hosts, Network& network, Schedule& schedule,
            std::vector<Chunk> chunks, std::uint32_t count, Observer* observer);
    ~Workers();

    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
    Workers(Workers&&) = delete;
    Workers& operator=(Workers&&) = delete;

    // Everything before `end`, of every group.
    void run_window(Instant end);
    // The earliest event of anybody; with what lies in outboxes, at the latest then.
    [[nodiscard]] Instant earliest() const;
    // Parcels that wait to be sealed into.
    [[nodiscard]] std::uint32_t spares() const;

private:
    void run_chunk(Station& station, std::uint32_t chunk, Instant end);
    void run_group(Station& station, const Group& group, Instant end);
    void take_chunks(Station& station);

    std::vector<std::unique_ptr<Host>>& hosts_;
    Network& network_;
    Schedule& schedule_;
    std::vector<Chunk> chunks_;
    std::vector<Station> stations_;
    std::vector<std::unique_ptr<ObserverBuffer>> buffers_{};
    Instant end_{};
    struct Crew;  // The threads, and what they and the caller say to each other.
    std::unique_ptr<Crew> crew_;
};

}  // namespace wt::sim
