// SPDX-License-Identifier: MIT
#include "simulator/link/aqm.hpp"

#include <algorithm>
#include <array>

#include "engine/base/mutated.hpp"
#include "engine/base/wide.hpp"

namespace wt::sim {

namespace {

constexpr std::int64_t one_q32 = std::int64_t{1} << 32;

// Service time of a full packet.
Duration packet_time(const QueueView& view) {
    if (view.bits_per_second == 0) return {};
    return {
        static_cast<std::int64_t>(full_packet_bytes * 8 * 1'000'000'000 / view.bits_per_second)};
}

}  // namespace

std::uint64_t integer_sqrt(std::uint64_t value) {
    std::uint64_t root = 0;
    for (std::uint64_t bit = std::uint64_t{1} << 31; bit != 0; bit >>= 1) {
        const std::uint64_t tried = root | bit;
        if (tried * tried <= value) root = tried;
    }
    return root;
}

// The RFC lets a queue of one packet be; whether another one is behind this one is not known yet,
// so the target is raised to a packet's time instead, as the RFC advises for slow links.
bool Codel::has_stood_too_long(const QueueView& view) {
    const Duration wait = view.turn - view.now;
    if (view.is_last || wait < std::max(target_least, packet_time(view))) {
        first_above_ = Instant::never();
        return false;
    }
    if (first_above_ == Instant::never()) {
        first_above_ = view.turn + interval;
        return false;
    }
    return view.turn >= first_above_ || mutated<"codel-interval">();
}

// interval / sqrt(count) later; the root in 2^-16.
Instant Codel::next_drop(Instant from) const {
    const std::uint64_t root_q16 = integer_sqrt(std::min(count_, std::uint64_t{1} << 30) << 32);
    return from + Duration{static_cast<std::int64_t>((static_cast<Wide>(interval.ns) << 16) /
                                                     std::max<std::uint64_t>(root_q16, 1))};
}

bool Codel::drops(const QueueView& view) {
    const bool is_bad = has_stood_too_long(view);
    if (is_dropping_) {
        if (!is_bad) {
            is_dropping_ = false;
            return false;
        }
        if (view.turn < drop_next_) return false;
        ++count_;
        drop_next_ = next_drop(drop_next_);
        return true;
    }
    if (!is_bad) return false;
    is_dropping_ = true;
    // Shortly after the last time, it goes on at nearly the rate that it had then.
    const std::uint64_t more = count_ - last_count_;
    const bool is_soon = view.turn - drop_next_ < interval * 16;
    count_ = more > 1 && is_soon ? more : 1;
    last_count_ = count_;
    drop_next_ = next_drop(view.turn);
    return true;
}

// One part in 512 of what is new each time; an idle link as if it had sent empty packets.
void Red::average(const QueueView& view) {
    constexpr unsigned weight_bits = 9;
    constexpr std::uint64_t steps_max = 8'192;
    const bool is_idle = view.turn <= view.now;
    const Duration each = packet_time(view);
    if (is_idle && each > Duration{}) {
        const std::uint64_t steps =
            std::min(static_cast<std::uint64_t>((view.now - last_).ns / each.ns), steps_max);
        for (std::uint64_t i = 0; i < steps && average_q16_ > 0; ++i)
            average_q16_ -= (average_q16_ >> weight_bits) + 1;
    }
    last_ = std::max(view.now, view.turn);
    const std::uint64_t queue_q16 = view.waiting_bytes << 16;
    if (queue_q16 >= average_q16_) {
        average_q16_ += (queue_q16 - average_q16_) >> weight_bits;
    } else {
        average_q16_ -= (average_q16_ - queue_q16) >> weight_bits;
    }
}

bool Red::drops(const QueueView& view, std::uint64_t luck) {
    average(view);
    const std::uint64_t bytes = average_q16_ >> 16;
    const std::uint64_t low = view.limit_bytes * low_share_percent / 100;
    const std::uint64_t high = view.limit_bytes * high_share_percent / 100;
    if (bytes < low || high <= low) {
        since_drop_ = 0;
        return false;
    }
    // 10 % at `high`, then up to 100 % at twice that.
    constexpr std::uint64_t tenth_q32 = static_cast<std::uint64_t>(one_q32) / 10;
    constexpr std::uint64_t rest_q32 = static_cast<std::uint64_t>(one_q32) - tenth_q32;
    std::uint64_t chance = 0;
    if (bytes < high) {
        chance =
            static_cast<std::uint64_t>(static_cast<Wide>(tenth_q32) * (bytes - low) / (high - low));
    } else {
        const std::uint64_t over = std::min(bytes - high, high);
        chance = tenth_q32 + static_cast<std::uint64_t>(static_cast<Wide>(rest_q32) * over / high);
    }
    // Spread evenly: the longer nothing was dropped, the likelier.
    ++since_drop_;
    const Wide left = static_cast<Wide>(chance) * since_drop_;
    const std::uint64_t one = static_cast<std::uint64_t>(one_q32);
    const bool is_due = left >= one;
    const std::uint64_t spread =
        is_due ? one : static_cast<std::uint64_t>((static_cast<Wide>(chance) << 32) / (one - left));
    const bool is_lost = is_due || (luck >> 32) < spread;
    if (is_lost) since_drop_ = 0;
    return is_lost;
}

// RFC 8033, section 4.2: alpha 1/8 and beta 5/4 a second of delay, less where the chance is small.
void Pie::step(Duration delay) {
    struct Scale {
        std::int64_t below_ppm;
        std::int64_t divisor;
    };
    static constexpr std::array<Scale, 6> scales{
        {{1, 2'048}, {10, 512}, {100, 128}, {1'000, 32}, {10'000, 8}, {100'000, 2}}};
    std::int64_t divisor = 1;
    for (const Scale& scale : scales) {
        if (chance_q32_ >= one_q32 / 1'000'000 * scale.below_ppm) continue;
        divisor = scale.divisor;
        break;
    }
    __extension__ using Signed = __int128;
    const Signed change = static_cast<Signed>((delay - target).ns) * one_q32 / 8 +
                          static_cast<Signed>((delay - old_delay_).ns) * one_q32 * 5 / 4;
    const std::int64_t most = chance_q32_ >= one_q32 / 10 ? one_q32 / 50 : one_q32;
    chance_q32_ += std::min(static_cast<std::int64_t>(change / 1'000'000'000 / divisor), most);
    if (delay == Duration{} && old_delay_ == Duration{}) chance_q32_ -= chance_q32_ / 50;
    chance_q32_ = std::clamp(chance_q32_, std::int64_t{0}, one_q32);
    const bool is_calm = delay < target / 2 && old_delay_ < target / 2 && chance_q32_ == 0;
    burst_left_ = is_calm ? burst : std::max(burst_left_ - update, Duration{});
    old_delay_ = delay;
}

bool Pie::drops(const QueueView& view, std::uint64_t luck) {
    // What the updates since the last datagram saw: the queue has only run empty since then.
    constexpr std::int64_t steps_max = 1'000;
    if ((view.now - next_update_).ns / update.ns > steps_max) {
        *this = Pie{};
        next_update_ = view.now;
    }
    while (next_update_ <= view.now) {
        step(std::max(view.turn - next_update_, Duration{}));
        next_update_ += update;
    }
    if (burst_left_ > Duration{}) return false;
    if (old_delay_ < target / 2 && chance_q32_ < one_q32 / 5) return false;
    if (view.waiting_bytes <= 2 * full_packet_bytes) return false;
    return static_cast<std::int64_t>(luck >> 32) < chance_q32_;
}

bool Aqm::drops(Discipline discipline, const QueueView& view, std::uint64_t luck) {
    switch (discipline) {
        case Discipline::droptail:
        case Discipline::drophead:
        case Discipline::fq_codel:
            // The latter two judge at the turn: turn_queue.
            return false;
        case Discipline::codel:
            return codel_.drops(view);
        case Discipline::red:
            return red_.drops(view, luck);
        case Discipline::pie:
            return pie_.drops(view, luck);
    }
    return false;
}

}  // namespace wt::sim
