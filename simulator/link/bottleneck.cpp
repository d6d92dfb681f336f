// SPDX-License-Identifier: MIT
#include "simulator/link/bottleneck.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/wide.hpp"

namespace wt::sim {

Bottleneck::Bottleneck(LuckKey key, std::span<const DirectionSegment> timeline,
                       std::optional<SojournClock> bad)
    : key_(key), timeline_(timeline), config_(timeline.front().config.get()), bad_(std::move(bad)) {
    const DirectionConfig& first = config_->config;
    for (const CrossConfig& cross : first.cross)
        flows_.emplace_back(key.with("cross").with(cross.name), cross, first.delay);
    if (!judges_at_turns(first.discipline)) return;
    const bool is_fair = first.discipline == Discipline::fq_codel;
    turns_.emplace(TurnQueue::Shape{.buckets = is_fair ? first.fair.buckets : 1,
                                    .quantum = first.fair.quantum,
                                    .has_codel = is_fair});
    for (const CrossConfig& cross : first.cross)
        flow_buckets_.push_back(bucket_of(LuckKey{}.with("cross").with(cross.name)));
}

void Bottleneck::enter(const CompiledDirection& config) {
    config_ = &config;
    if (config.opportunities == source_) return;
    source_ = config.opportunities;
    // Radios do not share their slots' instants; a recorded drive is one drive for everybody.
    const bool is_slotted = config.config.slot.every > Duration{};
    const std::uint64_t span = static_cast<std::uint64_t>(config.config.slot.every.ns);
    const std::uint64_t offset = uniform_below(key_.with("slot").draw(0), is_slotted ? span : 1);
    opportunities_ = Opportunities(config.opportunities, {static_cast<std::int64_t>(offset)});
}

// The flow that wants something first, at `now` at the latest; of several at one instant the first
// in the file.
CrossFlow* Bottleneck::first_flow(Instant now) {
    CrossFlow* first = nullptr;
    for (CrossFlow& flow : flows_) {
        if (flow.next_at() > now) continue;
        if (first == nullptr || flow.next_at() < first->next_at()) first = &flow;
    }
    return first;
}

void Bottleneck::advance(Instant now) {
    if (has_turns()) return work(now, false);
    while (true) {
        CrossFlow* const first = first_flow(now);
        if (first == nullptr) return;
        first->run([this](Instant at, std::uint32_t bytes, std::uint64_t luck) {
            const Passage passage = pass(at, bytes, luck);
            if (passage.cause == DropCause::none) return CrossFate{false, passage.left};
            return CrossFate{true, std::max(at, queue_.busy_until())};
        });
    }
}

Bottleneck::Passage Bottleneck::pass(Instant entry, std::uint32_t whole_bytes, std::uint64_t luck) {
    const bool is_narrow = config_->has_rate() || config_->opportunities != nullptr;
    if (!is_narrow && queue_.busy_until() <= entry) {
        return {.cause = DropCause::none, .started = entry, .left = entry};
    }
    if (!queue_.has_room(entry, whole_bytes, config_->config.queue))
        return {.cause = DropCause::queue, .started = entry, .left = entry};
    if (config_->config.discipline != Discipline::droptail && is_discarded(entry, luck)) {
        // It stood in the queue until its turn.
        queue_.stand(whole_bytes);
        return {.cause = DropCause::aqm, .started = entry, .left = entry};
    }
    return serve(entry, whole_bytes);
}

Bottleneck::Passage Bottleneck::serve(Instant entry, std::uint32_t whole_bytes) {
    if (config_->opportunities == nullptr) {
        const auto rates = [this](Instant at) { return span_at(at); };
        const Instant left = queue_.serve(entry, whole_bytes, rates);
        return {.cause = DropCause::none, .started = queue_.started(), .left = left};
    }
    const Instant turn = std::max(entry, queue_.busy_until());
    const std::optional<Opportunities::Service> service = opportunities_.serve(turn, whole_bytes);
    // The recording is over: nothing leaves any more.
    if (!service) return {.cause = DropCause::queue, .started = entry, .left = entry};
    queue_.occupy(service->left, whole_bytes);
    return {.cause = DropCause::none, .started = service->started, .left = service->left};
}

bool Bottleneck::is_discarded(Instant entry, std::uint64_t luck) {
    return aqm_.drops(config_->config.discipline, view_of(entry), luck);
}

QueueView Bottleneck::view_of(Instant entry) {
    QueueView view;
    view.now = entry;
    view.turn = std::max(entry, queue_.busy_until());
    view.waiting_bytes = queue_.waiting_bytes();
    if (config_->opportunities == nullptr)
        view.bits_per_second = span_at(view.turn).bits_per_second;
    const QueueConfig& limit = config_->config.queue;
    switch (limit.unit) {
        case QueueConfig::Unit::none:
            break;
        case QueueConfig::Unit::bytes:
            view.limit_bytes = limit.bytes;
            break;
        case QueueConfig::Unit::packets:
            view.limit_bytes = limit.packets * full_packet_bytes;
            break;
        case QueueConfig::Unit::time: {
            const Wide bits = static_cast<Wide>(view.bits_per_second) *
                              static_cast<Wide>(limit.time.ns) / 1'000'000'000;
            view.limit_bytes = static_cast<std::uint64_t>(bits / 8);
            break;
        }
    }
    return view;
}

RateSpan Bottleneck::span_at(Instant at) {
    while (segment_ + 1 < timeline_.size() && timeline_[segment_ + 1].start <= at) {
        ++segment_;
        if (bad_.has_value()) {
            const Instant start = timeline_[segment_].start;
            bad_->advance(start);
            bad_->set_means(start, timeline_[segment_].config->bad_means);
        }
    }
    const DirectionConfig& config = timeline_[segment_].config->config;
    RateSpan span{config.rate.bits_per_second, Instant::never()};
    if (segment_ + 1 < timeline_.size()) span.until = timeline_[segment_ + 1].start;
    if (config.bad.has_value() && config.bad->rate.bits_per_second != 0) {
        bad_->advance(at);
        if (bad_->is_bad()) span.bits_per_second = config.bad->rate.bits_per_second;
        span.until = std::min(span.until, bad_->end());
    }
    return span;
}

}  // namespace wt::sim
