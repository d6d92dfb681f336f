// SPDX-License-Identifier: MIT
#include "simulator/run/link_replay.hpp"

#include <algorithm>

#include "engine/base/mutated.hpp"
#include "engine/transport/label.hpp"
#include "simulator/report/format.hpp"
#include "simulator/run/act_expansion.hpp"
#include "simulator/scenario/read_scenario.hpp"
#include "simulator/trace/filter.hpp"
#include "simulator/trace/record_text.hpp"

namespace wt::sim {

namespace {

using trace::Record;
using trace::Type;

// A story asks for what lies together: a second before its first question, and as long after it
// as anything on its way lives.
constexpr Duration kept_before = Duration::seconds(1);
constexpr Duration kept_after = Duration::seconds(25);

// The hosts and links of a run, without anything that could send.
WorldPlan plan_of(const Scenario& scenario, std::uint64_t seed) {
    WorldPlan plan;
    plan.seed = seed;
    plan.end = scenario.end();
    plan.links = scenario.links;
    plan.server_via = scenario.server.via;
    HostPlan& server = plan.hosts.emplace_back();
    server.name = server_name();
    server.is_server = true;
    for (const BotGroup& group : scenario.groups) {
        for (std::uint32_t number = 0; number < group.count; ++number) {
            HostPlan& host = plan.hosts.emplace_back();
            host.name = {group.name, number};
            host.link = group.link;
        }
    }
    const HostIndex index(scenario);
    plan.acts = expand_acts(scenario, firings_of(scenario, index, seed));
    return plan;
}

bool is(const Record& record, Type type) {
    return record.type == static_cast<std::uint8_t>(type);
}

// As transport::Label::weather_tag, out of what a record keeps of the label.
transport::WeatherTag tag_of(const Record& send) {
    using transport::Kind;
    if (send.lane < transport::lane_count) return static_cast<transport::WeatherTag>(send.lane);
    if ((send.flags & trace::flag::handshake) != 0) return transport::WeatherTag::handshake;
    if (send.kind == static_cast<std::uint16_t>(Kind::ack)) return transport::WeatherTag::ack;
    return transport::WeatherTag::control;
}

// What the trace says the first link did.
struct Recorded {
    Record send{};
    DropCause cause = DropCause::none;
    std::uint32_t wait_us = 0;
};

// Walks through one direction's sendings, each with what was noted behind it.
class Sendings {
public:
    Sendings(const trace::TraceFile& file, std::uint16_t peer, Way way)
        : file_(file), peer_(peer), is_down_(way == Way::down) {}

    // each(recorded) returns false to stop.
    template <class Each>
    void walk(Each each) {
        const auto filter = trace::Filter::compile("peer == " + std::to_string(peer_), file_);
        if (!filter) return;
        std::optional<Recorded> open;
        bool goes_on = true;
        trace::for_each_record(file_, *filter, {0, file_.record_count()},
                               [&](std::uint64_t, const std::uint8_t* stored) {
                                   const Record record = Record::load(stored);
                                   const bool is_ours =
                                       ((record.flags & trace::flag::down) != 0) == is_down_;
                                   if (!is_ours) return true;
                                   if (is(record, Type::send)) {
                                       if (open.has_value()) goes_on = each(*open);
                                       open = Recorded{record};
                                       return goes_on;
                                   }
                                   if (open.has_value()) note(record, *open);
                                   return true;
                               });
        if (goes_on && open.has_value()) each(*open);
    }

private:
    static void note(const Record& record, Recorded& open) {
        if (record.sequence != open.send.sequence || record.time != open.send.time) return;
        constexpr std::uint16_t later = trace::flag::on_path | trace::flag::at_socket;
        if (is(record, Type::queue)) open.wait_us = record.age;
        if (is(record, Type::drop) && (record.flags & later) == 0)
            open.cause = static_cast<DropCause>(record.detail);
    }

    const trace::TraceFile& file_;
    std::uint16_t peer_;
    bool is_down_;
};

// Whether the link was asked at all, and with which fault.
bool was_asked(const Recorded& recorded) {
    return recorded.cause != DropCause::partition && recorded.cause != DropCause::no_socket;
}

bool is_same(const Recorded& recorded, const Fate& fate) {
    if (mutated<"link-replay-check">()) return true;
    const std::int64_t wait_us = fate.queue_wait.ns / 1'000;
    const bool is_kept = fate.cause == DropCause::none;
    return recorded.cause == fate.cause &&
           (!is_kept || std::max<std::int64_t>(wait_us, 0) == recorded.wait_us);
}

// Parts of one as people write chances; six places where four would say nothing.
std::string share_text(std::uint64_t q32) {
    const bool is_small = q32 < (std::uint64_t{1} << 32) / 100;
    const std::uint64_t scale = is_small ? 1'000'000 : 10'000;
    const std::string digits = std::to_string(q32 * scale >> 32);
    const std::size_t places = is_small ? 6 : 4;
    return "0." + std::string(places - std::min(places, digits.size()), '0') + digits;
}

std::string draw_text(const Draw& draw) {
    return "draw " + share_text(draw.value) + (draw.holds ? " < " : " >= ") +
           (draw.chance >= Chance::always() ? "1" : share_text(draw.chance.threshold));
}

std::string loss_text(const ReplayedSend& send) {
    const DrawLog& log = send.log;
    const Draw* const loss = log.find(Purpose::loss);
    const Draw* const chain = log.find(Purpose::burst);
    const Draw* const bad = log.find(Purpose::bad_loss);
    const Draw* const handover = log.find(Purpose::handover);
    if (send.fate.cause == DropCause::bad_state && bad != nullptr)
        return draw_text(*bad) + ", bad state until " + trace::clock_text(log.bad_until.ns);
    if (send.fate.cause != DropCause::loss) return {};
    if (loss != nullptr && loss->holds) return draw_text(*loss);
    if (chain != nullptr)
        return std::string(chain->holds ? "a burst begins: " : "in a burst: ") + draw_text(*chain);
    if (handover != nullptr && handover->holds) return "handover: " + draw_text(*handover);
    if (log.is_in_burst) return "in a burst until " + trace::clock_text(log.burst_until.ns);
    return {};
}

std::string delay_text(const ReplayedSend& send) {
    const DrawLog& log = send.log;
    std::string text = "link " + format_time(log.base.ns);
    const Draw* const jitter = log.find(Purpose::jitter);
    if (jitter != nullptr) {
        text +=
            ", jitter " + format_time(log.jitter.ns) + " (draw " + share_text(jitter->value) + ")";
    }
    const auto add = [&](const char* what, Duration by) {
        if (by.ns >= 1'000) text += std::string(", ") + what + " " + format_time(by.ns);
    };
    add("queue", send.fate.queue_wait);
    add("rate", send.fate.service);
    add("bad state", log.bad_state);
    add("behind an earlier one", log.behind_earlier);
    const Draw* const back = log.find(Purpose::reorder);
    if (back != nullptr && back->holds)
        text += ", held back " + format_time(log.held_back.ns) + " (" + draw_text(*back) + ")";
    const Draw* const twice = log.find(Purpose::duplicate);
    if (twice != nullptr && twice->holds) text += ", copied (" + draw_text(*twice) + ")";
    const Draw* const bent = log.find(Purpose::corrupt);
    if (bent != nullptr && bent->holds) text += ", altered (" + draw_text(*bent) + ")";
    return text;
}

}  // namespace

LinkReplay::LinkReplay(const trace::TraceFile& file) : file_(file), seed_(file.header().seed) {
    const trace::About& about = file.about();
    const PartialScenario read = read_text_partly(
        about.text, about.file, {},
        {.variant = {}, .seed = seed_, .has_own_protocol = about.transport == "own"});
    if (!read.problems.empty()) {
        problem_ = "this build does not read the trace's scenario";
        return;
    }
    const WorldPlan plan = plan_of(read.scenario, seed_);
    if (plan.hosts.size() != file.peer_count()) {
        problem_ = "the trace's scenario has other peers";
        return;
    }
    topology_ = make_topology(plan);
}

void LinkReplay::replay(std::uint16_t peer, Way way, Instant from, Instant to) {
    kept_ = {.peer = peer, .way = way, .from = from, .to = to, .is_any = true};
    if (!problem_.empty() || peer == 0 || peer > topology_.bots.size()) return;
    const PathPlan& path = topology_.paths[path_of(peer - 1u, way)];
    // Straight to a shared link: that one's luck depends on everybody's datagrams.
    if (path.first == no_direction) return;
    // The server's uplink: the same, though it is asked at hand-over.
    const auto is_first = [&](const PathPlan& other) { return other.first == path.first; };
    if (std::count_if(topology_.paths.begin(), topology_.paths.end(), is_first) != 1) return;
    const DirectionPlan& plan = topology_.directions[path.first];
    LinkDirection direction(LuckKey::root(seed_).with("direction").with(plan.name), plan.timeline);
    // What waits for its turn has its fate later, and by others that come meanwhile.
    if (direction.has_turns()) return;
    DrawLog log;
    const FaultPlan drop{.action = FaultAction::drop};
    Instant before{};
    Sendings(file_, peer, way).walk([&](const Recorded& recorded) {
        const Instant sent{recorded.send.time};
        if (sent > to) return false;
        // A damaged trace: time never goes back in a whole one.
        if (sent < before) return false;
        before = sent;
        if (!was_asked(recorded)) return true;
        direction.explain(sent >= from ? &log : nullptr);
        const bool is_meant = recorded.cause == DropCause::exact;
        const Fate fate = direction.send(sent, recorded.send.size, tag_of(recorded.send),
                                         is_meant ? &drop : nullptr);
        if (!is_same(recorded, fate)) return false;
        if (sent >= from) {
            const std::uint32_t sequence = recorded.send.sequence;
            kept_.sends[sequence] = {sequence, sent, fate, log};
        }
        return true;
    });
}

const ReplayedSend* LinkReplay::find(std::uint16_t peer, Way way, std::uint32_t sequence,
                                     Instant around) {
    const bool is_kept = kept_.is_any && kept_.peer == peer && kept_.way == way &&
                         around >= kept_.from && around <= kept_.to;
    if (!is_kept) replay(peer, way, around - kept_before, around + kept_after);
    const auto found = kept_.sends.find(sequence);
    return found == kept_.sends.end() ? nullptr : &found->second;
}

std::string LinkReplay::text(std::uint16_t peer, Way way, std::uint32_t sequence, Instant around) {
    const ReplayedSend* const send = find(peer, way, sequence, around);
    return send == nullptr ? std::string{} : luck_text(*send);
}

trace::LuckOf luck_of(LinkReplay& replay) {
    return [&replay](const trace::Record& record) {
        const Way way = (record.flags & trace::flag::down) != 0 ? Way::down : Way::up;
        const std::int64_t age_ns = is(record, Type::send) ? 0 : std::int64_t{record.age} * 1'000;
        return replay.text(record.peer, way, record.sequence, {record.time - age_ns});
    };
}

std::string luck_text(const ReplayedSend& send) {
    return send.fate.cause == DropCause::none ? delay_text(send) : loss_text(send);
}

}  // namespace wt::sim
