// SPDX-License-Identifier: MIT
//
// The server's side of all its sessions, on top of one endpoint that is handed in at each call.
// A tick of its driver: on_event for each event of the endpoint, draining next_event after each;
// begin_tick; the game; send; pump; next_event once more. engine/session/server_tick.hpp is that
// loop. One thread; nothing is kept between calls but what is written here.
// Spec: 001, tick ownership; lifecycle and security.
#pragma once

#include <optional>
#include <vector>

#include "engine/base/entropy.hpp"
#include "engine/session/session_link.hpp"
#include "engine/session/ticket_store.hpp"

namespace wt::session {

struct ServerConfig {
    Limits limits{};
    LaneWeights weights{};
    KindTable kinds = KindTable::standard();
    Terms terms{};
    TickPeek peek{};
    // Whose tickets are good here. Without an authority the session judges none: on a transport
    // that authenticates, AuthorisationAsked is then left to the application.
    std::optional<TicketAuthority> authority{};
    std::uint64_t audience = 0;
    std::uint32_t tickets_remembered_max = 65'536;
    TicketMemory ticket_memory = TicketMemory::survives;
    // How long whoever knows takes to answer, to be seen at the next tick. Of `peers_max` questions
    // at once: more are answered on the spot.
    Duration authorisation_delay{};
    // The opt-in to transports without authentication; who joins is then nobody in particular, or
    // whom the ticket in the hello names.
    bool allow_unauthenticated = false;
    // Of the first process's first session; 0: drawn, as every later process's is.
    std::uint64_t first_epoch = 0;
    // Peers become Active by `activate` instead of at their ready.
    bool activate_by_application = false;
};

// Of the whole server since it was made.
struct ServerCounters {
    std::uint32_t stale_connections = 0;  // Events of connections that are not known any more.
    std::uint32_t ingress_refused = 0;    // Lossy messages above the budget of all peers together.
    std::uint32_t joined = 0;             // Became Active.
    std::array<std::uint32_t, ticket_verdict_count> tickets{};
    std::array<std::uint32_t, end_reason_count> ended{};
};

class ServerSession {
public:
    ServerSession(const ServerConfig& config, Entropy entropy);
    ServerSession(const ServerSession&) = delete;
    ServerSession& operator=(const ServerSession&) = delete;

    // A process that starts again: no peers, no events, fresh epochs. What is remembered of used
    // tickets is the configured memory's business.
    void reset(Instant now);

    // Inputs. Each settles a message that is still undecided: what was not refused is accepted.

    // False where the event is not the session's: lanes other than control, gameplay and bulk, and
    // questions about tickets without an authority.
    bool on_event(Instant now, transport::Endpoint& endpoint, const transport::Event& event);
    // Budgets, deadlines, the turn of who is served first. `tick` is the one about to be simulated.
    void begin_tick(Instant now, transport::Endpoint& endpoint, std::uint64_t tick);
    // Copies into the peer's queue. The kind names its channel. Snapshots larger than one message
    // are sent as batches 0 .. count - 1 in order; batch 0 replaces what waits.
    SendStatus send(Instant now, PeerHandle peer, Kind kind, std::uint32_t tick, ConstBytes payload,
                    BatchPlace batch = {});
    // Hands queued messages to the transport, and ends sessions whose goodbye is through.
    void pump(Instant now, transport::Endpoint& endpoint);
    // Says goodbye after what was accepted before. False on a stale handle or while closing.
    bool close(Instant now, PeerHandle peer, EndReason reason = EndReason::asked);
    // With `activate_by_application`. False where it is not the time, or Control is full: again
    // next tick.
    bool activate(Instant now, PeerHandle peer);

    // The verdict on the message that next_event gave last: its window and budgets move, or only
    // the stage's counter. False if there is none.
    bool accept();
    bool refuse(Stage stage = Stage::payload);

    BulkStatus start_bulk(PeerHandle peer, std::uint32_t transfer, ConstBytes source);
    // Ours or the peer's. False if there is no such transfer.
    bool cancel_bulk(Instant now, PeerHandle peer, std::uint32_t transfer);

    // Outputs.
    [[nodiscard]] bool next_event(SessionEvent& out);

    // Queries.

    // nullptr on a stale handle; valid until the next input.
    [[nodiscard]] const SessionLink* link(PeerHandle peer) const;
    [[nodiscard]] State state(PeerHandle peer) const;
    [[nodiscard]] transport::PlayerId player(PeerHandle peer) const;
    [[nodiscard]] PeerHandle peer_of(transport::ConnectionId connection) const;
    [[nodiscard]] Duration queue_age(Instant now, PeerHandle peer, Channel channel) const;
    // Calls visit(PeerHandle) for each peer, beginning where this tick's turn begins.
    template <class Visit>
    void for_each_peer(Visit visit) const {
        const auto count = static_cast<std::uint32_t>(peers_.size());
        for (std::uint32_t step = 0; step < count; ++step) {
            const std::uint32_t index = (first_served_ + step) % count;
            if (peers_[index].is_used) visit(PeerHandle{index, peers_[index].generation});
        }
    }
    [[nodiscard]] std::uint32_t peer_count() const { return peer_count_; }
    // False once this tick's ingress budgets are used up: whoever drives may leave the rest in the
    // endpoint until the next tick.
    [[nodiscard]] bool has_ingress_budget() const {
        return ingress_messages_left_ > 0 && ingress_bytes_left_ > 0;
    }
    [[nodiscard]] std::uint64_t tick() const { return tick_; }
    [[nodiscard]] const ServerCounters& counters() const { return counters_; }
    [[nodiscard]] const ServerConfig& config() const { return config_; }
    // What peers share and what each has, in bytes.
    [[nodiscard]] std::uint64_t owned_bytes() const {
        return store_.owned_bytes() + peers_.capacity() * sizeof(Peer);
    }

private:
    struct Peer {
        SessionLink link{};
        transport::PlayerId player{};
        transport::Address joined_from{};
        std::uint32_t generation = 0;
        bool is_used = false;
        bool is_authenticated = false;
        bool is_ready = false;  // The client said so.
    };
    // A ticket that is good but for its single use, which the answer settles.
    struct Question {
        Instant due{};
        transport::AuthorisationAnswer answer{};
        transport::Address from{};
        Ticket ticket{};
        TicketVerdict verdict = TicketVerdict::ok;
    };
    struct Undecided {
        PeerHandle peer{};  // Invalid: nothing is undecided.
        SessionLink::Staged staged{};
    };

    [[nodiscard]] LinkShared shared();
    [[nodiscard]] Peer* find(PeerHandle handle);
    [[nodiscard]] const Peer* find(PeerHandle handle) const;
    void on_connected(Instant now, transport::Endpoint& endpoint,
                      const transport::Connected& connected);
    void on_closed(const transport::Closed& closed);
    void on_asked(Instant now, transport::Endpoint& endpoint,
                  const transport::AuthorisationAsked& asked);
    void answer(Instant now, transport::Endpoint& endpoint, Question& question);
    void answer_due(Instant now, transport::Endpoint& endpoint);
    bool on_received(Instant now, const transport::Received& received);
    void on_bulk(Instant now, PeerHandle handle, Peer& peer, const transport::Received& received);
    void on_accepted(Instant now, PeerHandle handle, const SessionLink::Staged& staged);
    void on_hello(Instant now, PeerHandle handle, const SessionLink::Staged& staged);
    [[nodiscard]] EndReason admit(Instant now, Peer& peer, const Hello& hello);
    void count_ticket(TicketVerdict verdict, const transport::Address& from);
    void welcome(Instant now, PeerHandle handle, const Hello& hello);
    void supersede(Instant now, PeerHandle newcomer);
    void begin_closing(Instant now, Peer& peer, EndReason reason);
    // `endpoint` is null where the transport knows already.
    void finish(Instant now, transport::Endpoint* endpoint, PeerHandle handle, EndReason reason,
                transport::CloseReason transport_reason = transport::CloseReason::none);
    [[nodiscard]] bool pays_ingress(const transport::Received& received);
    SessionEvent& push(SessionEvent::Type type, PeerHandle peer);

    ServerConfig config_;
    Entropy entropy_;
    QueueStore store_;
    TicketStore tickets_;
    std::vector<std::uint8_t> scratch_;
    GrowRing<SessionEvent> events_;
    std::vector<Peer> peers_;                // By handle index.
    std::vector<PeerHandle> by_connection_;  // By connection index.
    std::vector<Question> questions_{};      // In order of asking, which is that of being due.
    Undecided undecided_{};
    ServerCounters counters_{};
    std::uint64_t next_epoch_ = 0;
    bool has_given_epoch_ = false;
    std::uint64_t tick_ = 0;
    std::uint32_t ingress_messages_left_ = 0;
    std::uint32_t ingress_bytes_left_ = 0;
    std::uint32_t peer_count_ = 0;
    std::uint32_t first_served_ = 0;
};

}  // namespace wt::session
