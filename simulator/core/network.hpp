// SPDX-License-Identifier: MIT
//
// Takes datagrams from hosts, asks the links what becomes of them, and carries what is left to its
// next stop. Counts every datagram of every path, so that nothing can get lost in between.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/transport/endpoint.hpp"
#include "simulator/core/chronicle.hpp"
#include "simulator/core/exact_faults.hpp"
#include "simulator/core/schedule.hpp"
#include "simulator/core/station.hpp"
#include "simulator/core/topology.hpp"
#include "simulator/link/link_direction.hpp"

namespace wt::sim {

// What became of the datagrams of one path: sent + duplicated = delivered + dropped + in flight.
struct PathCounters {
    std::uint64_t sent = 0;
    std::uint64_t duplicated = 0;
    std::uint64_t delivered = 0;
    std::uint64_t reordered = 0;  // Originals that a later-sent one had overtaken.
    std::uint64_t bytes = 0;      // Handed over, 28 a datagram included.
    DropCounters dropped{};
    std::uint64_t in_flight = 0;  // Filled in by World::path_counters.
};

// Who hands over, as far as the network needs to know.
struct Sender {
    std::uint32_t host = 0;
    std::uint32_t rank = 0;      // Of the host's name.
    std::uint64_t sequence = 0;  // Datagrams so far, copies included. Counted on by hand_over.
    std::uint16_t port = 0;
    std::uint8_t place = 0;  // Of a translated bot.
    bool is_server = false;
    bool is_spoofing = false;
    std::uint32_t bot = 0;  // Bots only.
};

class Network {
public:
    Network(const WorldPlan& plan, Topology topology, Schedule& schedule, std::uint32_t workers);

    // Where a host's endpoint may seal its next datagram. Stays the same until it was taken.
    [[nodiscard]] MutableBytes spare_room(Station& station);
    // Takes the datagram that was sealed into spare_room().
    void hand_over(Instant now, Station& station, Sender& sender, Chronicle& chronicle,
                   const transport::Datagram& datagram);

    // A node works on everything that arrived at `now`, and on whose turn it is.
    void run_node(Station& station, std::uint32_t entity, Instant now);

    // Whether a partition lay on the path at any instant of the flight.
    [[nodiscard]] bool is_cut(std::uint32_t path, Instant sent, Instant arrival) const;
    // For the receiver: what became of an arrival, in the end.
    void count_delivered(const Station& station, const Parcel& parcel, Instant now);
    void count_lost(const Station& station, const Parcel& parcel, Instant decided, Instant noted,
                    DropCause cause);

    [[nodiscard]] ParcelPools& parcels() { return pools_; }
    [[nodiscard]] const Topology& topology() const { return topology_; }
    [[nodiscard]] const LinkDirection& direction(std::uint32_t index) const {
        return directions_[index];
    }
    [[nodiscard]] Chronicle& node_chronicle(std::uint32_t node) { return nodes_[node].chronicle; }
    // Index into topology().directions of node number `node`.
    [[nodiscard]] std::uint32_t node_direction(std::uint32_t node) const {
        return nodes_[node].direction;
    }
    [[nodiscard]] std::uint32_t node_count() const {
        return static_cast<std::uint32_t>(nodes_.size());
    }
    [[nodiscard]] std::uint64_t node_events(std::uint32_t node) const {
        return nodes_[node].events;
    }
    // Parcels that stand in a node's queue and wait for their turn.
    [[nodiscard]] std::vector<ParcelId> waiting_at_nodes() const;
    [[nodiscard]] PathCounters counters_of(std::uint32_t path) const;
    // The bot whose address this is (neither port nor translator's place matters); no_bot if
    // nobody's.
    [[nodiscard]] std::uint32_t bot_at(const transport::Address& address) const;
    [[nodiscard]] const transport::Address& server_address() const { return server_address_; }
    // Where a parcel says it comes from.
    [[nodiscard]] transport::Address sender_of(const Parcel& parcel) const;
    [[nodiscard]] const ExactFaults& faults() const { return faults_; }
    // Stands for a host's name in digests.
    [[nodiscard]] std::uint64_t name_of_host(std::uint32_t host) const { return names_[host]; }

    static constexpr std::uint32_t no_bot = 0xffff'ffff;

private:
    // What the sender's side, the nodes and the receiver's side count, apart because they may run
    // on different workers.
    struct Tally {
        std::uint64_t sent = 0;
        std::uint64_t duplicated = 0;
        std::uint64_t bytes = 0;
        std::uint64_t delivered = 0;
        std::uint64_t reordered = 0;
        DropCounters dropped{};
    };
    struct Path {
        std::uint32_t bot = 0;
        Way way = Way::up;
        std::uint32_t first = no_direction;
        std::uint32_t target = 0;
        std::uint64_t name = 0;
        std::uint64_t source_name = 0;
        std::uint32_t source = 0;
        std::uint32_t node_count = 0;
        std::array<std::uint32_t, path_nodes_max> nodes{};  // Entities.
        std::uint64_t newest = 0;  // Largest order of an original that arrived.
    };
    // Its first link is a node: an exact fault waits until it gets there.
    [[nodiscard]] static bool waits_for_node(const Path& path) {
        return path.first == no_direction && path.node_count > 0;
    }
    struct Node {
        std::uint32_t direction = 0;
        std::uint64_t events = 0;
        Chronicle chronicle{};
        std::vector<Tally> tallies{};  // By path.
    };
    struct Place {
        std::uint64_t key = 0;
        std::uint32_t bot = no_bot;
    };

    void make_nodes(const WorldPlan& plan);
    void make_paths();
    void make_places();
    struct Destination {
        std::uint32_t path = 0;
        bool is_somebody = false;
    };
    [[nodiscard]] Destination path_to(const Sender& sender, const transport::Address& to) const;
    // A datagram at hand-over with what was decided about it.
    struct Handed {
        const transport::Datagram& datagram;
        std::uint32_t path = 0;
        std::uint16_t fault = 0;
        Fate fate{};
        std::uint32_t size = 0;  // As it travels: corruption may change it.
    };
    [[nodiscard]] Fate first_fate(Instant now, const Handed& handed);
    void dispatch(Instant now, Station& station, Sender& sender, Chronicle& chronicle,
                  Handed& handed);
    // How one parcel of it sets out.
    struct Departure {
        ParcelId id{};
        Instant arrival{};
        bool is_copy = false;
        bool is_passing = false;
        bool is_strange = false;
    };
    [[nodiscard]] ParcelId packed(Station& station, std::size_t size);
    void set_out(Instant now, Station& station, const Sender& sender, const Handed& handed,
                 const Departure& how);
    void note_handed(Instant now, const Sender& sender, Chronicle& chronicle, const Handed& handed,
                     Instant arrival) const;
    void replay(Instant now, Station& station, Sender& sender, Chronicle& chronicle,
                const Handed& handed, ParcelId kept);
    // Sends a parcel on to its next stop.
    void forward(Station& station, std::uint32_t from, ParcelId id, Instant arrival);
    [[nodiscard]] Instant released(std::uint32_t path, Instant arrival) const;
    [[nodiscard]] ParcelId copy_of(const Station& station, ParcelId id);
    // What a node's direction made of a parcel that came there at `came`.
    struct NodeFate {
        Instant came{};
        Instant decided{};
        const Fate& fate;
    };
    void settle_at_node(Station& station, std::uint32_t entity, Instant now, ParcelId id,
                        const NodeFate& what);
    void leave_node(Station& station, std::uint32_t entity, ParcelId id, const Fate& fate);

    Topology topology_;
    Schedule& schedule_;
    ParcelPools pools_;
    std::vector<LinkDirection> directions_{};
    ExactFaults faults_;
    std::vector<Path> paths_{};
    std::vector<Tally> at_sender_{};    // By path.
    std::vector<Tally> at_receiver_{};  // By path.
    std::vector<Node> nodes_{};
    std::vector<Place> places_{};  // Open addressing by address.
    transport::Address server_address_{};
    std::vector<transport::Address> addresses_{};  // By host.
    std::vector<std::uint64_t> names_{};           // By host.
};

}  // namespace wt::sim
