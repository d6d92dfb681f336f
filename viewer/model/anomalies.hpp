// SPDX-License-Identifier: MIT
//
// From one thing that is out of the ordinary to the next. A trace holds its anomalies in order of
// time; here are the kinds that a person does not want to see, and the way through the others.
#pragma once

#include <cstdint>
#include <vector>

#include "viewer/model/source.hpp"

namespace wt::viewer {

class Anomalies {
public:
    // Counts anew where the source has more than before.
    void refresh(const Source& source);

    void hide(std::uint16_t kind, bool hidden);
    [[nodiscard]] bool is_hidden(std::uint16_t kind) const {
        return kind < hidden_.size() && hidden_[kind] != 0;
    }
    [[nodiscard]] std::size_t count(std::uint16_t kind) const {
        return kind < counts_.size() ? counts_[kind] : 0;
    }
    // Indexes of those that are shown, in order of time.
    [[nodiscard]] const std::vector<std::uint32_t>& shown() const { return shown_; }
    // Place in shown() of the first one after (the last one before) an instant; -1: none.
    [[nodiscard]] std::int64_t next(const Source& source, Instant after) const;
    [[nodiscard]] std::int64_t previous(const Source& source, Instant before) const;

private:
    void choose(const Source& source);

    const Source* source_ = nullptr;
    std::size_t seen_ = 0;
    bool is_stale_ = true;
    std::vector<std::uint8_t> hidden_;
    std::vector<std::size_t> counts_;
    std::vector<std::uint32_t> shown_;
};

}  // namespace wt::viewer
