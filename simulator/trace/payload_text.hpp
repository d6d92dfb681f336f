// SPDX-License-Identifier: MIT
//
// Captured bytes in words: through the engine's own decoders, so what they refuse is shown as
// refused and nothing is guessed. Objects of a snapshot are differences from what its receiver
// knew, so the messages before it are decoded as well, once.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulator/trace/replica_replay.hpp"

namespace wt::trace {

// An object as a message told of it.
struct ToldObject {
    replication::ObjectId id{};
    std::uint16_t kind = 0;
    replication::State state{};
    bool is_gone = false;  // By a despawn, which says no more than the id.
};

struct Told {
    std::string text{};
    std::string envelope{};  // Epoch and sequence, where the lane has an envelope.
    std::vector<ToldObject> objects{};
};

class PayloadTeller {
public:
    // Peers whose messages are followed at a time; of further ones objects are not told.
    static constexpr std::size_t replays_max = 256;
    static constexpr std::size_t no_budget = ~std::size_t{0};

    // The trace must outlive this.
    explicit PayloadTeller(const TraceFile& trace);

    // Of a `deliver` record with the payload flag. Quick where records come in rising order.
    // Nothing where `budget`, in records looked at, was not enough; asking again goes on.
    [[nodiscard]] std::optional<Told> tell(std::uint64_t number, std::size_t& budget);
    [[nodiscard]] Told tell(std::uint64_t number) {
        std::size_t budget = no_budget;
        return *tell(number, budget);
    }

private:
    // The replay of a peer, in front of the record; nullptr: the budget was not enough.
    [[nodiscard]] ReplicaReplay* replay_before(std::uint16_t peer, std::uint64_t number,
                                               std::size_t& budget);
    // What the message under `next` says of objects, which takes it.
    static void add_objects(ReplicaReplay& replay, const ReplayMessage& message, Told& told);

    PayloadReader payloads_;
    bool has_worlds_;
    std::map<std::uint16_t, std::unique_ptr<ReplicaReplay>> replays_{};
    std::map<std::uint16_t, std::uint64_t> passed_{};  // The last record that each has taken.
};

// "avatar 12 (131.2 m, 4.0 m), crate 40 ..., 15 more": at most `most` of them.
[[nodiscard]] std::string objects_text(const std::vector<ToldObject>& objects, std::size_t most);
// "avatar", or its number.
[[nodiscard]] std::string object_kind_name(std::uint16_t kind);

}  // namespace wt::trace
