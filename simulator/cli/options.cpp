// SPDX-License-Identifier: MIT
//
// The only file that sees CLI11, and the only one built with exceptions: the library reports
// through them. Nothing is thrown past this file.
#include "simulator/cli/options.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>

#include "simulator/core/parcel_pool.hpp"
#include "simulator/report/build_info.hpp"
#include "simulator/scenario/problem.hpp"
#include "simulator/scenario/quantity.hpp"

namespace wt::sim {

namespace {

// Texts of options that mean more than a text.
struct Raw {
    std::string seed{};
    std::string repeat{};
    std::string max_wall{};
    std::string trace_last{};
    std::string capture{};
    std::string trace{};  // The one file of `trace` and `why`.
    std::string from{};
    std::string to{};
    std::vector<std::string> records{};
};

struct Failure {
    std::string text{};
};

void add_settings(CLI::App& app, Options& options, Raw& raw) {
    app.add_option("--seed", raw.seed, "Seed of the run, 0 to 2^63-1 (the file's)");
    app.add_option("--set", options.settings, "PATH=VALUE: replaces a value of the file")
        ->allow_extra_args(false);
    app.add_option("--variant", options.variant, "The file with [variants.NAME] applied");
}

void add_run(CLI::App& app, Options& options, Raw& raw) {
    CLI::App* run = app.add_subcommand("run", "Runs scenarios and judges their gates");
    run->add_option("FILE", options.files, "Scenario files")->required();
    add_settings(*run, options, raw);
    run->add_option("--repeat", raw.repeat, "Run so many seeds: SEED, SEED+1, ... (1)");
    run->add_flag("--cost", options.count_cost, "Gates on cost.* (wall clock) count");
    run->add_flag("--fail-fast", options.fail_fast, "Stop once a gate has failed for good");
    run->add_flag("--allow-idle-faults", options.allow_idle_faults,
                  "An exact fault that hits nothing is no error");
    run->add_flag("--all", options.all, "Show every gate of a failed run");
    run->add_flag("--peers", options.peers, "Show every peer");
    run->add_flag("--quiet", options.quiet, "Say nothing of a run that passes");
    run->add_option("--json", options.json, "Write a JSON report to this file");
    run->add_option("--junit", options.junit, "Write JUnit XML to this file");
    run->add_option("--csv", options.csv, "Write 100 ms series of every player to this file");
    run->add_option("--html", options.html, "Write the whole report as one HTML file");
    run->add_option("--trace", options.trace, "Write a trace of the run to this file");
    run->add_option("--trace-last", raw.trace_last,
                    "Keep the records of the run's last stretch only, e.g. 30s");
    run->add_option("--trace-peers", options.trace_peers,
                    "Keep the records of these only, e.g. \"player-7, wifi\"; series of all");
    run->add_option("--capture", raw.capture, "payload: the bytes of messages too");
    run->add_option("--max-wall", raw.max_wall, "Stop after so much real time, e.g. 60s");
    run->add_option("--workers", options.workers, "Threads that run the hosts, 1 to 16 (1)")
        ->check(CLI::Range(1u, ParcelPool::homes_max));
    run->add_option("--digest-blocks", options.digest_blocks)->group("");
    run->add_option("--records", raw.records)->expected(2)->group("");
    run->add_option("--alter", options.alter_text)->group("");
}

void add_real_time(CLI::App& app, Options& options, Raw& raw) {
    const auto add = [&](const char* name, const char* about) {
        CLI::App* command = app.add_subcommand(name, about);
        command->add_option("FILE", options.files, "Scenario file")->required()->expected(1);
        add_settings(*command, options, raw);
        command->add_flag("--all", options.all, "Show every gate of a failed run");
        command->add_flag("--peers", options.peers, "Show every peer");
        command->add_option("--json", options.json, "Write a JSON report to this file");
        command->add_option("--junit", options.junit, "Write JUnit XML to this file");
        return command;
    };
    CLI::App* serve = add("serve", "A scenario's server on a real socket, in real time");
    serve->add_option("--listen", options.address, "ADDR:PORT (127.0.0.1:4000)");
    serve->add_flag("--cost", options.count_cost, "Gates on cost.* (wall clock) count");
    CLI::App* bots = add("bots", "A scenario's bots and links against a server on a real socket");
    bots->add_option("--connect", options.address, "ADDR:PORT of the server")->required();
}

void add_others(CLI::App& app, Options& options, Raw& raw) {
    CLI::App* check = app.add_subcommand("check", "Reads scenarios and shows all their errors");
    check->add_option("FILE", options.files, "Scenario files")->required();
    check->add_option("--set", options.settings, "PATH=VALUE: replaces a value of the file")
        ->allow_extra_args(false);
    check->add_option("--variant", options.variant, "The file with [variants.NAME] applied");
    check->add_flag("--print", options.print, "Print the scenario after all settings, as TOML");

    CLI::App* list = app.add_subcommand("list", "Lists the scenarios below a directory");
    list->add_option("DIR", options.subject, "Directory (scenarios)");

    CLI::App* init = app.add_subcommand("init", "Writes a commented scenario to begin with");
    init->add_option("FILE", options.subject, "New file (scenario.toml)");

    CLI::App* links = app.add_subcommand("links", "Lists links, or prints the keys of one");
    links->add_option("NAME", options.subject, "A preset, or a scenario file with links");
    links->add_flag("--all", options.all, "All presets");

    CLI::App* verify =
        app.add_subcommand("verify", "Runs a scenario in two processes and compares the digests");
    verify->add_option("FILE", options.files, "Scenario file")->required()->expected(1);
    add_settings(*verify, options, raw);
    verify->add_option("--alter", options.alter_text)->group("");

    CLI::App* explain = app.add_subcommand("explain", "Says what a metric is");
    explain->add_option("METRIC", options.subject, "Name of a metric; none = list them");
}

void add_selection(CLI::App& app, Options& options, Raw& raw) {
    app.add_option("--filter", options.query.filter,
                   "Only these records, e.g. \"peer == player-7 && (drop || size > 900)\"");
    app.add_option("--from", raw.from, "Only from this time on, e.g. 12.5s");
    app.add_option("--to", raw.to, "Only before this time");
}

void add_trace(CLI::App& app, Options& options, Raw& raw) {
    CLI::App* trace = app.add_subcommand("trace", "Looks at a trace, cuts it, exports it");
    trace->require_subcommand(1);
    const auto add = [&](const char* name, const char* about) {
        CLI::App* command = trace->add_subcommand(name, about);
        command->add_option("FILE", raw.trace, "Trace")->required();
        return command;
    };
    CLI::App* info = add("info", "What is in it: run, peers, records, anomalies, damage");
    info->add_flag("--json", options.query.as_json, "As JSON on standard output");
    CLI::App* show = add("show", "Records in words");
    add_selection(*show, options, raw);
    show->add_option("--limit", options.query.limit, "At most so many (100)");
    CLI::App* cut = add("cut", "Writes a trace with some of the records");
    cut->add_option("OUT", options.query.output, "The new trace")->required();
    add_selection(*cut, options, raw);
    CLI::App* exported = add("export", "Writes records for other programs");
    exported->add_option("OUT", options.query.output, "File: .pcapng .json .csv .jsonl")
        ->required();
    exported->add_option("--format", options.query.format,
                         "pcapng (Wireshark), chrome (Perfetto), csv or jsonl (by OUT's ending)");
    add_selection(*exported, options, raw);
    trace->add_subcommand("format", "Prints the tables of the file format");

    CLI::App* diff =
        app.add_subcommand("diff", "Finds the first record that two traces disagree on");
    diff->add_option("FILE", options.files, "Two traces")->required()->expected(2);

    CLI::App* why = app.add_subcommand("why", "One message's life, and where its time went");
    why->add_option("FILE", raw.trace, "Trace")->required();
    why->add_option("--peer", options.query.peer, "Whose, e.g. player-7")->required();
    why->add_option("--message", options.query.message, "LANE:ID, e.g. bulk:31");
    why->add_option("--snapshot", options.query.snapshot, "By its tick");
    why->add_option("--input", options.query.input, "By its tick");
    why->add_option("--datagram", options.query.datagram, "By its sequence in `trace show`");
    why->add_option("--way", options.query.way, "up or down (the first one found)");
    why->add_flag("--all", options.all, "Every row of a long story");
    why->add_option("--from", raw.from, "The first one sent from this time on");
}

bool all_digits(const std::string& text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<std::uint64_t> number_of(const std::string& text) {
    if (!all_digits(text) || text.size() > 19) return std::nullopt;
    std::uint64_t number = 0;
    for (const char c : text)
        number = number * 10 + static_cast<std::uint64_t>(c - '0');
    if (number > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
    return number;
}

// "HOST:SECOND"
bool read_block(const std::string& text, RecordBlock& block) {
    const std::size_t colon = text.find_last_of(':');
    if (colon == std::string::npos || colon == 0) return false;
    const std::optional<std::uint64_t> second = number_of(text.substr(colon + 1));
    if (!second) return false;
    block = {text.substr(0, colon), static_cast<std::int64_t>(*second)};
    return true;
}

// "HOST:ORDINAL:FIELD"
bool read_alteration(const std::string& text, Alteration& alteration) {
    const std::size_t last = text.find_last_of(':');
    if (last == std::string::npos) return false;
    RecordBlock front;
    const std::optional<std::uint64_t> field = number_of(text.substr(last + 1));
    if (!field || *field > UINT32_MAX || !read_block(text.substr(0, last), front)) return false;
    alteration = {front.host, static_cast<std::uint64_t>(front.second),
                  static_cast<std::uint32_t>(*field)};
    return true;
}

std::optional<Failure> read_trace(const Raw& raw, Options& options) {
    const bool asks =
        !raw.trace_last.empty() || !raw.capture.empty() || !options.trace_peers.empty();
    if (asks && options.trace.empty())
        return Failure{"--trace-last, --trace-peers and --capture need --trace FILE"};
    const bool is_single = options.files.size() <= 1;
    if (!options.trace.empty() && !is_single)
        return Failure{"--trace takes one scenario at a time"};
    if (!options.csv.empty() && !is_single) return Failure{"--csv takes one scenario at a time"};
    if (!options.html.empty() && !is_single) return Failure{"--html takes one scenario at a time"};
    if (!raw.trace_last.empty()) {
        const auto parsed = parse_quantity(raw.trace_last, {Dimension::time});
        if (!parsed)
            return Failure{"--trace-last: " + parsed.error().message + ": " + parsed.error().hint};
        if (parsed->base <= 0) return Failure{"--trace-last " + raw.trace_last + ": more than 0s"};
        options.trace_last = parsed->duration();
    }
    if (!raw.capture.empty() && raw.capture != "payload")
        return Failure{"--capture " + raw.capture +
                       ": only payload can be captured beside records"};
    options.capture_payload = !raw.capture.empty();
    return std::nullopt;
}

std::optional<Failure> read_time(const char* name, const std::string& text,
                                 std::optional<Duration>& into) {
    if (text.empty()) return std::nullopt;
    const auto parsed = parse_quantity(text, {Dimension::time});
    if (!parsed)
        return Failure{std::string(name) + ": " + parsed.error().message + ": " +
                       parsed.error().hint};
    into = parsed->duration();
    return std::nullopt;
}

std::optional<Failure> read_repeat(const Raw& raw, Options& options) {
    if (raw.repeat.empty()) return std::nullopt;
    constexpr std::uint64_t seeds_max = 100'000;
    const std::optional<std::uint64_t> count = number_of(raw.repeat);
    if (!count || *count == 0 || *count > seeds_max)
        return Failure{"--repeat " + raw.repeat + ": a whole number from 1 to 100,000"};
    const std::uint64_t last = static_cast<std::uint64_t>(INT64_MAX) - (*count - 1);
    if (options.seed.value_or(0) > last)
        return Failure{"--repeat " + raw.repeat + ": the last seed would be above 2^63-1"};
    options.repeat = static_cast<std::uint32_t>(*count);
    if (options.repeat == 1) return std::nullopt;
    const auto takes_one = [](const char* name) {
        return Failure{std::string(name) + " takes one run: --seed N instead of --repeat"};
    };
    if (!options.trace.empty()) return takes_one("--trace");
    if (!options.csv.empty()) return takes_one("--csv");
    if (!options.html.empty()) return takes_one("--html");
    return std::nullopt;
}

std::optional<Failure> read_raw(const Raw& raw, Options& options) {
    if (!raw.seed.empty()) {
        options.seed = number_of(raw.seed);
        if (!options.seed)
            return Failure{"--seed " + raw.seed + ": a whole number from 0 to 2^63-1"};
    }
    if (auto failure = read_repeat(raw, options)) return failure;
    if (!raw.max_wall.empty()) {
        const auto parsed = parse_quantity(raw.max_wall, {Dimension::time});
        if (!parsed)
            return Failure{"--max-wall: " + parsed.error().message + ": " + parsed.error().hint};
        if (parsed->base <= 0) return Failure{"--max-wall " + raw.max_wall + ": more than 0s"};
        options.max_wall = parsed->duration();
    }
    if (!raw.trace.empty()) options.files = {raw.trace};
    if (std::optional<Failure> failure = read_trace(raw, options)) return failure;
    if (auto failure = read_time("--from", raw.from, options.query.from)) return failure;
    if (auto failure = read_time("--to", raw.to, options.query.to)) return failure;
    if (!raw.records.empty()) {
        RecordBlock block;
        if (!read_block(raw.records[0], block)) return Failure{"--records HOST:SECOND FILE"};
        options.dump = block;
        options.records_file = raw.records[1];
    }
    if (!options.alter_text.empty()) {
        Alteration alteration;
        if (!read_alteration(options.alter_text, alteration))
            return Failure{"--alter HOST:ORDINAL:FIELD"};
        options.alter = alteration;
    }
    return std::nullopt;
}

// CLI11 takes "" for a value; it never is one here.
std::optional<Failure> find_empty(const CLI::App& command) {
    for (const CLI::Option* const option : command.get_options()) {
        for (const std::string& value : option->results())
            if (value.empty()) return Failure{option->get_name() + ": the value is empty"};
    }
    return std::nullopt;
}

// Reports go where nothing is read and no other report goes.
std::optional<Failure> find_clash(const Options& options) {
    const auto is_same = [](const std::string& a, const std::string& b) {
        std::error_code failure;
        return !a.empty() && (a == b || std::filesystem::equivalent(a, b, failure));
    };
    const std::pair<const char*, const std::string&> outputs[] = {{"--json", options.json},
                                                                  {"--junit", options.junit},
                                                                  {"--csv", options.csv},
                                                                  {"--html", options.html},
                                                                  {"--trace", options.trace}};
    for (std::size_t i = 0; i < std::size(outputs); ++i) {
        const auto& [name, path] = outputs[i];
        for (std::size_t k = i + 1; k < std::size(outputs); ++k) {
            if (is_same(path, outputs[k].second))
                return Failure{std::string(name) + " and " + outputs[k].first +
                               " name the same file"};
        }
        for (const std::string& file : options.files) {
            if (is_same(path, file)) return Failure{std::string(name) + " would overwrite " + file};
        }
    }
    return std::nullopt;
}

Options::Command command_of(const CLI::App& app) {
    const CLI::App& command = *app.get_subcommands().front();
    const std::string name = command.get_name();
    if (name == "diff") return Options::Command::diff;
    if (name == "why") return Options::Command::why;
    if (name == "trace") {
        const std::string part = command.get_subcommands().front()->get_name();
        if (part == "show") return Options::Command::trace_show;
        if (part == "cut") return Options::Command::trace_cut;
        if (part == "export") return Options::Command::trace_export;
        if (part == "format") return Options::Command::trace_format;
        return Options::Command::trace_info;
    }
    if (name == "serve") return Options::Command::serve;
    if (name == "bots") return Options::Command::bots;
    if (name == "check") return Options::Command::check;
    if (name == "list") return Options::Command::list;
    if (name == "init") return Options::Command::init;
    if (name == "links") return Options::Command::links;
    if (name == "verify") return Options::Command::verify;
    if (name == "explain") return Options::Command::explain;
    return Options::Command::run;
}

ParsedOptions bad(const std::string& text) {
    return {.text = "wavetank: error: " + text + "\nwavetank --help lists commands and options\n",
            .exit_code = exit_bad_input};
}

// A first word that is no command: named, with the nearest one.
std::optional<std::string> unknown_command(int argc, const char* const* argv) {
    const std::vector<std::string> names{"run",   "serve",  "bots",    "check", "list", "init",
                                         "links", "verify", "explain", "trace", "diff", "why"};
    if (argc < 2 || argv[1][0] == '-') return std::nullopt;
    const std::string word = argv[1];
    if (std::find(names.begin(), names.end(), word) != names.end()) return std::nullopt;
    const std::string near = nearest_name(word, names);
    return "unknown command \"" + word + "\"" +
           (near.empty() ? "" : ", did you mean " + near + "?");
}

ParsedOptions parse_words(int argc, const char* const* argv) {
    Options options;
    Raw raw;
    CLI::App app{"wavetank: deterministic network simulation and load tests for game netcode",
                 "wavetank"};
    app.set_version_flag("--version", version_line());
    app.require_subcommand(1);
    add_run(app, options, raw);
    add_real_time(app, options, raw);
    add_others(app, options, raw);
    add_trace(app, options, raw);
    // For the list only: run_main takes it before anything is parsed.
    app.add_subcommand("view", "Opens a trace or a scenario in a window (view --help)");
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        return {.text = app.help()};
    } catch (const CLI::CallForAllHelp&) {
        return {.text = app.help("", CLI::AppFormatMode::All)};
    } catch (const CLI::CallForVersion&) {
        return {.text = version_line() + "\n"};
    } catch (const CLI::ParseError& error) {
        return bad(error.what());
    }
    options.command = command_of(app);
    for (const CLI::App* command = &app; !command->get_subcommands().empty();) {
        command = command->get_subcommands().front();
        if (const std::optional<Failure> failure = find_empty(*command)) return bad(failure->text);
    }
    if (const std::optional<Failure> failure = read_raw(raw, options)) return bad(failure->text);
    if (const std::optional<Failure> failure = find_clash(options)) return bad(failure->text);
    return {.options = options};
}

}  // namespace

ParsedOptions parse_options(int argc, const char* const* argv) {
    // What people type first.
    const std::string word = argc == 2 ? argv[1] : "";
    if (word == "help" || word == "version") {
        const std::string option = "--" + word;
        const char* const words[] = {argv[0], option.c_str()};
        return parse_words(2, words);
    }
    if (const std::optional<std::string> text = unknown_command(argc, argv)) return bad(*text);
    return parse_words(argc, argv);
}

}  // namespace wt::sim
