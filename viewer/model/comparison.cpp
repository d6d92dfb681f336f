// SPDX-License-Identifier: MIT
#include "viewer/model/comparison.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "simulator/run/common_causes.hpp"
#include "viewer/model/record_text.hpp"
#include "viewer/model/text.hpp"

namespace wt::viewer {

namespace {

// What a record is about, and the how-manieth of its kind: the same thing in both traces.
struct Matter {
    std::uint16_t peer = 0;
    std::uint16_t flags = 0;
    std::uint8_t lane = 0;
    std::uint8_t type = 0;
    std::uint32_t sequence = 0;
    std::uint32_t ordinal = 0;
    friend auto operator<=>(const Matter&, const Matter&) = default;
};

Matter matter_of(const trace::Record& record) {
    constexpr std::uint16_t direction = trace::flag::down | trace::flag::copy;
    // Without a sequence of its own a record is about its tick.
    const std::uint32_t sequence = record.sequence != 0 ? record.sequence : record.tick;
    return {record.peer, static_cast<std::uint16_t>(record.flags & direction),
            record.lane, record.type,
            sequence,    0};
}

// Of a window of one trace: where each matter stands.
std::map<Matter, std::uint64_t> matters_of(const Source& source, std::uint64_t first,
                                           std::uint64_t last) {
    std::map<Matter, std::uint64_t> found;
    for (std::uint64_t number = first; number < last; ++number) {
        Matter matter = matter_of(source.record(number));
        while (!found.emplace(matter, number).second)
            ++matter.ordinal;
    }
    return found;
}

}  // namespace

Comparison::Comparison(const Source& a, std::unique_ptr<SavedSource> b) : a_(a), b_(std::move(b)) {
    difference_ = trace::difference_of(*a_.file(), *b_->file());
    say_verdict();
    make_figures();
    if (!is_comparable()) return;
    causes_ = sim::common_causes(*a_.file(), *b_->file(), difference_);
    const std::uint64_t first =
        difference_.first.value_or(std::min(a_.record_count(), b_->record_count()));
    align(first);
}

void Comparison::say_verdict() {
    if (!is_comparable()) {
        verdict_ = "only statistics: ";
        for (std::size_t i = 0; i < difference_.reasons.size(); ++i)
            verdict_ += (i > 0 ? "; " : "") + difference_.reasons[i];
        return;
    }
    if (!difference_.damage.empty()) {
        verdict_ = "compared up to damage: " + difference_.damage;
        return;
    }
    if (difference_.is_equal()) {
        verdict_ = "bit-identical: all " + count_text(a_.record_count()) + " records";
        return;
    }
    const std::uint64_t first = *difference_.first;
    verdict_ = "identical up to record " + count_text(first);
    if (first < a_.record_count()) {
        const trace::Record record = a_.record(first);
        verdict_ += ", " + clock_text({record.time}, Duration::micros(1)) + ", tick " +
                    count_text(record.tick);
        if (record.peer < a_.info().peers.size())
            verdict_ += ", " + a_.info().peers[record.peer].name;
        verdict_ += ", " + type_text(a_.about(), record);
    } else {
        verdict_ += ", where A ends";
    }
}

void Comparison::align(std::uint64_t first) {
    rows_.clear();
    const std::uint64_t from = first > window / 4 ? first - window / 4 : 0;
    for (std::uint64_t number = from; number < first; ++number)
        rows_.push_back({number, number, true});
    row_ = rows_.size();
    const std::uint64_t a_last = std::min(first + window, a_.record_count());
    const std::uint64_t b_last = std::min(first + window, b_->record_count());
    const std::map<Matter, std::uint64_t> a_matters = matters_of(a_, first, a_last);
    const std::map<Matter, std::uint64_t> b_matters = matters_of(*b_, first, b_last);
    // By A's order; what only B has stands where its time puts it.
    std::vector<std::uint64_t> partner(static_cast<std::size_t>(a_last - first), no_record);
    std::vector<std::uint64_t> alone;
    for (const auto& [matter, number] : b_matters) {
        const auto found = a_matters.find(matter);
        if (found == a_matters.end()) {
            alone.push_back(number);
        } else {
            partner[static_cast<std::size_t>(found->second - first)] = number;
        }
    }
    std::sort(alone.begin(), alone.end());
    std::size_t next_alone = 0;
    const auto add_alone_before = [&](std::int64_t time) {
        while (next_alone < alone.size() && b_->record(alone[next_alone]).time < time)
            rows_.push_back({no_record, alone[next_alone++], false});
    };
    for (std::uint64_t number = first; number < a_last; ++number) {
        const trace::Record record = a_.record(number);
        add_alone_before(record.time);
        const std::uint64_t other = partner[static_cast<std::size_t>(number - first)];
        const bool is_same = other != no_record && b_->record(other) == record;
        rows_.push_back({number, other, is_same});
    }
    add_alone_before(std::numeric_limits<std::int64_t>::max());
    if (row_ > 0 && row_ >= rows_.size()) row_ = rows_.size() - 1;
}

bool Comparison::step(int direction) {
    std::int64_t at = static_cast<std::int64_t>(row_) + direction;
    for (; at >= 0 && at < static_cast<std::int64_t>(rows_.size()); at += direction) {
        if (rows_[static_cast<std::size_t>(at)].is_same) continue;
        row_ = static_cast<std::size_t>(at);
        return true;
    }
    return false;
}

Instant Comparison::at() const {
    if (row_ >= rows_.size()) return {};
    const ComparedRow& row = rows_[row_];
    return {row.a != no_record ? a_.record(row.a).time : b_->record(row.b).time};
}

void Comparison::make_figures() {
    const auto percent = [](std::int64_t a, std::int64_t b) -> std::string {
        if (a == b) return "same";
        if (a == 0) return "new";
        const std::int64_t tenths = (b - a) * 1'000 / a;
        const std::int64_t size = tenths < 0 ? -tenths : tenths;
        return std::string(tenths < 0 ? "-" : "+") + std::to_string(size / 10) + "." +
               std::to_string(size % 10) + " %";
    };
    const auto add = [&](const std::string& title, sim::Dimension dimension, std::int64_t a,
                         std::int64_t b) {
        figures_.push_back(
            {title, value_text(dimension, a), value_text(dimension, b), percent(a, b)});
    };
    add("records", sim::Dimension::count, static_cast<std::int64_t>(a_.record_count()),
        static_cast<std::int64_t>(b_->record_count()));
    for (std::size_t i = 0; i < a_.info().series.size(); ++i) {
        const SeriesInfo& series = a_.info().series[i];
        const int other = b_->info().find_series(series.key);
        if (other < 0) continue;
        Cell a;
        Cell b;
        for (PeerIndex peer = first_bot; peer < a_.info().peers.size(); ++peer)
            a.merge(a_.cell(i, peer, {{0}, a_.end()}));
        for (PeerIndex peer = first_bot; peer < b_->info().peers.size(); ++peer)
            b.merge(b_->cell(static_cast<std::size_t>(other), peer, {{0}, b_->end()}));
        if (a.is_empty() && b.is_empty()) continue;
        const std::int64_t a_value = series.is_sum ? a.sum : a.is_empty() ? 0 : a.max;
        const std::int64_t b_value = series.is_sum ? b.sum : b.is_empty() ? 0 : b.max;
        add(series.title + (series.is_sum ? "" : " max"), series.dimension, a_value, b_value);
    }
}

}  // namespace wt::viewer
