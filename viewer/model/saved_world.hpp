// SPDX-License-Identifier: MIT
//
// The world from above at an instant of a saved run: one client's view from the messages that it
// had got by then, and the server's truth from what snapshots said of that tick, whoever got them
// and whenever they came. Of what no snapshot told the truth is not known, and not drawn. Works
// forward a piece a frame; going back begins anew.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simulator/core/server_clock.hpp"
#include "simulator/trace/replica_replay.hpp"
#include "viewer/model/world_picture.hpp"

namespace wt::viewer {

class SavedWorld {
public:
    // Clients whose snapshots tell the truth, the one that is looked at among them. A server tells
    // each of them the objects that wait longest, so eight know nearly all of it.
    static constexpr std::size_t witnesses_max = 8;
    // Records looked at in a frame; a message that is decoded counts as many: about 4 ms.
    static constexpr std::size_t a_frame = 25'000;
    static constexpr std::size_t message_cost = 50;

    // The trace must outlive this.
    explicit SavedWorld(const trace::TraceFile& trace);

    // Why there is nothing to show; empty where there is.
    [[nodiscard]] const std::string& problem() const { return problem_; }
    // Peers as in traces. True when the picture is of this peer and instant.
    bool refresh(std::uint16_t peer, Instant at);
    [[nodiscard]] const WorldPicture& picture() const { return picture_; }
    [[nodiscard]] std::size_t witnesses() const { return witnesses_.size(); }
    // Messages of this client that its decoders refused by then.
    [[nodiscard]] std::uint64_t refused() const { return view_ ? view_->refused() : 0; }

private:
    void choose_witnesses(std::uint16_t peer);
    [[nodiscard]] bool advance(std::size_t& budget);
    void paint();

    const trace::TraceFile& trace_;
    std::string problem_;
    sim::ServerClock clock_{};
    trace::PayloadReader payloads_;
    std::unique_ptr<trace::ReplicaReplay> view_{};
    std::vector<std::unique_ptr<trace::ReplicaReplay>> witnesses_{};
    std::uint16_t peer_ = trace::no_peer;
    Instant at_{};
    std::uint32_t tick_ = 0;  // The server's newest one then.
    bool is_done_ = false;
    WorldPicture picture_{};
};

}  // namespace wt::viewer
