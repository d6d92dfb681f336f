// SPDX-License-Identifier: MIT
//
// One client and the arena's server on two ways with chosen delays, without session, replication
// or transport: what prediction does by itself, tick by tick and frame by frame. The client walks
// (slot 0) and shoots at a runner (slot 1) whose commands are the server's own.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "engine/arena/arena.hpp"
#include "engine/arena/direction.hpp"
#include "engine/arena/player_simulation.hpp"
#include "engine/arena/schemas.hpp"
#include "engine/base/check.hpp"
#include "engine/prediction/clock_sync.hpp"
#include "engine/prediction/input_history.hpp"
#include "engine/prediction/interpolator.hpp"
#include "engine/prediction/jitter_buffer.hpp"
#include "engine/prediction/lead_controller.hpp"
#include "engine/prediction/server_inputs.hpp"

namespace wt::test {

using prediction::Tick;

// Delay of the n-th message sent at an instant; nothing: lost.
using Way = std::function<std::optional<Duration>(std::uint64_t n, Instant sent)>;

inline Way fixed_way(Duration delay) {
    return [delay](std::uint64_t, Instant) { return std::optional<Duration>(delay); };
}

struct LabConfig {
    Frequency rate{60};
    std::uint32_t snapshot_ticks = 3;
    Frequency frames{60};
    Duration frame_phase = Duration::millis(3);  // Of client frames against server ticks.
    std::uint64_t first_tick = 0;
    std::uint32_t repeats = 2;
    Way up = fixed_way({});
    Way down = fixed_way({});
    // What the client's clock shows at a true instant.
    std::function<Instant(Instant)> clock = [](Instant now) { return now + Duration::seconds(7); };
    std::function<bool(Instant)> is_paused = [](Instant) { return false; };
    // Commands of the client for its tick; shots are added each 15 ticks.
    std::function<arena::Command(Tick)> walk = [](Tick tick) {
        const std::int8_t way = tick / 40 % 2 == 0 ? std::int8_t{5} : std::int8_t{-5};
        return arena::Command{.move_x = way, .move_y = 3, .aim = 100};
    };
    std::int32_t broken_by_mm = 0;
    Duration rewind_max = Duration::millis(400);
    // Deliberate breaks: no room for jitter, no lead, times that are only ever walked, poses kept
    // under the tick after theirs.
    bool has_no_buffer = false;
    bool has_no_lead = false;
    bool nothing_jumps = false;
    bool poses_are_late = false;
};

// What a test may ask afterwards, frame by frame.
struct LabFrame {
    Instant at{};
    std::int64_t lead_q16 = 0;         // Predicted time - server's true time, in ticks.
    std::int64_t clock_error_q16 = 0;  // Estimate - truth.
    std::int64_t shown_q16 = 0;
    std::int64_t view_age_q16 = 0;
    std::int64_t dilation_ppm = 0;
    bool is_starving = false;
    std::uint32_t ticks_made = 0;
};

class PredictionLab {
public:
    struct Shot {
        Tick tick = 0;
        prediction::Pose seen{};
        prediction::ShownAs as = prediction::ShownAs::held;
    };
    struct RebuiltShot {
        Tick tick = 0;
        prediction::Pose pose{};
        prediction::RewindStatus status = prediction::RewindStatus::ok;
    };

    explicit PredictionLab(const LabConfig& config)
        : config_(config),
          world_({.tick_rate = config.rate,
                  .first_tick = config.first_tick,
                  .players_max = 2,
                  .activity = {.objects = 0},
                  .rewind_max = config.rewind_max}),
          inputs_({.tick_rate = config.rate, .repeat_mask = arena::repeatable_bits}),
          poses_({.slots = 2,
                  .ticks_max = rewind_ticks(),
                  .span_max = 63 - rewind_ticks(),
                  .beyond_max = config.rate.per_second / 10,
                  .angle_bits = arena::facing_bits}),
          clock_(config.rate),
          lead_(lead_of(config)),
          own_({.rate = config.rate, .broken_by_mm = config.broken_by_mm}),
          jitter_(jitter_of(config)) {
        world_.join(0);
        world_.join(1);
        world_.teleport(0, arena::millimetres(40'000), arena::millimetres(40'000));
        world_.teleport(1, arena::millimetres(44'000), arena::millimetres(46'000));
        fields_ = arena::pose_fields(arena::avatar_kind);
    }

    // Runs on from where it stood.
    void run(Duration length);

    // The server's tick count as a continuous true time.
    [[nodiscard]] prediction::TickTime true_ticks() const {
        return prediction::clock_ticks(now_, config_.rate) +
               prediction::TickTime::at(config_.first_tick);
    }
    [[nodiscard]] const prediction::InputCounters& input_counters() const {
        return inputs_.counters();
    }

    std::vector<LabFrame> frames{};
    std::vector<Instant> correction_times{};
    std::vector<std::uint32_t> correction_mm{};
    std::vector<Shot> shots{};
    std::vector<RebuiltShot> rebuilt{};
    std::optional<Instant> synchronised_at{};
    std::uint64_t ahead_of_prediction = 0;  // Snapshots newer than anything predicted (F35).

    prediction::LeadController& lead() { return lead_; }
    prediction::JitterBuffer& jitter() { return jitter_; }
    prediction::ClockSync& clock() { return clock_; }
    prediction::Reconciler<arena::PlayerSimulation>& own() { return own_; }
    prediction::PoseHistory& poses() { return poses_; }

private:
    struct UpMessage {
        Instant arrival{};
        std::vector<std::uint8_t> bytes{};
    };
    struct Snapshot {
        Instant arrival{};
        Tick tick = 0;
        std::vector<std::uint8_t> feedback{};
        arena::PlayerState own{};
        replication::State other{};
    };

    [[nodiscard]] std::uint32_t rewind_ticks() const;
    [[nodiscard]] static prediction::LeadConfig lead_of(const LabConfig& config);
    [[nodiscard]] static prediction::JitterConfig jitter_of(const LabConfig& config);
    template <class Message>
    static std::vector<Message> visible(std::vector<Message>& waiting, Instant now);
    void server_tick();
    void client_frame();
    void apply(Instant local, const Snapshot& snapshot);
    prediction::Shown show_other();
    void make_input(Tick tick, const prediction::Shown& shown);
    void send(Instant local);
    void put(const prediction::InputMessage& message);

    LabConfig config_;
    arena::Arena world_;
    prediction::ServerInputs inputs_;
    prediction::PoseHistory poses_;
    prediction::PoseFields fields_{};
    prediction::ClockSync clock_;
    prediction::LeadController lead_;
    prediction::InputHistory history_;
    prediction::Reconciler<arena::PlayerSimulation> own_;
    prediction::JitterBuffer jitter_;
    std::vector<prediction::Version> versions_;
    prediction::AppliedTicks applied_;
    std::vector<UpMessage> up_;
    std::vector<Snapshot> down_;
    Instant now_{};
    std::uint64_t server_ticks_ = 0;
    std::uint64_t frame_count_ = 0;
    std::uint64_t up_count_ = 0;
    std::uint64_t down_count_ = 0;
};

}  // namespace wt::test

#include "tests/support/prediction_lab.inl"
