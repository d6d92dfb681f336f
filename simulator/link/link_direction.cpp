// SPDX-License-Identifier: MIT
#include "simulator/link/link_direction.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"

namespace wt::sim {

namespace {

// The clock of bursts in time, if any part of the direction's life has them.
std::optional<SojournClock> burst_clock(LuckKey key, const DirectionTimeline& timeline) {
    for (const DirectionSegment& segment : timeline) {
        if (segment.config->config.burst.unit != BurstConfig::Unit::time) continue;
        return SojournClock(key.with("burst sojourns"), segment.config->config.loss,
                            timeline.front().config->burst_means);
    }
    return std::nullopt;
}

std::optional<SojournClock> bad_clock(LuckKey key, const DirectionTimeline& timeline) {
    for (const DirectionSegment& segment : timeline) {
        if (!segment.config->config.bad.has_value()) continue;
        return SojournClock(key.with("bad sojourns"), segment.config->config.bad->share,
                            timeline.front().config->bad_means);
    }
    return std::nullopt;
}

std::optional<Drift> drift_clock(LuckKey key, const DirectionTimeline& timeline) {
    for (const DirectionSegment& segment : timeline) {
        if (segment.config->config.jitter.drift != Duration{}) return Drift(key.with("drift"));
    }
    return std::nullopt;
}

DirectionTimeline checked(DirectionTimeline timeline) {
    WT_CHECK(!timeline.empty());
    WT_CHECK(timeline.front().start == Instant{});
    // Nobody can change queues while somebody stands in one of them.
    const DirectionConfig& first = timeline.front().config->config;
    for (const DirectionSegment& segment : timeline) {
        const DirectionConfig& config = segment.config->config;
        const bool is_same = config.discipline == first.discipline && config.fair == first.fair;
        WT_CHECK(is_same ||
                 (!judges_at_turns(first.discipline) && !judges_at_turns(config.discipline)));
    }
    return timeline;
}

PeriodicHold hold_of(LuckKey key, Duration every, Duration length) {
    return every == Duration{} ? PeriodicHold{} : PeriodicHold(key, every, length);
}

}  // namespace

void Fate::suffer(const FaultPlan& fault) {
    switch (fault.action) {
        case FaultAction::drop:
            *this = {.cause = DropCause::exact};
            break;
        case FaultAction::delay:
            // Behind the keeping of order, so that it holds nobody else back.
            for (unsigned copy = 0; copy < copies; ++copy)
                arrival[copy] += fault.by;
            break;
        case FaultAction::duplicate:
            if (copies == 0) break;
            exact_copies = fault.copies;
            exact_gap = fault.after;
            break;
        case FaultAction::corrupt:
        case FaultAction::replay:
            break;
    }
}

LinkDirection::LinkDirection(LuckKey key, DirectionTimeline timeline)
    : timeline_(checked(std::move(timeline))),
      key_(key),
      weather_(key),
      burst_(burst_clock(key, timeline_)),
      bad_(bad_clock(key, timeline_)),
      drift_(drift_clock(key, timeline_)),
      bottleneck_(key, timeline_, bad_) {
    start_segment({});
}

Fate LinkDirection::send(Instant now, std::uint32_t bytes, transport::WeatherTag tag,
                         const FaultPlan* fault, Ticket ticket) {
    enter(now);
    if (log_ != nullptr) explain_states();
    // Always counted, so that no datagram's fate moves another's luck.
    const WeatherPlace place = weather_.next_place(now, tag);
    const std::uint32_t whole_bytes = bytes + header_bytes;
    ++counters_.sent;
    counters_.bytes += whole_bytes;
    Fate fate;
    if (config_->n1.has_value()) {
        fate = send_n1(now);
    } else {
        const bool is_meant = fault != nullptr && fault->action == FaultAction::drop;
        const bool is_let_by = mutated<"t07-bypass">() && tag == transport::WeatherTag::handshake;
        if (!is_let_by) fate.cause = judge(now, place, whole_bytes, is_meant);
        if (fate.cause == DropCause::none && has_turns()) {
            wait(now, whole_bytes, {now, place, counters_.sent, fault, ticket.number, true},
                 ticket.flow);
            fate.is_waiting = true;
            return fate;
        }
        if (fate.cause == DropCause::none) deliver(now, whole_bytes, place, fate);
    }
    finish(fault, fate);
    return fate;
}

void LinkDirection::finish(const FaultPlan* fault, Fate& fate) {
    if (fault != nullptr) fate.suffer(*fault);
    if (fate.cause != DropCause::none) counters_.dropped.count(fate.cause);
    if (fate.copies == 2) ++counters_.duplicated;
    counters_.duplicated += fate.exact_copies;
}

void LinkDirection::wait(Instant now, std::uint32_t whole_bytes, const Waiting& waiting,
                         std::uint64_t flow) {
    if (free_waiting_.empty()) {
        constexpr std::size_t waiting_first = 64;
        const std::size_t from = waiting_.size();
        waiting_.resize(from == 0 ? waiting_first : from * 2);
        free_waiting_.reserve(waiting_.size());
        for (std::size_t i = waiting_.size(); i > from; --i)
            free_waiting_.push_back(static_cast<std::uint32_t>(i - 1));
    }
    const std::uint32_t slot = free_waiting_.back();
    free_waiting_.pop_back();
    waiting_[slot] = waiting;
    bottleneck_.join(entry_of(now), whole_bytes, flow, slot);
}

bool LinkDirection::settle(Instant now, Settled& out) {
    WT_CHECK(has_turns());
    enter(now);
    bottleneck_.take_turns(now);
    Bottleneck::Settled known;
    if (!bottleneck_.next_settled(known)) return false;
    const Waiting waiting = waiting_[known.number];
    waiting_[known.number].is_taken = false;
    free_waiting_.push_back(known.number);
    out = {.number = waiting.number, .came = waiting.came, .decided = known.decided, .fate = {}};
    out.fate.cause = known.passage.cause;
    if (out.fate.cause == DropCause::none) {
        // What is behind the queue is that of the turn: nothing may arrive sooner than the floor
        // that holds now says.
        WT_CHECK(known.decided == now);
        out.fate.queue_wait = known.passage.started - waiting.came;
        out.fate.service = known.passage.left - known.passage.started;
        travel(now, known.passage.left, waiting.place, waiting.ordinal, out.fate);
    }
    finish(waiting.fault, out.fate);
    return true;
}

std::vector<std::uint32_t> LinkDirection::waiting() const {
    std::vector<std::uint32_t> numbers;
    for (const Waiting& waiting : waiting_) {
        if (waiting.is_taken) numbers.push_back(waiting.number);
    }
    return numbers;
}

Fate LinkDirection::pass(Instant now) {
    enter(now);
    ++counters_.duplicated;
    Fate fate;
    fate.copies = 1;
    fate.arrival[0] = now + config_->floor;
    return fate;
}

std::optional<Duration> LinkDirection::bad_for(Instant at) const {
    std::optional<SojournClock> clock = bad_clock(key_, timeline_);
    if (!clock.has_value()) return std::nullopt;
    Instant since{};
    for (std::size_t i = 0; i < timeline_.size() && timeline_[i].start <= at; ++i) {
        clock->advance(timeline_[i].start);
        clock->set_means(timeline_[i].start, timeline_[i].config->bad_means);
        const Instant end = i + 1 < timeline_.size() ? timeline_[i + 1].start : Instant::never();
        while (clock->end() <= std::min(end, at)) {
            since = clock->end();
            clock->advance(since);
        }
    }
    if (!clock->is_bad()) return std::nullopt;
    return at - since;
}

void LinkDirection::enter(Instant now) {
    while (segment_ + 1 < timeline_.size() && timeline_[segment_ + 1].start <= now) {
        ++segment_;
        bottleneck_.advance(timeline_[segment_].start);
        start_segment(timeline_[segment_].start);
    }
    bottleneck_.advance(now);
    if (burst_.has_value()) burst_->advance(now);
    if (bad_.has_value()) bad_->advance(now);
}

void LinkDirection::start_segment(Instant start) {
    config_ = timeline_[segment_].config.get();
    if (burst_.has_value()) {
        burst_->advance(start);
        burst_->set_means(start, config_->burst_means);
    }
    if (bad_.has_value()) {
        bad_->advance(start);
        bad_->set_means(start, config_->bad_means);
    }
    if (drift_.has_value()) {
        (void)drift_->quantile_at(start);
        drift_->set_memory(config_->config.jitter.drift);
    }
    bottleneck_.enter(*config_);
    const SuspendConfig& suspend = config_->config.suspend;
    suspend_ = hold_of(key_.with("suspend"), suspend.every, suspend.length);
    const HandoverConfig& handover = config_->config.handover;
    handover_ = hold_of(key_.with("handover"), handover.every, handover.gap);
    if (config_->n1.has_value()) {
        // The seed's own default is seed 1 for every link; here each direction has its own luck.
        const std::uint32_t seed = static_cast<std::uint32_t>(key_.with("n1").draw(0) >> 32);
        const bool is_taken = n1_.reset(*config_->n1, seed);
        WT_CHECK(is_taken);
    }
}

bool LinkDirection::holds(Purpose purpose, WeatherPlace place, Chance chance) const {
    const bool is_so = weather_.holds(purpose, place, chance);
    if (log_ == nullptr || chance == Chance::never()) return is_so;
    const std::uint64_t draw = weather_.draw(purpose, place);
    log_->draws.push_back({purpose, static_cast<std::uint32_t>(draw >> 32), chance, is_so});
    return is_so;
}

// What holds on the clock, whoever sends.
void LinkDirection::explain_states() {
    log_->draws.clear();
    *log_ = {.draws = std::move(log_->draws)};
    log_->base = config_->config.delay;
    if (burst_.has_value()) {
        log_->is_in_burst = burst_->is_bad();
        log_->burst_until = burst_->end();
    }
    if (bad_.has_value() && config_->config.bad.has_value()) {
        log_->is_in_bad_state = bad_->is_bad();
        log_->bad_until = bad_->end();
    }
}

DropCause LinkDirection::judge(Instant now, WeatherPlace place, std::uint32_t whole_bytes,
                               bool is_meant) {
    const DirectionConfig& config = config_->config;
    // The chain steps for every datagram, also for those that vanish for another reason.
    const bool is_lost = steps_to_loss(place);
    if (is_meant) return DropCause::exact;
    if (config.mtu != 0 && whole_bytes > config.mtu && !mutated<"mtu">())
        return config.has_mtu_reply ? DropCause::mtu_reply : DropCause::mtu;
    const bool is_immune = mutated<"t04-empty">() && whole_bytes == header_bytes;
    if ((is_lost && !is_immune) || is_listed()) return DropCause::loss;
    if (config.bad.has_value() && bad_->is_bad() &&
        holds(Purpose::bad_loss, place, config.bad->loss)) {
        return DropCause::bad_state;
    }
    if (handover_.released(now) != now && holds(Purpose::handover, place, config.handover.loss)) {
        return DropCause::loss;
    }
    if (config.police.burst != 0 && !policer_.take(now, whole_bytes, config.police))
        return DropCause::police;
    return DropCause::none;
}

// The datagram in hand is number counters_.sent.
bool LinkDirection::is_listed() const {
    const DropsConfig& drops = config_->config.drops;
    if (drops.every != 0 && counters_.sent % drops.every == 0) return true;
    return std::binary_search(drops.list.begin(), drops.list.end(), counters_.sent);
}

// What a handover or the sender's radio holds comes when that is over, and never before what came
// earlier: a change may end a hold that has already been promised.
Instant LinkDirection::entry_of(Instant now) {
    Instant entry = handover_.released(now);
    if (config_->config.suspend.side == SuspendConfig::Side::sender)
        entry = suspend_.released(entry);
    last_entry_ = std::max(last_entry_, entry);
    return last_entry_;
}

// Everything behind the bottleneck that has nothing to do with order.
Duration LinkDirection::later_by(Instant now, WeatherPlace place, std::uint64_t number) {
    const DirectionConfig& config = config_->config;
    std::int64_t jitter = 0;
    if (config.jitter.kind != JitterConfig::Kind::none) {
        const bool has_drift = config.jitter.drift != Duration{};
        const std::uint64_t draw =
            has_drift ? drift_->quantile_at(now) : weather_.draw(Purpose::jitter, place);
        jitter = config_->jitter.at(draw);
        if (jitter < 0) {
            jitter = 0;
            ++counters_.jitter_clamps;
        }
        if (log_ != nullptr) {
            log_->draws.push_back(
                {Purpose::jitter, static_cast<std::uint32_t>(draw >> 32), {}, false});
            log_->jitter = {jitter};
        }
    }
    Duration later = config.delay + Duration{jitter};
    if (mutated<"t08-added">()) later += Duration::micros(1);
    if (config.trace.lateness != nullptr) {
        const LatenessList& list = *config.trace.lateness;
        const std::uint64_t index = number - 1;
        if (list.wraps || index < list.late.size())
            later += Duration{list.late[static_cast<std::size_t>(index % list.late.size())]};
    }
    if (config.bad.has_value() && bad_->is_bad()) {
        later += config.bad->extra_delay;
        if (log_ != nullptr) log_->bad_state = config.bad->extra_delay;
    }
    if (config.handover.step > Duration{}) {
        const std::uint64_t draw = key_.with("handover step").draw(handover_.count(now));
        const std::uint64_t span = static_cast<std::uint64_t>(config.handover.step.ns) + 1;
        later += Duration{static_cast<std::int64_t>(uniform_below(draw, span))};
    }
    return later;
}

bool LinkDirection::steps_to_loss(WeatherPlace place) {
    const DirectionConfig& config = config_->config;
    // Both ends are exact whatever the burst says.
    if (config.loss == Chance::never()) return false;
    if (config.loss >= Chance::always()) return !mutated<"t10-certain">();
    switch (config.burst.unit) {
        case BurstConfig::Unit::none:
            // A twentieth less than was asked for.
            if (mutated<"t02-mean">() && counters_.sent % 20 == 0) return false;
            return holds(Purpose::loss, place, config.loss);
        case BurstConfig::Unit::time:
            return burst_->is_bad();
        case BurstConfig::Unit::packets:
            break;
    }
    const std::uint32_t draw =
        static_cast<std::uint32_t>(weather_.draw(Purpose::burst, place) >> 32);
    const bool stays = chain_has_begun_ && chain_is_bad_;
    const Chance chance = stays              ? config_->burst_leave
                          : chain_has_begun_ ? config_->burst_enter
                                             : config.loss;
    const bool turns = chance.holds(draw);
    // In a burst the draw decides whether it is over.
    chain_is_bad_ = turns != stays;
    chain_has_begun_ = true;
    if (log_ != nullptr) log_->draws.push_back({Purpose::burst, draw, chance, turns});
    return chain_is_bad_;
}

void LinkDirection::deliver(Instant now, std::uint32_t whole_bytes, WeatherPlace place,
                            Fate& fate) {
    const DirectionConfig& config = config_->config;
    const bool has_luck =
        config.discipline == Discipline::red || config.discipline == Discipline::pie;
    const std::uint64_t luck = has_luck ? weather_.draw(Purpose::aqm, place) : 0;
    const Bottleneck::Passage passage = bottleneck_.pass(entry_of(now), whole_bytes, luck);
    if (passage.cause != DropCause::none) {
        fate.cause = passage.cause;
        return;
    }
    fate.queue_wait = passage.started - now;
    fate.service = passage.left - passage.started;
    travel(now, passage.left, place, counters_.sent, fate);
}

void LinkDirection::travel(Instant now, Instant left, WeatherPlace place, std::uint64_t number,
                           Fate& fate) {
    const DirectionConfig& config = config_->config;
    Instant arrival = left + later_by(now, place, number);
    if (config.suspend.side == SuspendConfig::Side::receiver) arrival = suspend_.released(arrival);
    fate.was_held_back = holds(Purpose::reorder, place, config.reorder.chance);
    if (fate.was_held_back) {
        // Comes later, and holds nobody else back.
        arrival += config.reorder.by;
        if (log_ != nullptr) log_->held_back = config.reorder.by;
    } else if (config.order == LinkOrder::keep) {
        if (log_ != nullptr && last_arrival_ > arrival)
            log_->behind_earlier = last_arrival_ - arrival;
        if (!mutated<"order-keep">()) arrival = std::max(arrival, last_arrival_);
        last_arrival_ = arrival;
    }
    fate.arrival[0] = arrival;
    fate.copies = 1;
    if (holds(Purpose::duplicate, place, config.duplicate.chance)) {
        fate.arrival[1] = arrival + config.duplicate.delay;
        fate.copies = 2;
    }
    if (holds(Purpose::corrupt, place, config.corrupt.chance)) {
        fate.corruption = {true, config.corrupt.kind, weather_.draw(Purpose::corruption, place)};
        ++counters_.corrupted;
    }
}

Fate LinkDirection::send_n1(Instant now) {
    const std::uint64_t now_us = static_cast<std::uint64_t>(now.ns / 1'000);
    std::uint64_t order = 0;
    while (n1_.deliver(now_us, order)) {
        // What is due has left; its arrival was said when it was sent.
    }
    const N1Outcome outcome = n1_.send(now_us);
    Fate fate;
    switch (outcome.status) {
        case N1Status::accepted:
            fate.copies = static_cast<std::uint8_t>(outcome.copies);
            // The model counts whole microseconds; the part below one is carried over.
            fate.arrival.fill(now +
                              Duration::micros(static_cast<std::int64_t>(outcome.due_us - now_us)));
            break;
        case N1Status::dropped:
            fate.cause = DropCause::loss;
            break;
        case N1Status::full:
        case N1Status::invalid_argument:
        case N1Status::time_overflow:
        case N1Status::sequence_exhausted:
            fate.cause = DropCause::queue;
            break;
    }
    return fate;
}

}  // namespace wt::sim
