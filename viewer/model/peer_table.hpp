// SPDX-License-Identifier: MIT
//
// The table of peers: what each one was like over a range, sorted and filtered. A filter is terms
// joined by "&&": a part of the name, or a comparison of a column ("rtt > 80ms").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "viewer/model/series_grid.hpp"

namespace wt::viewer {

struct PeerColumn {
    std::string key{};    // Of the series.
    std::string title{};  // Of the column.
    int series = -1;
    sim::Dimension dimension = sim::Dimension::count;
    bool is_sum = false;  // Shown is the sum over the range, else the largest value.
};

class PeerTable {
public:
    static constexpr std::uint32_t spark_columns = 24;  // Of the strip in a row.

    // Column -1 = name.
    int sort_column = -1;
    bool sort_descending = false;
    std::string filter{};

    // True when every row is up to date.
    bool refresh(const Source& source, Range range, CellBudget& budget);

    [[nodiscard]] const std::vector<PeerColumn>& columns() const { return columns_; }
    // Peers in the order of the table, without those that the filter leaves out.
    [[nodiscard]] const std::vector<PeerIndex>& rows() const { return rows_; }
    [[nodiscard]] std::optional<std::int64_t> value(PeerIndex peer, std::size_t column) const;
    [[nodiscard]] const std::string& filter_error() const { return filter_error_; }
    // A peer's neighbour in the table's order, or the same one at its ends.
    [[nodiscard]] PeerIndex neighbour(PeerIndex peer, int step) const;

private:
    struct Term {
        std::string name_part{};
        int column = -1;  // -1: name_part counts.
        enum class Compare : std::uint8_t { less, less_equal, more, more_equal } compare{};
        std::int64_t bound = 0;
    };

    void choose_columns(const RunInfo& info);
    void read_filter();
    bool read_term(std::string_view text);
    [[nodiscard]] bool passes(const RunInfo& info, PeerIndex peer) const;
    void make_rows(const RunInfo& info);

    const Source* source_ = nullptr;
    std::vector<PeerColumn> columns_;
    std::vector<Cell> cells_;  // By peer, then column.
    std::vector<PeerIndex> rows_;
    std::vector<Term> terms_;
    std::string filter_error_;

    Range range_{};
    std::uint64_t version_ = 0;
    PeerIndex next_ = first_bot;
    bool is_stale_ = false;  // The pass began with another range: one more follows.
    PeerIndex peers_ = 0;
    int sorted_by_ = -2;
    bool sorted_down_ = false;
    std::string filter_seen_;
};

}  // namespace wt::viewer
