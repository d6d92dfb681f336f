// SPDX-License-Identifier: MIT
//
// What opening a trace and drawing its first picture reads of it: tables, the end, a screenful of
// records. At most 1 % of pages and of records, counted; what it takes in time is the bench's.
#include <doctest/doctest.h>

#include "tests/support/scratch_folder.hpp"
#include "tests/support/synthetic_trace.hpp"
#include "tests/support/touched_pages.hpp"
#include "viewer/drive/headless.hpp"
#include "viewer/model/open.hpp"

namespace wt::viewer::first_picture_test {
namespace {

using test::ScratchFolder;
using test::SyntheticTrace;
using test::TouchedPages;

std::string written(const ScratchFolder& folder, const SyntheticTrace& wanted) {
    const std::string path = folder.file("million.wtrace");
    trace::Output output(path);
    REQUIRE(test::write_synthetic(wanted, output));
    return path;
}

}  // namespace

TEST_CASE("the first picture reads one page and one record in a hundred at most") {
    const ScratchFolder folder;
    const std::string path = written(folder, {.bots = 128, .records = 1'000'000, .seconds = 24});
    const TouchedPages pages;
    Model model;
    REQUIRE(open_file(model, path).empty());
    Headless screen(model);
    screen.driver().frame();
    const std::size_t touched = pages.count();
    CAPTURE(touched);
    CAPTURE(pages.mapped());
    // 32 B a record.
    REQUIRE(pages.mapped() > 1'000'000 * 32 / 4'096);
    CHECK(touched > 0);
    CHECK(touched * 100 <= pages.mapped());
    CHECK(model.records.scanned() * 100 <= 1'000'000);
    // The counters count: whoever looks for what is not there reads everything (as copies, which
    // touch no page of the mapping), and whoever looks at every record touches its page.
    model.records.filter = "size == 5";
    model.records.only_peer = false;
    do {
        model.records.refresh(*model.source(), {{0}, model.source()->end()}, first_bot);
    } while (!model.records.is_complete());
    CHECK(model.records.scanned() == 1'000'000);
    std::uint64_t sizes = 0;
    for (std::uint64_t number = 0; number < model.source()->record_count(); ++number)
        sizes += model.source()->record(number).size;
    CHECK(sizes > 0);
    CHECK(pages.count() * 100 > 90 * (1'000'000 * 32 / 4'096));
}

}  // namespace wt::viewer::first_picture_test
