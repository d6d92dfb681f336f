// SPDX-License-Identifier: MIT
#include "simulator/core/nat.hpp"

#include "engine/base/mutated.hpp"
#include "simulator/core/host_name.hpp"

namespace wt::sim {

Nat::Nat(const NatConfig& config) : config_(config) {
    mappings_.reserve(mappings_max);
    Mapping first;
    first.outer.port = port_number(0);
    mappings_.push_back(first);
}

void Nat::replace(Instant now, RebindKind gives, DropCause after) {
    Mapping next;
    next.outer = mappings_.back().outer;
    next.since = now;
    if (gives != RebindKind::address) next.outer.port = port_number(++ports_);
    if (gives != RebindKind::port) ++next.outer.place;
    mappings_.back().until = now;
    mappings_.back().after = after;
    if (mappings_.size() == mappings_max) mappings_.erase(mappings_.begin());
    mappings_.push_back(next);
}

DropCause Nat::judge_by(const Mapping& mapping, Instant at) const {
    if (at < mapping.since) return DropCause::no_socket;
    // Datagrams of the very instant come after whatever the timeline does in it.
    if (at >= mapping.until && !mutated<"nat-closed">()) return mapping.after;
    // Only what leaves keeps a mapping alive.
    const bool is_idle = config_.idle > Duration{} && at - mapping.touched > config_.idle;
    return is_idle ? DropCause::nat : DropCause::none;
}

DropCause Nat::judge(const OuterAddress& to, Instant at) const {
    for (std::size_t i = mappings_.size(); i-- > 0;) {
        if (mappings_[i].outer == to) return judge_by(mappings_[i], at);
    }
    return DropCause::no_socket;
}

}  // namespace wt::sim
