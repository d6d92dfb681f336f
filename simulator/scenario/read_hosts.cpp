// SPDX-License-Identifier: MIT
//
// What hosts are like apart from what they do: declared CPU, clocks, stalls; and scripts.
#include <algorithm>
#include <array>

#include "simulator/scenario/reader.hpp"

namespace wt::sim {

namespace {

using bots::ScriptStep;

struct ActionWord {
    std::string_view text;
    ScriptStep::What what;
};
constexpr auto actions = std::to_array<ActionWord>({
    {"say", ScriptStep::What::say},
    {"ask", ScriptStep::What::ask},
    {"leave", ScriptStep::What::leave},
    {"join", ScriptStep::What::join},
});

// "TIME ACTION"
bool read_step(const Node& item, Keys& keys, ScriptStep& step) {
    constexpr const char* example = "\"TIME ACTION\", e.g. \"2s runner\"";
    const std::size_t space = item.is_string() ? item.text.find(' ') : std::string::npos;
    if (space == std::string::npos) {
        keys.problem(item, "a step of a script is a time and an action", example);
        return false;
    }
    const std::string time = item.text.substr(0, space);
    const Result<Quantity, QuantityError> parsed = parse_quantity(time, {Dimension::time});
    if (!parsed || parsed->base < 0) {
        keys.reading().add(place_inside(item, 0, space),
                           parsed ? "a step cannot come before the bot" : parsed.error().message,
                           parsed ? example : parsed.error().hint);
        return false;
    }
    step.at = parsed->duration();
    const std::size_t start = item.text.find_first_not_of(' ', space);
    const std::string word = start == std::string::npos ? "" : item.text.substr(start);
    for (const ActionWord& action : actions) {
        if (action.text != word) continue;
        step.what = action.what;
        return true;
    }
    if (find_playing_behaviour(word, step.as)) return true;
    std::vector<std::string> words = playing_behaviours();
    for (const ActionWord& action : actions)
        words.emplace_back(action.text);
    std::string hint = did_you_mean(word, words);
    if (hint.empty()) hint = "one of: " + joined(words);
    keys.reading().add(place_inside(item, std::min(start, item.text.size()), word.size()),
                       "unknown action \"" + word + "\"", hint);
    return false;
}

}  // namespace

void read_cost(Keys& outer, HostCost& cost) {
    const Node* table = outer.table("cost");
    if (table == nullptr) return;
    Keys keys(*table, outer.title() + " cost", outer.reading());
    constexpr TimeRange second{Duration{}, Duration::seconds(1)};
    keys.time("datagram", cost.datagram, second);
    keys.time("handshake", cost.handshake, second);
    keys.time("object", cost.object, second);
    keys.finish("[server] cost");
}

void read_clock(Keys& outer, BotGroup& group) {
    const Node* table = outer.table("clock");
    if (table == nullptr) return;
    Keys keys(*table, outer.title() + " clock", outer.reading());
    keys.time("offset", group.clock.offset, {Duration{} - clock_offset_max, clock_offset_max});
    const Node* drift = keys.take("drift");
    Quantity found;
    if (drift != nullptr && keys.quantity("drift", *drift, {Dimension::share}, found)) {
        constexpr std::int64_t ppm = 1'000;  // Shares count in 10^-9.
        constexpr std::int64_t largest = clock_drift_ppm_max * ppm;
        if (found.base > largest || found.base < -largest) {
            keys.problem(*drift, "a clock that drifts by more than a tenth", "e.g. \"50ppm\"");
        } else if (found.base % ppm != 0) {
            keys.problem(*drift, "a drift is whole ppm", "e.g. \"50ppm\"");
        } else {
            group.clock.drift_ppm = found.base / ppm;
        }
    }
    group.clock.is_skewed = true;
    keys.finish("[bots.NAME] clock");
}

void read_stall(Keys& outer, BotGroup& group) {
    const Node* table = outer.table("stall");
    if (table == nullptr) return;
    Keys keys(*table, outer.title() + " stall", outer.reading());
    Stall stall;
    const bool has_every =
        keys.time("every", stall.every, {Duration::millis(100), Duration::seconds(86'400)});
    const bool has_length =
        keys.time("for", stall.length, {Duration::millis(1), Duration::seconds(3'600)});
    keys.finish("[bots.NAME] stall");
    if (keys.member("every") == nullptr || keys.member("for") == nullptr) {
        keys.problem(*table, keys.title() + " needs every and for",
                     "e.g. stall = { every = \"10s\", for = \"400ms\" }");
    } else if (has_every && has_length && stall.length >= stall.every) {
        keys.problem(keys.member("for")->value, "the stall never ends", "shorter than its every");
    } else {
        group.stall = stall;
    }
}

void read_script(Keys& keys, BotGroup& group) {
    const Node* list = keys.take("script");
    const bool is_scripted = group.behaviour == BehaviourKind::scripted;
    if (list == nullptr) {
        if (is_scripted) {
            keys.reading().add(keys.node().place, keys.title() + " needs a script",
                               "e.g. script = [\"0s runner\", \"5s say\", \"8s idle\"]");
        }
        return;
    }
    if (!is_scripted) {
        keys.problem(*list, "only a scripted bot has a script", "behaviour = \"scripted\"");
        return;
    }
    if (list->kind != Node::Kind::array || list->items.size() > bots::script_steps_max) {
        keys.problem(*list, "a script is a list of at most 1,000 texts",
                     "e.g. script = [\"0s runner\", \"5s say\"]");
        return;
    }
    for (const Node& item : list->items) {
        ScriptStep step;
        if (!read_step(item, keys, step)) continue;
        if (!group.script.empty() && step.at < group.script.back().at)
            keys.problem(item, "the steps of a script come in the order of time");
        group.script.push_back(step);
    }
}

}  // namespace wt::sim
