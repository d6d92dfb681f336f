// SPDX-License-Identifier: MIT
#include "viewer/model/anomalies.hpp"

#include <algorithm>

namespace wt::viewer {

void Anomalies::refresh(const Source& source) {
    if (source_ == &source && seen_ == source.anomalies().size() && !is_stale_) return;
    source_ = &source;
    choose(source);
}

void Anomalies::hide(std::uint16_t kind, bool hidden) {
    if (kind >= hidden_.size()) hidden_.resize(kind + 1u, 0);
    hidden_[kind] = hidden ? 1 : 0;
    is_stale_ = true;
}

void Anomalies::choose(const Source& source) {
    const std::span<const AnomalyInfo> all = source.anomalies();
    seen_ = all.size();
    is_stale_ = false;
    counts_.assign(source.info().anomaly_kinds.size(), 0);
    shown_.clear();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].kind < counts_.size()) ++counts_[all[i].kind];
        if (!is_hidden(all[i].kind)) shown_.push_back(static_cast<std::uint32_t>(i));
    }
}

std::int64_t Anomalies::next(const Source& source, Instant after) const {
    const std::span<const AnomalyInfo> all = source.anomalies();
    const auto found =
        std::upper_bound(shown_.begin(), shown_.end(), after,
                         [&](Instant at, std::uint32_t index) { return at < all[index].at; });
    return found == shown_.end() ? -1 : found - shown_.begin();
}

std::int64_t Anomalies::previous(const Source& source, Instant before) const {
    const std::span<const AnomalyInfo> all = source.anomalies();
    const auto found =
        std::lower_bound(shown_.begin(), shown_.end(), before,
                         [&](std::uint32_t index, Instant at) { return all[index].at < at; });
    return found - shown_.begin() - 1;
}

}  // namespace wt::viewer
