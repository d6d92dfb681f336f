// SPDX-License-Identifier: MIT
#include "engine/secure/reassembly.hpp"

#include <cstring>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"

namespace wt::secure {

namespace {

using transport::Refusal;

// Powers of two: what a lane begins with, and what it keeps when nothing is under way on it.
constexpr std::uint32_t first_slots = 4;
constexpr std::uint32_t kept_slots = 16;

// Behind the bytes of a message of several fragments stand their sizes, two bytes each: a sender
// may cut anywhere up to the maximum.
std::uint8_t* sizes_of(const Reassembly::Slot& slot) {
    return slot.body.data + std::size_t{slot.count} * fragment_bytes_max;
}

bool has(const Reassembly::Slot& slot, std::uint8_t index) {
    return (slot.have[index / 64] >> (index % 64) & 1) != 0;
}

}  // namespace

void Reassembly::reset(std::uint16_t initial_message_id) {
    release_all();
    for (InLane& lane : lanes_) {
        lane.next = initial_message_id;
    }
    later_bytes_ = 0;
    incomplete_bytes_ = 0;
    ready_lanes_ = 0;
    turn_ = 0;
    delivering_ = -1;
}

bool Reassembly::is_violation(const ReliableHeader& header, ConstBytes fragment,
                              transport::Counters& counters) {
    if (header.lane >= transport::lane_count + (mutated<"f07-lane">() ? 1 : 0)) {
        counters.count(Refusal::violation_lane);
    } else if (header.count == 0 ||
               header.count > fragment_count_max + (mutated<"f07-count">() ? 1 : 0)) {
        counters.count(Refusal::violation_count);
    } else if (header.index >= header.count + (mutated<"f07-index">() ? 1 : 0)) {
        counters.count(Refusal::violation_index);
    } else if (fragment.size() > fragment_bytes_max + (mutated<"f08-size">() ? 1 : 0)) {
        counters.count(Refusal::violation_size);
    } else {
        return false;
    }
    return true;
}

Reassembly::Outcome Reassembly::add(const ReliableHeader& header, ConstBytes fragment,
                                    const transport::Label& label, transport::Counters& counters,
                                    Slot*& completed) {
    if (is_violation(header, fragment, counters)) {
        return mutated<"malformed-counts">() ? Outcome::duplicate : Outcome::violation;
    }
    InLane& lane = lanes_[header.lane];
    const std::uint16_t ahead = static_cast<std::uint16_t>(header.message - lane.next);
    if (mutated<"f27-stale">() && ahead >= 0x8000) return Outcome::violation;
    const bool is_old = mutated<"f01-half-range">() ? header.message < lane.next : ahead >= 0x8000;
    if (is_old) {
        ++counters.duplicates;  // Delivered before: its acknowledgement was lost.
        return Outcome::duplicate;
    }
    if (ahead >= window && !mutated<"reassembly-window">()) {
        counters.count(Refusal::reassembly_window);
        return Outcome::refused;
    }
    // A refusal changes nothing: the slots grow only for what is admitted.
    Slot* slot = ahead < lane.slots.size() ? &slot_of(lane, header.message) : nullptr;
    if (slot == nullptr || slot->state == Slot::State::empty) {
        slot = admit(lane, header, static_cast<std::uint32_t>(fragment.size()), counters);
        if (slot == nullptr) return Outcome::refused;
    }
    if (slot->count != header.count) {
        counters.count(Refusal::violation_count_changed);
        return mutated<"count-unlike-first">() ? Outcome::refused : Outcome::violation;
    }
    if (slot->state == Slot::State::ready ||
        (has(*slot, header.index) && !mutated<"duplicate-stored">())) {
        ++counters.duplicates;
        return Outcome::duplicate;
    }
    store(*slot, header.index, fragment);
    if (slot->received == 1) {
        slot->accepted_at = label.accepted_at;
        slot->tick = label.tick;
        slot->kind = label.message_kind();
    }
    if (slot->received != slot->count) return Outcome::stored;
    if (mutated<"lane-order">()) lane.next = slot->id;
    if (slot->count > 1) compact(*slot);
    incomplete_bytes_ -= slot->held;
    ++counters.reassembled;
    completed = slot;
    return Outcome::complete;
}

// Charges a new message. The next message of a lane always has room: its lane's reservation.
Reassembly::Slot* Reassembly::admit(InLane& lane, const ReliableHeader& header,
                                    std::uint32_t fragment_bytes, transport::Counters& counters) {
    const std::uint32_t count = header.count;
    const std::uint32_t bytes =
        count == 1 ? fragment_bytes : count * static_cast<std::uint32_t>(fragment_bytes_max);
    const bool is_next = header.message == lane.next;
    const bool counts = mutated<"reassembly-reserve">() || !is_next;
    const bool is_over = counts && later_bytes_ + bytes > later_bytes_max;
    if (is_over && !mutated<"reassembly-budget">() && !mutated<"f23-budget">()) {
        counters.count(Refusal::reassembly_budget);
        return nullptr;
    }
    Slot& slot = slot_of(lane, header.message);
    slot = Slot{};
    ++lane.under_way;
    slot.state = Slot::State::partial;
    slot.count = header.count;
    slot.id = header.message;
    slot.charged = bytes;
    // An empty fragment still needs a buffer to point at; several need room for their sizes.
    slot.body = pool_.take(count == 1 ? (bytes == 0 ? 1 : bytes) : bytes + 2 * count);
    if (!is_next) later_bytes_ += bytes;
    return &slot;
}

Reassembly::Slot& Reassembly::slot_of(InLane& lane, std::uint16_t id) {
    const std::uint16_t ahead = static_cast<std::uint16_t>(id - lane.next);
    WT_CHECK(ahead < window);
    std::uint32_t places = ahead < first_slots ? first_slots : kept_slots;
    while (places <= ahead)
        places *= 2;
    if (places > lane.slots.size()) widen(lane, places);
    return lane.slots[id & (lane.slots.size() - 1)];
}

// Ids turn in a lap as short as the lane's gaps allow: most lanes touch the same few slots again
// and again. In a longer lap each message has its place where it was, or in what is new.
void Reassembly::widen(InLane& lane, std::uint32_t places) {
    const std::uint32_t before = lane.slots.size();
    lane.slots.widen(places);
    for (std::uint32_t place = 0; place < before; ++place) {
        Slot& slot = lane.slots[place];
        const std::uint32_t now_at = slot.id & (places - 1);
        if (slot.state == Slot::State::empty || now_at == place) continue;
        lane.slots[now_at] = slot;
        slot = Slot{};
    }
}

void Reassembly::store(Slot& slot, std::uint8_t index, ConstBytes fragment) {
    std::uint8_t* const at = slot.body.data + std::size_t{index} * fragment_bytes_max;
    if (!fragment.empty()) std::memcpy(at, fragment.data(), fragment.size());
    if (slot.count > 1) {
        store_u16(sizes_of(slot) + 2 * std::size_t{index},
                  static_cast<std::uint16_t>(fragment.size()));
    }
    slot.have[index / 64] |= std::uint64_t{1} << (index % 64);
    ++slot.received;
    slot.held += static_cast<std::uint32_t>(fragment.size());
    incomplete_bytes_ += fragment.size();
}

// Closes the gaps that short fragments left; ours leave none before the last.
void Reassembly::compact(Slot& slot) {
    std::size_t end = 0;
    for (std::size_t index = 0; index < slot.count; ++index) {
        const std::size_t at = index * fragment_bytes_max;
        std::size_t size = load_u16(sizes_of(slot) + 2 * index);
        if (mutated<"f25-rounding">()) size &= ~std::size_t{1};
        if (end != at && size != 0) std::memmove(slot.body.data + end, slot.body.data + at, size);
        end += size;
    }
    WT_CHECK(end == slot.held);
}

void Reassembly::opened(Slot& slot) {
    WT_CHECK(slot.state == Slot::State::partial);
    slot.state = Slot::State::ready;
    for (unsigned lane = 0; lane < transport::lane_count; ++lane)
        update_ready(lane);
}

bool Reassembly::next(Delivery& out) {
    finish_delivery();
    if (ready_lanes_ == 0) return false;
    while ((ready_lanes_ >> turn_ & 1) == 0) {
        turn_ = static_cast<std::uint8_t>((turn_ + 1) % transport::lane_count);
    }
    InLane& lane = lanes_[turn_];
    const Slot& slot = slot_of(lane, lane.next);
    out.lane = static_cast<transport::Lane>(turn_);
    out.slot = &slot;
    out.record = {slot.body.data, slot.held};
    delivering_ = static_cast<std::int8_t>(turn_);
    return true;
}

// The message handed out last is done with: its room is free and its successor is next.
void Reassembly::finish_delivery() {
    if (delivering_ < 0) return;
    const unsigned number = static_cast<unsigned>(delivering_);
    delivering_ = -1;
    InLane& lane = lanes_[number];
    Slot& slot = slot_of(lane, lane.next);
    pool_.give_back(slot.body);
    slot.state = Slot::State::empty;
    --lane.under_way;
    ++lane.next;
    if (lane.under_way == 0 && lane.slots.size() > kept_slots) lane.slots.release();
    // The successor moves from the shared room into the lane's reservation.
    if (lane.under_way != 0) {
        const Slot& successor = slot_of(lane, lane.next);
        if (successor.state != Slot::State::empty) {
            WT_CHECK(later_bytes_ >= successor.charged);
            later_bytes_ -= successor.charged;
        }
    }
    update_ready(number);
    turn_ = static_cast<std::uint8_t>((number + 1) % transport::lane_count);
}

void Reassembly::update_ready(unsigned number) {
    const InLane& lane = lanes_[number];
    const std::uint8_t bit = static_cast<std::uint8_t>(1u << number);
    const bool ready = lane.under_way != 0 &&
                       lane.slots[lane.next & (lane.slots.size() - 1)].state == Slot::State::ready;
    ready_lanes_ = static_cast<std::uint8_t>(ready ? ready_lanes_ | bit : ready_lanes_ & ~bit);
}

void Reassembly::release_all() {
    for (InLane& lane : lanes_) {
        for (std::uint32_t place = 0; place < lane.slots.size(); ++place) {
            if (lane.slots[place].state != Slot::State::empty) {
                pool_.give_back(lane.slots[place].body);
            }
        }
        lane.slots.release();
        lane.under_way = 0;
    }
}

}  // namespace wt::secure
