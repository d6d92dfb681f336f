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
        return held_.has(slot) && !confirmed_.has(slot);
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
    // Snapshots under way at most: 6 s at 20 a second, 2 s at 64. What is older counts as lost.
    static constexpr std::uint32_t log_places = 128;
    // So many have a place from the beginning: those of half a baseline's age at any rate.
    static constexpr std::uint32_t log_places_least = 32;

private:
    // What is known of a slot beside the sets.
    struct Told {
        PlayerSlot owner = no_owner;      // As it was told.
        std::uint16_t at = 0;             // Low bits of the tick of its last spawn,
        std::uint16_t waiting_since = 0;  // and of that since which it waits.
    };

public:
    // Per slot and peer, dormant or not: beside this a bit in each set, and one in each further
    // place of the log while a link stalls.
    static constexpr std::size_t entry_bytes = sizeof(Told) + log_places_least / 8;

private:
    struct Outstanding {
        std::uint16_t serial = 0;
        std::uint16_t slot = 0;
        ControlKind kind = ControlKind::spawn;
    };
    // A snapshot; which slots it had stands in its row.
    struct Sent {
        std::uint32_t tick = 0;
        std::uint16_t count = 0;
        std::uint16_t number = 0;
        bool acked = false;
        bool lost = false;
    };
    static_assert(sizeof(Sent) == 12);

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
    struct Base;
    struct Planning;
    // Slots of one word of 64.
    struct Word {
        std::uint64_t waiting = 0;
        std::uint64_t sure = 0;  // Of these, those with a baseline of this age.
        unsigned age = 0;
    };
    void plan(ObjectTable& table, EncodeScratch& scratch);
    void find_bases(Planning& planning) const;
    void plan_mixed(Planning& planning, std::uint32_t index, const Word& word);
    struct Newer {
        std::uint32_t newest = 0;  // Numbers back from the newest snapshot.
        std::uint32_t count = 0;
    };
    [[nodiscard]] Newer newer_of(std::uint32_t slot, std::uint32_t since) const;
    [[nodiscard]] bool is_kept(std::uint32_t slot, std::uint32_t since) const;
    [[nodiscard]] unsigned spawn_age(const ObjectTable& table, std::uint32_t slot) const;
    void forget_spawns(const ObjectTable& table);
    void choose(const ObjectTable& table, EncodeScratch& scratch, std::size_t budget_bits);
    class Writer;
    void write_all(const ObjectTable& table, const EncodeScratch& scratch, Writer& writer);
    void write_chosen(const ObjectTable& table, std::span<const Candidate> candidates,
                      Writer& writer, EncodeResult& result);
    void leave_waiting(const ObjectTable& table, std::uint16_t slot, EncodeResult& result);
    [[nodiscard]] std::uint32_t log_back() const;
    void open_log(ObjectTable& table);
    struct LogSize {
        std::uint32_t places = 0;
        std::uint32_t words = 0;
    };
    void resize_log(LogSize size);
    void restart(std::uint32_t slot);
    void forget_history(std::uint32_t slot);
    [[nodiscard]] bool is_in_log(std::uint32_t slot) const;
    void mark_acked(std::uint16_t number);
    void mark_lost(ObjectTable& table, Sent& sent);
    void judge_losses(ObjectTable& table);
    void forget_base(std::uint32_t slot, std::uint64_t tick);
    [[nodiscard]] std::size_t place_of(std::uint16_t number) const {
        return number & (sent_.size() - 1);
    }
    [[nodiscard]] Sent& sent_at(std::uint16_t number) { return sent_[place_of(number)]; }
    [[nodiscard]] const Sent& sent_at(std::uint16_t number) const {
        return sent_[place_of(number)];
    }
    [[nodiscard]] std::uint64_t* row_of(std::uint16_t number) {
        return rows_.data() + place_of(number) * row_words_;
    }
    [[nodiscard]] const std::uint64_t* row_of(std::uint16_t number) const {
        return rows_.data() + place_of(number) * row_words_;
    }

    PeerConfig config_;
    PeerFault fault_ = PeerFault::none;
    std::vector<Told> told_{};  // By slot.
    SlotSet relevant_{};        // Wanted by the rules.
    SlotSet live_{};            // States may be sent: told of, relevant, alive.
    SlotSet held_{};            // Told of, despawn not confirmed.
    SlotSet confirmed_{};       // Held, its spawn is confirmed, and no despawn was sent.
    SlotSet leaving_{};         // Held, and its despawn was sent.
    SlotSet fresh_{};           // Held, and its spawn's state may be a baseline.
    SlotSet baseless_{};        // What was put so far is no baseline, whatever is acknowledged.
    SlotSet to_spawn_{};
    SlotSet to_despawn_{};
    SlotSet to_owner_{};
    SlotSet pending_{};  // Live, and its newest state was not put or was lost.
    SlotSet aged_{};     // Pending, and told_ says since when.
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
    std::vector<Sent> sent_{};            // By number, a power of two.
    // For each of them a row of bits: what it had of the slots' present stays. In rows before one's
    // newest a slot has a bit only if it may be a baseline.
    std::vector<std::uint64_t> rows_{};
    std::uint32_t row_words_ = 0;
    std::uint64_t fresh_swept_ = 0;  // Tick.
    std::uint32_t request_tokens_ = 0;
    std::uint64_t request_tick_ = 0;
    PeerCounters counters_{};
};

}  // namespace wt::replication
