// SPDX-License-Identifier: MIT
//
// Commands that run nothing: check, list, links, explain.
#include <algorithm>
#include <filesystem>

#include "simulator/cli/commands.hpp"
#include "simulator/cli/terminal.hpp"
#include "simulator/link/presets.hpp"
#include "simulator/report/format.hpp"
#include "simulator/report/link_figures.hpp"
#include "simulator/scenario/exact_text.hpp"
#include "simulator/scenario/read_scenario.hpp"
#include "simulator/scenario/reader.hpp"

namespace wt::sim {

namespace {

constexpr std::size_t files_listed_max = 10'000;

std::string plural(std::size_t count, const std::string& word) {
    return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

std::string first_sentence(const std::string& about) {
    std::string text;
    for (const char c : about) {
        const char plain = c == '\n' ? ' ' : c;
        if (plain == ' ' && (text.empty() || text.ends_with(". ") || text.ends_with(' '))) continue;
        if (plain == ' ' && text.ends_with('.')) break;
        text += plain;
    }
    while (text.ends_with(' '))
        text.pop_back();
    constexpr std::size_t shown_max = 60;
    if (text.size() > shown_max) text = text.substr(0, shown_max - 3) + "...";
    return text;
}

// Every .toml below a directory, sorted by path: the order of a directory is nobody's promise.
std::vector<std::string> scenario_files(const std::string& directory) {
    std::vector<std::string> files;
    std::error_code failure;
    std::filesystem::recursive_directory_iterator at(directory, failure);
    const std::filesystem::recursive_directory_iterator end;
    while (!failure && at != end && files.size() < files_listed_max) {
        if (at->path().extension() == ".toml") files.push_back(at->path().string());
        at.increment(failure);
    }
    std::sort(files.begin(), files.end());
    return files;
}

int links_of_file(const Options& options) {
    Options read = options;
    read.files = {options.subject};
    const std::optional<std::vector<Loaded>> all = load_all(read);
    if (!all) return exit_bad_input;
    const Scenario& scenario = all->front().scenario;
    print(links_table(scenario.links));
    for (const LinkConfig& link : scenario.links)
        print("\n" + link_as_toml(link, ""));
    return exit_passed;
}

std::string wrapped(std::string_view text) {
    constexpr std::size_t columns = 96;
    std::string out = "  ";
    std::size_t column = 2;
    std::size_t start = 0;
    while (start < text.size()) {
        std::size_t end = text.find(' ', start);
        if (end == std::string_view::npos) end = text.size();
        const std::string_view word = text.substr(start, end - start);
        if (column + word.size() > columns) {
            out.back() = '\n';
            out += "  ";
            column = 2;
        }
        out += std::string(word) + " ";
        column += word.size() + 1;
        start = end + 1;
    }
    out.pop_back();
    return out + "\n";
}

// "; did you mean ...?", or nothing.
std::string nearest(const std::string& word, const std::vector<std::string>& names) {
    const std::string hint = did_you_mean(word, names);
    return hint.empty() ? "" : "; " + hint;
}

std::string metric_list() {
    std::string text;
    for (const Metric& entry : metric_catalogue()) {
        std::string line = pad_right(std::string(entry.name), 26) +
                           pad_right(name_of(entry.type), 8) + base_unit(entry.dimension);
        if (!entry.is_built()) line = pad_right(line, 48) + "not built yet";
        text += line + "\n";
    }
    return text;
}

std::string statistics_of(MetricType type) {
    switch (type) {
        case MetricType::sample:
        case MetricType::level:
        case MetricType::event:
            return "min, mean, max, last, p01 to p99.9";
        case MetricType::share:
            return "mean";
        case MetricType::count:
            return "total, per second [pick], per minute [pick]";
    }
    return "";
}

}  // namespace

int check_command(const Options& options) {
    const std::optional<std::vector<Loaded>> all = load_all(options);
    if (!all) return exit_bad_input;
    for (const Loaded& loaded : *all) {
        const Scenario& scenario = loaded.scenario;
        // A file is right if each of its variants is.
        for (const std::string& variant : scenario.variants) {
            Options other = options;
            other.files = {loaded.file};
            other.variant = variant;
            if (!load_all(other)) return exit_bad_input;
        }
        if (options.print) {
            print(scenario.resolved_text);
            continue;
        }
        print(
            "ok   " + loaded.file + ": " + plural(scenario.phases.size(), "phase") + ", " +
            format_time(scenario.end().ns) + ", " + plural(scenario.bot_count(), "bot") + ", " +
            plural(loaded.gates.size(), "gate") + ", " + plural(scenario.acts.size(), "act") +
            (scenario.variants.empty() ? "" : ", " + plural(scenario.variants.size(), "variant")) +
            (scenario.drawn.empty() ? ""
                                    : ", " + std::to_string(scenario.drawn.size()) + " varied") +
            "\n");
    }
    return exit_passed;
}

int list_command(const Options& options) {
    const std::string directory = options.subject.empty() ? "scenarios" : options.subject;
    std::error_code failure;
    if (!std::filesystem::is_directory(directory, failure)) {
        print_error("wavetank: error: " + directory + " is not a directory\n");
        return exit_bad_input;
    }
    const std::vector<std::string> files = scenario_files(directory);
    std::size_t width = 4;
    for (const std::string& file : files)
        width = std::max(width, file.size());
    print(pad_right("file", width) + "   bots    length   about\n");
    for (const std::string& file : files) {
        const PartialScenario read = read_partly(file, {});
        std::string line = pad_right(file, width);
        if (!read.problems.empty()) {
            line += "   " + plural(read.problems.size(), "error") + ", see wavetank check";
        } else {
            line += pad_left(grouped(read.scenario.bot_count()), 7) +
                    pad_left(format_time(read.scenario.end().ns), 10) + "   " +
                    first_sentence(read.scenario.about);
        }
        while (line.ends_with(' '))
            line.pop_back();
        print(line + "\n");
    }
    return exit_passed;
}

int links_command(const Options& options) {
    const std::string& subject = options.subject;
    if (subject.ends_with(".toml") || subject.find('/') != std::string::npos)
        return links_of_file(options);
    if (!subject.empty()) {
        if (const Preset* preset = find_preset(subject)) {
            print(link_as_toml(preset->config, preset->source));
            return exit_passed;
        }
        std::vector<std::string> names;
        for (const Preset& preset : all_presets())
            names.push_back(preset.name);
        print_error("wavetank: error: no preset \"" + subject + "\"" + nearest(subject, names) +
                    "\npresets: " + joined(names) + "\n");
        return exit_bad_input;
    }
    std::vector<LinkConfig> links;
    for (const Preset& preset : all_presets()) {
        links.push_back(preset.config);
        links.back().name = preset.config.source;
    }
    print(links_table(links));
    print("NAME for every key | FILE.toml for a file's own links\n");
    return exit_passed;
}

int explain_command(const Options& options) {
    if (options.subject.empty()) {
        print(metric_list());
        return exit_passed;
    }
    const Metric* found = find_metric(options.subject);
    if (found == nullptr) {
        std::vector<std::string> names;
        for (const Metric& entry : metric_catalogue())
            names.emplace_back(entry.name);
        print_error("wavetank: error: unknown metric \"" + options.subject + "\"" +
                    nearest(options.subject, names) + "\nwavetank explain lists them\n");
        return exit_bad_input;
    }
    std::string text = std::string(found->name) + "   " + name_of(found->type) + ", " +
                       base_unit(found->dimension) + "\n";
    if (!found->is_built()) {
        print(text + "  not built yet\n");
        return exit_passed;
    }
    text += wrapped(found->definition);
    text += "  taken at      " + std::string(found->taken) + "\n";
    text += "  statistics    " + statistics_of(found->type) + "\n";
    text += std::string("  scope words   in, from .. to, after") +
            (knows_bots(found->id) ? ", of" : "") + (found->has_way ? ", up, down" : "") +
            (found->lanes == LaneRule::none ? "" : ", on LANE") + "\n";
    print(text);
    return exit_passed;
}

}  // namespace wt::sim
