// SPDX-License-Identifier: MIT
//
// Cells, folds and the pyramid, against sums done by hand.
#include "tests/unit/simulator/trace/trace_fixture.hpp"

namespace wt::trace::series_test {

namespace {

constexpr std::uint32_t rtt = static_cast<std::uint32_t>(Series::rtt);
constexpr std::uint32_t lost = static_cast<std::uint32_t>(Series::lost_up);
constexpr std::uint32_t backlog = static_cast<std::uint32_t>(Series::backlog);

// 100 s: in cell n peer 1 has rtt 10 n and 10 n + 5, backlog 3 then 7 then 5, loses n % 2 + n % 2.
std::vector<std::uint8_t> hundred_seconds() {
    std::vector<std::uint8_t> bytes;
    Output output(bytes);
    Writer writer(small_header(), small_about(), output);
    for (std::int64_t n = 0; n < 1'000; ++n) {
        SeriesBuilder& series = writer.series();
        series.add(Series::rtt, 1, 10 * n);
        series.add(Series::rtt, 1, 10 * n + 5);
        for (const std::int64_t value : {3, 7, 5})
            series.add(Series::backlog, 1, value);
        series.add(Series::lost_up, 1, n % 2);
        series.add(Series::lost_up, 1, n % 2);
        series.add(Series::lost_up, 2, 0);
        writer.advance((n + 1) * 100 * ms);
    }
    Writer::Ending ending;
    ending.end_ns = 100'000 * ms;
    REQUIRE(writer.finish(ending));
    return bytes;
}

}  // namespace

TEST_CASE("cells of every level") {
    const TraceFile file = opened(hundred_seconds());
    const SeriesReader& series = file.series();
    CHECK(series.cells(0) == 1'000);
    CHECK(series.cells(1) == 63);  // 1,000 / 16, rounded up.
    CHECK(series.cells(2) == 4);
    CHECK(series.levels() == 3);
    SeriesCell cell;
    series.read(rtt, 1, 0, 999, {&cell, 1});
    CHECK(cell == SeriesCell{9'990, 9'995});
    series.read(rtt, 1, 1, 1, {&cell, 1});
    CHECK(cell == SeriesCell{160, 315});
    series.read(rtt, 1, 2, 3, {&cell, 1});
    CHECK(cell == SeriesCell{7'680, 9'995});
    series.read(lost, 1, 0, 7, {&cell, 1});
    CHECK(cell == SeriesCell{2, 2});
    series.read(lost, 1, 1, 0, {&cell, 1});
    CHECK(cell == SeriesCell{0, 2});
    series.read(backlog, 1, 0, 5, {&cell, 1});
    CHECK(cell == SeriesCell{7, 7});
    // Zeros are values; nothing is none.
    series.read(lost, 2, 0, 5, {&cell, 1});
    CHECK(cell == SeriesCell{0, 0});
    series.read(rtt, 2, 0, 5, {&cell, 1});
    CHECK(cell.is_empty());
    series.read(rtt, 1, 0, 1'000, {&cell, 1});
    CHECK(cell.is_empty());
    series.read(series_count, 1, 0, 0, {&cell, 1});
    CHECK(cell.is_empty());
}

TEST_CASE("resampled to a picture's columns no peak is lost") {
    const TraceFile file = opened(hundred_seconds());
    std::vector<SeriesCell> columns(10);
    file.series().sample(rtt, 1, 0, 100'000 * ms, columns);
    CHECK(columns.front().min == 0);
    CHECK(columns.back().max == 9'995);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        // A column has at least its own tenth.
        CHECK(columns[i].min <= static_cast<std::int32_t>(i) * 1'000);
        CHECK(columns[i].max >= static_cast<std::int32_t>(i) * 1'000 + 995);
    }
    // Closer than the cells are: each belongs to all columns that it touches.
    columns.resize(4);
    file.series().sample(rtt, 1, 0, 100 * ms, columns);
    for (const SeriesCell& column : columns)
        CHECK(column == SeriesCell{0, 5});
}

TEST_CASE("values beyond 32 bits are held at the edge") {
    std::vector<std::uint8_t> bytes;
    Output output(bytes);
    Writer writer(small_header(), small_about(), output);
    writer.series().add(Series::rtt, 1, std::int64_t{1} << 40);
    writer.series().add(Series::lead, 1, -(std::int64_t{1} << 40));
    writer.series().add(Series::bytes_up, 1, 2'000'000'000);
    writer.series().add(Series::bytes_up, 1, 2'000'000'000);
    Writer::Ending ending;
    ending.end_ns = 50 * ms;
    REQUIRE(writer.finish(ending));
    const TraceFile file = opened(bytes);
    SeriesCell cell;
    file.series().read(rtt, 1, 0, 0, {&cell, 1});
    CHECK(cell.max == INT32_MAX - 1);
    file.series().read(static_cast<std::uint32_t>(Series::lead), 1, 0, 0, {&cell, 1});
    CHECK(cell.min == INT32_MIN + 1);
    file.series().read(static_cast<std::uint32_t>(Series::bytes_up), 1, 0, 0, {&cell, 1});
    CHECK(cell.max == INT32_MAX - 1);
}

}  // namespace wt::trace::series_test
