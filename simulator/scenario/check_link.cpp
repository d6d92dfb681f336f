// SPDX-License-Identifier: MIT
//
// What the keys of a link must be to each other, judged when the link is complete: an inherited
// value can contradict an own one, and the problem then names both places.
#include <algorithm>

#include "simulator/scenario/exact_text.hpp"
#include "simulator/scenario/reader.hpp"

namespace wt::sim {

namespace {

// States shorter than this pass between two datagrams of any game, and cost time to no effect.
constexpr Duration sojourn_min = Duration::micros(100);

struct Direction {
    std::string_view name;
    const DirectionConfig& config;
};

class LinkCheck {
public:
    LinkCheck(const Node& table, const Place& place, const std::string& title, Reading& reading)
        : table_(table), place_(place), title_(title), reading_(reading) {}

    void burst(const Direction& direction) {
        const DirectionConfig& config = direction.config;
        if (config.burst.unit == BurstConfig::Unit::none) return;
        if (config.loss == Chance::never()) {
            // Whoever says that there is none has thought of it: a range may begin there.
            if (find(direction, "loss") != nullptr) return;
            add(direction, {"burst", "loss"}, "a burst without loss",
                "say loss, or burst = \"none\"");
            return;
        }
        if (config.loss == Chance::always()) {
            add(direction, {"burst", "loss"}, "a burst of 100 % loss never ends",
                "at most 99.9 %, or no burst");
            return;
        }
        if (config.burst.unit == BurstConfig::Unit::time && config.burst.time < sojourn_min) {
            add(direction, {"burst"}, "a burst this short is a single loss",
                "at least 100us, or no burst: independent losses");
            return;
        }
        if (config.burst.unit != BurstConfig::Unit::packets) return;
        // The mean run of independent losses is 1 / (1 - loss): no burst can be shorter.
        const std::uint64_t passing = Chance::one - config.loss.threshold;
        const std::uint64_t least = (1'000 * Chance::one + passing - 1) / passing;
        // Two thousandths for the rounding of the loss to 2^-32.
        if (config.burst.milli_packets + 2 >= least) return;
        const std::string loss = spaced(exact_share(config.loss));
        add(direction, {"burst", "loss"},
            "loss " + loss + " with a mean burst of " + packets(config.burst.milli_packets) +
                " is impossible",
            "at " + loss + " loss the mean burst is at least " + packets(least));
    }

    void bad(const Direction& direction) {
        const DirectionConfig& config = direction.config;
        if (!config.bad || config.bad->mean >= sojourn_min) return;
        add(direction, {"bad"}, "a bad state that lasts " + spaced(exact_time(config.bad->mean)),
            "its mean length `for` is at least 100us");
    }

    void rate(const Direction& direction) {
        const DirectionConfig& config = direction.config;
        const bool no_queue = config.queue.unit == QueueConfig::Unit::none;
        if (config.rate.bits_per_second > 0 && no_queue) {
            add(direction, {"rate", "queue"}, "rate without queue",
                "how much may wait? e.g. queue = \"64KiB\" or \"100ms\"");
        }
        if (config.bad && config.bad->rate.bits_per_second > 0 && no_queue) {
            add(direction, {"bad", "queue"}, "a bad state with a rate needs a queue",
                "how much may wait? e.g. queue = \"64KiB\" or \"100ms\"");
        }
    }

    // One thing says how much may pass, and what waits for it has a stated limit.
    void narrow(const Direction& direction) {
        const DirectionConfig& config = direction.config;
        const bool has_rate =
            config.rate.bits_per_second > 0 || (config.bad && config.bad->rate.bits_per_second > 0);
        const bool has_slot = config.slot.every > Duration{};
        const bool has_trace = config.trace.opportunities != nullptr;
        const bool no_queue = config.queue.unit == QueueConfig::Unit::none;
        if ((has_rate ? 1 : 0) + (has_slot ? 1 : 0) + (has_trace ? 1 : 0) > 1) {
            add(direction, {"trace", "slot", "rate"}, "rate, slot and trace say the same thing",
                "one of them; \"none\" takes one of a profile away");
        }
        if ((has_slot || has_trace) && no_queue) {
            add(direction, {"slot", "trace", "queue"}, "slots and recordings need a queue",
                "how much may wait? e.g. queue = \"64KiB\" or \"100ms\"");
        }
        if (has_rate || has_slot || has_trace) return;
        if (config.discipline != Discipline::droptail) {
            add(direction, {"discipline"}, "a discipline without anything to wait for",
                "say rate and queue");
        }
        if (!config.cross.empty()) {
            add(direction, {"cross"}, "traffic of others on a link without a limit changes nothing",
                "say rate and queue for its direction");
        }
    }

    void order(const Direction& direction) {
        const DirectionConfig& config = direction.config;
        if (config.order != LinkOrder::keep || config.reorder.chance == Chance::never()) return;
        add(direction, {"reorder", "order"}, "reorder on a link that keeps order",
            "say order = \"free\"");
    }

private:
    static std::string packets(std::uint64_t milli) {
        return milli == 1'000 ? "1 packet" : exact_packets(milli);
    }
    static std::string spaced(std::string share) {
        share.insert(share.size() - 1, " ");
        return share;
    }

    // The key as it stands in this table, in the direction's own table first.
    const Node* find(const Direction& direction, std::string_view key) const {
        const Node* inner = table_.find(direction.name);
        if (inner != nullptr && inner->is_table() && inner->find(key) != nullptr)
            return inner->find(key);
        return table_.find(key);
    }

    // At the first of the keys that is written here, else at the link itself. The others are named
    // where they come from another file. One problem for both directions.
    void add(const Direction& direction, std::initializer_list<std::string_view> keys,
             const std::string& message, const std::string& hint) {
        if (std::find(said_.begin(), said_.end(), message) != said_.end()) return;
        said_.push_back(message);
        const Node* at = nullptr;
        std::vector<std::string> notes;
        for (const std::string_view key : keys) {
            const Node* value = find(direction, key);
            if (value == nullptr) continue;
            if (at == nullptr) {
                at = value;
            } else if (value->place.file != at->place.file) {
                notes.push_back("from parent " + value->place.file + ":" +
                                std::to_string(value->place.line) + ":" +
                                std::to_string(value->place.column) + ": " + std::string(key) +
                                " = " + print_value(*value));
            }
        }
        Problem& problem = reading_.add(at != nullptr ? at->place : place_,
                                        at != nullptr ? message : title_ + ": " + message, hint);
        problem.notes.insert(problem.notes.end(), notes.begin(), notes.end());
    }

    const Node& table_;
    const Place& place_;
    const std::string& title_;
    Reading& reading_;
    std::vector<std::string> said_;
};

}  // namespace

void check_link(const Node& table, const Place& place, const std::string& title,
                const LinkConfig& link, Reading& reading) {
    LinkCheck check(table, place, title, reading);
    for (const Direction& direction : {Direction{"up", link.up}, Direction{"down", link.down}}) {
        check.burst(direction);
        check.bad(direction);
        check.rate(direction);
        check.order(direction);
        check.narrow(direction);
    }
}

}  // namespace wt::sim
