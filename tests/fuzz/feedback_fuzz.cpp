// SPDX-License-Identifier: MIT
//
// What a hostile server puts into the application block: feedback and the own player. What parses
// has one form, and clock, lead and jitter buffer of a client survive it.
#include <algorithm>
#include <array>

#include "engine/arena/schemas.hpp"
#include "engine/prediction/jitter_buffer.hpp"
#include "engine/prediction/lead_controller.hpp"
#include "tests/fuzz/fuzz_bytes.hpp"

namespace {

using namespace wt;
using namespace wt::prediction;

bool check_feedback(ConstBytes source, Feedback& feedback) {
    const Feedback before = feedback;
    if (!decode_feedback(source, feedback)) {
        WT_CHECK(feedback == before);
        return false;
    }
    std::array<std::uint8_t, feedback_bytes> again{};
    WT_CHECK(encode_feedback(feedback, again));
    WT_CHECK(std::equal(again.begin(), again.end(), source.begin()));
    return true;
}

void check_own(ConstBytes source) {
    arena::PlayerState player{.x = 7};
    if (!arena::decode_own(source, player)) {
        WT_CHECK(player == arena::PlayerState{.x = 7});
        return;
    }
    std::array<std::uint8_t, arena::own_player_bytes> again{};
    WT_CHECK(arena::encode_own(player, again));
    WT_CHECK(std::equal(again.begin(), again.end(), source.begin()));
    (void)arena::step_player(player, {.move_x = 7, .shoot = true}, {60});
    WT_CHECK(player.x >= 0);
    WT_CHECK(player.x < arena::world_units);
}

}  // namespace

// Per snapshot: how far time and tick go on, then the block.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::FuzzBytes input(data, size);
    ClockSync clock({60});
    LeadController lead({});
    JitterBuffer jitter({});
    Instant now{1'000'000'000};
    Tick newest = 0xffff'ff00;
    while (!input.empty()) {
        now += Duration::millis(input.u8());
        newest += input.u16();
        const ConstBytes block = input.bytes(feedback_bytes + arena::own_player_bytes);
        Feedback feedback{.input_tick = 3};
        if (check_feedback(block, feedback)) {
            clock.on_snapshot(now, newest, feedback);
            jitter.on_snapshot(now, newest);
            if (!lead.is_synchronised() && clock.has_estimate()) lead.synchronise(now, clock);
            lead.on_snapshot(now, newest, feedback);
        }
        if (block.size() > feedback_bytes) check_own(block.subspan(feedback_bytes));
        const TickTime shown = jitter.shown();
        lead.advance(now, clock);
        jitter.advance(now);
        WT_CHECK(jitter.shown() >= shown);
        Tick tick = 0;
        std::uint32_t made = 0;
        while (lead.next_tick(tick))
            ++made;
        WT_CHECK(made <= LeadConfig{}.ticks_at_once);
        if (lead.is_synchronised()) WT_CHECK(lead.dilation_ppm() <= 50'000);
    }
    return 0;
}
