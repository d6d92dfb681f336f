// SPDX-License-Identifier: MIT
#include "engine/transport/stats.hpp"

namespace wt::transport {

// A field that is added to Counters and forgotten here would vanish from every sum.
static_assert(sizeof(Counters) == (26 + refusal_count) * sizeof(std::uint64_t));

void Counters::add(const Counters& other) {
    datagrams_sent += other.datagrams_sent;
    datagrams_received += other.datagrams_received;
    bytes_sent += other.bytes_sent;
    bytes_received += other.bytes_received;
    messages_accepted += other.messages_accepted;
    messages_replaced += other.messages_replaced;
    unreliable_dropped += other.unreliable_dropped;
    fragments_sent += other.fragments_sent;
    retransmits += other.retransmits;
    fast_retransmits += other.fast_retransmits;
    acked += other.acked;
    reassembled += other.reassembled;
    decrypted += other.decrypted;
    delivered += other.delivered;
    duplicates += other.duplicates;
    acks_sent += other.acks_sent;
    keepalives_sent += other.keepalives_sent;
    sequence_stalls += other.sequence_stalls;
    sealed += other.sealed;
    opened += other.opened;
    violations += other.violations;
    ack_steps += other.ack_steps;
    path_searches += other.path_searches;
    path_trials += other.path_trials;
    path_challenges += other.path_challenges;
    path_moves += other.path_moves;
    for (unsigned i = 0; i < refusal_count; ++i)
        refused[i] += other.refused[i];
}

}  // namespace wt::transport
