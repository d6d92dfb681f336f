// SPDX-License-Identifier: MIT
//
// What the section readers share: the problems found so far, and `Keys`, which reads one table.
// A key that nobody asks for is unknown, so the list of known keys is the code that reads them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/scenario/document.hpp"
#include "simulator/scenario/quantity.hpp"
#include "simulator/scenario/scenario.hpp"

namespace wt::sim {

// A scenario on its way: everything that is right so far, and everything that is wrong.
struct Reading {
    Scenario scenario{};
    std::vector<Problem> problems{};
    Sources sources{};
    std::string section{};  // Being read now: "links", "bots", ...
    Place phases_place{};   // Where the phases stand, for messages.
    std::vector<std::string> used_links{};
    // Paths that a variant or --set has said: the seed does not draw them.
    std::vector<std::vector<std::string>> fixed_paths{};
    bool has_own_protocol = false;  // Whoever reads brings one.

    // Adds a problem with its source line and, in a parent, the file that extends it. The reference
    // is good until the next call.
    Problem& add(const Place& place, std::string message, std::string hint = "");
    [[nodiscard]] Problem make(const Place& place, std::string message, std::string hint) const;
};

// A stretch of a text that is wrong.
struct TextError {
    std::size_t offset = 0;
    std::size_t length = 1;
    std::string message{};
    std::string hint{};
};

// The place of a stretch of a string value; the whole value where it was not written verbatim.
[[nodiscard]] Place place_inside(const Node& value, std::size_t offset, std::size_t length);
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string> candidates);
[[nodiscard]] std::string joined(std::span<const std::string> words);

struct TimeRange {
    Duration least{};
    Duration most = Duration::seconds(3'600);
};
struct IntegerRange {
    std::int64_t least = 0;
    std::int64_t most = 0;
};

class Keys {
public:
    // `title` names the table in messages: "[bots.runner]".
    Keys(const Node& table, std::string title, Reading& reading)
        : table_(table), title_(std::move(title)), reading_(reading) {}

    // The value, known from now on; nullptr if the table has none.
    const Node* take(std::string_view key);
    [[nodiscard]] const Member* member(std::string_view key) const { return table_.member(key); }

    // Each reads a key if it is there; false, and `into` unchanged, if it is not or is wrong.
    bool time(std::string_view key, Duration& into, TimeRange range = {});
    bool share(std::string_view key, Chance& into);
    bool bytes(std::string_view key, std::uint32_t& into, IntegerRange range);
    // Events per hour, exactly.
    bool event_rate(std::string_view key, std::uint64_t& into, std::int64_t most);
    bool length(std::string_view key, std::uint32_t& into, IntegerRange range);  // mm
    bool rate(std::string_view key, BitRate& into);  // "none" = no limit
    bool frequency(std::string_view key, Frequency& into, IntegerRange range);
    bool integer(std::string_view key, std::int64_t& into, IntegerRange range);
    bool integer(std::string_view key, std::uint32_t& into, IntegerRange range);
    bool flag(std::string_view key, bool& into);
    bool text(std::string_view key, std::string& into);
    // The index of the word among `words`. Words in `later` are known, but not built yet.
    bool choice(std::string_view key, std::size_t& into, std::span<const std::string> words,
                std::span<const std::string> later = {});
    // The quantity under a key that is there, in one of the dimensions; an error otherwise.
    bool quantity(std::string_view key, const Node& value,
                  std::initializer_list<Dimension> accepted, Quantity& into);
    // A table as a value.
    const Node* table(std::string_view key);

    // Keys of the language that this build cannot work with yet: an error by name.
    void not_built(std::initializer_list<std::string_view> keys);
    // Reports unknown keys. `kind` is the title of such tables in general: "[bots.NAME]".
    void finish(std::string_view kind);

    Problem& problem(const Node& value, std::string message, std::string hint = "") {
        return reading_.add(value.place, std::move(message), std::move(hint));
    }
    [[nodiscard]] Reading& reading() { return reading_; }
    [[nodiscard]] const std::string& title() const { return title_; }
    [[nodiscard]] const Node& node() const { return table_; }

private:
    bool out_of_range(std::string_view key, const Node& value, const std::string& range);

    const Node& table_;
    std::string title_;
    Reading& reading_;
    std::vector<std::string> known_;
};

[[nodiscard]] std::string not_built_yet(std::string_view word);

// The sections. Each reads its table of the merged document into reading.scenario.
void read_scenario_section(const Node& document, Reading& reading);
void read_server(const Node& document, Reading& reading);
void read_world(const Node& document, Reading& reading);
void read_transport(const Node& document, Reading& reading);
void read_links(const Node& document, Reading& reading);
void read_bots(const Node& document, Reading& reading);
void read_acts(const Node& document, Reading& reading);
void read_gates(const Node& document, Reading& reading);
// What can only be judged when everything is read.
void check_scenario(const Node& document, Reading& reading);

// One link table's keys over `base`, as `change` acts use them too.
struct LinkPatch {
    std::uint32_t up_keys = 0;
    std::uint32_t down_keys = 0;
};
LinkPatch apply_link_keys(Keys& keys, LinkConfig& into);
void check_link(const Node& table, const Place& place, const std::string& title,
                const LinkConfig& link, Reading& reading);
// `new = "port"`: what a translator gives.
void read_rebind_kind(Keys& keys, RebindKind& gives);
// A link of the file or a preset; nullptr after a problem at `value`.
const LinkConfig* find_link(const Node& value, Reading& reading);

// `duration | phase [ "+" duration ]`, as an instant of the run.
bool read_time_point(const Node& value, Reading& reading, Instant& into);
[[nodiscard]] const Phase* find_phase(const Scenario& scenario, std::string_view name);
// A behaviour that somebody can take on in the middle of a run: no script of its own, not hostile.
bool read_behaviour(const Node& value, Reading& reading, BehaviourKind& into);
[[nodiscard]] bool find_playing_behaviour(std::string_view word, BehaviourKind& into);
[[nodiscard]] std::vector<std::string> playing_behaviours();
// Keys of [server] and [bots.NAME] about the host.
void read_cost(Keys& outer, HostCost& cost);
void read_clock(Keys& outer, BotGroup& group);
void read_stall(Keys& outer, BotGroup& group);
void read_script(Keys& keys, BotGroup& group);
[[nodiscard]] bool is_behaviour_name(std::string_view word);

// Whom `text` means: all | server | GROUP | GROUP-N | GROUP-N..M | any K of GROUP, joined by ", ".
Result<std::vector<Target>, TextError> parse_targets(std::string_view text,
                                                     const std::vector<BotGroup>& groups);
// An exact fault's selector: which datagrams of one direction it means.
Result<FaultSelector, TextError> parse_selector(std::string_view text);
// The keys of one exact fault.
void read_fault(Keys& keys, FaultAction action, FaultPlan& fault);
// Words of the gate language: no phase and no group may be called so.
[[nodiscard]] bool is_reserved_word(std::string_view word);
[[nodiscard]] bool is_name(std::string_view word);  // [a-z][a-z0-9_]*

}  // namespace wt::sim
