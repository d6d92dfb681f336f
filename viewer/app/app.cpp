// SPDX-License-Identifier: MIT
#include "viewer/app/app.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

#include "simulator/cli/interrupt.hpp"
#include "simulator/report/terminal_report.hpp"
#include "viewer/app/options.hpp"
#include "viewer/app/window.hpp"
#include "viewer/drive/script.hpp"
#include "viewer/model/live_source.hpp"
#include "viewer/model/open.hpp"

namespace wt::viewer {

namespace {

constexpr int exit_bad = 2;

void print(const std::string& text) {
    std::fputs(text.c_str(), stdout);
}

int fail(const std::string& text, int code = exit_bad) {
    std::fprintf(stderr, "wavetank-viewer: %s\n", text.c_str());
    return code;
}

std::string without_display(const std::string& why) {
    return why +
           ". A window needs a desktop with OpenGL 3.\n"
           "  over ssh            ssh -X, then start it again\n"
           "  without a screen    xvfb-run -a wavetank-viewer ... --screenshot FILE.png\n"
           "                      (apt-get install xvfb xauth libgl1-mesa-dri)\n"
           "  without pictures    wavetank run FILE, wavetank trace info FILE";
}

// A live run is watched in the loop that a person watches it in. Says what came of it on stdout.
std::string watch_run(Window& window, Model& model, const WatchWish& wish) {
    LiveSource* const live = model.live();
    if (live == nullptr) return "watch: no run goes on";
    const Instant from = live->state().reached;
    const sim::Stopwatch watch;
    const auto seconds = [&] { return static_cast<double>(watch.wall_ns()) / 1e9; };
    std::vector<std::uint64_t> frames_us;
    window.run([] { return true; },
               [&] {
                   frames_us.push_back(window.ui().frame_us);
                   return seconds() >= wish.seconds || live->state().is_over;
               });
    const double passed = seconds();
    const double redraws = static_cast<double>(frames_us.size()) / passed;
    const double pace = static_cast<double>((live->state().reached - from).ns) / 1e9 / passed;
    std::sort(frames_us.begin(), frames_us.end());
    const double frame_ms = static_cast<double>(frames_us[frames_us.size() * 95 / 100]) / 1e3;
    const double cpu = static_cast<double>(watch.cpu_ns()) / 1e9 / passed;
    char text[160];
    std::snprintf(text, sizeof text,
                  "watched %.1f s: %.1f redraws/s, ui built in %.1f ms (p95), run at x%.2f, "
                  "%.2f cores in all\n",
                  passed, redraws, frame_ms, pace, cpu);
    print(text);
    if (redraws < wish.redraws) return "too few redraws a second";
    return pace < wish.pace ? "the run is too slow" : "";
}

int run_script(const AppOptions& options, Window& window, Model& model) {
    std::ifstream file(options.script);
    if (!file) return fail(options.script + ": cannot be read");
    std::stringstream text;
    text << file.rdbuf();
    Driver driver(window.ui(), [&] { window.draw(); });
    window.drive(&driver);
    ScriptHost host;
    host.folder = options.out;
    host.open = [&](const std::string& path) {
        const std::string problem = open_file(model, path);
        if (!problem.empty()) fail(problem);
        return problem.empty();
    };
    host.resize = [&](ImVec2 size) {
        window.resize(static_cast<int>(size.x), static_cast<int>(size.y));
    };
    host.watch = [&](const WatchWish& wish) {
        window.drive(nullptr);
        const std::string problem = watch_run(window, model, wish);
        window.drive(&driver);
        return problem;
    };
    host.screenshot = [&](const std::string& path) { return window.screenshot(path); };
    Script script(options.script, text.str());
    driver.settle();
    const bool is_good = script.run(driver, host);
    for (const std::string& failure : script.failures())
        std::fprintf(stderr, "%s\n", failure.c_str());
    window.drive(nullptr);
    return is_good ? 0 : 1;
}

int take_picture(const AppOptions& options, Window& window) {
    Driver driver(window.ui(), [&] { window.draw(); });
    window.drive(&driver);
    driver.settle();
    window.drive(nullptr);
    if (!window.screenshot(options.screenshot))
        return fail(options.screenshot + ": cannot be written");
    return 0;
}

// What the command line says about where to look; a problem, or nothing.
std::string look_where_asked(const AppOptions& options, Model& model) {
    if (options.layout > 0) model.layouts.choose(options.layout - 1);
    if (!options.peer.empty()) {
        const PeerIndex peer =
            model.info() == nullptr ? no_peer : model.info()->find_peer(options.peer);
        if (peer == no_peer) return "--peer " + options.peer + ": no such peer in this run";
        model.select_peer(peer);
    }
    if (!options.at.empty() && !model.go_to(options.at)) return "--at: " + model.message();
    return {};
}

// $XDG_STATE_HOME/wavetank/recent, else the same below ~/.local/state; empty without a home. The
// only thing that the environment decides: which list the start screen offers.
std::string recent_files_path() {
    const char* const state = std::getenv("XDG_STATE_HOME");
    if (state != nullptr && *state == '/') return std::string(state) + "/wavetank/recent";
    const char* const home = std::getenv("HOME");
    if (home == nullptr || *home != '/') return {};
    return std::string(home) + "/.local/state/wavetank/recent";
}

// The rest of the run without a window, and its report, as `wavetank run` prints it.
int finish_run(LiveSource& live) {
    sim::catch_interrupts();
    const sim::RunResult result = live.wait_for_end([] { return sim::was_interrupted(); });
    print(sim::header_text(live.scenario(), result.seed));
    print(sim::report_text(live.scenario(), result, {.file = live.scenario().file}));
    return result.exit_code();
}

}  // namespace

int app_main(int argc, const char* const* argv) {
    const ParsedAppOptions parsed = parse_app_options(argc, argv);
    if (!parsed.options) {
        if (parsed.exit_code == 0) {
            print(parsed.text);
        } else {
            std::fputs(parsed.text.c_str(), stderr);
        }
        return parsed.exit_code;
    }
    const AppOptions& options = *parsed.options;
    Model model;
    // A script's pictures must not depend on what somebody opened before.
    if (options.script.empty() && options.screenshot.empty())
        model.recent.attach(recent_files_path());
    if (!options.file.empty()) {
        OpenOptions opening;
        opening.settings = options.settings;
        opening.live.seed = options.seed;
        opening.live.trace_path = options.trace;
        opening.live.workers = options.workers;
        const std::string problem = open_file(model, options.file, opening);
        if (!problem.empty()) return fail(problem);
        if (!options.compared.empty()) {
            const std::string other = compare_with(model, options.compared);
            if (!other.empty()) return fail(other);
        }
        const std::string lost = look_where_asked(options, model);
        if (!lost.empty()) return fail(lost);
    }
    Window window;
    const std::string problem = window.open(
        model, {.width = options.width, .height = options.height, .scale = options.scale});
    if (!problem.empty()) return fail(without_display(problem));
    window.ui().items = window.item_map();
    if (!options.script.empty()) return run_script(options, window, model);
    if (!options.screenshot.empty()) return take_picture(options, window);
    window.ui().items = nullptr;
    window.on_drop = [&](const std::string& file) {
        const bool compares = model.overlay == Overlay::compare;
        const std::string trouble = compares ? compare_with(model, file) : open_file(model, file);
        window.ui().start_problem = trouble;
        if (!trouble.empty()) return model.say(trouble);
        model.overlay = Overlay::none;
    };
    window.run([&] { return model.live() != nullptr && !model.live()->state().is_over; });
    if (model.live() == nullptr) return 0;
    // Whoever closes the window has seen enough; the run has not. Ctrl-C ends it.
    return finish_run(*model.live());
}

}  // namespace wt::viewer
