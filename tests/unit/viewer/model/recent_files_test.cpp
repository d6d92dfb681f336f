// SPDX-License-Identifier: MIT
//
// What was opened lately is offered first, once each, newest first, and only while it is there.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/scratch_folder.hpp"
#include "viewer/model/recent_files.hpp"

using namespace wt;
using namespace wt::viewer;

TEST_CASE("newest first, each once, ten at most, gone ones left out") {
    const test::ScratchFolder folder;
    const std::string list = folder.file("state/wavetank/recent");
    std::vector<std::string> files;
    for (int i = 0; i < 12; ++i) {
        files.push_back(folder.file("run" + std::to_string(i) + ".wtrace"));
        std::ofstream(files.back()) << "x";
    }
    {
        RecentFiles recent;
        recent.attach(list);
        CHECK(recent.all().empty());
        for (const std::string& file : files)
            recent.add(file);
        recent.add(files[7]);
    }
    RecentFiles again;
    again.attach(list);
    REQUIRE(again.all().size() == RecentFiles::kept_max);
    CHECK(again.all()[0] == files[7]);
    CHECK(again.all()[1] == files[11]);
    std::filesystem::remove(files[11]);
    CHECK(again.all()[1] == files[10]);
    CHECK(again.all().size() == RecentFiles::kept_max - 1);
}

TEST_CASE("a list that cannot be read or written is no list, and nobody is told") {
    RecentFiles recent;
    recent.attach("/proc/nowhere/recent");
    recent.add("/proc/version");
    CHECK(recent.all() == std::vector<std::string>{"/proc/version"});
    recent.add("two\nlines");
    CHECK(recent.all().size() == 1);
}
