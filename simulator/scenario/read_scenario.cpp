// SPDX-License-Identifier: MIT
//
// From files to a Scenario. Nothing here runs; every file of a chain of parents is read at most
// once a level, and the chain is bounded.
#include "simulator/scenario/read_scenario.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "simulator/scenario/settings.hpp"
#include "simulator/scenario/variations.hpp"

namespace wt::sim {

namespace {

constexpr unsigned parents_max = 8;

const std::vector<std::string>& section_names() {
    static const std::vector<std::string> words{"scenario",  "vars",    "server", "world",
                                                "transport", "initial", "links",  "bots",
                                                "at",        "gates",   "vary",   "variants"};
    return words;
}

Problem file_problem(const std::string& file, std::string message) {
    Problem problem;
    problem.place.file = file;
    problem.message = std::move(message);
    return problem;
}

std::string parent_path(const std::string& child, const std::string& parent) {
    const std::size_t slash = child.find_last_of('/');
    if (parent.starts_with('/') || slash == std::string::npos) return parent;
    return child.substr(0, slash + 1) + parent;
}

// The node under scenario.extends, if there is one.
const Node* extends_of(const Node& document) {
    const Node* scenario = document.find("scenario");
    return scenario != nullptr && scenario->is_table() ? scenario->find("extends") : nullptr;
}

// Reads the parents of `document`, nearest first, and merges from the furthest one down.
bool merge_parents(Node& document, Reading& reading) {
    std::vector<Node> chain{document};
    std::string file = reading.scenario.file;
    for (;;) {
        const Node* extends = extends_of(chain.back());
        if (extends == nullptr) break;
        if (!extends->is_string()) {
            reading.add(extends->place, "extends is the path of one scenario");
            return false;
        }
        if (chain.size() > parents_max) {
            reading.add(extends->place, "extends goes round in a circle, or deeper than 8 parents");
            return false;
        }
        file = parent_path(file, extends->text);
        const Result<std::string, std::string> text = read_text_file(file);
        if (!text) {
            reading.add(extends->place, "cannot read the parent " + file, text.error());
            return false;
        }
        reading.sources.add(file, *text);
        Result<Node, Problem> parsed = parse_toml(*text, file);
        if (!parsed) {
            parsed.error().notes.push_back("in a parent of " + reading.scenario.file);
            reading.problems.push_back(parsed.error());
            return false;
        }
        reading.scenario.parents.push_back(file);
        chain.push_back(std::move(*parsed));
    }
    Node merged = std::move(chain.back());
    chain.pop_back();
    while (!chain.empty()) {
        // The parent's text about itself is not the child's.
        if (Node* scenario = merged.find("scenario")) {
            scenario->erase("about");
            scenario->erase("name");
            scenario->erase("extends");
        }
        merged = merge_documents(std::move(merged), chain.back());
        chain.pop_back();
    }
    document = std::move(merged);
    if (Node* scenario = document.find("scenario")) scenario->erase("extends");
    return true;
}

void check_sections(const Node& document, Reading& reading) {
    reading.section = "scenario";
    for (const Member& member : document.members) {
        const auto& names = section_names();
        if (std::find(names.begin(), names.end(), member.key) != names.end()) continue;
        Problem& problem = reading.add(member.key_place, "unknown section [" + member.key + "]",
                                       did_you_mean(member.key, names));
        problem.notes.push_back("sections are: " + joined(names));
    }
}

// A value with an unknown variable is wrong once, not again as whatever it should have been.
void drop_consequences(Reading& reading, std::size_t first, std::size_t last) {
    std::vector<Problem>& problems = reading.problems;
    const std::vector<Problem> causes(problems.begin() + static_cast<std::ptrdiff_t>(first),
                                      problems.begin() + static_cast<std::ptrdiff_t>(last));
    const auto follows = [&](const Problem& problem) {
        return std::any_of(causes.begin(), causes.end(), [&](const Problem& cause) {
            const Place& a = problem.place;
            const Place& b = cause.place;
            return a.file == b.file && a.line == b.line && a.column <= b.column &&
                   b.column < a.column + a.length && a.column + a.length >= b.column + b.length;
        });
    };
    const auto rest = problems.begin() + static_cast<std::ptrdiff_t>(last);
    problems.erase(std::remove_if(rest, problems.end(), follows), problems.end());
}

// The seed of the run, which [vary] needs before the sections are read; they judge it.
std::uint64_t seed_of(const Node& document, const Choice& choice) {
    if (choice.seed) return *choice.seed;
    const Node* scenario = document.find("scenario");
    const Node* seed = scenario != nullptr ? scenario->find("seed") : nullptr;
    const bool is_seed = seed != nullptr && seed->kind == Node::Kind::integer && seed->integer >= 0;
    return is_seed ? static_cast<std::uint64_t>(seed->integer) : Scenario{}.seed;
}

PartialScenario read_document(Node document, Reading& reading, const Settings& settings,
                              const Choice& choice) {
    reading.scenario.settings = settings;
    if (merge_parents(document, reading)) {
        apply_variant(document, choice.variant, reading);
        apply_settings(document, settings, reading);
        fix_varied_paths(document, settings, reading);
        const std::size_t before_variables = reading.problems.size();
        apply_variables(document, reading);
        const std::size_t after_variables = reading.problems.size();
        // Reads back to the same scenario with the same seed: what is varied stands in it.
        reading.scenario.resolved_text = print_toml(document);
        draw_varied(document, seed_of(document, choice), reading);
        check_sections(document, reading);
        read_scenario_section(document, reading);
        read_links(document, reading);
        read_server(document, reading);
        read_world(document, reading);
        read_transport(document, reading);
        read_bots(document, reading);
        read_acts(document, reading);
        read_gates(document, reading);
        if (choice.seed) reading.scenario.seed = *choice.seed;
        check_scenario(document, reading);
        drop_consequences(reading, before_variables, after_variables);
    }
    return {std::move(reading.scenario), std::move(reading.problems)};
}

Result<Scenario, std::vector<Problem>> whole(PartialScenario partial) {
    if (!partial.problems.empty()) return unexpected(std::move(partial.problems));
    return std::move(partial.scenario);
}

// Offset of the first byte that no UTF-8 text has, or npos. NUL and most control bytes count.
std::size_t first_binary_byte(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size()) {
        const unsigned byte = static_cast<unsigned char>(text[i]);
        if (byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t') return i;
        if (byte == 0x7f) return i;
        std::size_t more = 0;
        if (byte >= 0xc2 && byte < 0xe0)
            more = 1;
        else if (byte >= 0xe0 && byte < 0xf0)
            more = 2;
        else if (byte >= 0xf0 && byte < 0xf5)
            more = 3;
        else if (byte >= 0x80)
            return i;
        for (std::size_t k = 1; k <= more; ++k) {
            if (i + k >= text.size()) return i;
            if ((static_cast<unsigned char>(text[i + k]) & 0xc0u) != 0x80u) return i;
        }
        i += more + 1;
    }
    return std::string_view::npos;
}

}  // namespace

Result<std::string, std::string> read_text_file(const std::string& path, std::size_t bytes_max) {
    std::error_code failure;
    const std::filesystem::file_status status = std::filesystem::status(path, failure);
    if (!std::filesystem::exists(status)) return unexpected(std::string("there is no such file"));
    if (std::filesystem::is_directory(status))
        return unexpected(std::string("this is a directory, not a file"));
    if (!std::filesystem::is_regular_file(status))
        return unexpected(std::string("this is not a regular file"));
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) return unexpected(std::string("the file cannot be opened for reading"));
    std::string text(bytes_max + 1, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), file));
    const bool failed = std::ferror(file) != 0;
    std::fclose(file);
    if (failed) return unexpected(std::string("the file cannot be read"));
    if (text.size() > bytes_max) {
        return unexpected("the file is larger than " + std::to_string(bytes_max >> 20) + " MiB" +
                          (bytes_max == scenario_bytes_max ? ": this is no scenario" : ""));
    }
    const std::size_t binary = first_binary_byte(text);
    if (binary != std::string::npos) {
        return unexpected("this is not a text file (byte " + std::to_string(binary) +
                          " is no UTF-8 text)");
    }
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
        return unexpected(std::string(
            "the file is empty; a scenario needs at least [scenario] phases and one [bots.NAME]"));
    }
    return text;
}

PartialScenario read_text_partly(std::string_view text, const std::string& file,
                                 const Settings& settings, const Choice& choice) {
    Reading reading;
    reading.has_own_protocol = choice.has_own_protocol;
    reading.scenario.file = file;
    reading.sources.add(file, text);
    Result<Node, Problem> parsed = parse_toml(text, file);
    if (!parsed) return {std::move(reading.scenario), {parsed.error()}};
    return read_document(std::move(*parsed), reading, settings, choice);
}

PartialScenario read_partly(const std::string& path, const Settings& settings,
                            const Choice& choice) {
    const Result<std::string, std::string> text = read_text_file(path);
    if (!text) {
        PartialScenario nothing;
        nothing.scenario.file = path;
        nothing.problems.push_back(file_problem(path, text.error()));
        return nothing;
    }
    return read_text_partly(*text, path, settings, choice);
}

Result<Scenario, std::vector<Problem>> read_scenario(const std::string& path,
                                                     const Settings& settings,
                                                     const Choice& choice) {
    return whole(read_partly(path, settings, choice));
}

Result<Scenario, std::vector<Problem>> read_scenario_text(std::string_view text,
                                                          const std::string& file,
                                                          const Settings& settings,
                                                          const Choice& choice) {
    return whole(read_text_partly(text, file, settings, choice));
}

}  // namespace wt::sim
