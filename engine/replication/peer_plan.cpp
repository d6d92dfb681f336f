// SPDX-License-Identifier: MIT
//
// What waits for one peer, each with its baseline and size. Words of 64 slots at a time: nearly all
// that waits was in the newest acknowledged snapshot, so one word of its row says that, and what
// many peers are sent alike is written once (run_cache.hpp). Only what has another baseline, or
// none, is looked at by itself.
// Spec: 001, replication (delta against acknowledged quantised baselines).
#include <algorithm>
#include <bit>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"
#include "engine/replication/peer_replication.hpp"

namespace wt::replication {

namespace {

constexpr unsigned absolute_head_bits = schema_bits + generation_bits;
// Shorter stretches are not worth the looking up.
constexpr int run_slots_min = 3;
// Newer snapshots than this one at most, or nobody looks for baselines in it any more.
constexpr std::uint32_t bases_max = 64;

std::uint32_t slot_in(std::uint32_t index, std::uint64_t slots) {
    return index * 64 + static_cast<std::uint32_t>(std::countr_zero(slots));
}

}  // namespace

// A snapshot that the client has.
struct PeerReplication::Base {
    const std::uint64_t* row = nullptr;
    std::uint8_t age = 0;    // 0: too old for a delta.
    std::uint8_t since = 0;  // Numbers from it to the newest.

    // Whatever was in the newer ones, the client has kept this one's states.
    [[nodiscard]] bool is_sure() const { return age != 0 && since < versions_kept; }
};

struct PeerReplication::Planning {
    ObjectTable& table;
    EncodeScratch& scratch;
    std::array<Base, bases_max> bases{};  // The newest first.
    std::uint32_t base_count = 0;
    PlaceBefore before{};
    std::uint32_t bits = 0;

    void count(std::uint32_t slot, unsigned age, std::uint32_t state_bits) {
        bits += state_bits + before.width_of(slot, age);
    }
    void add_one(std::uint32_t slot, unsigned age, bool restarts);
    void add_run(std::uint32_t index, std::uint64_t slots, unsigned age);
};

void PeerReplication::Planning::add_one(std::uint32_t slot, unsigned age, bool restarts) {
    Candidate& one = scratch.singles[scratch.single_count++];
    one.slot = static_cast<std::uint16_t>(slot);
    one.age = static_cast<std::uint8_t>(age);
    one.chosen = true;
    one.restarts = restarts;
    if (age != 0) {
        one.state = table.delta_from(slot, age);
        one.bits = one.state.count;
    } else {
        one.state =
            make_absolute(table.schemas().layout(table.schema_of(slot)), table.state_of(slot));
        one.bits = static_cast<std::uint16_t>(one.state.count + absolute_head_bits);
    }
    count(slot, age, one.bits);
    before = {.slot = slot + 1, .age = age};
    ++scratch.pieces[scratch.piece_count].count;
}

void PeerReplication::Planning::add_run(std::uint32_t index, std::uint64_t slots, unsigned age) {
    const SharedRun* run = nullptr;
    if (std::popcount(slots) >= run_slots_min) run = table.run_from(index, slots, age);
    if (run == nullptr) {
        for (; slots != 0; slots &= slots - 1)
            add_one(slot_in(index, slots), age, false);
        return;
    }
    count(run->first_slot(), age, run->bits);
    before = {.slot = run->last_slot() + 1, .age = age};
    scratch.pieces[scratch.piece_count++].run = run;
    scratch.pieces[scratch.piece_count] = {};
}

void PeerReplication::wait_from(std::uint32_t slot, std::uint64_t tick) {
    if (pending_.has(slot)) return;
    pending_.insert(slot);
    aged_.insert(slot);
    told_[slot].waiting_since = static_cast<std::uint16_t>(tick);
}

// Whole words at a time: since when a fresh one waits is looked up only if it has to wait on.
void PeerReplication::gather(ObjectTable& table) {
    if (gathered_ == table.tick()) return;
    if (table.tick() - gathered_ >= ObjectTable::history_ticks) {
        // Too long ago to know what changed.
        live_.visit([&](std::uint32_t slot) { wait_from(slot, table.tick()); });
    } else {
        for (std::uint64_t tick = gathered_ + 1; tick <= table.tick(); ++tick) {
            table.dirty_in(tick).visit_words([&](std::uint32_t index, std::uint64_t word) {
                pending_.unite_word(index, word & live_.word(index));
            });
        }
    }
    gathered_ = table.tick();
}

// Low bits of the tick since which a pending object waits.
std::uint16_t PeerReplication::waits_since(const ObjectTable& table, std::uint32_t slot) const {
    if (aged_.has(slot)) return told_[slot].waiting_since;
    // Fresh: it changed after the last snapshot.
    const std::uint64_t reach =
        std::min<std::uint64_t>(table.tick() - encoded_, ObjectTable::history_ticks - 1);
    for (std::uint64_t tick = table.tick() - reach + 1; tick < table.tick(); ++tick) {
        if (table.dirty_in(tick).has(slot)) return static_cast<std::uint16_t>(tick);
    }
    return static_cast<std::uint16_t>(table.tick());
}

// Nobody tells the server that a spawn's state grew too old; its tick must not come round.
void PeerReplication::forget_spawns(const ObjectTable& table) {
    constexpr std::uint64_t interval = 4'096;
    if (table.tick() - fresh_swept_ < interval) return;
    fresh_swept_ = table.tick();
    fresh_.visit([&](std::uint32_t slot) {
        if (spawn_age(table, slot) == 0) fresh_.erase(slot);
    });
}

// Ticks since the slot's spawn; 0 if it is no baseline any more.
unsigned PeerReplication::spawn_age(const ObjectTable& table, std::uint32_t slot) const {
    const std::uint16_t now = static_cast<std::uint16_t>(table.tick());
    const std::uint16_t age = static_cast<std::uint16_t>(now - told_[slot].at);
    if (age >= ObjectTable::history_ticks) return 0;
    return newer_of(slot, static_cast<std::uint32_t>(sent_.size())).count < versions_kept ? age : 0;
}

// What was put of the slot in the newest `since` snapshots.
PeerReplication::Newer PeerReplication::newer_of(std::uint32_t slot, std::uint32_t since) const {
    Newer newer{.newest = since};
    for (std::uint32_t back = std::min(since, sent_count_); back-- > 0;) {
        const std::uint16_t number = static_cast<std::uint16_t>(next_number_ - 1 - back);
        if ((row_of(number)[slot / 64] >> (slot % 64) & 1u) == 0) continue;
        newer.newest = back;
        ++newer.count;
    }
    return newer;
}

// Whether the client still has the slot's state that lies `since` numbers behind the newest: not
// too many were put after it.
bool PeerReplication::is_kept(std::uint32_t slot, std::uint32_t since) const {
    if (since < versions_kept) return true;
    // What lies farther behind its slot's newest is not counted back to.
    constexpr std::uint32_t reach = 32;
    const Newer newer = newer_of(slot, since);
    const std::uint32_t behind = since - newer.newest;
    return behind < versions_kept || (behind < reach && newer.count < versions_kept);
}

void PeerReplication::find_bases(Planning& planning) const {
    const std::uint32_t now = static_cast<std::uint32_t>(planning.table.tick());
    // Whoever takes what was sent for what arrived breaks the rule on purpose.
    const bool assumes = fault_ == PeerFault::assume_delivered || mutated<"base-acked">();
    const std::uint64_t acked = assumes ? ~std::uint64_t{0} : acked_recently_;
    for (std::uint64_t rest = acked; rest != 0; rest &= rest - 1) {
        const std::uint32_t back = static_cast<std::uint32_t>(std::countr_zero(rest));
        if (back >= sent_count_) break;
        const std::uint16_t number = static_cast<std::uint16_t>(next_number_ - 1 - back);
        const Sent& sent = sent_at(number);
        if (sent.number != number) break;  // Its place was needed.
        const std::uint32_t age = now - sent.tick;
        planning.bases[planning.base_count++] = {
            .row = row_of(number),
            .age = static_cast<std::uint8_t>(age < ObjectTable::history_ticks ? age : 0),
            .since = static_cast<std::uint8_t>(back)};
    }
}

// Slots of one word of which some have another baseline than most of them, or none.
void PeerReplication::plan_mixed(Planning& planning, std::uint32_t index, const Word& word) {
    std::array<std::uint8_t, 64> ages{};
    std::uint64_t restarts = word.waiting & baseless_.word(index);
    std::uint64_t others = word.waiting & ~word.sure;
    std::uint64_t rest = others & confirmed_.word(index) & ~restarts;
    const auto settle = [&](std::uint64_t slot, unsigned age, std::uint32_t since) {
        const bool is_usable = age != 0 && is_kept(slot_in(index, slot), since);
        if (is_usable)
            ages[static_cast<std::size_t>(std::countr_zero(slot))] = static_cast<std::uint8_t>(age);
        if (!is_usable) restarts |= slot & (~slot + 1);
    };
    for (std::uint32_t i = 0; i < planning.base_count && rest != 0; ++i) {
        const Base& base = planning.bases[i];
        std::uint64_t hits = rest & base.row[index];
        rest &= ~hits;
        for (; hits != 0; hits &= hits - 1)
            settle(hits, base.age, base.since);
    }
    for (rest &= fresh_.word(index); rest != 0; rest &= rest - 1)
        settle(rest, spawn_age(planning.table, slot_in(index, rest)), 0);
    for (std::uint64_t sure = word.sure; (sure | others) != 0;) {
        const std::uint64_t next = others & (~others + 1);
        const std::uint64_t run = sure & (next - 1);
        if (run != 0) planning.add_run(index, run, word.age);
        sure &= ~run;
        if (next == 0) break;
        const std::size_t bit = static_cast<std::size_t>(std::countr_zero(next));
        planning.add_one(slot_in(index, next), ages[bit], (restarts & next) != 0);
        others &= ~next;
    }
}

void PeerReplication::plan(ObjectTable& table, EncodeScratch& scratch) {
    forget_spawns(table);
    const std::size_t most = pending_.count();
    if (scratch.singles.size() < most) scratch.singles.resize(most);
    if (scratch.pieces.size() < most + 1) scratch.pieces.resize(most + 1);
    scratch.single_count = 0;
    scratch.piece_count = 0;
    scratch.pieces[0] = {};
    scratch.count = 0;
    scratch.waiting = static_cast<std::uint32_t>(most);
    Planning planning{.table = table, .scratch = scratch};
    find_bases(planning);
    const bool has_newest = planning.base_count > 0 && planning.bases[0].is_sure();
    pending_.visit_words([&](std::uint32_t index, std::uint64_t waiting) {
        Word word{.waiting = waiting};
        if (has_newest) {
            word.sure = waiting & confirmed_.word(index) & ~baseless_.word(index) &
                        planning.bases[0].row[index];
            word.age = planning.bases[0].age;
        }
        if (word.sure == waiting) {
            planning.add_run(index, waiting, word.age);
        } else {
            plan_mixed(planning, index, word);
        }
    });
    if (scratch.pieces[scratch.piece_count].count > 0) ++scratch.piece_count;
    scratch.exact_bits = planning.bits;
}

}  // namespace wt::replication
