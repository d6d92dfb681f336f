// SPDX-License-Identifier: MIT
#include "viewer/model/peer_table.hpp"

#include <algorithm>
#include <numeric>

#include "viewer/model/text.hpp"

namespace wt::viewer {

namespace {

struct Wanted {
    const char* key;
    const char* title;
};
// Those that the run has become columns, in this order.
constexpr Wanted wanted_columns[] = {
    {"rtt", "rtt max"},
    {"queue_age", "queue age"},
    {"snapshot_age", "snap. age"},
    {"lost", "lost"},
    {"retransmits", "resent"},
    {"corrections", "corr."},
    {"correction_size", "corr. max"},
    {"inputs_missing", "no input"},
    {"bytes_up", "up"},
    {"bytes_down", "down"},
};

std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

}  // namespace

void PeerTable::choose_columns(const RunInfo& info) {
    columns_.clear();
    for (const Wanted& wanted : wanted_columns) {
        const int series = info.find_series(wanted.key);
        if (series < 0) continue;
        const SeriesInfo& about = info.series[static_cast<std::size_t>(series)];
        columns_.push_back({wanted.key, wanted.title, series, about.dimension, about.is_sum});
    }
}

bool PeerTable::refresh(const Source& source, Range range, CellBudget& budget) {
    const RunInfo& info = source.info();
    const bool is_other =
        source_ != &source || peers_ != info.peers.size() || columns_.size() > info.series.size();
    if (is_other) {
        choose_columns(info);
        filter_seen_ = "\n";  // No filter that could be typed.
    }
    if (is_other || !(range == range_) || version_ != source.version()) {
        // A pass that has begun goes on: the last peers of a run that grows have their turn.
        is_stale_ = !is_other && next_ < peers_ && next_ > first_bot;
        source_ = &source;
        range_ = range;
        version_ = source.version();
        peers_ = static_cast<PeerIndex>(info.peers.size());
        if (is_other) cells_.assign(peers_ * columns_.size(), Cell{});
        if (!is_stale_) next_ = first_bot;
    }
    const bool was_complete = next_ >= peers_;
    // The first frame has the names only.
    for (; next_ < peers_ && budget.left > 0 && budget.detail == Detail::exact; ++next_) {
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            Cell& cell = cells_[next_ * columns_.size() + i];
            cell = Cell{};
            const std::size_t cost = 1 + source.cells(static_cast<std::size_t>(columns_[i].series),
                                                      next_, range_, {&cell, 1}, Detail::exact);
            budget.left -= std::min(budget.left, cost);
        }
    }
    const bool is_complete = next_ >= peers_;
    bool changed = is_complete && !was_complete;
    if (peers_ > 0 && rows_.empty() && filter.empty()) changed = true;
    if (filter_seen_ != filter) {
        filter_seen_ = filter;
        read_filter();
        changed = true;
    }
    if (changed || sorted_by_ != sort_column || sorted_down_ != sort_descending) make_rows(info);
    if (!is_complete || !is_stale_) return is_complete;
    is_stale_ = false;
    next_ = first_bot;
    return false;
}

std::optional<std::int64_t> PeerTable::value(PeerIndex peer, std::size_t column) const {
    const Cell& cell = cells_[peer * columns_.size() + column];
    if (cell.is_empty()) return std::nullopt;
    return columns_[column].is_sum ? cell.sum : cell.max;
}

void PeerTable::read_filter() {
    terms_.clear();
    filter_error_.clear();
    std::string_view rest = filter;
    while (!rest.empty()) {
        const std::size_t end = rest.find("&&");
        const std::string_view term = trimmed(rest.substr(0, end));
        if (!term.empty() && !read_term(term)) return;
        rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 2);
    }
}

bool PeerTable::read_term(std::string_view text) {
    const std::size_t at = text.find_first_of("<>");
    if (at == std::string_view::npos) {
        terms_.push_back({.name_part = std::string(text)});
        return true;
    }
    const std::string key(trimmed(text.substr(0, at)));
    const bool with_equal = at + 1 < text.size() && text[at + 1] == '=';
    Term term;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (columns_[i].key == key) term.column = static_cast<int>(i);
    }
    if (term.column < 0) {
        filter_error_ = "no column \"" + key + "\"; there are:";
        for (const PeerColumn& column : columns_)
            filter_error_ += " " + column.key;
        return false;
    }
    const bool is_less = text[at] == '<';
    term.compare = is_less ? (with_equal ? Term::Compare::less_equal : Term::Compare::less)
                           : (with_equal ? Term::Compare::more_equal : Term::Compare::more);
    const std::string_view bound = trimmed(text.substr(at + (with_equal ? 2 : 1)));
    const sim::Dimension dimension = columns_[static_cast<std::size_t>(term.column)].dimension;
    const auto parsed = sim::parse_quantity(bound, {dimension});
    if (!parsed) {
        filter_error_ = parsed.error().message + ": " + parsed.error().hint;
        return false;
    }
    term.bound = parsed->base;
    terms_.push_back(std::move(term));
    return true;
}

bool PeerTable::passes(const RunInfo& info, PeerIndex peer) const {
    for (const Term& term : terms_) {
        if (term.column < 0) {
            if (!contains_word(info.peers[peer].name, term.name_part)) return false;
            continue;
        }
        const auto found = value(peer, static_cast<std::size_t>(term.column));
        if (!found) return false;
        switch (term.compare) {
            case Term::Compare::less:
                if (*found >= term.bound) return false;
                break;
            case Term::Compare::less_equal:
                if (*found > term.bound) return false;
                break;
            case Term::Compare::more:
                if (*found <= term.bound) return false;
                break;
            case Term::Compare::more_equal:
                if (*found < term.bound) return false;
                break;
        }
    }
    return true;
}

void PeerTable::make_rows(const RunInfo& info) {
    sorted_by_ = sort_column;
    sorted_down_ = sort_descending;
    rows_.clear();
    for (PeerIndex peer = first_bot; peer < peers_; ++peer) {
        // A filter that cannot be read hides nobody.
        if (!filter_error_.empty() || passes(info, peer)) rows_.push_back(peer);
    }
    const bool by_value = sort_column >= 0 && sort_column < static_cast<int>(columns_.size());
    std::stable_sort(rows_.begin(), rows_.end(), [&](PeerIndex a, PeerIndex b) {
        if (!by_value) return sort_descending ? b < a : a < b;
        const auto first = value(a, static_cast<std::size_t>(sort_column));
        const auto second = value(b, static_cast<std::size_t>(sort_column));
        // Peers without a value come last either way.
        if (first.has_value() != second.has_value()) return first.has_value();
        if (!first || *first == *second) return a < b;
        return sort_descending ? *second < *first : *first < *second;
    });
}

PeerIndex PeerTable::neighbour(PeerIndex peer, int step) const {
    if (rows_.empty()) return peer;
    const auto place = std::find(rows_.begin(), rows_.end(), peer);
    if (place == rows_.end()) return step > 0 ? rows_.front() : rows_.back();
    const std::ptrdiff_t at = place - rows_.begin() + step;
    const std::ptrdiff_t last = static_cast<std::ptrdiff_t>(rows_.size()) - 1;
    return rows_[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, last))];
}

}  // namespace wt::viewer
