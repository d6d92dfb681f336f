// SPDX-License-Identifier: MIT
#include "engine/secure/join_attempts.hpp"

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"

namespace wt::secure {

using transport::AttemptId;

namespace {

// Questions and withdrawals between two drains. Addresses that rejoin over and over within one
// step can fill it; then they are refused until the application has drained.
constexpr std::uint32_t notices_per_attempt = 4;

}  // namespace

JoinAttempts::JoinAttempts(std::uint32_t pending_max, Entropy& entropy)
    : slots_(pending_max),
      by_address_(pending_max, entropy),
      notices_(pending_max * notices_per_attempt) {
    free_.reserve(pending_max);
    for (std::uint32_t index = pending_max; index-- > 0;)
        free_.push_back(index);
}

bool JoinAttempts::has_room(bool replaces) const {
    if (free_.empty() && !replaces) return false;
    // Each attempt under way may still need one notice of withdrawal; the new one needs two.
    return notices_.size() + pending_count_ + 2 <= notices_.capacity();
}

std::uint32_t JoinAttempts::begin(const transport::Address& address, const Request& request,
                                  Instant deadline) {
    WT_CHECK(has_room(false));
    WT_CHECK(find(address) == none);
    const std::uint32_t index = free_.back();
    free_.pop_back();
    Slot& slot = slots_[index];
    ++slot.generation;
    slot.in_use = true;
    slot.asked = true;
    slot.asked_given = false;
    slot.attempt.address = address;
    slot.attempt.request = request;
    slot.attempt.deadline = deadline;
    slot.attempt.peer = none;
    slot.older = newest_;
    slot.newer = none;
    if (newest_ != none) {
        WT_CHECK(slots_[newest_].attempt.deadline <= deadline);
        slots_[newest_].newer = index;
    } else {
        oldest_ = index;
    }
    newest_ = index;
    by_address_.put(address, index);
    ++pending_count_;
    ++asked_count_;
    WT_CHECK(notices_.push({.id = id_of(index), .withdrawn = false}));
    return index;
}

void JoinAttempts::mark_answered(std::uint32_t index) {
    WT_CHECK(is_asked(index));
    slots_[index].asked = false;
    --asked_count_;
}

void JoinAttempts::mark_accepted(std::uint32_t index, std::uint32_t peer) {
    WT_CHECK(peer != none);
    WT_CHECK(!is_asked(index));
    at(index).peer = peer;
}

void JoinAttempts::move(std::uint32_t index, const transport::Address& address) {
    WT_CHECK(find(address) == none);
    Attempt& attempt = at(index);
    by_address_.remove(attempt.address);
    attempt.address = address;
    by_address_.put(address, index);
}

void JoinAttempts::end(std::uint32_t index) {
    const Attempt& attempt = at(index);
    Slot& slot = slots_[index];
    if (slot.asked) {
        mark_answered(index);
        // A question that nobody has seen needs no withdrawal: it will not be asked.
        if (slot.asked_given) WT_CHECK(notices_.push({.id = id_of(index), .withdrawn = true}));
    }
    by_address_.remove(attempt.address);
    unlink(index);
    slot.in_use = false;
    free_.push_back(index);
    --pending_count_;
}

void JoinAttempts::forget_all(Entropy& entropy) {
    free_.clear();
    for (std::uint32_t index = static_cast<std::uint32_t>(slots_.size()); index-- > 0;) {
        slots_[index].in_use = false;
        free_.push_back(index);
    }
    notices_.clear();
    by_address_.clear(entropy);
    oldest_ = none;
    newest_ = none;
    pending_count_ = 0;
    asked_count_ = 0;
}

bool JoinAttempts::next_event(transport::Event& out) {
    while (!notices_.empty()) {
        const Notice notice = notices_.front();
        notices_.pop();
        if (notice.withdrawn) {
            out = transport::AuthorisationWithdrawn{.attempt = notice.id};
            return true;
        }
        const std::uint32_t index = find(notice.id);
        if (index == none) continue;
        slots_[index].asked_given = true;
        const Attempt& attempt = at(index);
        out = transport::AuthorisationAsked{.attempt = notice.id,
                                            .address = attempt.address,
                                            .session = attempt.request.session,
                                            .token = attempt.request.token_view()};
        return true;
    }
    return false;
}

std::uint32_t JoinAttempts::find(const transport::Address& address) const {
    return by_address_.find(address);
}

std::uint32_t JoinAttempts::find(AttemptId id) const {
    if (!id.is_valid() || id.index >= slots_.size()) return none;
    const Slot& slot = slots_[id.index];
    const bool is_same = slot.generation == id.generation || mutated<"attempt-generation">();
    return slot.in_use && is_same ? id.index : none;
}

std::uint32_t JoinAttempts::find_same(const Request& request) const {
    // At most `pending_max` steps, and only for those who sent a good cookie.
    for (std::uint32_t index = oldest_; index != none; index = slots_[index].newer) {
        const Request& other = slots_[index].attempt.request;
        if (other.attempt == request.attempt && is_same_but_cookie(other, request)) return index;
    }
    return none;
}

bool JoinAttempts::is_asked(std::uint32_t index) const {
    WT_CHECK(slots_[index].in_use);
    return slots_[index].asked;
}

AttemptId JoinAttempts::id_of(std::uint32_t index) const {
    return {.index = index, .generation = slots_[index].generation};
}

JoinAttempts::Attempt& JoinAttempts::at(std::uint32_t index) {
    WT_CHECK(index < slots_.size());
    WT_CHECK(slots_[index].in_use);
    return slots_[index].attempt;
}

const JoinAttempts::Attempt& JoinAttempts::at(std::uint32_t index) const {
    WT_CHECK(index < slots_.size());
    WT_CHECK(slots_[index].in_use);
    return slots_[index].attempt;
}

void JoinAttempts::unlink(std::uint32_t index) {
    const Slot& slot = slots_[index];
    if (slot.older != none) {
        slots_[slot.older].newer = slot.newer;
    } else {
        oldest_ = slot.newer;
    }
    if (slot.newer != none) {
        slots_[slot.newer].older = slot.older;
    } else {
        newest_ = slot.older;
    }
}

}  // namespace wt::secure
