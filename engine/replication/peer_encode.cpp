// SPDX-License-Identifier: MIT
//
// One snapshot for one peer: what waits is planned with its size (peer_plan.cpp), chosen under a
// hard budget of bits if it does not fit, and written in slot order. First the nearest, then by
// importance times waiting; those of the lowest rank that fits take turns, so that every wait ends.
// Spec: 001, replication (hard byte budget, deadline, importance, accumulated priority).
#include <algorithm>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"
#include "engine/replication/peer_replication.hpp"

namespace wt::replication {

namespace {

constexpr std::uint8_t rank_nearest = 255;
constexpr std::uint32_t rank_max = 254;
// A weight of 4 makes a rank a tick of waiting.
constexpr std::uint32_t rank_divisor = 4;

// Exact size of everything chosen.
std::uint32_t exact_bits(std::span<const Candidate> candidates) {
    std::uint32_t total = 0;
    PlaceBefore before;
    for (const Candidate& one : candidates) {
        if (!one.chosen) continue;
        total += one.bits + before.width_of(one.slot, one.age);
        before = {.slot = one.slot + 1u, .age = one.age};
    }
    return total;
}

// Those of shared stretches too, each by itself.
void list_candidates(ObjectTable& table, EncodeScratch& scratch) {
    if (scratch.candidates.size() < scratch.waiting) scratch.candidates.resize(scratch.waiting);
    const Candidate* single = scratch.singles.data();
    for (const Piece& piece : std::span(scratch.pieces).first(scratch.piece_count)) {
        for (std::uint32_t i = 0; i < piece.count; ++i)
            scratch.candidates[scratch.count++] = *single++;
        if (piece.run == nullptr) continue;
        for (std::uint64_t rest = piece.run->slots; rest != 0; rest &= rest - 1) {
            const std::uint32_t slot =
                piece.run->word * 64u + static_cast<std::uint32_t>(std::countr_zero(rest));
            const StateBits& state = table.delta_from(slot, piece.run->age);
            scratch.candidates[scratch.count++] = {.state = state,
                                                   .slot = static_cast<std::uint16_t>(slot),
                                                   .bits = state.count,
                                                   .age = piece.run->age};
        }
    }
}

}  // namespace

// Objects in slot order, each after the one before.
class PeerReplication::Writer {
public:
    explicit Writer(MutableBytes target) : packer(target) {}

    void put_one(const ObjectTable& table, const Candidate& one) {
        const Spelling place = spell_place(before, one.slot, one.age);
        packer.put(place.bits, place.width);
        if (one.age == 0) {
            const std::uint64_t generation = table.id_of(one.slot).generation & 0xffu;
            packer.put(table.schema_of(one.slot) | generation << schema_bits,
                       schema_bits + generation_bits);
            ++absolutes;
        }
        put(packer, one.state);
        before = {.slot = one.slot + 1u, .age = one.age};
        ++objects;
    }
    void put_run(const ObjectTable& table, const SharedRun& run) {
        const Spelling place = spell_place(before, run.first_slot(), run.age);
        packer.put(place.bits, place.width);
        packer.append(table.bits_of(run), run.bits);
        before = {.slot = run.last_slot() + 1, .age = run.age};
        objects += static_cast<std::uint32_t>(std::popcount(run.slots));
    }

    BitPacker packer;
    PlaceBefore before{};
    std::uint32_t objects = 0;
    std::uint32_t absolutes = 0;
};

// Takes candidates by rank until the budget is full, then the lowest rank that fits in turns.
void PeerReplication::choose(const ObjectTable& table, EncodeScratch& scratch,
                             std::size_t budget_bits) {
    refresh_nearest(table, scratch);
    const std::span<Candidate> candidates = scratch.chosen_from();
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

// What waits on: since when is written down, or the next look would take it for fresh.
void PeerReplication::leave_waiting(const ObjectTable& table, std::uint16_t slot,
                                    EncodeResult& result) {
    ++result.left;
    const std::uint16_t since = waits_since(table, slot);
    told_[slot].waiting_since = since;
    aged_.insert(slot);
    const std::uint16_t now = static_cast<std::uint16_t>(table.tick());
    const std::uint16_t waited = static_cast<std::uint16_t>(now - since);
    result.stalest_ticks = std::max<std::uint32_t>(result.stalest_ticks, waited);
}

// An absolute state of what had a baseline, or was told to have none: that one is too old and will
// not get younger, and what was put since then must not become one.
void PeerReplication::restart(std::uint32_t slot) {
    forget_history(slot);
    baseless_.erase(slot);
    fresh_.erase(slot);
}

// The row has what was written and nothing else: since it was planned more may have begun to wait,
// with a snapshot that fell out of the log.
void PeerReplication::write_all(const ObjectTable& table, const EncodeScratch& scratch,
                                Writer& writer) {
    std::uint64_t* const row = row_of(next_number_);
    const Candidate* single = scratch.singles.data();
    for (const Piece& piece : std::span(scratch.pieces).first(scratch.piece_count)) {
        for (std::uint32_t i = 0; i < piece.count; ++i, ++single) {
            writer.put_one(table, *single);
            if (single->restarts) restart(single->slot);
            row[single->slot / 64] |= std::uint64_t{1} << (single->slot % 64);
        }
        if (piece.run == nullptr) continue;
        writer.put_run(table, *piece.run);
        row[piece.run->word] |= piece.run->slots;
    }
    for (std::uint32_t index = 0; index < row_words_; ++index) {
        if (row[index] == 0) continue;
        pending_.erase_word(index, row[index]);
        aged_.erase_word(index, row[index]);
    }
}

void PeerReplication::write_chosen(const ObjectTable& table, std::span<const Candidate> candidates,
                                   Writer& writer, EncodeResult& result) {
    std::uint64_t* const row = row_of(next_number_);
    for (const Candidate& one : candidates) {
        if (!one.chosen) {
            leave_waiting(table, one.slot, result);
            continue;
        }
        writer.put_one(table, one);
        if (one.restarts) restart(one.slot);
        row[one.slot / 64] |= std::uint64_t{1} << (one.slot % 64);
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
    plan(table, scratch);
    const std::size_t budget = (room.size() - fixed) * 8;
    // Most snapshots fit as they are, and then nobody is ranked.
    const bool fits = scratch.exact_bits <= budget || mutated<"hard-budget">();
    if (!fits) {
        list_candidates(table, scratch);
        choose(table, scratch, budget);
    }
    if (request.counts_near) count_near(table, scratch, result);
    result.visited = scratch.waiting;
    open_log(table);
    Writer writer(room.subspan(fixed));
    if (fits) {
        write_all(table, scratch, writer);
    } else {
        write_chosen(table, scratch.chosen_from(), writer, result);
    }
    encoded_ = table.tick();
    result.objects = writer.objects;
    result.absolutes = writer.absolutes;
    sent_at(next_number_).count = static_cast<std::uint16_t>(result.objects);
    result.object_bits = static_cast<std::uint32_t>(writer.packer.bit_count());
    result.bytes = fixed + writer.packer.finish();
    WT_CHECK(!writer.packer.overran());
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
        for (const Candidate& one : scratch.chosen_from())
            state_bits += one.chosen ? one.bits : 0u;
        gap_bits_16_ = (result.object_bits - state_bits) * 16 / result.objects;
    }
    return result;
}

}  // namespace wt::replication
