// SPDX-License-Identifier: MIT
//
// The narrow place of a discipline that judges at turns. Everything happens in the order of its
// instants: others' packets, ours, and then the turn, which is the only one of the three that
// somebody has to wake us for, and only while something of ours waits.
#include <algorithm>

#include "engine/base/check.hpp"
#include "engine/base/wide.hpp"
#include "simulator/link/bottleneck.hpp"

namespace wt::sim {

std::uint32_t Bottleneck::bucket_of(LuckKey flow) const {
    const LuckKey key = key_.with("bucket").with(flow.value);
    return static_cast<std::uint32_t>(uniform_below(key.draw(0), turns_->buckets()));
}

void Bottleneck::join(Instant entry, std::uint32_t whole_bytes, std::uint64_t flow,
                      std::uint32_t number) {
    WT_CHECK(has_turns());
    Coming& coming = coming_.push();
    coming = {entry, bucket_of(LuckKey{flow}), whole_bytes, number};
    ++our_count_;
}

Instant Bottleneck::next_turn() {
    if (!settled_.empty()) return settled_.front().decided;
    if (our_count_ == 0) return Instant::never();
    const Instant entry = coming_.empty() ? Instant::never() : coming_.front().entry;
    return std::min(entry, turn_at());
}

void Bottleneck::take_turns(Instant now) {
    work(now, true);
    WT_CHECK(our_count_ == 0 || !settled_.empty() || next_turn() > now);
}

bool Bottleneck::next_settled(Settled& out) {
    if (settled_.empty()) return false;
    out = settled_.front();
    settled_.pop();
    return true;
}

void Bottleneck::work(Instant now, bool with_turns) {
    while (true) {
        CrossFlow* const flow = first_flow(now);
        const Instant crosses = flow != nullptr ? flow->next_at() : Instant::never();
        const Instant comes = coming_.empty() ? Instant::never() : coming_.front().entry;
        const Instant turn = turn_at();
        const Instant next = std::min({crosses, comes, turn});
        if (next > now) return;
        if (crosses == next) {
            const std::uint32_t owner = static_cast<std::uint32_t>(flow - flows_.data());
            flow->run([&](Instant at, std::uint32_t bytes, std::uint64_t) {
                admit(at, flow_buckets_[owner], {at, bytes, owner, 0});
                return CrossFate{.is_waiting = true};
            });
        } else if (comes == next) {
            const Coming coming = coming_.front();
            coming_.pop();
            admit(comes, coming.bucket, {comes, coming.bytes, ours, coming.number});
        } else {
            // Whoever else comes at this very instant still takes part in its turn.
            if (turn == now && !with_turns) return;
            take_turn(turn);
        }
    }
}

void Bottleneck::admit(Instant entry, std::uint32_t bucket, const WaitingPacket& packet) {
    if (turns_->is_empty()) turn_from_ = entry;
    turns_->add(bucket, packet);
    queue_.settle(entry);
    while (!turns_->is_empty() && is_over(entry, packet.bytes))
        tell(turns_->drop_from_fattest(), entry, {.cause = DropCause::queue});
}

// Whether more waits than the limit allows. A limit in time is about what is in front of the
// newest.
bool Bottleneck::is_over(Instant entry, std::uint32_t newest_bytes) {
    const QueueConfig& limit = config_->config.queue;
    switch (limit.unit) {
        case QueueConfig::Unit::none:
            return false;
        case QueueConfig::Unit::bytes:
            return queue_.waiting_bytes() + turns_->bytes() > limit.bytes;
        case QueueConfig::Unit::packets:
            return queue_.waiting_count() + turns_->count() > limit.packets;
        case QueueConfig::Unit::time: {
            const std::uint64_t rate = rate_at(std::max(entry, queue_.busy_until()));
            if (rate == 0) return false;
            const std::uint64_t front =
                turns_->bytes() - std::min<std::uint64_t>(newest_bytes, turns_->bytes());
            const Wide ns = static_cast<Wide>(front) * 8 * 1'000'000'000 / rate;
            const Duration line = std::max(queue_.busy_until() - entry, Duration{});
            return line + Duration{static_cast<std::int64_t>(ns)} > limit.time;
        }
    }
    return false;
}

// 0 where nothing limits it. Of slots and recordings what passes in the long run.
std::uint64_t Bottleneck::rate_at(Instant at) {
    if (config_->opportunities != nullptr) return opportunities_.bits_per_second();
    return span_at(at).bits_per_second;
}

// When the next one may begin to leave; never, with nobody there.
Instant Bottleneck::turn_at() {
    if (turns_->is_empty()) return Instant::never();
    const Instant free = std::max(queue_.busy_until(), turn_from_);
    if (config_->opportunities == nullptr) return free;
    // After a recording's end turns only say that nothing leaves any more.
    return opportunities_.first_from(free).value_or(free);
}

void Bottleneck::take_turn(Instant at) {
    while (true) {
        const std::optional<TurnQueue::Turn> turn = turns_->take(at, rate_at(at));
        if (!turn.has_value()) return;
        if (turn->is_dropped) {
            tell(turn->packet, at, {.cause = DropCause::aqm});
            continue;
        }
        queue_.settle(at);
        tell(turn->packet, at, serve(at, turn->packet.bytes));
        return;
    }
}

void Bottleneck::tell(const WaitingPacket& packet, Instant at, const Passage& passage) {
    const bool is_lost = passage.cause != DropCause::none;
    if (packet.owner != ours) {
        flows_[packet.owner].learn({.is_lost = is_lost, .left = is_lost ? at : passage.left});
        return;
    }
    --our_count_;
    Settled& settled = settled_.push();
    settled = {packet.number, at, passage};
}

}  // namespace wt::sim
