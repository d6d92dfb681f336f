// SPDX-License-Identifier: MIT
//
// One snapshot for one peer: what waits is collected with its size, chosen under a hard budget of
// bits, and written in slot order. First the nearest, then by importance times waiting; those of
// the lowest rank that fits take turns, so that every wait ends.
// Spec: 001, replication (hard byte budget, deadline, importance, accumulated priority).
#include <algorithm>

#include "engine/base/check.hpp"
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
std::uint32_t exact_bits(const std::vector<Candidate>& candidates) {
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
    entries_[slot].waiting_since = static_cast<std::uint16_t>(tick);
}

void PeerReplication::gather(ObjectTable& table) {
    if (gathered_ == table.tick()) return;
    if (table.tick() - gathered_ >= ObjectTable::history_ticks) {
        // Too long ago to know what changed.
        live_.visit([&](std::uint32_t slot) { wait_from(slot, table.tick()); });
    } else {
        for (std::uint64_t tick = gathered_ + 1; tick <= table.tick(); ++tick) {
            table.dirty_in(tick).visit_words([&](std::uint32_t index, std::uint64_t word) {
                std::uint64_t fresh = word & live_.word(index) & ~pending_.word(index);
                for (; fresh != 0; fresh &= fresh - 1)
                    wait_from(index * 64 + static_cast<std::uint32_t>(std::countr_zero(fresh)),
                              tick);
            });
        }
    }
    gathered_ = table.tick();
}

bool PeerReplication::has_usable_base(const ObjectTable& table, const Entry& entry) const {
    if (!entry.has_base) return false;
    const std::uint32_t age = static_cast<std::uint32_t>(table.tick()) - entry.base_tick;
    if (age - 1 >= ObjectTable::history_ticks - 1) return false;
    const std::uint16_t since = static_cast<std::uint16_t>(entry.put_number - entry.base_number);
    if (since >= 32) return false;
    const std::uint32_t newer = entry.put_history & ((1u << since) - 1);
    return static_cast<unsigned>(std::popcount(newer)) < versions_kept;
}

void PeerReplication::collect(ObjectTable& table, EncodeScratch& scratch) {
    scratch.candidates.clear();
    scratch.total_bits = 0;
    const SchemaSet& schemas = table.schemas();
    const std::uint32_t now = static_cast<std::uint32_t>(table.tick());
    pending_.visit([&](std::uint32_t slot) {
        const Entry& entry = entries_[slot];
        Candidate& one = scratch.candidates.emplace_back();
        one.slot = static_cast<std::uint16_t>(slot);
        if (has_usable_base(table, entry)) {
            const std::uint32_t age = now - entry.base_tick;
            one.age = static_cast<std::uint8_t>(age);
            one.state = table.delta_from(slot, table.tick() - age);
            one.bits = one.state.count;
        } else {
            const Layout& layout = schemas.layout(table.schema_of(slot));
            one.state = make_absolute(layout, table.state_of(slot));
            one.bits = static_cast<std::uint16_t>(one.state.count + absolute_head_bits);
        }
        scratch.total_bits += one.bits;
    });
}

// Takes candidates by rank until the budget is full, then the lowest rank that fits in turns.
void PeerReplication::choose(const ObjectTable& table, EncodeScratch& scratch,
                             std::size_t budget_bits) {
    refresh_nearest(table, scratch);
    const std::uint16_t now = static_cast<std::uint16_t>(table.tick());
    scratch.rank_bits.fill(0);
    const std::uint32_t budget = static_cast<std::uint32_t>(budget_bits);
    std::uint32_t nearest_bits = 0;
    const std::uint32_t place_bits = gap_bits_16_ / 16 + 2;
    for (Candidate& one : scratch.candidates) {
        const std::uint32_t cost = one.bits + place_bits;
        const std::uint32_t waited =
            static_cast<std::uint16_t>(now - entries_[one.slot].waiting_since);
        const std::uint32_t weight = table.schemas().at(table.schema_of(one.slot)).weight;
        const std::uint32_t earned =
            fault_ == PeerFault::never_wait ? weight : (waited + 1) * weight;
        one.rank = static_cast<std::uint8_t>(std::min(earned / rank_divisor, rank_max));
        // The nearest never take more than half, or small budgets would starve the rest.
        if (nearest_.has(one.slot) && (nearest_bits + cost) * 2 <= budget) {
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
    for (std::uint32_t i = 0; i < scratch.candidates.size(); ++i) {
        Candidate& one = scratch.candidates[i];
        one.chosen = one.rank > lowest;
        if (one.rank != lowest) continue;
        if (one.slot < cursor_) ++start;
        scratch.turns.push_back(i);
    }
    std::rotate(scratch.turns.begin(), scratch.turns.begin() + start, scratch.turns.end());
    if (fault_ == PeerFault::never_wait) std::sort(scratch.turns.begin(), scratch.turns.end());
    std::size_t taken = 0;
    for (; taken < scratch.turns.size(); ++taken) {
        Candidate& one = scratch.candidates[scratch.turns[taken]];
        if (used + one.bits + place_bits > budget) break;
        used += one.bits + place_bits;
        one.chosen = true;
    }
    // The places were estimated; their true size decides. Who came last goes first.
    for (std::uint32_t exact = exact_bits(scratch.candidates); exact > budget;
         exact = exact_bits(scratch.candidates)) {
        std::uint32_t over = exact - budget;
        while (over > 0 && taken > 0) {
            Candidate& one = scratch.candidates[scratch.turns[--taken]];
            one.chosen = false;
            over -= std::min<std::uint32_t>(over, one.bits + place_bits);
        }
        if (taken > 0 || over == 0) continue;
        const auto last = std::find_if(scratch.candidates.rbegin(), scratch.candidates.rend(),
                                       [](const Candidate& one) { return one.chosen; });
        if (last == scratch.candidates.rend()) break;
        last->chosen = false;
    }
    if (taken > 0) cursor_ = scratch.candidates[scratch.turns[taken - 1]].slot + 1u;
}

void PeerReplication::put_entry(const ObjectTable& table, std::uint32_t slot, bool is_delta) {
    Entry& entry = entries_[slot];
    const std::uint16_t shift = static_cast<std::uint16_t>(next_number_ - entry.put_number);
    entry.put_history = shift < 32 ? entry.put_history << shift | 1u : 1u;
    entry.put_number = next_number_;
    if (!is_delta && entry.has_base) {
        // Too old, and it will not get younger; without it the numbers may come round.
        entry.has_base = false;
        entry.base_number = static_cast<std::uint16_t>(next_number_ - 1);
    }
    if (fault_ == PeerFault::assume_delivered) {
        entry.base_tick = static_cast<std::uint32_t>(table.tick());
        entry.base_number = next_number_;
        entry.has_base = entry.stage == Stage::confirmed;
    }
    pending_.erase(slot);
}

void PeerReplication::write_objects(ObjectTable& table, EncodeScratch& scratch, BitPacker& packer) {
    std::uint32_t previous = 0;
    unsigned age = 0;
    for (const Candidate& one : scratch.candidates) {
        if (!one.chosen) continue;
        const Spelling place = spell_place(one.slot, previous, one.age, age);
        packer.put(place.bits, place.width);
        if (one.age == 0) {
            const std::uint64_t generation = table.id_of(one.slot).generation & 0xffu;
            packer.put(table.schema_of(one.slot) | generation << schema_bits, absolute_head_bits);
        }
        put(packer, one.state);
        previous = one.slot + 1u;
        age = one.age;
        put_entry(table, one.slot, one.age != 0);
        log_slot(one.slot);
    }
}

EncodeResult PeerReplication::encode(ObjectTable& table, EncodeScratch& scratch,
                                     const EncodeRequest& request, MutableBytes room) {
    EncodeResult result;
    const std::size_t fixed = head_bytes + request.app_block.size();
    if (fixed > room.size()) return result;
    sync(table);
    gather(table);
    collect(table, scratch);
    const std::size_t budget = (room.size() - fixed) * 8;
    // Most snapshots fit as they are, and then nobody is ranked.
    const bool fits = scratch.total_bits <= budget && exact_bits(scratch.candidates) <= budget;
    if (!fits) choose(table, scratch, budget);
    for (const Candidate& one : scratch.candidates) {
        if (!one.chosen) {
            ++result.left;
            const std::uint16_t since = entries_[one.slot].waiting_since;
            const std::uint16_t waited =
                static_cast<std::uint16_t>(static_cast<std::uint16_t>(table.tick()) - since);
            result.stalest_ticks = std::max<std::uint32_t>(result.stalest_ticks, waited);
            continue;
        }
        ++result.objects;
        if (one.age == 0) ++result.absolutes;
    }
    result.visited = static_cast<std::uint32_t>(scratch.candidates.size());
    open_log(table, result.objects);
    const SnapshotHead head{.tick = static_cast<std::uint32_t>(table.tick()),
                            .number = next_number_,
                            .batch = request.batch,
                            .batch_limit = request.batch_limit,
                            .control_serial = sent_serial_,
                            .object_count = static_cast<std::uint16_t>(result.objects),
                            .app_block = request.app_block};
    WT_CHECK(write_head(head, room));
    BitPacker packer(room.subspan(fixed));
    write_objects(table, scratch, packer);
    result.object_bits = static_cast<std::uint32_t>(packer.bit_count());
    result.bytes = fixed + packer.finish();
    WT_CHECK(!packer.overran());
    result.number = next_number_++;
    sent_count_ = std::min(sent_count_ + 1, log_places);
    if (result.objects > 0 && !fits) {
        std::uint32_t state_bits = 0;
        for (const Candidate& one : scratch.candidates)
            state_bits += one.chosen ? one.bits : 0u;
        gap_bits_16_ = (result.object_bits - state_bits) * 16 / result.objects;
    }
    return result;
}

}  // namespace wt::replication
