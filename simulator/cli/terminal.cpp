// SPDX-License-Identifier: MIT
#include "simulator/cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "simulator/report/format.hpp"

namespace wt::sim {

namespace {

constexpr std::size_t bar_cells = 40;
constexpr std::int64_t redraw_ns = 100'000'000;
constexpr std::size_t columns_default = 80;

std::size_t terminal_columns() {
    struct winsize size {};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return columns_default;
    return size.ws_col;
}

std::string bar(std::uint64_t done, std::uint64_t all) {
    const std::size_t full = all == 0 ? 0 : static_cast<std::size_t>(done * bar_cells / all);
    return "[" + std::string(full, '#') + std::string(bar_cells - full, '-') + "]  ";
}

}  // namespace

void print(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

void print_error(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
}

bool is_terminal() {
    return isatty(STDOUT_FILENO) == 1;
}

void ProgressLine::show(const Progress& progress, const Stopwatch& watch) {
    if (!shown_ || progress.end.ns <= 0) return;
    const std::int64_t wall = watch.wall_ns();
    if (!is_due(wall)) return;
    // Whole milliseconds: the product below cannot overflow.
    const std::uint64_t done = static_cast<std::uint64_t>(progress.now.ns / 1'000'000);
    const std::uint64_t all = static_cast<std::uint64_t>(progress.end.ns / 1'000'000);
    std::string line = bar(done, all);
    line += format_time(progress.now.ns) + " of " + format_time(progress.end.ns);
    if (wall > 0) {
        line += "   x" + format_quotient(static_cast<std::uint64_t>(progress.now.ns),
                                         static_cast<std::uint64_t>(wall));
    }
    line += "   " + std::to_string(progress.active) + " of " + std::to_string(progress.bots) +
            " active   " + std::to_string(progress.failing) + " failing";
    draw(line);
}

bool ProgressLine::is_due(std::int64_t wall_ns) {
    if (wall_ns < next_ns_) return false;
    next_ns_ = wall_ns + redraw_ns;
    return true;
}

void ProgressLine::show_seeds(const Seeds& seeds, const Progress& progress,
                              const Stopwatch& watch) {
    if (!shown_ || !is_due(watch.wall_ns())) return;
    draw(bar(seeds.done, seeds.all) + std::to_string(seeds.done) + " of " +
         std::to_string(seeds.all) + " seeds   " + std::to_string(seeds.failed) +
         " failed   this one at " + format_time(progress.now.ns) + " of " +
         format_time(progress.end.ns));
}

void ProgressLine::draw(const std::string& text) {
    // The last column stays free: a line that fills it would scroll. The terminal may have become
    // narrower since the last time.
    const std::size_t columns = terminal_columns() - 1;
    print("\r" + pad_right(text.substr(0, columns), std::min(drawn_, columns)) + "\r");
    drawn_ = text.size();
}

void ProgressLine::clear() {
    if (drawn_ > 0) draw("");
}

}  // namespace wt::sim
