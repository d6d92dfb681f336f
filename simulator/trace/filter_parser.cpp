// SPDX-License-Identifier: MIT
//
// Expression to tests. Operators wait on a stack of their own; a finished part knows its first
// test and which of its exits still lead nowhere, so that "and", "or" and "not" only join exits.
// No recursion: the text is anybody's.
#include <algorithm>
#include <array>
#include <span>

#include "engine/base/mutated.hpp"
#include "simulator/scenario/problem.hpp"
#include "simulator/scenario/quantity.hpp"
#include "simulator/trace/filter.hpp"

namespace wt::trace {

// Outside the unnamed namespace, since FilterParser, a friend of Filter, keeps some.
struct FilterToken {
    enum class What : std::uint8_t {
        end,
        word,
        quoted,
        compare,
        both,
        either,
        negate,
        open,
        close
    };
    What what = What::end;
    std::string_view text{};
    std::size_t offset = 0;
    Filter::Compare compare = Filter::Compare::equal;
};

namespace {

constexpr std::size_t tests_max = 256;

struct FieldName {
    const char* name = "";
    Filter::Field field = Filter::Field::time;
};
constexpr std::array<FieldName, 18> field_names = {{
    {"time", Filter::Field::time},
    {"peer", Filter::Field::peer},
    {"lane", Filter::Field::lane},
    {"type", Filter::Field::type},
    {"kind", Filter::Field::kind},
    {"flags", Filter::Field::flags},
    {"sequence", Filter::Field::sequence},
    {"tick", Filter::Field::tick},
    {"size", Filter::Field::size},
    {"age", Filter::Field::age},
    {"detail", Filter::Field::detail},
    {"number", Filter::Field::number},
    {"way", Filter::Field::way},
    {"message", Filter::Field::message},
    {"fragment", Filter::Field::fragment},
    {"try", Filter::Field::transmission},
    {"cause", Filter::Field::cause},
    {"reason", Filter::Field::reason},
}};

bool is_word_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '%';
}

FilterToken symbol_at(std::string_view text, std::size_t at) {
    struct Symbol {
        std::string_view text{};
        FilterToken::What what = FilterToken::What::end;
        Filter::Compare compare = Filter::Compare::equal;
    };
    using Compare = Filter::Compare;
    static constexpr std::array<Symbol, 11> symbols = {{
        {"==", FilterToken::What::compare, Compare::equal},
        {"!=", FilterToken::What::compare, Compare::unequal},
        {"<=", FilterToken::What::compare, Compare::at_most},
        {">=", FilterToken::What::compare, Compare::at_least},
        {"<", FilterToken::What::compare, Compare::less},
        {">", FilterToken::What::compare, Compare::more},
        {"&&", FilterToken::What::both},
        {"||", FilterToken::What::either},
        {"!", FilterToken::What::negate},
        {"(", FilterToken::What::open},
        {")", FilterToken::What::close},
    }};
    for (const Symbol& symbol : symbols) {
        if (text.substr(at).starts_with(symbol.text))
            return {symbol.what, text.substr(at, symbol.text.size()), at, symbol.compare};
    }
    return {FilterToken::What::end, text.substr(at, 1), at, {}};
}

}  // namespace

class FilterParser {
public:
    FilterParser(std::string_view text, const TraceFile& trace) : text_(text), trace_(trace) {}

    Result<Filter, FilterError> parse();

private:
    // A finished part: where it begins, and its open exits as (test << 1 | is_no).
    struct Part {
        std::int32_t start = Filter::accept;
        std::vector<std::uint32_t> yes{};
        std::vector<std::uint32_t> no{};
        std::optional<std::uint16_t> peer{};  // All that it takes are this peer's.
    };
    using What = FilterToken::What;

    bool fail(const FilterToken& token, std::string message, std::string hint = {}) {
        if (!error_)
            error_ = FilterError{token.offset, std::max<std::size_t>(token.text.size(), 1),
                                 std::move(message), std::move(hint)};
        return false;
    }
    bool next(FilterToken& token);
    bool operand(const FilterToken& token);
    bool lone_word(const FilterToken& token);
    bool comparison(const FilterToken& field, const FilterToken& compare, const FilterToken& value);
    bool read_value(Filter::Field& field, const FilterToken& token, std::int64_t& value);
    bool read_name(const FilterToken& token, const std::vector<Word>& words, const char* what,
                   std::int64_t& value);
    bool read_peer(Filter::Field& field, const FilterToken& token, std::int64_t& value);
    bool add_test(const FilterToken& token, Filter::Field field, Filter::Compare compare,
                  std::int64_t value);
    void patch(const std::vector<std::uint32_t>& exits, std::int32_t target);
    void apply(What what);
    void apply_down_to(int rank);
    static int rank_of(What what) {
        return what == What::negate ? 3 : what == What::both ? 2 : what == What::either ? 1 : 0;
    }

    std::string_view text_;
    const TraceFile& trace_;
    std::size_t at_ = 0;
    Filter filter_{};
    std::vector<Part> parts_{};
    std::vector<FilterToken> waiting_{};
    std::optional<FilterError> error_{};
};

bool FilterParser::next(FilterToken& token) {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t'))
        ++at_;
    token = {What::end, {}, at_, {}};
    if (at_ >= text_.size()) return true;
    if (text_[at_] == '"') {
        const std::size_t end = text_.find('"', at_ + 1);
        token = {What::quoted, text_.substr(at_), at_, {}};
        if (end == std::string_view::npos) return fail(token, "the quote has no end");
        token.text = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        return true;
    }
    std::size_t end = at_;
    while (end < text_.size() && is_word_char(text_[end]))
        ++end;
    if (end > at_) {
        token = {What::word, text_.substr(at_, end - at_), at_, {}};
        at_ = end;
        return true;
    }
    token = symbol_at(text_, at_);
    if (token.what == What::end)
        return fail(token, "\"" + std::string(token.text) + "\" means nothing here",
                    "== != < <= > >= && || ! ( )");
    at_ += token.text.size();
    return true;
}

void FilterParser::patch(const std::vector<std::uint32_t>& exits, std::int32_t target) {
    for (const std::uint32_t exit : exits) {
        Filter::Test& test = filter_.tests_[exit >> 1];
        ((exit & 1) != 0 ? test.no : test.yes) = target;
    }
}

void FilterParser::apply(What what) {
    if (what == What::negate) {
        std::swap(parts_.back().yes, parts_.back().no);
        // What it leaves out is that peer's; what it takes is anybody's.
        if (!mutated<"filter-negated-peer">()) parts_.back().peer.reset();
        return;
    }
    Part right = std::move(parts_.back());
    parts_.pop_back();
    Part& left = parts_.back();
    const bool is_both = what == What::both;
    patch(is_both ? left.yes : left.no, right.start);
    (is_both ? left.yes : left.no) = is_both ? right.yes : right.no;
    std::vector<std::uint32_t>& joined = is_both ? left.no : left.yes;
    const std::vector<std::uint32_t>& more = is_both ? right.no : right.yes;
    joined.insert(joined.end(), more.begin(), more.end());
    if (is_both) {
        if (!left.peer) left.peer = right.peer;
    } else if (left.peer != right.peer) {
        left.peer.reset();
    }
}

void FilterParser::apply_down_to(int rank) {
    while (!waiting_.empty() && waiting_.back().what != What::open &&
           rank_of(waiting_.back().what) >= rank) {
        apply(waiting_.back().what);
        waiting_.pop_back();
    }
}

bool FilterParser::add_test(const FilterToken& token, Filter::Field field, Filter::Compare compare,
                            std::int64_t value) {
    const std::size_t number = filter_.tests_.size();
    if (number >= tests_max) return fail(token, "more than 256 comparisons");
    filter_.tests_.push_back(Filter::make_test(field, compare, value));
    Part part;
    part.start = static_cast<std::int32_t>(number);
    part.yes = {static_cast<std::uint32_t>(number << 1)};
    part.no = {static_cast<std::uint32_t>(number << 1 | 1)};
    if (field == Filter::Field::peer && compare == Filter::Compare::equal)
        part.peer = static_cast<std::uint16_t>(value);
    parts_.push_back(std::move(part));
    return true;
}

bool FilterParser::lone_word(const FilterToken& token) {
    const About& about = trace_.about();
    for (const Word& word : about.types) {
        if (word.name == token.text)
            return add_test(token, Filter::Field::type, Filter::Compare::equal, word.value);
    }
    for (const Word& word : about.flags) {
        if (word.name == token.text)
            return add_test(token, Filter::Field::flags, Filter::Compare::has_bits,
                            std::int64_t{1} << (word.value & 15));
    }
    std::vector<std::string> known;
    for (const FieldName& field : field_names)
        known.emplace_back(field.name);
    for (const std::vector<Word>* words : {&about.types, &about.flags}) {
        for (const Word& word : *words)
            known.push_back(word.name);
    }
    const std::string near = sim::nearest_name(token.text, known);
    return fail(
        token, "\"" + std::string(token.text) + "\" is no field, type or flag",
        near.empty() ? "e.g. peer == server && size > 900" : "did you mean \"" + near + "\"?");
}

bool FilterParser::read_name(const FilterToken& token, const std::vector<Word>& words,
                             const char* what, std::int64_t& value) {
    std::vector<std::string> known;
    for (const Word& word : words) {
        if (word.name == token.text) {
            value = word.value;
            return true;
        }
        known.push_back(word.name);
    }
    const std::string near = sim::nearest_name(token.text, known);
    return fail(token, "\"" + std::string(token.text) + "\" is no " + what,
                near.empty() ? "e.g. " + (known.empty() ? std::string("0") : known.front())
                             : "did you mean \"" + near + "\"?");
}

// A peer's name, "-" for nobody, or a group's, which means all of it.
bool FilterParser::read_peer(Filter::Field& field, const FilterToken& token, std::int64_t& value) {
    const About& about = trace_.about();
    std::vector<std::string> known{"-"};
    if (token.text == "-") {
        value = no_peer;
        return true;
    }
    for (std::size_t i = 0; i < about.peers.size(); ++i) {
        if (about.peers[i].name == token.text) {
            value = static_cast<std::int64_t>(i);
            return true;
        }
        known.push_back(about.peers[i].name);
    }
    for (std::size_t i = 0; i < about.groups.size(); ++i) {
        if (about.groups[i] == token.text) {
            field = Filter::Field::group;
            value = static_cast<std::int64_t>(i);
            return true;
        }
        known.push_back(about.groups[i]);
    }
    const std::string near = sim::nearest_name(token.text, known);
    return fail(token, "no peer or group \"" + std::string(token.text) + "\" in this trace",
                near.empty() ? "`trace info` lists them" : "did you mean \"" + near + "\"?");
}

bool FilterParser::read_value(Filter::Field& field, const FilterToken& token, std::int64_t& value) {
    using Field = Filter::Field;
    const About& about = trace_.about();
    const bool is_time = field == Field::time || field == Field::age;
    const bool starts_with_digit =
        !token.text.empty() && token.text.front() >= '0' && token.text.front() <= '9';
    if (token.what == What::word && starts_with_digit) {
        auto parsed = is_time ? sim::parse_quantity(token.text, {sim::Dimension::time})
                              : sim::parse_quantity(token.text, {sim::Dimension::count});
        if (!parsed) return fail(token, parsed.error().message, parsed.error().hint);
        value = parsed->base;
        return true;
    }
    switch (field) {
        case Field::peer:
            return read_peer(field, token, value);
        case Field::lane:
            if (token.text == "none") {
                value = no_lane;
                return true;
            }
            return read_name(token, about.lanes, "lane", value);
        case Field::type:
            return read_name(token, about.types, "type", value);
        case Field::kind:
            // Connections have words of their own.
            for (const Word& word : about.changes) {
                if (word.name == token.text) {
                    value = word.value;
                    return true;
                }
            }
            return read_name(token, about.kinds, "kind", value);
        case Field::cause:
            return read_name(token, about.causes, "drop cause", value);
        case Field::reason:
            return read_name(token, about.reasons, "close reason", value);
        case Field::way:
            value = token.text == "down" ? flag::down : 0;
            if (token.text == "down" || token.text == "up") return true;
            return fail(token, "a way is up or down");
        case Field::time:
        case Field::age:
            return fail(token, "a time is a number with a unit", "e.g. 12.5s or 300ms");
        case Field::flags:
        case Field::sequence:
        case Field::tick:
        case Field::size:
        case Field::detail:
        case Field::number:
        case Field::message:
        case Field::fragment:
        case Field::transmission:
        case Field::group:
            break;
    }
    return fail(token, "\"" + std::string(token.text) + "\" is no number");
}

bool FilterParser::comparison(const FilterToken& name, const FilterToken& compare,
                              const FilterToken& value) {
    const auto found = std::find_if(field_names.begin(), field_names.end(),
                                    [&](const FieldName& f) { return f.name == name.text; });
    if (found == field_names.end()) {
        std::vector<std::string> known;
        for (const FieldName& field : field_names)
            known.emplace_back(field.name);
        const std::string near = sim::nearest_name(name.text, known);
        return fail(name, "unknown field \"" + std::string(name.text) + "\"",
                    near.empty() ? "time, peer, lane, type, kind, sequence, tick, size, ..."
                                 : "did you mean \"" + near + "\"?");
    }
    if (value.what != What::word && value.what != What::quoted)
        return fail(value, "a value is missing",
                    "e.g. " + std::string(name.text) + " " + std::string(compare.text) + " 3");
    Filter::Field field = found->field;
    std::int64_t bound = 0;
    if (!read_value(field, value, bound)) return false;
    const bool is_order =
        compare.compare != Filter::Compare::equal && compare.compare != Filter::Compare::unequal;
    if (field == Filter::Field::group && is_order)
        return fail(compare, "a group is compared with == or !=");
    return add_test(value, field, compare.compare, bound);
}

bool FilterParser::operand(const FilterToken& token) {
    const std::size_t back = at_;
    FilterToken compare;
    if (!next(compare)) return false;
    if (compare.what != What::compare) {
        at_ = back;
        return lone_word(token);
    }
    FilterToken value;
    return next(value) && comparison(token, compare, value);
}

Result<Filter, FilterError> FilterParser::parse() {
    bool wants_operand = true;
    FilterToken token;
    while (!error_ && next(token)) {
        if (token.what == What::end) {
            if (wants_operand && !(parts_.empty() && waiting_.empty()))
                fail(token, "the expression is not complete");
            break;
        }
        if (wants_operand) {
            if (token.what == What::negate || token.what == What::open) {
                waiting_.push_back(token);
            } else if (token.what == What::word) {
                if (operand(token)) wants_operand = false;
            } else {
                fail(token, "a field, `!` or `(` is wanted here", "e.g. size > 900");
            }
            continue;
        }
        if (token.what == What::both || token.what == What::either) {
            apply_down_to(rank_of(token.what));
            waiting_.push_back(token);
            wants_operand = true;
        } else if (token.what == What::close) {
            apply_down_to(1);
            if (waiting_.empty()) {
                fail(token, "there is no `(` for this `)`");
                break;
            }
            waiting_.pop_back();
        } else {
            fail(token, "`&&` or `||` is wanted here");
        }
    }
    if (!error_) apply_down_to(1);
    if (!error_ && !waiting_.empty()) fail(waiting_.back(), "this `(` is not closed");
    if (error_) return unexpected(*error_);
    if (!parts_.empty()) {
        patch(parts_.back().yes, Filter::accept);
        patch(parts_.back().no, Filter::reject);
        filter_.start_ = parts_.back().start;
        filter_.only_peer_ = parts_.back().peer;
    }
    for (const PeerEntry& peer : trace_.about().peers)
        filter_.groups_.push_back(peer.group);
    return std::move(filter_);
}

Result<Filter, FilterError> Filter::compile(std::string_view text, const TraceFile& trace) {
    return FilterParser(text, trace).parse();
}

}  // namespace wt::trace
