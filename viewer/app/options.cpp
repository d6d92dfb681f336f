// SPDX-License-Identifier: MIT
#include "viewer/app/options.hpp"

#include <cstdlib>
#include <string_view>

#include "simulator/scenario/problem.hpp"
#include "viewer/model/text.hpp"

namespace wt::viewer {

namespace {

constexpr const char* usage =
    "wavetank-viewer [TRACE | SCENARIO]\n"
    "\n"
    "  TRACE              a .wtrace file, as `wavetank run FILE --trace TRACE` leaves it\n"
    "  SCENARIO           a .toml file: runs, and is watched meanwhile\n"
    "  --compare A B      two traces: where they first differ\n"
    "  --at PLACE         begins there: 1:12.5, 450ms, tick:1803, record:41\n"
    "  --peer NAME        begins with this peer selected\n"
    "  --layout 1..4      begins with this layout\n"
    "  --seed N           of a live run\n"
    "  --set PATH=VALUE   of a live run: replaces a value of the scenario\n"
    "  --trace FILE       of a live run: keeps its trace\n"
    "  --workers N        of a live run: threads that run it, 1 to 16 (1)\n"
    "  --script FILE      does what the file says, then ends; exit code 1 if it found a fault\n"
    "  --out DIR          where a script's pictures go\n"
    "  --screenshot FILE  one picture (.png), then ends\n"
    "  --size WxH         of the window (1600x900)\n"
    "  --scale X          instead of the monitor's\n"
    "\n"
    "Without a screen: xvfb-run -a wavetank-viewer ... --screenshot FILE (package xvfb).\n";

struct Failure {
    std::string text{};
};

const std::vector<std::string>& option_names() {
    static const std::vector<std::string> names = {
        "--compare",    "--at",    "--peer",    "--layout", "--seed",
        "--set",        "--trace", "--workers", "--script", "--out",
        "--screenshot", "--size",  "--scale",   "--help",   "--version"};
    return names;
}

bool read_size(const std::string& text, AppOptions& options) {
    const std::size_t cross = text.find('x');
    if (cross == std::string::npos) return false;
    options.width = std::atoi(text.substr(0, cross).c_str());
    options.height = std::atoi(text.substr(cross + 1).c_str());
    const bool fits = options.width >= 320 && options.width <= 16'384 && options.height >= 240 &&
                      options.height <= 16'384;
    return fits;
}

bool read_seed(const std::string& text, AppOptions& options) {
    if (text.empty() || text.size() > 18) return false;
    std::uint64_t seed = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return false;
        seed = seed * 10 + static_cast<std::uint64_t>(c - '0');
    }
    options.seed = seed;
    return true;
}

// One option with its value. Empty: taken.
std::string take(const std::string& name, const std::string& value, AppOptions& options) {
    if (name == "--at") {
        options.at = value;
        return read_time_place(value) ? "" : value + ": 1:12.5, 450ms, tick:1803 or record:41";
    }
    if (name == "--size")
        return read_size(value, options) ? "" : value + ": WIDTHxHEIGHT, 1600x900";
    if (name == "--seed")
        return read_seed(value, options) ? "" : value + ": a whole number from 0 to 10^18";
    if (name == "--scale") {
        options.scale = std::strtof(value.c_str(), nullptr);
        return options.scale >= 0.5f && options.scale <= 4 ? "" : value + ": from 0.5 to 4";
    }
    if (name == "--workers") {
        const bool is_number = value.find_first_not_of("0123456789") == std::string::npos;
        const int workers = is_number && value.size() <= 2 ? std::atoi(value.c_str()) : 0;
        if (workers < 1 || workers > 16) return value + ": from 1 to 16";
        options.workers = static_cast<unsigned>(workers);
        return "";
    }
    if (name == "--layout") {
        const bool fits = value.size() == 1 && value[0] >= '1' && value[0] <= '4';
        if (fits) options.layout = static_cast<unsigned>(value[0] - '0');
        return fits ? "" : value + ": 1, 2, 3 or 4";
    }
    if (name == "--set") {
        options.settings.push_back(value);
        return {};
    }
    if (name == "--peer") options.peer = value;
    if (name == "--script") options.script = value;
    if (name == "--out") options.out = value;
    if (name == "--screenshot") options.screenshot = value;
    if (name == "--trace") options.trace = value;
    return value.empty() ? "the value is empty" : "";
}

std::optional<Failure> read(const std::vector<std::string>& words, AppOptions& options) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string name = words[i];
        if (!name.starts_with("--")) {
            if (!options.file.empty())
                return Failure{name + ": one file at a time (--compare A B)"};
            options.file = name;
            continue;
        }
        std::optional<std::string> value;
        const std::size_t equals = name.find('=');
        if (equals != std::string::npos) {
            value = name.substr(equals + 1);
            name.resize(equals);
        }
        const std::vector<std::string>& names = option_names();
        bool is_known = false;
        for (const std::string& known : names)
            is_known = is_known || known == name;
        if (!is_known) {
            const std::string near = sim::nearest_name(name, names);
            return Failure{"no option " + name +
                           (near.empty() ? "" : "; did you mean " + near + "?")};
        }
        if (name == "--compare") {
            if (value || i + 2 >= words.size()) return Failure{"--compare A B: two traces"};
            options.file = words[++i];
            options.compared = words[++i];
            continue;
        }
        if (!value) {
            if (i + 1 >= words.size()) return Failure{name + " needs a value"};
            value = words[++i];
        }
        const std::string problem = take(name, *value, options);
        if (!problem.empty()) return Failure{name + " " + problem};
    }
    return std::nullopt;
}

}  // namespace

ParsedAppOptions parse_app_options(int argc, const char* const* argv) {
    std::vector<std::string> words;
    for (int i = 1; i < argc; ++i) {
        words.emplace_back(argv[i]);
        if (words.back() == "--help" || words.back() == "-h") return {.text = usage};
    }
    AppOptions options;
    if (const std::optional<Failure> failure = read(words, options)) {
        return {.text = "wavetank-viewer: " + failure->text + "\n       --help lists all options\n",
                .exit_code = 2};
    }
    return {.options = std::move(options)};
}

}  // namespace wt::viewer
