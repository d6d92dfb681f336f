// SPDX-License-Identifier: MIT
#include "simulator/trace/difference.hpp"
#include "tests/unit/simulator/trace/trace_fixture.hpp"

namespace wt::trace {

namespace {

TraceFile altered(std::uint64_t count, std::uint64_t which, std::uint32_t sequence,
                  std::uint64_t seed = 7) {
    std::vector<std::uint8_t> bytes;
    Output output(bytes);
    Header header = small_header();
    header.seed = seed;
    Writer writer(header, small_about(), output);
    for (std::uint64_t n = 0; n < count; ++n) {
        Record record = numbered(n);
        if (n == which) record.sequence = sequence;
        (void)writer.add(record);
    }
    REQUIRE(writer.finish({}));
    return opened(std::move(bytes));
}

}  // namespace

TEST_CASE("equal, and the first record that is not") {
    constexpr std::uint64_t count = 3 * 65'536 + 10;
    const TraceFile a = opened(SmallTrace::of(count).bytes);
    CHECK(difference_of(a, a).is_equal());
    CHECK(difference_of(a, a).equal == count);
    for (const std::uint64_t which : {std::uint64_t{0}, std::uint64_t{65'535},
                                      std::uint64_t{65'536}, std::uint64_t{150'000}, count - 1}) {
        CAPTURE(which);
        const Difference difference = difference_of(a, altered(count, which, 0xffff'ffff));
        CHECK(difference.reasons.empty());
        CHECK(difference.first == which);
        CHECK(difference.equal == which);
        CHECK_FALSE(difference.is_equal());
    }
}

TEST_CASE("one is longer") {
    const TraceFile a = opened(SmallTrace::of(65'536).bytes);
    const TraceFile b = opened(SmallTrace::of(65'537).bytes);
    CHECK(difference_of(a, b).first == 65'536);
    CHECK(difference_of(b, a).first == 65'536);
    const TraceFile none = opened(SmallTrace::of(0).bytes);
    CHECK(difference_of(none, a).first == 0);
    CHECK(difference_of(none, none).is_equal());
}

TEST_CASE("nothing to compare, and why") {
    const TraceFile a = opened(SmallTrace::of(10).bytes);
    const Difference seeds = difference_of(a, altered(10, 99, 0, 8));
    REQUIRE(seeds.reasons.size() == 1);
    CHECK(seeds.reasons[0] == "seed 7 against 8");
    CHECK_FALSE(seeds.first.has_value());
    CHECK_FALSE(seeds.is_equal());
    const Difference cut = difference_of(a, opened(SmallTrace::of(10, 3 * ms).bytes));
    CHECK(cut.reasons == std::vector<std::string>{"one begins later, or was cut"});
}

TEST_CASE("a damaged block is no difference") {
    std::vector<std::uint8_t> bytes = SmallTrace::of(10).bytes;
    const std::uint64_t place = opened(bytes).block(0).offset;
    bytes[place + 40] ^= 1;
    const TraceFile damaged = opened(bytes);
    const Difference difference = difference_of(damaged, altered(10, 5, 99));
    CHECK(difference.damage ==
          "A is damaged at byte " + std::to_string(place) + ", in records 0 to 9");
    CHECK_FALSE(difference.first.has_value());
}

}  // namespace wt::trace
