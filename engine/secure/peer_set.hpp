// SPDX-License-Identifier: MIT
//
// The connections of one endpoint, and everything about serving them that client and server share:
// who has output, whose deadline is next, and in which order a connection's events come out
// (Connected, its messages, Closed). No call looks at connections that have nothing to do.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/buffer_pool.hpp"
#include "engine/secure/connection.hpp"
#include "engine/secure/deadline_heap.hpp"
#include "engine/secure/ready_list.hpp"
#include "engine/transport/endpoint.hpp"

namespace wt::secure {

// What Connected will say of a peer.
struct PeerFacts {
    transport::Address address{};
    transport::PlayerId player{};
    std::uint32_t tick_rate = 0;
    bool session_bound = false;
    bool is_client = false;     // This end is the client.
    std::uint64_t attempt = 0;  // The attempt that it came from.
    // Another session has moved to its address: it is found only from elsewhere.
    bool is_displaced = false;
};

template <Suite S>
class PeerSet {
public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    // How many exist at once, those included whose last events were not drained yet.
    // Large buffers come from `buffers`; nullptr = the set has its own.
    PeerSet(std::uint32_t capacity, BufferSource* buffers);

    // Whether open() has room.
    [[nodiscard]] bool has_room() const;
    // A new connection under a fresh id, unannounced: its events wait for announce().
    std::uint32_t open(Instant now, const SessionKeys& keys, const ConnectionConfig& config,
                       const PeerFacts& facts);
    // Connected comes out before anything else of this peer.
    void announce(std::uint32_t peer);
    // Ends without a goodbye: messages that came in so far, then Closed{reason}.
    void end(std::uint32_t peer, transport::CloseReason reason);
    // Frees the place of a peer whose Closed came out, or that never shall have one.
    void release(std::uint32_t peer);
    // Forgets all of them without an event; memory and counters stay.
    void forget_all();

    bool receive(Instant now, std::uint32_t peer, ConstBytes datagram,
                 const transport::Label& label);
    // From an address where the peer does not live (Connection::receive_elsewhere).
    bool receive_elsewhere(Instant now, std::uint32_t peer, const transport::Address& from,
                           ConstBytes datagram, const transport::Label& label, bool& proven);
    // The peer that has fallen silent and whose keys the datagram fits, or none. Looks at a bounded
    // number of peers, a bounded number of tags; the next call goes on where this one ended.
    [[nodiscard]] std::uint32_t find_silent(Instant now, ConstBytes datagram,
                                            transport::Counters& counters);
    // The announced peer that came of this attempt, or none.
    [[nodiscard]] std::uint32_t find_attempt(std::uint64_t attempt) const;
    // It lives at `address` from now on; Moved comes out if it is announced.
    void move(std::uint32_t peer, const transport::Address& address);
    void set_displaced(std::uint32_t peer, bool is_displaced);
    transport::SendStatus send(Instant now, std::uint32_t peer, const transport::Message& message);
    void close(Instant now, std::uint32_t peer, transport::CloseReason reason);
    // Whoever has a deadline at or before `now`, or was touched since the last drain.
    void advance(Instant now);

    [[nodiscard]] bool next_datagram(Instant now, transport::Datagram& out);
    // Where the event is a Closed, `ended` is its peer, to be released by the caller.
    [[nodiscard]] bool next_event(transport::Event& out, std::uint32_t& ended);
    [[nodiscard]] bool next_sample(transport::Sample& out);
    [[nodiscard]] Instant next_deadline() const;
    // Samples are kept for connections opened from now on, and for those that are up.
    void observe(bool on);

    // none if the id is stale or the peer is not announced.
    [[nodiscard]] std::uint32_t find(transport::ConnectionId id) const;
    [[nodiscard]] transport::ConnectionId id_of(std::uint32_t peer) const;
    [[nodiscard]] const PeerFacts& facts_of(std::uint32_t peer) const;
    [[nodiscard]] const Connection<S>& connection_of(std::uint32_t peer) const;
    [[nodiscard]] bool is_announced(std::uint32_t peer) const;
    // Over for good: nothing goes in or out any more, though events may wait.
    [[nodiscard]] bool is_over(std::uint32_t peer) const;
    [[nodiscard]] const BufferPool& pool() const { return pool_; }
    // Adds the counters of every connection there ever was.
    void add_counters(transport::Counters& sum) const;

private:
    static constexpr std::uint32_t small_message_bytes = 128;  // Overhead included.
    static constexpr std::uint32_t small_messages_a_peer = 16;
    // A search: peers looked at, tags tried.
    static constexpr std::uint32_t search_looks_max = 256;
    static constexpr std::uint32_t search_tags_max = 16;
    // Whoever was heard this recently where it lives is not looked for elsewhere. Three inputs at
    // 60 Hz; so a copy of a datagram that outran it does not even make its sender a candidate.
    static constexpr Duration silence_min = Duration::millis(50);

    struct Peer {
        explicit Peer(BufferPool& pool) : connection(pool) {}

        Connection<S> connection;
        PeerFacts facts{};
        std::uint32_t generation = 0;
        bool in_use = false;
        bool announced = false;      // The application knows of it, or will before all else.
        bool connected_due = false;  // Connected has not come out yet.
        bool closed_given = false;
        bool moved_due = false;  // Moved has not come out yet.
    };

    void touch(std::uint32_t peer);
    [[nodiscard]] bool is_over(const Peer& peer) const { return peer.connection.is_closed(); }
    [[nodiscard]] Peer& at(std::uint32_t peer);
    [[nodiscard]] const Peer& at(std::uint32_t peer) const;

    BufferPool pool_;  // First, because every connection gives its buffers back to it.
    std::vector<std::unique_ptr<Peer>> peers_;  // Made when first needed, kept for ever.
    std::vector<std::uint32_t> free_;           // Places to use again, the last freed first.
    std::vector<std::uint64_t> attempts_;       // Of each place; 0 where it is free.
    std::uint32_t search_from_ = 0;
    ReadyList output_;
    ReadyList events_;
    ReadyList samples_;
    DeadlineHeap deadlines_;
    transport::Counters gone_{};  // Of connections whose place is free.
    std::uint64_t drains_ = 0;
    bool draining_ = false;
    bool observing_ = false;
    Instant now_{};
};

}  // namespace wt::secure
