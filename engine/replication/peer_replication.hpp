// SPDX-License-Identifier: MIT
//
// What the server knows about one client's copy of the world: which objects it was told of, which
// versions it has, and what it still waits for. A tick costs what changed, never what rests.
// Per tick: update_interest(), then control messages, then encode(). Acknowledgements move
// baselines; nothing else does.
// Spec: 001, replication (relevance, per-peer baselines, priority debt, hard byte budget).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/grow_ring.hpp"
#include "engine/replication/encode_scratch.hpp"
#include "engine/replication/object_table.hpp"
#include "engine/replication/peer_types.hpp"
#include "engine/replication/wire.hpp"

namespace wt::replication {

class PeerReplication {
public:
    explicit PeerReplication(const PeerConfig& config = {}) : config_(config) {}

    // Starts over for a new epoch of a client, or lets go of everything when it left. The slots
    // that it held are free again.
    void reset(ObjectTable& table, const PeerConfig& config);
    void set_fault(PeerFault fault) { fault_ = fault; }

    // --- per tick, after table.commit() ---
    void update_interest(ObjectTable& table, const Viewpoint& viewpoint);
    // Builds the next message for the control lane, at most control_bytes_max; false when none is
    // due or this tick had its share. Nothing counts before commit_control(): a message that could
    // not be queued is built again, perhaps otherwise.
    bool next_control(ObjectTable& table, MutableBytes room, ControlMessage& out);
    void commit_control(ObjectTable& table);
    // One snapshot message of at most room.size() bytes. For a larger set call again with the
    // next batch while `left` > 0; each message stands alone.
    EncodeResult encode(ObjectTable& table, EncodeScratch& scratch, const EncodeRequest& request,
                        MutableBytes room);

    // --- from the client ---
    // Refused whole when it names what was never sent.
    AckStatus on_ack(ObjectTable& table, const SnapshotAck& ack);
    RequestStatus on_keyframe_request(ObjectTable& table, ConstBytes bytes);

    // --- queries ---
    // Age in ticks of the oldest change of a relevant object that was in no snapshot yet. Walks
    // what waits.
    [[nodiscard]] std::uint32_t staleness(const ObjectTable& table) const;
    // Whether states of the slot may be sent: told of, relevant and alive.
    [[nodiscard]] bool is_live(std::uint32_t slot) const { return live_.has(slot); }
    [[nodiscard]] const SlotSet& live() const { return live_; }
    // Told of, and its despawn not confirmed: the client may have it.
    [[nodiscard]] bool is_held(std::uint32_t slot) const { return held_.has(slot); }
    // Its spawn or despawn was sent, and the client did not say yet that it has it.
    [[nodiscard]] bool is_under_way(std::uint32_t slot) const {
        const Stage stage = entries_[slot].stage;
        return stage == Stage::spawned || stage == Stage::despawning;
    }
    [[nodiscard]] const SlotSet& relevant() const { return relevant_; }
    // Nothing to say, and everything said was confirmed.
    [[nodiscard]] bool is_settled() const;
    [[nodiscard]] std::uint32_t pending_count() const { return pending_.count(); }
    [[nodiscard]] bool is_pending(std::uint32_t slot) const { return pending_.has(slot); }
    [[nodiscard]] std::uint32_t visited() const { return visited_; }  // By update_interest() last.
    [[nodiscard]] std::uint16_t sent_serial() const { return sent_serial_; }
    [[nodiscard]] std::uint16_t confirmed_serial() const { return confirmed_serial_; }
    [[nodiscard]] const PeerCounters& counters() const { return counters_; }
    [[nodiscard]] std::size_t memory() const;
    static constexpr std::size_t entry_bytes = 20;  // Per slot and peer, dormant or not.

private:
    enum class Stage : std::uint8_t { none, spawned, confirmed, despawning };
    struct Entry {
        std::uint32_t base_tick = 0;
        std::uint32_t put_history = 0;    // Bit n: snapshot put_number - n had it.
        std::uint16_t put_number = 0;     // Newest snapshot that had it.
        std::uint16_t base_number = 0;    // Acknowledgements up to here mean nothing.
        std::uint16_t waiting_since = 0;  // Low bits of a tick.
        Stage stage = Stage::none;
        bool has_base = false;
    };
    // Apart from what every snapshot asks for: four entries fill a cache line, and none lies in
    // two.
    struct Told {
        std::uint16_t serial = 0;     // Of its last spawn or despawn.
        PlayerSlot owner = no_owner;  // As it was told.
    };
    static_assert(sizeof(Entry) + sizeof(Told) == entry_bytes);
    static_assert(sizeof(Entry) == 16);
    struct Outstanding {
        std::uint16_t serial = 0;
        std::uint16_t slot = 0;
        ControlKind kind = ControlKind::spawn;
    };
    struct Sent {
        std::uint32_t tick = 0;
        std::uint32_t first = 0;  // In log_slots_, modulo its size.
        std::uint16_t count = 0;
        std::uint16_t number = 0;
        bool acked = false;
        bool lost = false;
    };
    // Snapshots under way at most: 6 s at 20 a second, 2 s at 64. What is older counts as lost.
    static constexpr std::uint32_t log_places = 128;

    void make_room(const ObjectTable& table);
    // interest
    void sync(ObjectTable& table);
    void evaluate(ObjectTable& table, std::uint32_t slot);
    [[nodiscard]] bool wants(const ObjectTable& table, std::uint32_t slot) const;
    void set_relevant(const ObjectTable& table, std::uint32_t slot);
    void set_irrelevant(std::uint32_t slot);
    void move_view(ObjectTable& table, const Viewpoint& to);
    void visit_cells(ObjectTable& table, const Viewpoint& around, const Viewpoint& other);
    void refresh_nearest(const ObjectTable& table, EncodeScratch& scratch);
    struct Nearest {
        std::size_t most = 0;
        bool with_own = true;
    };
    void find_nearest(const ObjectTable& table, EncodeScratch& scratch, Nearest rule,
                      SlotSet& found) const;
    void count_near(const ObjectTable& table, EncodeScratch& scratch, EncodeResult& result);
    // control
    [[nodiscard]] SlotSet& set_of(ControlKind kind);
    void spawn_sent(ObjectTable& table, std::uint32_t slot);
    void despawn_sent(ObjectTable& table, std::uint32_t slot);
    void confirm_control(ObjectTable& table, std::uint16_t serial);
    void confirm_despawn(ObjectTable& table, std::uint32_t slot);
    // snapshots
    void gather(ObjectTable& table);
    [[nodiscard]] std::uint16_t waits_since(const ObjectTable& table, std::uint32_t slot) const;
    void wait_from(std::uint32_t slot, std::uint64_t tick);
    void collect(ObjectTable& table, EncodeScratch& scratch);
    struct Acked {
        std::array<std::uint32_t, 64> ticks{};  // Of the snapshots that `recently` names.
        std::uint64_t recently = 0;             // Bit n: snapshot last - n.
        std::uint16_t last = 0;
    };
    [[nodiscard]] Acked acked_lately() const;
    static void settle(const Acked& acked, Entry& entry);
    [[nodiscard]] bool has_usable_base(const ObjectTable& table, const Entry& entry) const;
    void choose(const ObjectTable& table, EncodeScratch& scratch, std::size_t budget_bits);
    void write_objects(const ObjectTable& table, std::span<const Candidate> candidates,
                       BitPacker& target, EncodeResult& result);
    static void put_entry(Entry& entry, std::uint16_t number, bool is_delta);
    void assume_delivered(std::uint32_t tick, Entry& entry) const;
    void leave_waiting(const ObjectTable& table, std::uint16_t slot, EncodeResult& result);
    [[nodiscard]] std::uint32_t log_back() const;
    void open_log(ObjectTable& table, std::uint32_t objects);
    void mark_acked(std::uint16_t number);
    void mark_lost(ObjectTable& table, Sent& sent);
    void judge_losses(ObjectTable& table);
    void forget_base(std::uint32_t slot, std::uint64_t tick);
    [[nodiscard]] Sent& sent_at(std::uint16_t number) { return sent_[number % log_places]; }

    PeerConfig config_;
    PeerFault fault_ = PeerFault::none;
    std::vector<Entry> entries_{};
    std::vector<Told> told_{};  // By slot, as entries_.
    SlotSet relevant_{};        // Wanted by the rules.
    SlotSet live_{};            // States may be sent: told of, relevant, alive.
    SlotSet held_{};            // Told of, despawn not confirmed.
    SlotSet to_spawn_{};
    SlotSet to_despawn_{};
    SlotSet to_owner_{};
    SlotSet pending_{};  // Live, and its newest state was not put or was lost.
    SlotSet aged_{};     // Pending, and its entry says since when.
    SlotSet nearest_{};
    SlotSet near_{};  // The same for EncodeResult::near_*, without one's own.
    Viewpoint viewpoint_{};
    bool has_view_ = false;
    std::uint64_t synced_ = 0;    // Tick up to which interest is known,
    std::uint64_t gathered_ = 0;  // and changes are gathered.
    std::uint64_t encoded_ = 0;   // Of the last snapshot.
    std::uint32_t visited_ = 0;
    std::uint32_t nearest_age_ = 0;  // Snapshots since nearest_ was made; 0 = not yet.
    std::uint32_t near_age_ = 0;
    std::uint32_t cursor_ = 0;  // Where the lowest rank goes on taking turns.
    std::uint32_t spawn_cursor_ = 0;
    // control
    GrowRing<Outstanding> outstanding_{};
    std::uint16_t sent_serial_ = 0;
    std::uint16_t confirmed_serial_ = 0;
    std::uint64_t control_tick_ = 0;
    std::uint32_t control_count_ = 0;  // Messages in control_tick_.
    ControlKind built_kind_ = ControlKind::spawn;
    std::vector<std::uint16_t> built_{};  // Slots of the message that next_control() built.
    // snapshots
    std::uint16_t next_number_ = 1;
    std::uint32_t sent_count_ = 0;  // Of this epoch, up to log_places.
    std::uint16_t newest_acked_ = 0;
    std::uint32_t acked_mask_ = 0;
    std::uint64_t acked_recently_ = 0;  // Bit n: next_number_ - 1 - n arrived in time.
    bool has_ack_ = false;
    std::uint16_t open_number_ = 1;       // All before it are acknowledged or lost.
    std::uint32_t gap_bits_16_ = 5 * 16;  // What a gap took last time, in sixteenths.
    std::array<Sent, log_places> sent_{};
    std::vector<std::uint16_t> log_slots_{};
    std::uint32_t log_end_ = 0;
    std::uint32_t request_tokens_ = 0;
    std::uint64_t request_tick_ = 0;
    PeerCounters counters_{};
};

}  // namespace wt::replication
