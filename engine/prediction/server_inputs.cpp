// SPDX-License-Identifier: MIT
#include "engine/prediction/server_inputs.hpp"

#include <algorithm>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"
#include "engine/base/serial.hpp"

namespace wt::prediction {

ServerInputs::ServerInputs(const ServerInputsConfig& config) : config_(config) {
    WT_CHECK(config.tick_rate.per_second > 0);
    WT_CHECK(config.future_max < window / 2);
    WT_CHECK(config.age_max < window / 2);
    reset();
}

void ServerInputs::reset() {
    const ServerInputsConfig config = config_;
    entries_ = {};
    counters_ = {};
    budget_ = config.clamp;
    held_ = 0;
    last_command_ = config.neutral;
    has_input_ = false;
    has_applied_ = false;
    applied_ = 0;
    has_margin_ = false;
    has_clock_ = false;
}

InputVerdict ServerInputs::judge(std::uint32_t wire_tick, Tick next) const {
    Tick tick = 0;
    // What cannot be placed lies half of the range away: as old as a tick can be.
    if (!widen_tick(next, wire_tick, tick)) return InputVerdict::too_old;
    if (tick > next + config_.future_max && !mutated<"input-future">())
        return InputVerdict::too_far;
    if (tick + config_.age_max < next && !mutated<"input-age">()) return InputVerdict::too_old;
    return InputVerdict::ok;
}

InputReport ServerInputs::on_message(Instant now, const InputMessage& message, InputCut cut) {
    InputReport report;
    report.verdict = judge(message.newest_tick, cut.next);
    if (report.verdict != InputVerdict::ok) {
        ++(report.verdict == InputVerdict::too_old ? counters_.too_old : counters_.too_far);
        return report;
    }
    Tick newest = 0;
    WT_CHECK(widen_tick(cut.next, message.newest_tick, newest));
    // Oldest first: what is due soonest gets the budget.
    for (std::size_t i = message.count; i-- > 0;) {
        if (i > newest) continue;
        const Tick tick = newest - i;
        Entry& slot = entry(tick);
        const bool is_known = slot.tick == tick && slot.mark != Mark::empty;
        if (is_known && slot.mark != Mark::missed && !mutated<"input-once">()) {
            ++(slot.command == message.commands[i] ? counters_.duplicates : counters_.conflicts);
        } else if (tick < cut.next && !mutated<"late-unsimulated">()) {
            if (!is_known) {
                ++counters_.beyond;
                continue;
            }
            slot.mark = Mark::taken;
            slot.command = message.commands[i];
            ++counters_.late;
            note_arrival(now, tick, cut, report);
        } else if (budget_ == 0 && !mutated<"input-budget">()) {
            ++counters_.over_budget;
        } else {
            add(tick, message, i, cut.next);
            note_arrival(now, tick, cut, report);
        }
    }
    if (!has_clock_ || serial_newer(message.newest_tick, newest_wire_tick_)) {
        has_clock_ = true;
        newest_wire_tick_ = message.newest_tick;
        clock_us_ = message.client_clock_us;
        clock_at_ = now;
    }
    return report;
}

void ServerInputs::add(Tick tick, const InputMessage& message, std::size_t index, Tick next) {
    Entry& slot = entry(tick);
    slot = {.tick = tick, .command = message.commands[index], .mark = Mark::waiting};
    if (message.has_view(index)) slot.has_view = from_wire(message.views[index], next, slot.view);
    --budget_;
    if (!has_input_) first_ = tick;
    has_input_ = true;
    ++counters_.accepted;
}

void ServerInputs::note_arrival(Instant now, Tick tick, InputCut cut, InputReport& report) {
    const Instant tick_cut =
        tick >= cut.next ? cut.at + duration_of(TickTime::at(tick - cut.next), config_.tick_rate)
                         : cut.at - duration_of(TickTime::at(cut.next - tick), config_.tick_rate);
    const Duration margin = tick_cut - now;
    report.arrivals[report.arrival_count] = {tick, margin};
    ++report.arrival_count;
    if (has_margin_ && worst_margin_ <= margin) return;
    has_margin_ = true;
    worst_margin_ = margin;
    worst_tick_ = tick;
}

TakenInput ServerInputs::take(Tick tick) {
    budget_ = std::min(budget_ + 1, config_.clamp);
    Entry& slot = entry(tick);
    TakenInput taken;
    const bool counts = has_input_ && tick >= first_;
    if (counts) ++counters_.ticks;
    if (slot.tick == tick && slot.mark == Mark::waiting) {
        slot.mark = Mark::taken;
        taken = {slot.command, true, slot.has_view, slot.view};
        last_command_ = slot.command;
        held_ = 0;
        has_applied_ = true;
        applied_ = tick;
        return taken;
    }
    slot = {.tick = tick, .mark = Mark::missed};
    if (counts) ++counters_.missed;
    const bool may_repeat = has_applied_ && (held_ < config_.hold_max || mutated<"hold-bound">());
    if (may_repeat) ++held_;
    taken.command = may_repeat ? last_command_ & config_.repeat_mask : config_.neutral;
    return taken;
}

Feedback ServerInputs::feedback(Instant now, Tick snapshot_tick) {
    Feedback out;
    out.has_input = has_applied_;
    out.input_tick = has_applied_ ? static_cast<std::uint32_t>(applied_) : 0;
    if (has_margin_) {
        const std::int64_t away = static_cast<std::int64_t>(worst_tick_ - snapshot_tick);
        // Rounded down, so that a late one never looks in time.
        const std::int64_t sixteenths = ticks_in(worst_margin_, config_.tick_rate).q16 >> 12;
        out.has_margin = away >= -128 && away <= 127;
        if (out.has_margin) {
            out.margin_tick = static_cast<std::int8_t>(away);
            out.margin =
                static_cast<std::int16_t>(std::clamp<std::int64_t>(sixteenths, -32'768, 32'767));
        }
        has_margin_ = false;
    }
    if (has_clock_) {
        // 65,535 x 16 us = 1.05 s: a longer hold makes no useful sample and is not echoed.
        const std::int64_t hold = (now - clock_at_).ns / 16'000;
        out.has_echo = hold >= 0 && hold <= 65'535;
        if (out.has_echo) {
            out.echo_us = clock_us_;
            out.hold_16us = static_cast<std::uint16_t>(hold);
        }
    }
    return out;
}

}  // namespace wt::prediction
