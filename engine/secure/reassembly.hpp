// SPDX-License-Identifier: MIT
//
// The receiving half of reliable ordered delivery: fragments become records, records wait for
// their turn on their lane. Space is charged when a message's first fragment comes, for the whole
// message: what was admitted can always be completed, and what is refused is not acknowledged, so
// that the sender tries again. Each lane keeps room for one largest record for the message that is
// next on it; later messages share the rest. Without that, complete records behind a missing one
// could fill the budget and keep it out for ever.
// Spec: 000, fragmentation and ordered reassembly.
#pragma once

#include <array>
#include <cstdint>

#include "engine/base/array_of.hpp"
#include "engine/base/pool_room.hpp"
#include "engine/base/time.hpp"
#include "engine/secure/wire.hpp"
#include "engine/transport/stats.hpp"

namespace wt::secure {

// The reliable delivery header as it stands on the wire.
struct ReliableHeader {
    std::uint16_t sequence = 0;
    std::uint8_t lane = 0;
    std::uint16_t message = 0;
    std::uint8_t index = 0;
    std::uint8_t count = 0;
};

class Reassembly {
public:
    static constexpr std::uint32_t window = 1'024;  // Ids ahead of the next expected one.
    static constexpr std::uint64_t budget_bytes = 4 * 1'024 * 1'024;
    static constexpr std::uint64_t largest_record_bytes = fragment_count_max * fragment_bytes_max;
    // What messages other than the next one of each lane may hold together.
    static constexpr std::uint64_t later_bytes_max =
        budget_bytes - transport::lane_count * largest_record_bytes;

    explicit Reassembly(BufferPool& pool)
        : pool_(pool), lanes_(array_of<InLane, transport::lane_count>(pool)) {}
    ~Reassembly() { release_all(); }
    Reassembly(const Reassembly&) = delete;
    Reassembly& operator=(const Reassembly&) = delete;

    void reset(std::uint16_t initial_message_id);

    enum class Outcome : std::uint8_t {
        stored,     // Acknowledge.
        complete,   // Acknowledge; the record lies in `completed` and must be opened.
        duplicate,  // Held or delivered already: acknowledge again.
        refused,    // No room: do not acknowledge. Counted by reason.
        violation,  // Against the protocol. Counted by reason.
    };

    // A message under way.
    struct Slot {
        enum class State : std::uint8_t { empty, partial, ready };
        State state = State::empty;
        std::uint8_t count = 0;
        std::uint8_t received = 0;
        PoolBuffer body{};
        std::uint32_t charged = 0;  // Bytes against the budget.
        std::uint32_t held = 0;     // Fragment bytes stored; when complete, the record's size.
        std::array<std::uint64_t, 4> have{};  // Bit n: fragment n is here.
        Instant accepted_at{};
        std::uint32_t tick = 0;
        std::uint16_t id = 0;
        transport::Kind kind = transport::Kind::data;
    };

    // One authentic fragment. On `complete`, `completed` is its slot, valid until the next call;
    // the caller opens body[0, held) in place and calls opened().
    Outcome add(const ReliableHeader& header, ConstBytes fragment, const transport::Label& label,
                transport::Counters& counters, Slot*& completed);
    // The record of a completed slot was opened: it may be delivered in its turn.
    void opened(Slot& slot);

    // The next message in order of any lane that has one; lanes take turns. The view of the
    // record (counter, plaintext, tag) holds until the next call of anything but a query.
    struct Delivery {
        transport::Lane lane = transport::Lane::control;
        const Slot* slot = nullptr;
        ConstBytes record{};
    };
    [[nodiscard]] bool next(Delivery& out);
    // Whether next() may have something: false is certain. True while a message is handed out.
    [[nodiscard]] bool has_ready() const { return ready_lanes_ != 0; }

    // Fragment bytes in messages that are not complete.
    [[nodiscard]] std::uint64_t incomplete_bytes() const { return incomplete_bytes_; }
    [[nodiscard]] std::uint64_t later_bytes() const { return later_bytes_; }

private:
    struct InLane {
        explicit InLane(BufferPool& pool) : slots(pool) {}

        PoolRoom<Slot> slots;  // A power of two; a message is at its id modulo this.
        std::uint32_t under_way = 0;
        std::uint16_t next = 0;
    };

    [[nodiscard]] static bool is_violation(const ReliableHeader& header, ConstBytes fragment,
                                           transport::Counters& counters);
    Slot* admit(InLane& lane, const ReliableHeader& header, std::uint32_t fragment_bytes,
                transport::Counters& counters);
    Slot& slot_of(InLane& lane, std::uint16_t id);
    static void widen(InLane& lane, std::uint32_t places);
    void store(Slot& slot, std::uint8_t index, ConstBytes fragment);
    void compact(Slot& slot);
    void finish_delivery();
    void update_ready(unsigned lane);
    void release_all();

    BufferPool& pool_;
    std::array<InLane, transport::lane_count> lanes_;
    std::uint64_t later_bytes_ = 0;
    std::uint64_t incomplete_bytes_ = 0;
    std::uint8_t ready_lanes_ = 0;  // Bit n: lane n's next message is ready.
    std::uint8_t turn_ = 0;
    std::int8_t delivering_ = -1;  // Lane whose front is in the caller's hands.
};

}  // namespace wt::secure
