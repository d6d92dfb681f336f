// SPDX-License-Identifier: MIT
//
// What the reports from the field about the transport share: a stream of numbered messages whose
// contents are compared after delivery, one by one and in order.
#pragma once

#include <doctest/doctest.h>

#include <vector>

#include "tests/sim/lab.hpp"

namespace wt::sim {

// `size` bytes that say which message they are.
inline std::vector<std::uint8_t> numbered(std::uint64_t number, std::size_t size) {
    std::vector<std::uint8_t> bytes(size);
    for (std::size_t i = 0; i < size; ++i)
        bytes[i] = static_cast<std::uint8_t>(number >> (i % 8 * 8) ^ i / 8);
    return bytes;
}

// Messages of one lane: what was accepted, in order.
class Stream {
public:
    explicit Stream(transport::Lane lane) : lane_(lane) {}

    transport::SendStatus send(bots::Context& context, const Script& self, std::size_t size) {
        const std::vector<std::uint8_t> bytes = numbered(hashes_.size(), size);
        const transport::SendStatus status = context.endpoint.send(
            context.now, self.peer,
            {.lane = lane_, .bytes = bytes, .replace_tag = {}, .kind = transport::Kind::report});
        if (status == transport::SendStatus::ok) hashes_.push_back(content_hash(bytes));
        return status;
    }
    // Every accepted message, once, in its order, and nothing else.
    [[nodiscard]] bool arrived_at(const Script& receiver) const {
        return hashes_of(receiver) == hashes_;
    }
    [[nodiscard]] std::vector<std::uint64_t> hashes_of(const Script& receiver) const {
        std::vector<std::uint64_t> hashes;
        for (const Got& got : receiver.got)
            if (got.lane == lane_) hashes.push_back(got.hash);
        return hashes;
    }
    [[nodiscard]] std::size_t sent() const { return hashes_.size(); }

private:
    transport::Lane lane_;
    std::vector<std::uint64_t> hashes_{};
};

// A path of the lab: both directions alike.
inline LabSettings lab_of(Duration rtt, Duration length) {
    LabSettings settings;
    settings.reliability = secure::Reliability::profile_default();
    settings.up = half_of(rtt);
    settings.down = settings.up;
    settings.length = length;
    return settings;
}

// Nothing passes in either direction from `begin` for `length`.
inline void cut(Lab& lab, Instant begin, Duration length) {
    lab.plan.acts.push_back({.name = "cut",
                             .what = ActPlan::Do::partition,
                             .start = begin,
                             .end = begin + length,
                             .hosts = {1}});
}

}  // namespace wt::sim
