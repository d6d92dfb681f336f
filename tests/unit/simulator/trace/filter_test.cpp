// SPDX-License-Identifier: MIT
//
// The expression against conditions written in C++, and what it refuses with which place.
#include <functional>

#include "simulator/trace/filter_batch.hpp"
#include "tests/unit/simulator/trace/trace_fixture.hpp"

namespace wt::trace {

namespace {

std::uint64_t count(const TraceFile& file, const std::string& text) {
    const Result<Filter, FilterError> filter = Filter::compile(text, file);
    if (!filter) FAIL(text << ": " << filter.error().message);
    std::uint64_t taken = 0;
    for_each_record(file, *filter, {0, file.record_count()},
                    [&](std::uint64_t, const std::uint8_t*) { return ++taken, true; });
    return taken;
}

// The same 64 at a time; the last step has 44.
std::uint64_t count_by_steps(const TraceFile& file, const Filter& filter,
                             const RecordColumns* columns) {
    FilterBatch batch(filter);
    std::uint64_t taken = 0;
    for (std::uint64_t n = 0; n < file.record_count(); n += 64) {
        const unsigned step =
            static_cast<unsigned>(std::min<std::uint64_t>(64, file.record_count() - n));
        const std::uint64_t bits = batch.take({.stored = file.record_bytes(n),
                                               .first = n,
                                               .count = step,
                                               .columns = columns,
                                               .place = static_cast<std::size_t>(n)});
        if (step < 64) CHECK((bits >> step) == 0);
        for (unsigned i = 0; i < step; ++i) {
            const std::uint64_t bit = bits >> i & 1;
            CHECK((bit == 1) == filter.takes(file.record_bytes(n + i), n + i));
            taken += bit;
        }
    }
    return taken;
}

std::string refused(const TraceFile& file, const std::string& text) {
    const Result<Filter, FilterError> filter = Filter::compile(text, file);
    if (filter) return "taken";
    const FilterError& error = filter.error();
    return std::to_string(error.offset) + "+" + std::to_string(error.length) + " " + error.message +
           (error.hint.empty() ? "" : " | " + error.hint);
}

}  // namespace

TEST_CASE("what an expression takes") {
    // 300 records: peers in turn, even ones sends and odd ones receives, 1 ms apart.
    const TraceFile file = opened(SmallTrace::of(300).bytes);
    struct Case {
        const char* text;
        std::function<bool(std::uint64_t)> wanted;
    };
    const Case cases[] = {
        {"", [](std::uint64_t) { return true; }},
        {"peer == a-1", [](std::uint64_t n) { return n % 3 == 2; }},
        {"peer == 2", [](std::uint64_t n) { return n % 3 == 2; }},
        {"peer == a", [](std::uint64_t n) { return n % 3 != 0; }},
        {"peer != \"a\"", [](std::uint64_t n) { return n % 3 == 0; }},
        {"send", [](std::uint64_t n) { return n % 2 == 0; }},
        {"!send", [](std::uint64_t n) { return n % 2 == 1; }},
        {"type == receive && sequence < 10", [](std::uint64_t n) { return n % 2 == 1 && n < 10; }},
        {"sequence < 10 || sequence >= 290", [](std::uint64_t n) { return n < 10 || n >= 290; }},
        {"time >= 100ms && time < 0.2s", [](std::uint64_t n) { return n >= 100 && n < 200; }},
        // && binds tighter.
        {"send && sequence == 4 || sequence == 7",
         [](std::uint64_t n) { return n == 4 || n == 7; }},
        {"sequence == 7 || send && sequence == 4",
         [](std::uint64_t n) { return n == 4 || n == 7; }},
        {"send && (sequence == 4 || sequence == 7)", [](std::uint64_t n) { return n == 4; }},
        {"!(send && sequence == 4) && sequence < 6",
         [](std::uint64_t n) { return n < 6 && n != 4; }},
        {"!!send", [](std::uint64_t n) { return n % 2 == 0; }},
        {"!(sequence < 290 || send)", [](std::uint64_t n) { return n >= 290 && n % 2 == 1; }},
        {"peer == a-0 && send || peer == a-0 && receive",
         [](std::uint64_t n) { return n % 3 == 1; }},
        {"peer == a-0 || peer == a-1", [](std::uint64_t n) { return n % 3 != 0; }},
        {"peer == a-0 && peer == a-1", [](std::uint64_t) { return false; }},
        {"!(peer == a-0)", [](std::uint64_t n) { return n % 3 != 1; }},
        // Bounds at and beyond what a column can hold.
        {"size <= 100 && size >= 100", [](std::uint64_t) { return true; }},
        {"size > 65535", [](std::uint64_t) { return false; }},
        {"size < 70000", [](std::uint64_t) { return true; }},
        {"lane != 256 && kind == 0", [](std::uint64_t) { return true; }},
        {"kind > 0 || size != 100", [](std::uint64_t) { return false; }},
        {"number == 17", [](std::uint64_t n) { return n == 17; }},
        {"way == up", [](std::uint64_t) { return true; }},
        {"down", [](std::uint64_t) { return false; }},
        // Receives have no cause, so neither says anything about them.
        {"cause == loss", [](std::uint64_t) { return false; }},
        {"cause != loss", [](std::uint64_t) { return false; }},
    };
    for (const Case& each : cases) {
        CAPTURE(each.text);
        std::uint64_t wanted = 0;
        for (std::uint64_t n = 0; n < 300; ++n)
            wanted += each.wanted(n) ? 1u : 0u;
        CHECK(count(file, each.text) == wanted);
        const Result<Filter, FilterError> filter = Filter::compile(each.text, file);
        for (std::uint64_t n = 0; n < 300; ++n)
            CHECK(filter->takes(file.record_bytes(n), n) == each.wanted(n));
        CHECK(count_by_steps(file, *filter, nullptr) == wanted);
        const RecordColumns columns = RecordColumns::of(file.block_bytes(0));
        CHECK(columns.count == 300);
        CHECK(count_by_steps(file, *filter, &columns) == wanted);
    }
}

TEST_CASE("whose index may be used") {
    const TraceFile file = opened(SmallTrace::of(10).bytes);
    const auto only = [&](const char* text) { return Filter::compile(text, file)->only_peer(); };
    CHECK(only("size > 3 && peer == a-1") == std::uint16_t{2});
    CHECK(only("peer == a-1 && send || receive && peer == a-1") == std::uint16_t{2});
    CHECK_FALSE(only("peer == a-1 || send").has_value());
    CHECK_FALSE(only("!(peer == a-1)").has_value());
    CHECK_FALSE(only("peer == a").has_value());
}

TEST_CASE("what is refused, where, with advice") {
    const TraceFile file = opened(SmallTrace::of(10).bytes);
    CHECK(refused(file, "per == a-1") == "0+3 unknown field \"per\" | did you mean \"peer\"?");
    CHECK(refused(file, "peer == a-9") ==
          "8+3 no peer or group \"a-9\" in this trace | did you mean \"a-0\"?");
    CHECK(refused(file, "kind == snapshto") ==
          "8+8 \"snapshto\" is no kind | did you mean \"snapshot\"?");
    CHECK(refused(file, "time > 5") == "7+1 \"5\" has no unit | a time: ns, us, ms, s, min, h");
    CHECK(refused(file, "size >") == "6+1 a value is missing | e.g. size > 3");
    CHECK(refused(file, "size > 3 &&") == "11+1 the expression is not complete");
    CHECK(refused(file, "(size > 3") == "0+1 this `(` is not closed");
    CHECK(refused(file, "size > 3)") == "8+1 there is no `(` for this `)`");
    CHECK(refused(file, "size > 3 size") == "9+4 `&&` or `||` is wanted here");
    CHECK(refused(file, "size = 3") ==
          "5+1 \"=\" means nothing here | == != < <= > >= && || ! ( )");
    CHECK(refused(file, "peer < a") == "5+1 a group is compared with == or !=");
    CHECK(refused(file, "peer == \"a") == "8+2 the quote has no end");
    CHECK(refused(file, "recieve") ==
          "0+7 \"recieve\" is no field, type or flag | did you mean \"receive\"?");
    std::string many = "send";
    for (int i = 0; i < 256; ++i)
        many += "||send";
    CHECK(refused(file, many).ends_with("more than 256 comparisons"));
    CHECK(refused(file, std::string(100'000, '(')) == "100000+1 the expression is not complete");
}

}  // namespace wt::trace
