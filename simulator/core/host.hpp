// SPDX-License-Identifier: MIT
//
// One machine of a run: an endpoint, a behaviour above it, and its own time line. It acts only at
// wake-ups, which lie on the grid, on its ticks and on acts of the timeline; a wake-up at t sees
// what arrived before t. Order inside one instant: acts, arrivals, tick, flush, samples (R2, R3).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/core/nat.hpp"
#include "simulator/core/network.hpp"
#include "simulator/core/observed_endpoint.hpp"
#include "simulator/core/plan.hpp"

namespace wt::sim {

// One thing that the timeline does to one host at one instant.
struct HostAct {
    enum class What : std::uint8_t {
        come_up,  // By plan, for the first time.
        pause,
        resume,
        die,        // kill, and the first half of restart
        come_back,  // The end of a kill or leave, and the second half of restart
        leave,
        behave,
        behave_no_more,
        note,  // partition and change: nothing to do here, but it belongs into the record
        rebind,
    };
    Instant at{};
    What what = What::come_up;
    std::uint32_t act = 0;    // Index in the plan; names the act in the record.
    bool is_restart = false;  // die, come_back: comes back whatever `reconnect` says.
    bots::BehaviourKind as = bots::BehaviourKind::idle;  // behave
    RebindKind gives = RebindKind::port;                 // rebind
    std::uint64_t name = 0;                              // Stands for the act's name in the digest.
};

// What all hosts of a world share.
struct HostServices {
    Grid grid{};
    std::uint64_t seed = 0;
    Instant end{};
    Frequency level_rate{};
    Network* network = nullptr;
    Schedule* schedule = nullptr;
    bool is_observed = false;
};

class Host final : private bots::Meter {
public:
    // `index` is the host's entity number, `rank` its place by name, `bot` its ordinal among bots.
    struct Place {
        std::uint32_t index = 0;
        std::uint32_t rank = 0;
        std::uint32_t bot = 0;
    };
    Host(const HostPlan& plan, Place place, const HostServices& services,
         std::vector<HostAct> acts);

    // Does everything of the instant `now`, which is schedule().next() of this host.
    void run(Instant now, Station& station);
    // After the last window: closes the chronicle.
    void finish();

    [[nodiscard]] const HostName& name() const { return plan_.name; }
    [[nodiscard]] const HostPlan& plan() const { return plan_; }
    [[nodiscard]] Chronicle& chronicle() { return chronicle_; }
    [[nodiscard]] const Chronicle& chronicle() const { return chronicle_; }
    [[nodiscard]] bool is_up() const { return is_up_; }
    [[nodiscard]] std::uint64_t events() const { return events_; }
    [[nodiscard]] std::uint64_t datagrams_sent() const { return sender_.sequence; }
    [[nodiscard]] std::uint32_t incarnation() const { return incarnation_; }

private:
    // host.cpp: the wake-up.
    void wake(Instant now);
    void receive_arrivals(Instant now);
    void receive(Instant now, const Arrival& arrival);
    [[nodiscard]] DropCause socket_fate(const Parcel& parcel, const Arrival& arrival);
    void settle_socket(Instant now);
    void tick(Instant now);
    void flush(Instant now);
    void drain_events(Instant now);
    void take_samples(Instant now);
    void take_levels(Instant now);
    [[nodiscard]] Instant arrivals_seen_at(Instant now) const;
    void plan_next(Instant now);
    // Declared CPU: what was done since the last call keeps the host busy from `now` on.
    void pay(Instant now);
    // Flushes if anything is to go; false: that made the host busy.
    void flush_if_due(Instant now);
    void lose(const Parcel& parcel, Instant now, Instant decided, DropCause cause);

    // What the behaviour says about the game goes to the observer, under this host's flow.
    void on_fact(Instant now, transport::ConnectionId connection, const bots::Fact& fact) override;
    void on_frame(Instant now, const bots::Frame& frame) override;
    void on_ticket_refused(Instant now, const transport::Address& from) override;

    // host_life.cpp: coming, going, connections.
    void do_act(Instant now, const HostAct& act);
    void come_up(Instant now);
    void die(Instant now);
    void come_back(Instant now, const HostAct& act);
    void leave(Instant now);
    void take_outer_address();
    void change_behaviour(Instant now, const HostAct& act);
    void connect(Instant now);
    void note_attempt(Instant now);
    void set_wanted(Instant now, bool wanted);
    void reconnect_later(Instant now);
    void note_event(Instant now, const transport::Event& event);
    void note_connected(Instant now, const transport::Connected& event);
    void note_closed(Instant now, const transport::Closed& event);
    void note_moved(Instant now, const transport::Moved& event);
    void note_received(Instant now, const transport::Received& event);
    void change(Instant now, ConnectionChange change);
    void lose_all_connections(Instant now);
    [[nodiscard]] std::uint32_t bot_of(transport::ConnectionId connection) const;
    [[nodiscard]] bots::Context context(Instant now);
    [[nodiscard]] Flow sending_flow(std::uint32_t bot) const;
    [[nodiscard]] bots::Behaviour& behaviour() { return *plan_.behaviour; }

    // One connection of this host, by the peer's bot ordinal (a bot has entry 0 only).
    struct Peer {
        transport::ConnectionId connection{};
        std::uint64_t name = 0;  // hash_of the peer's name
        bool is_connected = false;
    };
    [[nodiscard]] Peer& peer_of(std::uint32_t bot) { return peers_[plan_.is_server ? bot : 0]; }

    HostPlan plan_;
    Place place_;
    HostServices services_;
    Network& network_;
    Schedule& schedule_;
    Station* station_ = nullptr;  // Of the worker that runs this host just now.
    ArrivalQueue& inbox_;
    std::vector<HostAct> acts_;
    std::size_t next_act_ = 0;
    Chronicle chronicle_{};
    Sender sender_{};
    Nat nat_;
    ObservedEndpoint observed_;
    std::vector<HostAct> overrides_{};  // behave acts that hold now.
    LuckStream luck_;
    LuckKey reconnect_luck_;

    bool is_up_ = false;
    bool was_up_ = false;
    bool is_leaving_ = false;
    std::uint32_t pauses_ = 0;
    std::uint32_t incarnation_ = 0;
    std::uint64_t tick_number_ = 0;   // The next one.
    std::uint64_t current_tick_ = 0;  // Runs, or ran last.
    Instant next_tick_ = Instant::never();
    Instant next_second_ = Instant{} + Duration::seconds(1);
    Instant next_level_ = Instant::never();
    std::uint64_t level_number_ = 0;
    Instant now_{};  // The world's, whatever this host's clock shows.
    Instant wake_at_ = Instant::never();
    bool has_output_ = false;
    Instant busy_until_{};
    bool owes_flush_ = false;             // Work put it off, so it comes before more work.
    std::uint64_t datagrams_worked_ = 0;  // Since the last pay().
    std::uint64_t handshakes_worked_ = 0;
    std::uint64_t objects_paid_ = 0;
    std::uint32_t unread_bytes_ = 0;
    std::vector<Arrival> kept_{};  // Of a paused host's socket, while it is looked through.

    Instant reconnect_at_ = Instant::never();
    std::uint32_t tries_left_ = 0;
    std::uint64_t reconnects_ = 0;
    bool is_trying_ = false;
    bool is_wanted_ = false;
    Instant attempts_since_{};

    std::vector<Peer> peers_{};
    std::vector<std::uint32_t> bot_of_connection_{};  // By ConnectionId::index.
    std::uint64_t events_ = 0;
};

}  // namespace wt::sim
