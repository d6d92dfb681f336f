// SPDX-License-Identifier: MIT
//
// Two traces beside each other. Up to the first difference record n of one is record n of the
// other; after it records are matched by what they are about (peer, direction, lane, type,
// sequence), so that peers which nothing happened to still match.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simulator/trace/difference.hpp"
#include "viewer/model/saved_source.hpp"

namespace wt::viewer {

// One row: a record of A, of B, or both.
struct ComparedRow {
    std::uint64_t a = no_record;
    std::uint64_t b = no_record;
    bool is_same = false;
};

struct ComparedFigure {
    std::string title{};
    std::string a{};
    std::string b{};
    std::string change{};
};

class Comparison {
public:
    // How many records of each trace are matched around a place.
    static constexpr std::uint64_t window = 2'000;

    // Both must outlive this; empty, or why they cannot be compared at all.
    Comparison(const Source& a, std::unique_ptr<SavedSource> b);

    [[nodiscard]] const SavedSource& other() const { return *b_; }
    [[nodiscard]] const trace::Difference& difference() const { return difference_; }
    // One line: identical up to a record, bit-identical, or only statistics and why.
    [[nodiscard]] const std::string& verdict() const { return verdict_; }
    [[nodiscard]] bool is_comparable() const { return difference_.reasons.empty(); }
    [[nodiscard]] const std::vector<ComparedRow>& rows() const { return rows_; }
    // What came before the first difference in both, and whose doing it is: lines for people.
    [[nodiscard]] const std::vector<std::string>& causes() const { return causes_; }
    // The row of the first difference in rows(), or of where one looks now.
    [[nodiscard]] std::size_t row() const { return row_; }
    // To the next (previous) row that differs; false: there is none.
    bool step(int direction);
    void look_at(std::size_t row) { row_ = row; }
    // Instant of the row where one looks.
    [[nodiscard]] Instant at() const;
    // Whole runs in figures, side by side.
    [[nodiscard]] const std::vector<ComparedFigure>& figures() const { return figures_; }

private:
    void align(std::uint64_t first);
    void make_figures();
    void say_verdict();

    const Source& a_;
    std::unique_ptr<SavedSource> b_;
    trace::Difference difference_{};
    std::string verdict_{};
    std::vector<ComparedRow> rows_{};
    std::size_t row_ = 0;
    std::vector<ComparedFigure> figures_{};
    std::vector<std::string> causes_{};
};

}  // namespace wt::viewer
