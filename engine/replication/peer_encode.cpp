// SPDX-License-Identifier: MIT
//
// One snapshot for one peer: what waits is collected with its size, chosen under a hard budget of
// bits, and written in slot order. First the nearest, then by importance times waiting; those of
// the lowest rank that fits take turns, so that every wait ends.
// Spec: 001, replication (hard byte budget, deadline, importance, accumulated priority).
#include <algorithm>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"
#include "engine/base/serial.hpp"
#include "engine/replication/peer_replication.hpp"

namespace wt::replication {

namespace {

constexpr unsigned absolute_head_bits = schema_bits + generation_bits;
constexpr std::uint8_t rank_nearest = 255;
constexpr std::uint32_t rank_max = 254;
// A weight of 4 makes a rank a tick of waiting.
constexpr std::uint32_t rank_divisor = 4;

struct Spelling {
    std::uint64_t bits = 0;
    std::uint32_t width = 0;
};

// Slot and age of an object after another one.
Spelling spell_place(std::uint32_t slot, std::uint32_t previous, unsigned age,
                     unsigned previous_age) {
    const GapCode gap = gap_code(slot - previous);
    if (age == previous_age) return {gap.bits | std::uint64_t{1} << gap.width, gap.width + 1};
    return {gap.bits | std::uint64_t{age} << (gap.width + 1), gap.width + 1 + age_bits};
}

// Exact size of everything chosen.
std::uint32_t exact_bits(std::span<const Candidate> candidates) {
    std::uint32_t total = 0;
    std::uint32_t previous = 0;
    unsigned age = 0;
    for (const Candidate& one : candidates) {
        if (!one.chosen) continue;
        total += one.bits + gap_code(one.slot - previous).width + 1;
        total += one.age == age ? 0 : age_bits;
        previous = one.slot + 1u;
        age = one.age;
    }
    return total;
}

}  // namespace

void PeerReplication::wait_from(std::uint32_t slot, std::uint64_t tick) {
    if (pending_.has(slot)) return;
    pending_.insert(slot);
    aged_.insert(slot);
    entries_[slot].waiting_since = static_cast<std::uint16_t>(tick);
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
    if (aged_.has(slot)) return entries_[slot].waiting_since;
    // Fresh: it changed after the last snapshot.
    const std::uint64_t reach =
        std::min<std::uint64_t>(table.tick() - encoded_, ObjectTable::history_ticks - 1);
    for (std::uint64_t tick = table.tick() - reach + 1; tick < table.tick(); ++tick) {
        if (table.dirty_in(tick).has(slot)) return static_cast<std::uint16_t>(tick);
    }
    return static_cast<std::uint16_t>(table.tick());
}

// The newest acknowledged version of the object becomes its baseline. Here and not when the
// acknowledgement comes: that would cost a walk over all that the snapshot had, and only what waits
// needs a baseline. What is older than 64 snapshots is too old for one.
inline void PeerReplication::settle(const Acked& acked, Entry& entry) {
    const std::uint16_t since = static_cast<std::uint16_t>(acked.last - entry.put_number);
    if (since >= 64 || entry.stage != Stage::confirmed) return;
    const std::uint32_t hits =
        static_cast<std::uint32_t>(acked.recently >> since) & entry.put_history;
    if (mutated<"base-acked">()) {
        entry.base_tick = acked.ticks[since % acked.ticks.size()];
        entry.has_base = entry.base_tick != 0;
    }
    if (hits == 0) return;
    const unsigned back = static_cast<unsigned>(std::countr_zero(hits));
    const std::uint16_t number = static_cast<std::uint16_t>(entry.put_number - back);
    if (!serial_newer(number, entry.base_number)) return;
    entry.base_tick = acked.ticks[(since + back) % acked.ticks.size()];
    entry.base_number = number;
    entry.has_base = true;
}

// What settle() asks for each object, side by side.
PeerReplication::Acked PeerReplication::acked_lately() const {
    Acked acked{.recently = acked_recently_, .last = static_cast<std::uint16_t>(next_number_ - 1)};
    for (std::uint64_t rest = acked_recently_; rest != 0; rest &= rest - 1) {
        const unsigned back = static_cast<unsigned>(std::countr_zero(rest));
        const std::uint16_t number = static_cast<std::uint16_t>(acked.last - back);
        acked.ticks[back] = sent_[number % log_places].tick;
    }
    return acked;
}

bool PeerReplication::has_usable_base(const ObjectTable& table, const Entry& entry) const {
    if (!entry.has_base) return false;
    const std::uint32_t age = static_cast<std::uint32_t>(table.tick()) - entry.base_tick;
    if (age - 1 >= ObjectTable::history_ticks - 1) return false;
    const std::uint16_t since = static_cast<std::uint16_t>(entry.put_number - entry.base_number);
    // As many numbers as versions fit: whatever was in them, the client has kept the baseline.
    if (since < versions_kept) return true;
    if (since >= 32) return false;
    const std::uint32_t newer = entry.put_history & ((1u << since) - 1);
    return static_cast<unsigned>(std::popcount(newer)) < versions_kept;
}

void PeerReplication::collect(ObjectTable& table, EncodeScratch& scratch) {
    const std::uint32_t now = static_cast<std::uint32_t>(table.tick());
    const Acked acked = acked_lately();
    // Entries of movers lie apart: the cache is asked for them a few objects ahead.
    constexpr std::size_t ahead = 20;
    const std::size_t most = pending_.count() + ahead;
    if (scratch.slots.size() < most) scratch.slots.resize(most);
    std::uint16_t* const slots = scratch.slots.data();
    std::size_t count = 0;
    pending_.visit([&](std::uint32_t slot) { slots[count++] = static_cast<std::uint16_t>(slot); });
    std::fill_n(slots + count, ahead, std::uint16_t{0});
    scratch.count = count;
    Entry* const entries = entries_.data();
    if (scratch.candidates.size() < scratch.count) scratch.candidates.resize(scratch.count);
    std::uint32_t bits = 0;
    std::uint32_t previous = 0;
    unsigned previous_age = 0;
    Candidate* const candidates = scratch.candidates.data();
    for (std::size_t i = 0; i < count; ++i) {
        __builtin_prefetch(&entries[slots[i + ahead]], 1);
        const std::uint32_t slot = slots[i];
        Entry& entry = entries[slot];
        settle(acked, entry);
        Candidate& one = candidates[i];
        one.slot = static_cast<std::uint16_t>(slot);
        one.chosen = true;
        if (has_usable_base(table, entry)) {
            const std::uint32_t age = now - entry.base_tick;
            one.age = static_cast<std::uint8_t>(age);
            one.state = table.delta_from(slot, age);
            one.bits = one.state.count;
        } else {
            const Layout& layout = table.schemas().layout(table.schema_of(slot));
            one.age = 0;
            one.state = make_absolute(layout, table.state_of(slot));
            one.bits = static_cast<std::uint16_t>(one.state.count + absolute_head_bits);
        }
        bits += one.bits + gap_code(slot - previous).width + 1;
        bits += one.age == previous_age ? 0 : age_bits;
        previous = slot + 1;
        previous_age = one.age;
    }
    scratch.exact_bits = bits;
}

// Takes candidates by rank until the budget is full, then the lowest rank that fits in turns.
void PeerReplication::choose(const ObjectTable& table, EncodeScratch& scratch,
                             std::size_t budget_bits) {
    refresh_nearest(table, scratch);
    const std::span<Candidate> candidates = scratch.waiting();
    const std::uint16_t now = static_cast<std::uint16_t>(table.tick());
    scratch.rank_bits.fill(0);
    const std::uint32_t budget = static_cast<std::uint32_t>(budget_bits);
    std::uint32_t nearest_bits = 0;
    const std::uint32_t place_bits = gap_bits_16_ / 16 + 2;
    for (Candidate& one : candidates) {
        const std::uint32_t cost = one.bits + place_bits;
        const std::uint32_t waited = static_cast<std::uint16_t>(now - waits_since(table, one.slot));
        const std::uint32_t weight = table.schemas().at(table.schema_of(one.slot)).weight;
        const std::uint32_t earned = fault_ == PeerFault::never_wait || mutated<"waiting-counts">()
                                         ? weight
                                         : (waited + 1) * weight;
        one.rank = static_cast<std::uint8_t>(std::min(earned / rank_divisor, rank_max));
        // The nearest never take more than half, or small budgets would starve the rest.
        if (nearest_.has(one.slot) && !mutated<"nearest-first">() &&
            (nearest_bits + cost) * 2 <= budget) {
            nearest_bits += cost;
            one.rank = rank_nearest;
        }
        scratch.rank_bits[one.rank] += cost;
    }
    std::uint32_t used = 0;
    std::uint32_t lowest = rank_nearest;
    for (; lowest > 0 && used + scratch.rank_bits[lowest] <= budget; --lowest)
        used += scratch.rank_bits[lowest];
    scratch.turns.clear();
    std::uint32_t start = 0;
    for (std::uint32_t i = 0; i < candidates.size(); ++i) {
        Candidate& one = candidates[i];
        one.chosen = one.rank > lowest;
        if (one.rank != lowest) continue;
        if (one.slot < cursor_) ++start;
        scratch.turns.push_back(i);
    }
    std::rotate(scratch.turns.begin(), scratch.turns.begin() + start, scratch.turns.end());
    if (fault_ == PeerFault::never_wait || mutated<"waiting-counts">())
        std::sort(scratch.turns.begin(), scratch.turns.end());
    std::size_t taken = 0;
    for (; taken < scratch.turns.size(); ++taken) {
        Candidate& one = candidates[scratch.turns[taken]];
        if (used + one.bits + place_bits > budget) break;
        used += one.bits + place_bits;
        one.chosen = true;
    }
    // The places were estimated; their true size decides. Who came last goes first.
    for (std::uint32_t exact = exact_bits(candidates); exact > budget;
         exact = exact_bits(candidates)) {
        std::uint32_t over = exact - budget;
        while (over > 0 && taken > 0) {
            Candidate& one = candidates[scratch.turns[--taken]];
            one.chosen = false;
            over -= std::min<std::uint32_t>(over, one.bits + place_bits);
        }
        if (taken > 0 || over == 0) continue;
        const auto last = std::find_if(candidates.rbegin(), candidates.rend(),
                                       [](const Candidate& one) { return one.chosen; });
        if (last == candidates.rend()) break;
        last->chosen = false;
    }
    if (taken > 0) cursor_ = candidates[scratch.turns[taken - 1]].slot + 1u;
}

inline void PeerReplication::put_entry(Entry& entry, std::uint16_t number, bool is_delta) {
    const std::uint16_t shift = static_cast<std::uint16_t>(number - entry.put_number);
    entry.put_history = shift < 32 ? entry.put_history << shift | 1u : 1u;
    entry.put_number = number;
    if (is_delta || !entry.has_base) return;
    // Too old, and it will not get younger; without it the numbers may come round.
    entry.has_base = false;
    entry.base_number = static_cast<std::uint16_t>(number - 1);
}

// What was put counts as delivered: for tests alone.
void PeerReplication::assume_delivered(std::uint32_t tick, Entry& entry) const {
    entry.base_tick = tick;
    entry.base_number = next_number_;
    entry.has_base = entry.stage == Stage::confirmed;
}

// What waits on: since when is written down, or the next look would take it for fresh.
void PeerReplication::leave_waiting(const ObjectTable& table, std::uint16_t slot,
                                    EncodeResult& result) {
    ++result.left;
    const std::uint16_t since = waits_since(table, slot);
    entries_[slot].waiting_since = since;
    aged_.insert(slot);
    const std::uint16_t now = static_cast<std::uint16_t>(table.tick());
    const std::uint16_t waited = static_cast<std::uint16_t>(now - since);
    result.stalest_ticks = std::max<std::uint32_t>(result.stalest_ticks, waited);
}

void PeerReplication::write_objects(const ObjectTable& table, std::span<const Candidate> candidates,
                                    BitPacker& target, EncodeResult& result) {
    // Copies, since every store into an entry makes the compiler look all of them up again.
    BitPacker packer = target;
    Entry* const entries = entries_.data();
    std::uint16_t* const log = log_slots_.data();
    const std::uint32_t mask = static_cast<std::uint32_t>(log_slots_.size() - 1);
    const std::uint16_t number = next_number_;
    const bool assumes = fault_ == PeerFault::assume_delivered;
    std::uint32_t log_end = log_end_;
    std::uint32_t previous = 0;
    unsigned age = 0;
    for (const Candidate& one : candidates) {
        if (!one.chosen) {
            leave_waiting(table, one.slot, result);
            continue;
        }
        const Spelling place = spell_place(one.slot, previous, one.age, age);
        if (one.age != 0 && place.width + one.state.count <= 64) [[likely]] {
            packer.put(place.bits | one.state.low << place.width, place.width + one.state.count);
        } else {
            packer.put(place.bits, place.width);
            if (one.age == 0) {
                const std::uint64_t generation = table.id_of(one.slot).generation & 0xffu;
                packer.put(table.schema_of(one.slot) | generation << schema_bits,
                           absolute_head_bits);
                ++result.absolutes;
            }
            put(packer, one.state);
        }
        previous = one.slot + 1u;
        age = one.age;
        put_entry(entries[one.slot], number, one.age != 0);
        if (assumes) [[unlikely]] {
            assume_delivered(static_cast<std::uint32_t>(table.tick()), entries[one.slot]);
        }
        log[log_end++ & mask] = one.slot;
    }
    result.objects = log_end - log_end_;
    target = packer;
    if (result.left == 0) {
        pending_.clear();
        aged_.clear();
        return;
    }
    for (const Candidate& one : candidates) {
        if (!one.chosen) continue;
        pending_.erase(one.slot);
        aged_.erase(one.slot);
    }
}

EncodeResult PeerReplication::encode(ObjectTable& table, EncodeScratch& scratch,
                                     const EncodeRequest& request, MutableBytes room) {
    EncodeResult result;
    const std::size_t fixed = head_bytes + request.app_block.size();
    if (fixed > room.size()) return result;
    if (!outstanding_.empty() && mutated<"f40-control-first">()) return result;
    sync(table);
    gather(table);
    collect(table, scratch);
    const std::size_t budget = (room.size() - fixed) * 8;
    // Most snapshots fit as they are, and then nobody is ranked.
    const bool fits = scratch.exact_bits <= budget || mutated<"hard-budget">();
    if (!fits) choose(table, scratch, budget);
    const std::span<const Candidate> candidates = scratch.waiting();
    if (request.counts_near) count_near(table, scratch, result);
    result.visited = static_cast<std::uint32_t>(candidates.size());
    open_log(table, result.visited);
    BitPacker packer(room.subspan(fixed));
    write_objects(table, candidates, packer, result);
    encoded_ = table.tick();
    log_end_ += result.objects;
    sent_at(next_number_).count = static_cast<std::uint16_t>(result.objects);
    result.object_bits = static_cast<std::uint32_t>(packer.bit_count());
    result.bytes = fixed + packer.finish();
    WT_CHECK(!packer.overran());
    const SnapshotHead head{.tick = static_cast<std::uint32_t>(table.tick()),
                            .number = next_number_,
                            .batch = request.batch,
                            .batch_limit = request.batch_limit,
                            .control_serial = sent_serial_,
                            .object_count = static_cast<std::uint16_t>(result.objects),
                            .app_block = request.app_block};
    WT_CHECK(write_head(head, room));
    result.number = next_number_++;
    acked_recently_ <<= 1;
    sent_count_ = std::min(sent_count_ + 1, log_places);
    if (result.objects > 0 && !fits) {
        std::uint32_t state_bits = 0;
        for (const Candidate& one : candidates)
            state_bits += one.chosen ? one.bits : 0u;
        gap_bits_16_ = (result.object_bits - state_bits) * 16 / result.objects;
    }
    return result;
}

}  // namespace wt::replication
