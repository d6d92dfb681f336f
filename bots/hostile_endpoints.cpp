// SPDX-License-Identifier: MIT
#include "bots/hostile_endpoints.hpp"

#include <algorithm>
#include <cstring>

#include "engine/base/check.hpp"
#include "engine/secure/handshake.hpp"

namespace wt::bots {

namespace {
constexpr Duration make_up_for = Duration::millis(10);
}  // namespace

bool FloodingEndpoint::next_datagram(Instant now, transport::Datagram& out) {
    if (next_ > now) return false;
    // A host that could not send for a while makes up for a flush or two and no more.
    next_ = std::max(next_ + interval, now - make_up_for);
    WT_CHECK(out.room.size() >= secure::request_bytes);
    secure::Request request;
    request.protocol_version = 1;
    request.attempt = luck_.next() | 1;
    for (std::size_t at = 0; at + 8 <= request.client_key.size(); at += 8)
        store_u64(request.client_key.data() + at, luck_.next());
    secure::write_request(
        request, secure::WireKind::request,
        std::span<std::uint8_t, secure::request_bytes>(out.room.data(), secure::request_bytes));
    out.size = secure::request_bytes;
    out.to = server_;
    out.label = {};
    out.label.add(transport::Kind::handshake);
    return true;
}

void ReplayingEndpoint::restart(Instant now) {
    inner().restart(now);
    kept_.clear();
    oldest_ = 0;
    next_kept_ = 0;
}

bool ReplayingEndpoint::next_datagram(Instant now, transport::Datagram& out) {
    if (inner().next_datagram(now, out)) {
        keep(out);
        return true;
    }
    if (kept_.empty()) {
        next_ = now + interval;
        return false;
    }
    if (next_ > now) return false;
    next_ = std::max(next_ + interval, now - make_up_for);
    const Kept& again = kept_[next_kept_++ % kept_.size()];
    std::memcpy(out.room.data(), again.bytes.data(), again.size);
    out.size = again.size;
    out.to = again.to;
    out.connection = {};
    out.label = again.label;
    return true;
}

Instant ReplayingEndpoint::next_deadline() const {
    const Instant own = inner().next_deadline();
    return kept_.empty() ? own : std::min(own, next_);
}

void ReplayingEndpoint::keep(const transport::Datagram& sent) {
    if (kept_.size() < kept_max) {
        kept_.emplace_back();
        oldest_ = kept_.size() - 1;
    } else {
        oldest_ = (oldest_ + 1) % kept_max;
    }
    Kept& kept = kept_[oldest_];
    WT_CHECK(sent.size <= kept.bytes.size());
    std::memcpy(kept.bytes.data(), sent.room.data(), sent.size);
    kept.size = sent.size;
    kept.to = sent.to;
    kept.label = sent.label;
}

}  // namespace wt::bots
