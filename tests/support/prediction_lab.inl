// SPDX-License-Identifier: MIT
//
// What server and client of the laboratory do in a tick and a frame.
#pragma once

#include "tests/support/prediction_lab.hpp"

namespace wt::test {

// Runs on from where it stood.
inline void PredictionLab::run(Duration length) {
    const Instant end = now_ + length;
    while (true) {
        const Instant tick_at = config_.rate.tick(server_ticks_);
        const Instant frame_at = config_.frames.tick(frame_count_) + config_.frame_phase;
        if (std::min(tick_at, frame_at) >= end) break;
        if (tick_at <= frame_at) {
            now_ = tick_at;
            server_tick();
            ++server_ticks_;
        } else {
            now_ = frame_at;
            if (!config_.is_paused(now_)) client_frame();
            ++frame_count_;
        }
    }
    now_ = end;
}

inline prediction::LeadConfig PredictionLab::lead_of(const LabConfig& config) {
    prediction::LeadConfig lead{.tick_rate = config.rate};
    if (config.has_no_lead) lead.lead_max = {};
    if (config.nothing_jumps) lead.resync = Duration::seconds(3'600);
    return lead;
}

inline prediction::JitterConfig PredictionLab::jitter_of(const LabConfig& config) {
    prediction::JitterConfig jitter{.tick_rate = config.rate,
                                    .snapshot_ticks = config.snapshot_ticks};
    if (config.has_no_buffer) jitter.margin_q16 = -4 * prediction::tick_one;
    if (config.nothing_jumps) {
        jitter.jump = Duration::seconds(3'600);
        jitter.delay_max = Duration::seconds(3'600);
    }
    return jitter;
}

inline std::uint32_t PredictionLab::rewind_ticks() const {
    return static_cast<std::uint32_t>(prediction::ticks_in(config_.rewind_max, config_.rate).q16 /
                                      prediction::tick_one);
}

// Visible strictly after arrival, in order of arrival; equal arrivals in order of sending.
template <class Message>
std::vector<Message> PredictionLab::visible(std::vector<Message>& waiting, Instant now) {
    std::vector<Message> out;
    std::stable_sort(waiting.begin(), waiting.end(),
                     [](const Message& a, const Message& b) { return a.arrival < b.arrival; });
    std::size_t count = 0;
    while (count < waiting.size() && waiting[count].arrival < now)
        out.push_back(waiting[count++]);
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(count));
    return out;
}

inline void PredictionLab::server_tick() {
    const Tick tick = config_.first_tick + server_ticks_;
    for (const UpMessage& message : visible(up_, now_)) {
        prediction::InputMessage input;
        WT_CHECK(decode_input(message.bytes, input) == prediction::InputDecode::ok);
        (void)inputs_.on_message(message.arrival, input, {.next = tick, .at = now_});
    }
    std::vector<arena::PlayerInput> wishes(2);
    const prediction::TakenInput taken = inputs_.take(tick);
    WT_CHECK(arena::unpack(taken.command, wishes[0].command));
    wishes[0].command.shoot = false;
    if (taken.was_real && taken.has_view) {
        RebuiltShot shot{.tick = tick};
        shot.status = poses_.rebuild(tick - 1, 1, taken.view, shot.pose);
        rebuilt.push_back(shot);
    }
    // The runner turns often, at odd times.
    const std::uint64_t turn_number = server_ticks_ / 23;
    wishes[1].command = {.move_x = static_cast<std::int8_t>(turn_number % 3 == 0 ? 7 : -4),
                         .move_y = static_cast<std::int8_t>(turn_number % 2 == 0 ? -7 : 6),
                         .aim = static_cast<std::uint16_t>(server_ticks_ * 37 % 4'096)};
    world_.tick(wishes);
    poses_.record(tick + (config_.poses_are_late ? 1 : 0), 1,
                  pose_of(arena::to_state(world_.player(1)), fields_), 0);
    if (server_ticks_ % config_.snapshot_ticks != 0) return;
    const std::optional<Duration> delay = config_.down(down_count_++, now_);
    if (!delay.has_value()) return;
    Snapshot snapshot{.arrival = now_ + *delay, .tick = tick, .own = world_.player(0)};
    snapshot.feedback.resize(prediction::feedback_bytes);
    WT_CHECK(encode_feedback(inputs_.feedback(now_, tick), snapshot.feedback));
    snapshot.other = arena::to_state(world_.player(1));
    down_.push_back(snapshot);
}

inline void PredictionLab::client_frame() {
    const Instant local = config_.clock(now_);
    for (const Snapshot& snapshot : visible(down_, now_))
        apply(local, snapshot);
    lead_.advance(local, clock_);
    jitter_.advance(local);
    LabFrame frame{.at = now_};
    const prediction::Shown shown = show_other();
    Tick tick = 0;
    while (lead_.next_tick(tick)) {
        make_input(tick, shown);
        ++frame.ticks_made;
    }
    send(local);
    if (!lead_.is_synchronised()) return;
    frame.lead_q16 = (lead_.predicted() - true_ticks()).q16;
    frame.clock_error_q16 = (clock_.server_now(local) - true_ticks()).q16;
    frame.shown_q16 = jitter_.shown().q16;
    frame.view_age_q16 = (true_ticks() - jitter_.shown()).q16;
    frame.dilation_ppm = lead_.dilation_ppm();
    frame.is_starving = jitter_.is_starving();
    frames.push_back(frame);
}

inline void PredictionLab::apply(Instant local, const Snapshot& snapshot) {
    if (!versions_.empty() && snapshot.tick <= versions_.back().tick) return;
    prediction::Feedback feedback;
    WT_CHECK(decode_feedback(snapshot.feedback, feedback));
    clock_.on_snapshot(local, snapshot.tick, feedback);
    jitter_.on_snapshot(local, snapshot.tick);
    applied_.add(snapshot.tick);
    if (!lead_.is_synchronised() && clock_.has_estimate()) {
        lead_.synchronise(local, clock_);
        synchronised_at = now_;
    }
    lead_.on_snapshot(local, snapshot.tick, feedback);
    versions_.push_back({.tick = snapshot.tick, .state = snapshot.other});
    if (versions_.size() > 10) versions_.erase(versions_.begin());
    if (!lead_.is_synchronised()) return;
    arena::PlayerState predicted;
    switch (own_.confirm(snapshot.tick, snapshot.own, predicted)) {
        case prediction::Confirmation::corrected:
            correction_times.push_back(now_);
            correction_mm.push_back(arena::distance_mm(predicted, snapshot.own));
            break;
        case prediction::Confirmation::ahead:
            ++ahead_of_prediction;
            own_.start(snapshot.tick, snapshot.own);
            break;
        case prediction::Confirmation::matched:
        case prediction::Confirmation::rebased:
        case prediction::Confirmation::stale:
            break;
    }
}

inline prediction::Shown PredictionLab::show_other() {
    if (versions_.empty()) return {};
    return prediction::show({.versions = versions_},
                            {.applied = applied_,
                             .gap_ticks = 3 * config_.snapshot_ticks,
                             .beyond_ticks = config_.rate.per_second / 10},
                            fields_, jitter_.shown());
}

inline void PredictionLab::make_input(Tick tick, const prediction::Shown& shown) {
    arena::Command command = config_.walk(tick);
    command.shoot = tick % 15 == 0;
    const bool has_view = command.shoot && !versions_.empty();
    if (has_view) shots.push_back({.tick = tick, .seen = shown.pose, .as = shown.as});
    history_.record(tick, arena::pack(command), has_view ? &shown.view : nullptr);
    command.shoot = false;
    if (!own_.is_started()) return;
    if (own_.predict(tick, command)) return;
    // Ticks between the truth and the first prediction: nobody made inputs for them.
    while (own_.newest() + 1 < tick && own_.predict(own_.newest() + 1, {})) {
    }
    (void)own_.predict(tick, command);
}

inline void PredictionLab::send(Instant local) {
    prediction::InputMessage message;
    bool is_fresh = history_.next_message(config_.repeats, message);
    if (!is_fresh) {
        // Nothing to play yet: only the clock, so that it comes back.
        const Tick newest = versions_.empty() ? config_.first_tick : versions_.back().tick;
        message.newest_tick = static_cast<std::uint32_t>(newest);
    }
    do {
        message.client_clock_us = prediction::ClockSync::wire_clock(local);
        put(message);
        is_fresh = is_fresh && history_.next_message(config_.repeats, message);
    } while (is_fresh);
}

inline void PredictionLab::put(const prediction::InputMessage& message) {
    const std::optional<Duration> delay = config_.up(up_count_++, now_);
    if (!delay.has_value()) return;
    std::array<std::uint8_t, prediction::input_bytes_max> bytes{};
    const std::size_t size = encode_input(message, bytes);
    WT_CHECK(size > 0);
    up_.push_back({.arrival = now_ + *delay, .bytes = {bytes.begin(), bytes.begin() + size}});
}

}  // namespace wt::test
