// SPDX-License-Identifier: MIT
#include "simulator/run/link_metrics.hpp"

#include <algorithm>
#include <limits>

#include "engine/base/wide.hpp"
#include "simulator/report/format.hpp"

namespace wt::sim {

namespace {

// A second, or longer where a long run of many bots would not fit: 26 MB at most.
constexpr std::int64_t tallies_max = 1'000'000;
constexpr std::int64_t second_ns = 1'000'000'000;

void count(std::uint16_t& counter) {
    if (counter < std::numeric_limits<std::uint16_t>::max()) ++counter;
}

}  // namespace

void LinkMetrics::Tally::add(const Tally& other) {
    const auto sum = [](std::uint16_t& into, std::uint16_t more) {
        into = static_cast<std::uint16_t>(
            std::min<unsigned>(unsigned{into} + more, std::numeric_limits<std::uint16_t>::max()));
    };
    sum(sent, other.sent);
    for (unsigned cause = 0; cause < drop_cause_count; ++cause)
        sum(lost[cause], other.lost[cause]);
}

LinkMetrics::LinkMetrics(const Scenario& scenario, Collector& collector)
    : collector_(collector), flows_(std::size_t{scenario.bot_count()} * 2) {
    const std::int64_t flows = static_cast<std::int64_t>(flows_.size());
    const std::int64_t length = std::max<std::int64_t>(scenario.end().ns, 1);
    const std::int64_t seconds = (length + second_ns - 1) / second_ns;
    const std::int64_t per_stretch = (seconds * flows + tallies_max - 1) / tallies_max;
    stretch_ = Duration::seconds(std::max<std::int64_t>(per_stretch, 1));
    stretches_ = static_cast<std::size_t>((length + stretch_.ns - 1) / stretch_.ns);
    tallies_.resize(flows_.size() * stretches_);
    for (const Watch& watch : collector.plan().watches)
        wants_utilisation_ |= watch.metric == MetricId::links_utilisation;
}

LinkMetrics::Tally& LinkMetrics::tally(const sim::Flow& flow, Instant at) {
    const std::size_t stretch = static_cast<std::size_t>(at.ns / stretch_.ns);
    return tallies_[place(flow) * stretches_ + std::min(stretch, stretches_ - 1)];
}

void LinkMetrics::add(const DatagramHanded& what) {
    Tally& now = tally(what.flow, what.at);
    count(now.sent);
    Flow& flow = flows_[place(what.flow)];
    Passage& passage = flow.passages.push();
    passage.sequence = what.sequence;
    if (what.copies == 0) {
        count(now.lost[static_cast<unsigned>(what.cause)]);
        passage.outcome = Outcome::lost;
        settle(flow, what.flow);
        return;
    }
    if (!wants_utilisation_ || what.service == Duration{}) return;
    Service& service = flow.services.push();
    service.start = what.at + what.queue_wait;
    service.end = service.start + what.service;
}

void LinkMetrics::add(const DatagramDelivered& what) {
    if (!what.is_duplicate) decide(what.flow, what.sequence, Outcome::survived, what.at);
}

void LinkMetrics::add(const DatagramLost& what) {
    count(tally(what.flow, what.at).lost[static_cast<unsigned>(what.cause)]);
    if (!what.is_duplicate) decide(what.flow, what.sequence, Outcome::lost, what.at);
}

void LinkMetrics::decide(const sim::Flow& flow, std::uint64_t sequence, Outcome outcome,
                         Instant at) {
    Flow& state = flows_[place(flow)];
    // Sequences rise in the order of hand-over, and mostly it is the oldest one.
    std::uint32_t first = 0;
    std::uint32_t last = state.passages.size();
    while (first < last) {
        const std::uint32_t middle = (first + last) / 2;
        if (state.passages.at(middle).sequence < sequence) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    if (first == state.passages.size()) return;
    Passage& passage = state.passages.at(first);
    if (passage.sequence != sequence || passage.outcome != Outcome::open) return;
    passage.outcome = outcome;
    passage.decided = at;
    settle(state, flow);
}

// Runs are counted in the order of hand-over, so one waits for everybody before it.
void LinkMetrics::settle(Flow& state, const sim::Flow& flow) {
    while (!state.passages.empty() && state.passages.front().outcome != Outcome::open) {
        const Passage passage = state.passages.front();
        state.passages.pop();
        if (passage.outcome == Outcome::lost) {
            ++state.loss_run;
            continue;
        }
        if (state.loss_run != 0) {
            // In thousandths of a packet, as every figure in packets.
            collector_.add_value(MetricId::links_burst, Spot::of(flow.bot, flow.way),
                                 passage.decided,
                                 static_cast<std::int64_t>(state.loss_run * 1'000));
        }
        state.loss_run = 0;
    }
}

void LinkMetrics::take_utilisation(std::uint32_t bot, Instant at) {
    for (const Way way : {Way::up, Way::down}) {
        Flow& flow = flows_[place({bot, way})];
        const Instant from = flow.utilised_to;
        if (at <= from) continue;
        flow.utilised_to = at;
        Duration busy{};
        while (!flow.services.empty() && flow.services.front().start < at) {
            Service& service = flow.services.front();
            const Instant start = std::max(service.start, from);
            if (service.end > at) {
                busy += at - start;
                break;
            }
            if (service.end > start) busy += service.end - start;
            flow.services.pop();
        }
        const auto share = static_cast<std::int64_t>(static_cast<SignedWide>(busy.ns) * second_ns /
                                                     (at - from).ns);
        collector_.add_value(MetricId::links_utilisation, Spot::of(bot, way), at, share);
    }
}

std::string LinkMetrics::tally_text(const Tally& tally, Way way) {
    std::uint64_t lost = 0;
    std::string causes;
    for (unsigned cause = 1; cause < drop_cause_count; ++cause) {
        if (tally.lost[cause] == 0) continue;
        lost += tally.lost[cause];
        causes += (causes.empty() ? "" : ", ") +
                  std::string(name_of(static_cast<DropCause>(cause))) + " " +
                  std::to_string(tally.lost[cause]);
    }
    std::string text = way == Way::up ? "up: " : "down: ";
    text += std::to_string(lost) + " of " + std::to_string(tally.sent) + " datagrams lost";
    return causes.empty() ? text : text + " (" + causes + ")";
}

std::string LinkMetrics::weather_at(std::uint32_t bot, Way way, Instant at) const {
    std::string text;
    for (const Way each : {Way::up, Way::down}) {
        if (way != Way::both && way != each) continue;
        // The stretch of the moment and the one before, since ages come after their causes.
        const std::size_t stretch =
            std::min(static_cast<std::size_t>(at.ns / stretch_.ns), stretches_ - 1);
        const std::size_t first = place({bot, each}) * stretches_;
        Tally found = tallies_[first + stretch];
        if (stretch > 0) found.add(tallies_[first + stretch - 1]);
        if (found.sent == 0) continue;
        text += (text.empty() ? "" : "; ") + tally_text(found, each);
    }
    return text;
}

}  // namespace wt::sim
