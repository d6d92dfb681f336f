// SPDX-License-Identifier: MIT
#include "engine/secure/path_validation.hpp"

#include <algorithm>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"
#include "engine/secure/wire.hpp"

namespace wt::secure {

bool PathValidation::note(Instant now, const transport::Address& from, std::size_t bytes) {
    expire(now);
    if (active_ && candidate_ == from) {
        bytes_in_ += bytes;
        return false;
    }
    const bool is_early = has_begun_ && now < begun_at_ + begin_interval;
    if (is_early && !mutated<"path-rate">()) return false;
    candidate_ = from;
    begun_at_ = now;
    next_challenge_ = now;
    bytes_in_ = bytes;
    bytes_out_ = 0;
    sent_ = 0;
    active_ = true;
    has_begun_ = true;
    return true;
}

void PathValidation::expire(Instant now) {
    if (active_ && now >= begun_at_ + lifetime) active_ = false;
}

bool PathValidation::may_send() const {
    const bool is_earned = bytes_out_ + path_challenge_bytes <= bytes_in_;
    return sent_ < challenges_max && (is_earned || mutated<"path-bytes">());
}

bool PathValidation::is_due(Instant now) const {
    return active_ && now >= next_challenge_ && now < begun_at_ + lifetime && may_send();
}

void PathValidation::note_sent(Instant now, std::uint64_t number) {
    WT_CHECK(is_due(now));
    numbers_[sent_] = number;
    ++sent_;
    bytes_out_ += path_challenge_bytes;
    next_challenge_ = now + challenge_interval;
}

bool PathValidation::is_answer(const transport::Address& from, std::uint64_t number) const {
    if (!active_ || (from != candidate_ && !mutated<"path-from-there">())) return false;
    const auto end = numbers_.begin() + sent_;
    return std::find(numbers_.begin(), end, number) != end || mutated<"path-number">();
}

Instant PathValidation::next_deadline() const {
    if (!active_) return Instant::never();
    const Instant end = begun_at_ + lifetime;
    return may_send() ? std::min(next_challenge_, end) : end;
}

}  // namespace wt::secure
