// SPDX-License-Identifier: MIT
//
// The grammar of gates, read word by word:
//   gate  = "off" | metric statistic compare bound [ ("+-" | "±") quantity ] { scope }
//   scope = up | down | in [phase] P | from P to P | after D | of WHO {, WHO} | on LANE
//         | for every peer | for every D
// Every message points at its word.
#include "simulator/gates/gate.hpp"

#include <algorithm>
#include <optional>

#include "engine/base/mutated.hpp"
#include "simulator/gates/words.hpp"
#include "simulator/scenario/reader.hpp"

namespace wt::sim {

namespace {

class GateParser {
public:
    GateParser(const Scenario& scenario, const GateText& source)
        : scenario_(scenario), source_(source), words_(split(source.text)) {}

    // The gate, or nothing: it is off, or problem() says why.
    std::optional<Gate> parse() {
        Gate gate;
        gate.name = source_.name;
        gate.text = source_.text;
        if (words_.size() == 1 && words_[0].text == "off") return std::nullopt;
        if (!take_metric(gate) || !take_statistic(gate) || !take_comparison(gate) ||
            !take_bound(gate) || !take_tolerance(gate)) {
            return std::nullopt;
        }
        scope_start_ = next_;
        gate.watch.end = scenario_.end();
        while (next_ < words_.size()) {
            if (!take_scope(gate)) return std::nullopt;
        }
        if (!finish(gate)) return std::nullopt;
        return gate;
    }

    [[nodiscard]] const std::optional<Problem>& problem() const { return problem_; }

private:
    [[nodiscard]] Place place_of(std::size_t offset, std::size_t length) const {
        Place place = source_.place;
        if (!source_.verbatim) return place;
        place.column += 1 + static_cast<std::uint32_t>(offset);
        place.length = static_cast<std::uint32_t>(std::max<std::size_t>(length, 1));
        return place;
    }

    bool fail_at(std::size_t offset, std::size_t length, std::string message,
                 std::string hint = "") {
        Problem problem;
        problem.place = place_of(offset, length);
        problem.message = std::move(message);
        problem.hint = std::move(hint);
        problem.source_line = source_.source_line;
        problem.section = "gates";
        problem.notes.push_back("gate " + in_quotes(source_.name));
        if (!source_.place.file.empty() && source_.place.file != scenario_.file &&
            source_.place.file != "--set") {
            problem.notes.push_back("in a parent of " + scenario_.file);
        }
        problem_ = std::move(problem);
        return false;
    }
    bool fail(const Word& word, std::string message, std::string hint = "") {
        return fail_at(word.offset, word.text.size(), std::move(message), std::move(hint));
    }
    bool fail_unknown(const Word& word, const std::string& what,
                      const std::vector<std::string>& names) {
        std::string hint = did_you_mean(word.text, names);
        if (hint.empty()) hint = "one of: " + joined(names);
        return fail(word, "unknown " + what + " " + in_quotes(word.text), hint);
    }

    // The next word; false, with a problem, at the end of the text.
    bool take(Word& word, const std::string& wanted) {
        if (next_ < words_.size()) {
            word = words_[next_++];
            return true;
        }
        return fail_at(source_.text.size(), 1, "the gate ends too early", wanted + " is missing");
    }
    [[nodiscard]] bool next_is(std::string_view text) const {
        return next_ < words_.size() && words_[next_].text == text;
    }

    bool take_metric(Gate& gate) {
        Word word;
        if (!take(word, "a metric")) return false;
        const Metric* found = find_metric(word.text);
        if (found == nullptr) {
            std::vector<std::string> names;
            for (const Metric& entry : metric_catalogue())
                names.emplace_back(entry.name);
            return fail(word, "unknown metric " + in_quotes(word.text),
                        did_you_mean(word.text, names));
        }
        if (!found->is_built()) return fail(word, not_built_yet(word.text));
        metric_ = found;
        gate.watch.metric = found->id;
        gate.needs_cost = found->is_cost();
        return true;
    }

    bool take_pick(const Word& word, Pick& pick) {
        for (const PickWord& entry : picks) {
            if (entry.text == word.text) {
                pick = entry.pick;
                return true;
            }
        }
        return fail_unknown(word, "statistic", words_of(picks));
    }

    bool take_rate(Gate& gate) {
        Word unit;
        if (!take(unit, "second or minute")) return false;
        if (unit.text != "second" && unit.text != "minute")
            return fail(unit, in_quotes(unit.text) + " after per", "per second or per minute");
        gate.statistic.kind =
            unit.text == "second" ? Statistic::Kind::per_second : Statistic::Kind::per_minute;
        gate.statistic.pick = Pick::max;
        for (const PickWord& entry : picks) {
            if (!next_is(entry.text)) continue;
            gate.statistic.pick = entry.pick;
            const Word word = words_[next_++];
            if (entry.pick == Pick::last)
                return fail(word, "rates have no last", "they are compared across peers");
        }
        return true;
    }

    bool take_statistic(Gate& gate) {
        Word word;
        if (!take(word, "a statistic")) return false;
        const bool counts = metric_->type == MetricType::count;
        if (counts) {
            gate.statistic.kind = Statistic::Kind::total;
            if (word.text == "total") return true;
            if (word.text == "per") return take_rate(gate);
            return fail(word, std::string(metric_->name) + " counts",
                        "say total, per second or per minute");
        }
        if (word.text == "total" || word.text == "per") {
            return fail(word, std::string(metric_->name) + " does not count, it has values",
                        "say one of: " + joined(words_of(picks)));
        }
        if (!take_pick(word, gate.statistic.pick)) return false;
        if (metric_->type == MetricType::share && gate.statistic.pick != Pick::mean) {
            return fail(word, std::string(metric_->name) + " is a quotient of two sums",
                        "say mean");
        }
        return true;
    }

    bool take_comparison(Gate& gate) {
        Word word;
        comparison_ = next_;
        if (!take(word, "a comparison")) return false;
        for (const CompareWord& entry : compares) {
            if (entry.text != word.text) continue;
            gate.watch.bound.compare = entry.compare;
            return true;
        }
        return fail(word, in_quotes(word.text) + " is not a comparison",
                    "one of: " + joined(words_of(compares)));
    }

    // A value in the gate's dimension. "3 packets" is two words.
    bool take_value(Gate& gate, std::int64_t& into) {
        Word word;
        if (!take(word, "a bound")) return false;
        std::string text(word.text);
        std::size_t length = word.text.size();
        if (next_is("packets") || next_is("packet")) {
            length = words_[next_].offset + words_[next_].text.size() - word.offset;
            text += " packets";
            ++next_;
        }
        Result<Quantity, QuantityError> parsed = parse_bound(gate, text);
        if (!parsed)
            return fail_at(word.offset, length, parsed.error().message, parsed.error().hint);
        into = parsed->base;
        // A bare integer stands for so many per second or minute, or so many times.
        if (parsed->dimension == Dimension::count && gate.dimension != Dimension::count) {
            std::int64_t factor = 1'000'000'000;
            if (gate.dimension == Dimension::packets) factor = 1'000;
            if (gate.dimension == Dimension::frequency)
                factor = gate.statistic.kind == Statistic::Kind::per_second ? 3'600 : 60;
            if (into > INT64_MAX / factor || into < -(INT64_MAX / factor))
                return fail_at(word.offset, length, in_quotes(text) + " is too large");
            into *= factor;
        }
        return true;
    }

    Result<Quantity, QuantityError> parse_bound(Gate& gate, std::string_view text) {
        const bool rate = gate.statistic.kind == Statistic::Kind::per_second ||
                          gate.statistic.kind == Statistic::Kind::per_minute;
        gate.dimension = metric_->dimension;
        if (rate) {
            gate.dimension =
                metric_->dimension == Dimension::bytes ? Dimension::rate : Dimension::frequency;
        }
        switch (gate.dimension) {
            case Dimension::ratio:
                return parse_quantity(text, {Dimension::ratio, Dimension::count});
            case Dimension::packets:
                return parse_quantity(text, {Dimension::packets, Dimension::count});
            case Dimension::frequency:
                return parse_quantity(text, {Dimension::frequency, Dimension::count});
            case Dimension::time:
            case Dimension::bytes:
            case Dimension::rate:
            case Dimension::share:
            case Dimension::length:
            case Dimension::count:
                return parse_quantity(text, {gate.dimension});
        }
        return parse_quantity(text, {gate.dimension});
    }

    bool take_bound(Gate& gate) { return take_value(gate, gate.watch.bound.value); }

    bool take_tolerance(Gate& gate) {
        if (!next_is("+-") && !next_is("\u00b1")) return true;
        const Word sign = words_[next_++];
        const Compare compare = gate.watch.bound.compare;
        if (compare != Compare::equal && compare != Compare::not_equal)
            return fail(sign, "a tolerance goes with == and != only", "widen the bound instead");
        if (!take_value(gate, gate.watch.bound.tolerance)) return false;
        if (gate.watch.bound.tolerance < 0)
            return fail(words_[next_ - 1], "a tolerance cannot be negative");
        return true;
    }

    bool once(const Word& word, unsigned kind) {
        if ((seen_ >> kind & 1u) != 0 && !mutated<"gate-scope-once">())
            return fail(word, in_quotes(word.text) + " stands here twice");
        seen_ |= 1u << kind;
        return true;
    }

    bool take_scope(Gate& gate) {
        const Word word = words_[next_++];
        if (word.text == "up" || word.text == "down") return once(word, 0) && take_way(word, gate);
        if (word.text == "in" || word.text == "from")
            return once(word, 1) && take_phases(word, gate);
        if (word.text == "after") return once(word, 2) && take_after();
        if (word.text == "of") return once(word, 3) && take_targets(gate);
        if (word.text == "on") return once(word, 4) && take_lane(gate);
        if (word.text == "for") return take_every(word, gate);
        const std::vector<std::string> names{"up",    "down", "in", "from",
                                             "after", "of",   "on", "for"};
        return fail_unknown(word, "scope", names);
    }

    // "for every peer" or "for every 5s"; a gate may have one of each.
    bool take_every(const Word& start, Gate& gate) {
        Word word;
        if (!take(word, "every")) return false;
        if (word.text != "every")
            return fail(word, in_quotes(word.text) + " after for", "for every");
        if (!take(word, "peer or a duration")) return false;
        if (word.text == "peer") {
            if (!once(start, 5)) return false;
            if (is_of_server(metric_->id) || metric_->is_cost())
                return fail(word, std::string(metric_->name) + " is not of any peer");
            if (metric_->id == MetricId::peers_active)
                return fail(word, std::string(metric_->name) + " is one value of all peers");
            gate.watch.each_peer = true;
            return true;
        }
        if (!once(start, 6)) return false;
        const Result<Quantity, QuantityError> parsed = parse_quantity(word.text, {Dimension::time});
        if (!parsed)
            return fail(word, parsed.error().message,
                        "for every peer, or for every DURATION, e.g. for every 5s");
        if (parsed->base <= 0) return fail(word, "a window of " + in_quotes(word.text));
        gate.window = parsed->duration();
        window_word_ = word;
        return true;
    }

    bool check_windows(const Gate& gate) {
        if (gate.window == Duration{}) return true;
        // A window's counters are kept for each bot, 40 B; more than 256 MiB is a mistake.
        constexpr std::uint64_t cells_max = 6'000'000;
        const std::uint64_t windows = gate.watch_count();
        if (windows == 0) {
            return fail(window_word_, "no window of " + in_quotes(window_word_.text) + " fits",
                        "the scope is shorter than that");
        }
        if (windows * std::max(scenario_.bot_count(), 1u) > cells_max) {
            return fail(window_word_, std::to_string(windows) + " windows are too many",
                        "make them longer");
        }
        return true;
    }

    bool take_way(const Word& word, Gate& gate) {
        if (!metric_->has_way) return fail(word, std::string(metric_->name) + " has no direction");
        gate.watch.way = word.text == "up" ? Way::up : Way::down;
        return true;
    }

    bool take_phase(const Phase*& phase) {
        Word word;
        if (!take(word, "a phase")) return false;
        phase = find_phase(scenario_, word.text);
        if (phase != nullptr) return true;
        std::vector<std::string> names;
        for (const Phase& known : scenario_.phases)
            names.push_back(known.name);
        fail(word, "unknown phase " + in_quotes(word.text), did_you_mean(word.text, names));
        problem_->notes.insert(problem_->notes.begin(), "phases of this file: " + joined(names));
        return false;
    }

    bool take_phases(const Word& word, Gate& gate) {
        const Phase* first = nullptr;
        const Phase* last = nullptr;
        if (word.text == "in" && next_is("phase")) ++next_;
        if (!take_phase(first)) return false;
        last = first;
        if (word.text == "from") {
            Word to;
            if (!take(to, "to PHASE")) return false;
            if (to.text != "to")
                return fail(to, in_quotes(to.text) + " after from PHASE", "to PHASE");
            if (!take_phase(last)) return false;
            if (last->start < first->start) {
                return fail(words_[next_ - 1],
                            in_quotes(last->name) + " comes before " + in_quotes(first->name));
            }
        }
        gate.watch.start = first->start;
        gate.watch.end = last->end;
        return true;
    }

    bool take_after() {
        Word word;
        if (!take(word, "a duration")) return false;
        const Result<Quantity, QuantityError> parsed = parse_quantity(word.text, {Dimension::time});
        if (!parsed) return fail(word, parsed.error().message, parsed.error().hint);
        if (parsed->base < 0) return fail(word, "after a negative time");
        after_ = parsed->duration();
        after_word_ = word;
        return true;
    }

    bool take_targets(Gate& gate) {
        if (!knows_bots(metric_->id)) {
            return fail_at(words_[next_ - 1].offset, words_[next_ - 1].text.size(),
                           std::string(metric_->name) + " is the server's, not of any bots",
                           "leave `of` out");
        }
        // One target, and another one as long as a comma follows. "any K of GROUP" is four words.
        const std::size_t first = next_;
        bool more = true;
        while (more && next_ < words_.size()) {
            const std::size_t length = words_[next_].text == "any" ? 4 : 1;
            next_ = std::min(next_ + length, words_.size());
            more = words_[next_ - 1].text.ends_with(',');
        }
        if (next_ == first) {
            Word missing;
            return take(missing, "whose");
        }
        const std::size_t offset = words_[first].offset;
        const std::size_t end = words_[next_ - 1].offset + words_[next_ - 1].text.size();
        const std::string_view text = std::string_view(source_.text).substr(offset, end - offset);
        Result<std::vector<Target>, TextError> targets = parse_targets(text, scenario_.groups);
        if (!targets) {
            const TextError& error = targets.error();
            return fail_at(offset + error.offset, error.length, error.message, error.hint);
        }
        return mark_bots(gate, *targets, words_[first]);
    }

    bool mark_bots(Gate& gate, const std::vector<Target>& targets, const Word& word) {
        gate.watch.bots.assign(scenario_.bot_count(), 0);
        for (const Target& target : targets) {
            if (target.kind == Target::Kind::any || target.kind == Target::Kind::server)
                return fail(word, "a gate is of groups and bots", "GROUP, GROUP-N or GROUP-N..M");
            std::size_t index = 0;
            for (const BotGroup& group : scenario_.groups) {
                for (std::uint32_t number = 0; number < group.count; ++number, ++index) {
                    const bool all = target.kind == Target::Kind::all;
                    const bool of_group = target.group == group.name;
                    const bool in_range = target.kind == Target::Kind::group ||
                                          (number >= target.first && number <= target.last);
                    if (all || (of_group && in_range)) gate.watch.bots[index] = 1;
                }
            }
        }
        return true;
    }

    bool take_lane(Gate& gate) {
        Word word;
        if (!take(word, "a lane")) return false;
        if (metric_->lanes == LaneRule::none)
            return fail(word, std::string(metric_->name) + " has no lanes");
        for (const LaneWord& entry : lanes) {
            if (entry.text != word.text) continue;
            gate.watch.lane = entry.lane;
            return true;
        }
        return fail_unknown(word, "lane", words_of(lanes));
    }

    bool finish(Gate& gate) {
        gate.watch.start = gate.watch.start + after_;
        if (gate.watch.start >= gate.watch.end) {
            return fail(after_word_, "nothing is left after " + in_quotes(after_word_.text),
                        "the scope is not longer than that");
        }
        for (std::size_t i = 0; i < words_.size(); ++i) {
            // Without the comparison, the bound and its tolerance: those have columns of their own.
            if (i >= comparison_ && i < scope_start_) continue;
            gate.subject += (gate.subject.empty() ? "" : " ") + std::string(words_[i].text);
        }
        leave_out_hostile(gate);
        return check_windows(gate) && group_is_there(gate);
    }

    // peers.* is about those who play, unless the gate says whom it means.
    void leave_out_hostile(Gate& gate) {
        if (!metric_->is_of_peers() || !gate.watch.bots.empty()) return;
        const std::vector<BotGroup>& groups = scenario_.groups;
        const auto is_hostile = [](const BotGroup& group) { return group.is_hostile(); };
        if (std::none_of(groups.begin(), groups.end(), is_hostile)) return;
        for (const BotGroup& group : groups) {
            const std::uint8_t plays = group.is_hostile() ? 0 : 1;
            gate.watch.bots.insert(gate.watch.bots.end(), group.count, plays);
        }
    }

    // A gate of bots that join only after its scope could never see a value.
    bool group_is_there(const Gate& gate) {
        if (gate.watch.bots.empty()) return true;
        std::size_t index = 0;
        for (const BotGroup& group : scenario_.groups) {
            for (std::uint32_t number = 0; number < group.count; ++number, ++index) {
                if (gate.watch.bots[index] != 0 && group.join_at < gate.watch.end) return true;
            }
        }
        return fail_at(0, source_.text.size(), "none of these bots has joined in that phase",
                       "look at their join_at");
    }

    const Scenario& scenario_;
    const GateText& source_;
    std::vector<Word> words_;
    std::size_t next_ = 0;
    std::size_t comparison_ = 0;   // Index of the comparison's word.
    std::size_t scope_start_ = 0;  // Index of the first scope word.
    const Metric* metric_ = nullptr;
    unsigned seen_ = 0;
    Duration after_{};
    Word after_word_{};
    Word window_word_{};
    std::optional<Problem> problem_{};
};

}  // namespace

std::vector<Gate> compile_gates(const Scenario& scenario, std::vector<Problem>& problems) {
    std::vector<Gate> gates;
    for (const GateText& text : scenario.gates) {
        GateParser parser(scenario, text);
        std::optional<Gate> gate = parser.parse();
        if (gate) gates.push_back(std::move(*gate));
        if (parser.problem()) problems.push_back(*parser.problem());
    }
    return gates;
}

std::uint32_t Gate::watch_count() const {
    if (window == Duration{}) return 1;
    return static_cast<std::uint32_t>((watch.end - watch.start).ns / window.ns);
}

Watch Gate::watch_at(std::uint32_t index) const {
    Watch part = watch;
    if (window == Duration{}) return part;
    part.start = watch.start + window * index;
    part.end = part.start + window;
    return part;
}

std::vector<Watch> watches_of(std::span<const Gate> gates) {
    std::vector<Watch> watches;
    for (const Gate& gate : gates) {
        for (std::uint32_t i = 0; i < gate.watch_count(); ++i)
            watches.push_back(gate.watch_at(i));
    }
    return watches;
}

}  // namespace wt::sim
