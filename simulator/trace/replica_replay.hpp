// SPDX-License-Identifier: MIT
//
// What one client knew of the world, from the bytes of the messages that it got: they go through
// the engine's own decoders once more, in the order in which they were delivered. Needs a trace
// with payloads (`--capture payload`) of a game whose schemas this build has; where records before
// the first one kept are missing, so are the objects that were told of then.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "engine/replication/replica_store.hpp"
#include "simulator/trace/payload_reader.hpp"

namespace wt::trace {

// Why a trace has no worlds to show; empty where it has.
[[nodiscard]] std::string replay_problem(const TraceFile& trace);
// The schemas that the replays read with; they outlive everything.
[[nodiscard]] const replication::SchemaSet& replay_schemas();

// One delivered message about objects.
struct ReplayMessage {
    std::uint64_t record = 0;
    std::int64_t time = 0;
    std::uint32_t tick = 0;  // Of its states, as it says itself.
    std::uint64_t epoch = 0;
    bool is_snapshot = false;
    replication::ControlKind control = replication::ControlKind::spawn;
    ConstBytes bytes{};  // Without the envelope; into the trace.
};

class ReplicaReplay {
public:
    // `payloads` must outlive this. Replays of one trace share them.
    ReplicaReplay(PayloadReader& payloads, std::uint16_t peer);

    // Nothing was taken; the first message is next.
    void begin_anew();
    // The next message, or nothing where there is none, with at most `budget` records looked at,
    // which it counts down. `is_at_end` tells the two reasons apart.
    [[nodiscard]] const ReplayMessage* next(std::size_t& budget);
    [[nodiscard]] bool is_at_end() const { return is_at_end_; }
    // Takes it. Refused: nothing changed, and why in one word.
    [[nodiscard]] const char* take();

    [[nodiscard]] const replication::ReplicaStore& store() const { return *store_; }
    [[nodiscard]] std::uint16_t peer() const { return peer_; }
    [[nodiscard]] std::uint64_t taken() const { return taken_; }
    [[nodiscard]] std::uint64_t refused() const { return refused_; }

private:
    [[nodiscard]] bool read(std::uint64_t number);

    PayloadReader& payloads_;
    std::uint16_t peer_;
    std::unique_ptr<replication::ReplicaStore> store_{};
    std::size_t block_ = 0;
    std::size_t place_ = 0;  // In the block's list of this peer's records.
    std::optional<ReplayMessage> next_{};
    bool is_at_end_ = false;
    std::uint64_t epoch_ = 0;
    std::uint64_t taken_ = 0;
    std::uint64_t refused_ = 0;
};

}  // namespace wt::trace
