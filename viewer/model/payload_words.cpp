// SPDX-License-Identifier: MIT
#include "viewer/model/payload_words.hpp"

namespace wt::viewer {

const std::string& PayloadWords::of(std::uint64_t record) {
    static const std::string nothing;
    const auto found = known_.find(record);
    if (found != known_.end()) return found->second;
    wanted_.insert(record);
    return nothing;
}

bool PayloadWords::refresh() {
    std::size_t budget = a_frame;
    if (known_.size() > kept_max) known_.clear();
    // Upwards, so that each peer's messages are followed forward.
    while (!wanted_.empty() && budget > 0) {
        const std::uint64_t record = *wanted_.begin();
        const std::optional<trace::Told> told = teller_.tell(record, budget);
        if (!told) return false;
        wanted_.erase(wanted_.begin());
        std::string text = told->text;
        if (!told->objects.empty()) text += ": " + trace::objects_text(told->objects, objects_max);
        if (!told->envelope.empty()) text += "   " + told->envelope;
        known_.emplace(record, std::move(text));
    }
    const bool is_done = wanted_.empty();
    // Rows that were scrolled away are nobody's wish any more; those in sight ask again.
    wanted_.clear();
    return is_done;
}

}  // namespace wt::viewer
