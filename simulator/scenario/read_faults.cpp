// SPDX-License-Identifier: MIT
//
// Exact faults: the `what` selector, and the keys of drop, delay, duplicate, corrupt and replay.
#include <algorithm>
#include <array>

#include "simulator/scenario/reader.hpp"

namespace wt::sim {

namespace {

using transport::Kind;

constexpr std::string_view selector_example = "e.g. what = \"down snapshot #3..5\"";

// Which way a kind travels, so that a selector that can never match is an error at once.
struct KindWord {
    std::string_view text;
    std::optional<Kind> kind;
    Way way;
};
constexpr auto selector_kinds = std::to_array<KindWord>({
    {"datagram", std::nullopt, Way::both},
    {"handshake", Kind::handshake, Way::up},
    {"challenge", Kind::challenge, Way::down},
    {"join", Kind::join, Way::up},
    {"accept", Kind::accept, Way::down},
    {"reject", Kind::reject, Way::down},
    {"close", Kind::close, Way::both},
    {"ack", Kind::ack, Way::both},
    {"keepalive", Kind::keepalive, Way::both},
    {"input", Kind::input, Way::up},
    {"report", Kind::report, Way::up},
    {"snapshot", Kind::snapshot, Way::down},
    {"chat", Kind::chat, Way::both},
    {"bulk", Kind::bulk, Way::both},
    {"spawn", Kind::spawn, Way::down},
    {"despawn", Kind::despawn, Way::down},
    {"keyframe_request", Kind::keyframe_request, Way::up},
    {"path_challenge", Kind::path_challenge, Way::both},
    {"path_response", Kind::path_response, Way::both},
});
constexpr auto lanes =
    std::to_array<std::string_view>({"control", "gameplay", "state", "chat", "bulk"});
constexpr auto clauses = std::to_array<std::string_view>(
    {"message", "fragment", "transmission", "tick", "sequence", "lane", "every"});

template <class Table>
std::vector<std::string> words_of(const Table& table) {
    std::vector<std::string> words;
    for (const auto& entry : table)
        words.emplace_back(entry);
    return words;
}

std::vector<std::string> kind_words() {
    std::vector<std::string> words;
    for (const KindWord& entry : selector_kinds)
        words.emplace_back(entry.text);
    return words;
}

// Reads a selector word by word; the first thing that is wrong ends it.
class SelectorParser {
public:
    explicit SelectorParser(std::string_view text) : text_(text) {}

    Result<FaultSelector, TextError> parse() {
        if (!read_way() || !read_kind()) return unexpected(error_);
        while (next()) {
            if (!read_clause()) return unexpected(error_);
        }
        return made_;
    }

private:
    // Moves to the next word; false at the end.
    bool next() {
        at_ = std::min(text_.find_first_not_of(' ', at_ + word_.size()), text_.size());
        word_ = text_.substr(at_, text_.substr(at_).find(' '));
        return !word_.empty();
    }
    bool fail(std::string message, std::string hint) {
        error_ = {at_, std::max<std::size_t>(word_.size(), 1), std::move(message), std::move(hint)};
        return false;
    }
    bool fail_word(const std::string& what, const std::vector<std::string>& words) {
        std::string hint = did_you_mean(word_, words);
        if (hint.empty()) hint = "one of: " + joined(words);
        return fail("unknown " + what + " \"" + std::string(word_) + "\"", std::move(hint));
    }
    bool read_way();
    bool read_kind();
    bool read_clause();
    bool read_ordinals();
    bool read_number(std::string_view& rest, std::uint64_t& into);
    bool read_span(std::string_view rest, std::uint64_t least, NumberSpan& into);
    bool read_filter(std::string_view name);
    bool read_lane();
    bool read_every();
    bool once(bool is_new, std::string_view name) {
        return is_new || fail("\"" + std::string(name) + "\" stands twice", "leave one out");
    }

    std::string_view text_;
    std::string_view word_{};
    std::size_t at_ = 0;
    FaultSelector made_{};
    bool has_ordinals_ = false;
    bool has_every_ = false;
    TextError error_{};
};

bool SelectorParser::read_way() {
    if (!next()) return fail("the selector is empty", std::string(selector_example));
    if (word_ != "up" && word_ != "down") {
        return fail("a selector begins with up or down, not \"" + std::string(word_) + "\"",
                    std::string(selector_example));
    }
    made_.way = word_ == "up" ? Way::up : Way::down;
    return true;
}

bool SelectorParser::read_kind() {
    if (!next()) return fail("the selector needs a kind", "one of: " + joined(kind_words()));
    for (const KindWord& entry : selector_kinds) {
        if (entry.text != word_) continue;
        if (entry.way != Way::both && entry.way != made_.way) {
            const std::string way = entry.way == Way::up ? "up" : "down";
            return fail("a datagram of kind " + std::string(word_) + " only goes " + way,
                        "write \"" + way + " " + std::string(word_) + "\"");
        }
        made_.kind = entry.kind;
        return true;
    }
    return fail_word("kind", kind_words());
}

bool SelectorParser::read_clause() {
    if (word_[0] == '#') return read_ordinals();
    const std::string_view name = word_;
    if (name == "lane") return read_lane();
    if (name == "every") return read_every();
    if (std::find(clauses.begin(), clauses.end(), name) == clauses.end())
        return fail_word("filter", words_of(clauses));
    return read_filter(name);
}

bool SelectorParser::read_ordinals() {
    if (!once(!has_ordinals_, "#")) return false;
    has_ordinals_ = true;
    return read_span(word_.substr(1), 1, made_.ordinals);
}

bool SelectorParser::read_number(std::string_view& rest, std::uint64_t& into) {
    constexpr std::size_t digits_max = 12;
    std::uint64_t number = 0;
    std::size_t digits = 0;
    while (digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9')
        number = number * 10 + static_cast<std::uint64_t>(rest[digits++] - '0');
    if (digits == 0 || digits > digits_max) return false;
    rest.remove_prefix(digits);
    into = number;
    return true;
}

// n, n.. or n..m
bool SelectorParser::read_span(std::string_view rest, std::uint64_t least, NumberSpan& into) {
    const auto wrong = [this] {
        return fail("\"" + std::string(word_) + "\" names no numbers", "3, 3..5 or 3..");
    };
    if (!read_number(rest, into.first)) return wrong();
    into.last = into.first;
    if (rest.starts_with("..")) {
        rest.remove_prefix(2);
        if (rest.empty()) {
            into.last = NumberSpan::open;
        } else if (!read_number(rest, into.last)) {
            return wrong();
        }
    }
    if (!rest.empty()) return wrong();
    if (into.first < least) return fail("ordinals begin with 1", "the first one is #1");
    if (into.last < into.first)
        return fail("\"" + std::string(word_) + "\" ends before it begins", "smaller one first");
    return true;
}

bool SelectorParser::read_filter(std::string_view name) {
    std::optional<NumberSpan>& into = name == "message"        ? made_.message
                                      : name == "fragment"     ? made_.fragment
                                      : name == "transmission" ? made_.transmission
                                      : name == "tick"         ? made_.tick
                                                               : made_.sequence;
    if (!once(!into.has_value(), name)) return false;
    if (!next()) return fail(std::string(name) + " needs numbers", "3, 3..5 or 3..");
    NumberSpan span;
    if (!read_span(word_, name == "transmission" ? 1 : 0, span)) return false;
    into = span;
    return true;
}

bool SelectorParser::read_lane() {
    if (!once(!made_.lane.has_value(), "lane")) return false;
    if (!next()) return fail("lane needs a name", "one of: " + joined(words_of(lanes)));
    const auto found = std::find(lanes.begin(), lanes.end(), word_);
    if (found == lanes.end()) return fail_word("lane", words_of(lanes));
    made_.lane = static_cast<transport::Lane>(found - lanes.begin());
    return true;
}

bool SelectorParser::read_every() {
    if (!once(!has_every_, "every")) return false;
    has_every_ = true;
    if (!next()) return fail("every needs a number", "e.g. every 10");
    std::string_view rest = word_;
    if (!read_number(rest, made_.every) || !rest.empty() || made_.every == 0)
        return fail("\"" + std::string(word_) + "\" is no count", "1 or more, e.g. every 10");
    return true;
}

// What a transport cannot know, it cannot be asked.
void check_transport(const Node& what, const FaultPlan& fault, Keys& keys) {
    if (keys.reading().scenario.transport.kind != TransportKind::loopback) return;
    const bool asks = fault.what.fragment.has_value() || fault.what.transmission.has_value();
    if (asks) {
        keys.problem(what, "loopback has no fragments and no second transmissions",
                     "message, tick, lane and # work on every transport");
    }
    if (fault.is_from_stranger) {
        keys.problem(*keys.node().find("from"), "loopback believes every address",
                     "from = \"stranger\" needs [transport] kind = \"secure\"");
    }
}

}  // namespace

Result<FaultSelector, TextError> parse_selector(std::string_view text) {
    return SelectorParser(text).parse();
}

void read_fault(Keys& keys, FaultAction action, FaultPlan& fault) {
    fault.action = action;
    Reading& reading = keys.reading();
    const Node* what = keys.take("what");
    if (what == nullptr || !what->is_string()) {
        reading.add(what == nullptr ? keys.node().place : what->place,
                    keys.title() + " needs what: the datagrams that are meant",
                    std::string(selector_example));
    } else {
        const Result<FaultSelector, TextError> selector = parse_selector(what->text);
        if (selector) {
            fault.what = *selector;
        } else {
            const TextError& error = selector.error();
            reading.add(place_inside(*what, error.offset, error.length), error.message, error.hint);
        }
    }
    constexpr TimeRange hour{Duration::nanos(1), Duration::seconds(3'600)};
    constexpr TimeRange from_zero{Duration{}, hour.most};
    if (action == FaultAction::delay && !keys.time("by", fault.by, hour) &&
        keys.member("by") == nullptr) {
        reading.add(keys.node().place, keys.title() + " needs by", "e.g. by = \"700ms\"");
    }
    if (action == FaultAction::duplicate)
        keys.integer("copies", fault.copies, {1, std::int64_t{fault_copies_max}});
    if (action == FaultAction::duplicate || action == FaultAction::replay)
        keys.time("after", fault.after, from_zero);
    if (action == FaultAction::corrupt) {
        std::uint32_t bit = 0;
        if (keys.integer("bit", bit, {0, 1'000'000})) fault.bit = bit;
    }
    if (action == FaultAction::replay) {
        std::size_t from = 0;
        const std::vector<std::string> words{"sender", "stranger"};
        if (keys.choice("from", from, words)) fault.is_from_stranger = from == 1;
    }
    if (what != nullptr) check_transport(*what, fault, keys);
}

}  // namespace wt::sim
