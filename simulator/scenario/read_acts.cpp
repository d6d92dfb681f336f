// SPDX-License-Identifier: MIT
//
// [[at]]: when an act holds, whom it means and what it does. Times are resolved here, so that the
// run sees nothing but instants.
#include <algorithm>
#include <array>

#include "engine/base/mutated.hpp"
#include "simulator/scenario/reader.hpp"

namespace wt::sim {

namespace {

constexpr std::size_t acts_max = 1'000;

using Do = Act::Do;

struct Verb {
    std::string_view word;
    Do what;
    bool lasting;
};

constexpr auto verbs = std::to_array<Verb>({
    {"change", Do::change, true},
    {"partition", Do::partition, true},
    {"suspend", Do::suspend, true},
    {"pause", Do::pause, true},
    {"kill", Do::kill, true},
    {"leave", Do::leave, true},
    {"restart", Do::restart, true},
    {"rebind", Do::rebind, false},
    {"behave", Do::behave, true},
    {"drop", Do::drop, true},
    {"delay", Do::delay, true},
    {"duplicate", Do::duplicate, true},
    {"corrupt", Do::corrupt, true},
    {"replay", Do::replay, true},
    {"nothing", Do::nothing, true},
});

// What an exact fault does; none for other acts.
std::optional<FaultAction> fault_of(Do what) {
    switch (what) {
        case Do::drop:
            return FaultAction::drop;
        case Do::delay:
            return FaultAction::delay;
        case Do::duplicate:
            return FaultAction::duplicate;
        case Do::corrupt:
            return FaultAction::corrupt;
        case Do::replay:
            return FaultAction::replay;
        case Do::change:
        case Do::partition:
        case Do::suspend:
        case Do::pause:
        case Do::kill:
        case Do::leave:
        case Do::restart:
        case Do::rebind:
        case Do::behave:
        case Do::nothing:
            return std::nullopt;
    }
    return std::nullopt;
}

const Verb* read_verb(Keys& keys) {
    const Node* value = keys.take("do");
    if (value == nullptr) {
        keys.reading().add(keys.node().place, keys.title() + " needs do",
                           "e.g. do = \"partition\"");
        return nullptr;
    }
    std::vector<std::string> words;
    for (const Verb& verb : verbs) {
        if (value->is_string() && value->text == verb.word) return &verb;
        words.emplace_back(verb.word);
    }
    if (!value->is_string()) {
        keys.problem(*value, "do is a word", joined(words));
        return nullptr;
    }
    std::string hint = did_you_mean(value->text, words);
    if (hint.empty()) hint = "one of: " + joined(words);
    keys.problem(*value, "unknown act \"" + value->text + "\"", hint);
    return nullptr;
}

// When the act begins: the phase's or the point's instant. The phase, if it was said.
bool read_start(Keys& keys, Act& act, const Phase*& phase) {
    const Node* at_time = keys.take("time");
    const Node* in_phase = keys.take("phase");
    Reading& reading = keys.reading();
    if ((at_time == nullptr) == (in_phase == nullptr)) {
        reading.add(keys.node().place,
                    keys.title() +
                        (at_time == nullptr ? " needs time or phase" : " has both time and phase"),
                    "one of them: time = \"play+5s\" or phase = \"play\"");
        return false;
    }
    if (at_time != nullptr) {
        if (!read_time_point(*at_time, reading, act.start)) return false;
        const bool is_over = act.start >= reading.scenario.end();
        if (is_over && !mutated<"act-within-run">()) {
            reading.add(at_time->place, "the act comes when the run is over");
            return false;
        }
        return true;
    }
    if (in_phase->is_string()) phase = find_phase(reading.scenario, in_phase->text);
    if (phase == nullptr) {
        std::vector<std::string> names;
        for (const Phase& known : reading.scenario.phases)
            names.push_back(known.name);
        Problem& problem = reading.add(
            in_phase->place,
            "unknown phase " + (in_phase->is_string() ? "\"" + in_phase->text + "\"" : ""),
            in_phase->is_string() ? did_you_mean(in_phase->text, names) : "");
        problem.notes.push_back("phases of this file: " + joined(names));
        return false;
    }
    act.start = phase->start;
    return true;
}

void read_when(Keys& keys, Act& act, bool is_lasting) {
    Reading& reading = keys.reading();
    const Phase* phase = nullptr;
    const bool placed = read_start(keys, act, phase);
    Duration length{};
    Duration every{};
    constexpr TimeRange week{Duration{}, Duration::seconds(604'800)};
    const bool has_for = is_lasting && keys.time("for", length, week);
    const bool has_every = keys.time("every", every, {Duration::millis(1), week.most});
    if (!placed) return;

    act.end = !is_lasting ? act.start : phase != nullptr ? phase->end : Instant::never();
    // A restart without `for` is down for no time at all.
    if (act.what == Do::restart && !has_for && phase == nullptr) act.end = act.start;
    if (has_for) act.end = act.start + length;
    if (phase != nullptr && act.end > phase->end) {
        reading.add(keys.member("for")->value.place, "the act outlasts its phase",
                    "use time = \"" + phase->name + "\" instead of phase");
    }
    if (!has_every) return;
    act.every = every;
    act.every_until = phase != nullptr ? phase->end : reading.scenario.end();
    // An exact fault begins to count anew each time.
    if (!has_for && fault_of(act.what).has_value()) {
        act.end = act.start + every;
        return;
    }
    if (!has_for && is_lasting && act.what != Do::restart) {
        reading.add(keys.member("every")->value.place, "an act that repeats needs for",
                    "how long it holds each time");
    } else if (has_for && length > every) {
        reading.add(keys.member("for")->value.place, "the act lasts longer than its every",
                    "it would overlap itself");
    }
}

void read_who(Keys& keys, Act& act, bool needed) {
    const Node* value = keys.take("who");
    Reading& reading = keys.reading();
    if (value == nullptr) {
        if (needed) act.who = {Target{}};
        return;
    }
    if (!value->is_string()) {
        keys.problem(*value, "who is a text", "e.g. who = \"runner-0..3\"");
        return;
    }
    Result<std::vector<Target>, TextError> targets =
        parse_targets(value->text, reading.scenario.groups);
    if (!targets) {
        const TextError& error = targets.error();
        reading.add(place_inside(*value, error.offset, error.length), error.message, error.hint);
        return;
    }
    act.who = *targets;
}

void read_direction(Keys& keys, Act& act) {
    const std::vector<std::string> words{"both", "up", "down"};
    std::size_t word = 0;
    if (keys.choice("direction", word, words)) act.direction = static_cast<Way>(word);
}

// Whoever stands in a queue that judges at turns cannot be moved into another kind of queue.
void check_queue_kind(Keys& keys, const LinkConfig& base, const LinkConfig& becomes,
                      const Node& at) {
    const auto is_same = [](const DirectionConfig& a, const DirectionConfig& b) {
        const bool has_turns = judges_at_turns(a.discipline) || judges_at_turns(b.discipline);
        return !has_turns || (a.discipline == b.discipline && a.fair == b.fair);
    };
    if (is_same(base.up, becomes.up) && is_same(base.down, becomes.down)) return;
    keys.problem(at, "a change cannot make or end a queue of drophead or fq-codel",
                 "the same discipline for the whole run; a variant can have another one");
}

void read_change(Keys& keys, Act& act) {
    Reading& reading = keys.reading();
    act.link = "default";
    const Node* link_value = keys.take("link");
    if (link_value != nullptr && link_value->is_string()) act.link = link_value->text;
    const LinkConfig* base = nullptr;
    for (const LinkConfig& link : reading.scenario.links) {
        if (link.name == act.link) base = &link;
    }
    if (base == nullptr) {
        std::vector<std::string> names;
        for (const LinkConfig& link : reading.scenario.links)
            names.push_back(link.name);
        if (link_value != nullptr)
            keys.problem(*link_value, "no link \"" + act.link + "\" in this scenario",
                         did_you_mean(act.link, names));
    }
    const Node* to = keys.take("to");
    const Node* set = keys.table("set");
    if ((to == nullptr) == (set == nullptr)) {
        reading.add(keys.node().place, keys.title() + " needs either to or set",
                    "e.g. to = \"wifi-bad\" or set = { loss = \"5%\" }");
        return;
    }
    if (to != nullptr) {
        const LinkConfig* target = find_link(*to, reading);
        if (target == nullptr) return;
        act.becomes = *target;
        act.up_keys = act.down_keys = all_link_keys;
    } else if (base != nullptr) {
        act.becomes = *base;
        Keys inner(*set, keys.title() + " set", reading);
        const LinkPatch patch = apply_link_keys(inner, *act.becomes);
        inner.finish("set");
        act.up_keys = patch.up_keys;
        act.down_keys = patch.down_keys;
        check_link(*set, set->place, keys.title() + " set", *act.becomes, reading);
    }
    if (base != nullptr && act.becomes && (base->n1 || act.becomes->n1))
        reading.add(keys.node().place, "a link with model \"n1\" cannot change");
    else if (base != nullptr && act.becomes)
        check_queue_kind(keys, *base, *act.becomes, to != nullptr ? *to : *set);
}

// The act's own time, so that a ramp that nobody would see the end of is found here.
void read_ramp(Keys& keys, Act& act) {
    constexpr Duration step = change_ramp_step;
    Duration ramp{};
    if (!keys.time("ramp", ramp, {step, Duration::seconds(600)})) return;
    const Node& value = keys.member("ramp")->value;
    if (ramp.ns % step.ns != 0) {
        keys.problem(value, "a ramp goes in steps of 100 ms", "a whole number of them");
        return;
    }
    const Instant end = std::min(act.end, keys.reading().scenario.end());
    if (act.start + ramp > end) {
        keys.problem(value, "the ramp outlasts its act", "at most as long as the act holds");
        return;
    }
    act.ramp = ramp;
}

void read_act(const Node& entry, const std::string& fallback_name, Reading& reading) {
    Act act;
    act.name = fallback_name;
    Keys keys(entry, "[[at]]", reading);
    keys.text("name", act.name);
    const Verb* verb = read_verb(keys);
    if (verb == nullptr) return;
    act.what = verb->what;
    // A child switches a parent's act off: what the other keys say is not looked at.
    if (act.what == Do::nothing) return;
    read_when(keys, act, verb->lasting);
    switch (act.what) {
        case Do::change:
            read_change(keys, act);
            read_who(keys, act, false);
            read_direction(keys, act);
            read_ramp(keys, act);
            break;
        case Do::rebind:
            read_who(keys, act, true);
            read_rebind_kind(keys, act.gives);
            break;
        case Do::partition:
        case Do::suspend:
            read_who(keys, act, true);
            read_direction(keys, act);
            break;
        case Do::pause:
        case Do::kill:
        case Do::leave:
        case Do::restart:
            read_who(keys, act, true);
            break;
        case Do::behave: {
            read_who(keys, act, true);
            const Node* as = keys.take("as");
            if (as != nullptr)
                read_behaviour(*as, reading, act.as);
            else
                reading.add(entry.place, "behave needs as", "e.g. as = \"idle\"");
            break;
        }
        case Do::drop:
        case Do::delay:
        case Do::duplicate:
        case Do::corrupt:
        case Do::replay:
            read_who(keys, act, true);
            read_fault(keys, *fault_of(act.what), act.fault.emplace());
            if (const Node* what = entry.find("what")) act.selector = what->text;
            break;
        case Do::nothing:
            return;
    }
    keys.finish("[[at]] with do = \"" + std::string(verb->word) + "\"");
    for (const Target& target : act.who) {
        const bool bots_only = act.what == Do::kill || act.what == Do::leave ||
                               act.what == Do::behave || act.what == Do::rebind;
        if (target.kind == Target::Kind::server && bots_only)
            keys.problem(*entry.find("who"), "the server cannot " + std::string(verb->word));
    }
    reading.scenario.acts.push_back(std::move(act));
}

}  // namespace

void read_rebind_kind(Keys& keys, RebindKind& gives) {
    const std::vector<std::string> words{"port", "address", "both"};
    std::size_t word = 0;
    if (keys.choice("new", word, words)) gives = static_cast<RebindKind>(word);
}

void read_acts(const Node& document, Reading& reading) {
    reading.section = "at";
    const Node* list = document.find("at");
    if (list == nullptr) return;
    const bool tables = list->kind == Node::Kind::array &&
                        std::all_of(list->items.begin(), list->items.end(),
                                    [](const Node& item) { return item.is_table(); });
    if (!tables || list->items.size() > acts_max) {
        reading.add(list->place, "acts are at most 1,000 tables", "[[at]]");
        return;
    }
    for (std::size_t i = 0; i < list->items.size(); ++i)
        read_act(list->items[i], "at." + std::to_string(i), reading);
    std::vector<std::string> seen;
    for (const Node& item : list->items) {
        const Node* name = item.find("name");
        if (name == nullptr || !name->is_string()) continue;
        if (std::find(seen.begin(), seen.end(), name->text) != seen.end())
            reading.add(name->place, "there are two acts \"" + name->text + "\"");
        seen.push_back(name->text);
    }
}

}  // namespace wt::sim
