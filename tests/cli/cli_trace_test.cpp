// SPDX-License-Identifier: MIT
//
// Traces as a user meets them: written, looked at, cut, exported, compared, asked why; and the
// files and questions that cannot be.
#include <cstdlib>

#include "simulator/trace/trace_file.hpp"
#include "simulator/trace/writer.hpp"
#include "tests/cli/cli_bench.hpp"

namespace wt::cli_test {

namespace {

// Two runners on a bad link, two seconds.
const char* const lossy =
    "[scenario]\nphases = [\"join 1s\", \"play 1s\"]\n[bots.runner]\ncount = 2\n"
    "[links.default]\nrtt = \"40ms\"\nloss = \"10%\"\n"
    "[gates]\neveryone_in = \"peers.active min == 100% in play\"\n";

struct Traced {
    Bench bench{};
    std::string file{};
    std::string trace{};

    Traced() : file(bench.write("t.toml", lossy)), trace(bench.file("t.wtrace")) {
        const Ran ran = run({"--trace", trace});
        REQUIRE(ran.error.empty());
        CHECK(ran.out.find("trace    " + trace + "   ") != std::string::npos);
    }
    Ran run(std::vector<std::string> more) const {
        std::vector<std::string> words{"run", file, "--seed", "5"};
        words.insert(words.end(), more.begin(), more.end());
        return bench.run(words);
    }
};

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// The word behind "seq " in the first line that has it.
std::string first_sequence(const std::string& text) {
    const std::size_t at = text.find("seq ");
    REQUIRE(at != std::string::npos);
    return text.substr(at + 4, text.find(' ', at + 4) - at - 4);
}

// Another trace of the same run, one `send` record's size changed. Returns its number.
std::uint64_t write_altered(const std::string& from, const std::string& to) {
    const auto trace = trace::TraceFile::open(from);
    REQUIRE(trace.has_value());
    trace::Output output(to);
    trace::Writer writer(trace->header(), trace->about(), output);
    std::uint64_t which = 0;
    for (std::uint64_t i = 0; i < trace->record_count(); ++i) {
        trace::Record record = trace->record(i);
        if (which == 0 && i > 500 && record.type == static_cast<std::uint8_t>(trace::Type::send)) {
            which = i;
            record.size = 7;
        }
        (void)writer.add(record);
    }
    REQUIRE(writer.finish({}));
    return which;
}

std::string digest_line(const std::string& text) {
    const std::size_t at = text.find("digest   ");
    REQUIRE(at != std::string::npos);
    return text.substr(at, text.find('\n', at) - at);
}

}  // namespace

TEST_CASE("run --trace: the digest stays, workers are not seen, diff says equal") {
    const Traced t;
    const std::string digest = digest_line(t.run({}).out);
    const std::string other = t.bench.file("other.wtrace");
    CHECK(digest_line(t.run({"--trace", other, "--workers", "3"}).out) == digest);
    const Ran equal = t.bench.run({"diff", t.trace, other});
    CHECK(equal.code == 0);
    CHECK(has(equal.out, "EQUAL      "));
    const Ran last = t.run({"--trace", other, "--trace-last", "500ms"});
    CHECK(digest_line(last.out) == digest);
    CHECK(has(last.out, " older ones not kept"));
    CHECK(digest_line(t.run({"--trace", other, "--capture", "payload"}).out) == digest);
    const Ran payload = t.bench.run({"trace", "export", other, t.bench.file("p.jsonl"), "--filter",
                                     "deliver && kind == snapshot"});
    CHECK(payload.code == 0);
    const std::string lines = read_all(t.bench.file("p.jsonl"));
    CHECK(has(lines, ": snapshot tick "));
    CHECK_FALSE(has(lines, "REFUSED"));
    const Ran shown = t.bench.run(
        {"trace", "show", other, "--filter", "deliver && kind == snapshot", "--limit", "1"});
    CHECK(has(shown.out, "\n             snapshot tick "));
}

TEST_CASE("diff: another seed is statistics only; a changed build's first record by name") {
    const Traced t;
    const std::string other = t.bench.file("other.wtrace");
    (void)t.bench.run({"run", t.file, "--seed", "6", "--trace", other});
    const Ran seeds = t.bench.run({"diff", t.trace, other});
    CHECK(seeds.code == 1);
    CHECK(has(seeds.out, "no records are compared: seed 5 against 6\n"));
    CHECK(has(seeds.out, "STATISTICS"));
    CHECK_FALSE(has(seeds.out, "DIFFERENT"));
    // As a build would write it that sends one datagram of 7 bytes.
    const std::uint64_t which = write_altered(t.trace, other);
    const Ran differs = t.bench.run({"diff", t.trace, other});
    CHECK(differs.code == 1);
    CHECK(has(differs.out, "DIFFERENT  from record " + std::to_string(which) + " on: "));
    CHECK(has(differs.out, ", send "));
    CHECK(has(differs.out, "\n  B "));
    CHECK(has(differs.out, "differs    size\n"));
    CHECK(t.bench.run({"diff", t.trace, t.file}).code == 2);
    CHECK(t.bench.run({"diff", t.trace}).code == 2);
}

TEST_CASE("trace info, show, cut, export") {
    const Traced t;
    const Ran info = t.bench.run({"trace", "info", t.trace});
    CHECK(info.code == 0);
    CHECK(has(info.out, "seed 5"));
    CHECK(has(info.out, "ok    everyone_in"));
    CHECK(has(info.out, "digest     "));
    const Ran json = t.bench.run({"trace", "info", t.trace, "--json"});
    CHECK(json.code == 0);
    CHECK(json.out.starts_with("{\n  \"schema\": 1,\n"));
    CHECK(has(json.out, "\"damage\": \"\"\n}\n"));
    const Ran show =
        t.bench.run({"trace", "show", t.trace, "--filter", "drop && way == up", "--limit", "1"});
    CHECK(show.code == 0);
    CHECK(has(show.out, "  drop "));
    CHECK(has(show.out, "... there are more"));
    const std::string small_file = t.bench.file("small.wtrace");
    CHECK(t.bench.run({"trace", "cut", t.trace, small_file, "--from", "1s", "--to", "1.1s"}).code ==
          0);
    CHECK(has(t.bench.run({"trace", "info", small_file}).out, " 1.000 s to 1.0"));
    const Ran cut =
        t.bench.run({"trace", "show", small_file, "--filter", "time < 1s || time >= 1.1s"});
    CHECK(cut.out == "no such records\n");
    for (const char* const name : {"x.csv", "x.jsonl", "x.json", "x.pcapng"}) {
        CAPTURE(name);
        const Ran ran = t.bench.run({"trace", "export", t.trace, t.bench.file(name)});
        CHECK(ran.code == 0);
        CHECK(ran.error.empty());
        CHECK(read_all(t.bench.file(name)).size() > 1'000);
    }
    CHECK(has(t.bench.run({"trace", "format"}).out, "| 16 | 4 | sequence |"));
}

TEST_CASE("why: a snapshot, an input, a datagram, a message") {
    const Traced t;
    const auto why = [&](const std::string& option, const std::string& value) {
        return t.bench.run({"why", t.trace, "--peer", "runner-0", option, value});
    };
    // The first one that is lost, by its tick.
    const Ran lost =
        t.bench.run({"trace", "show", t.trace, "--filter",
                     "peer == runner-0 && drop && kind == snapshot && time > 1s", "--limit", "1"});
    const std::size_t at = lost.out.find("tick ");
    REQUIRE(at != std::string::npos);
    const std::string tick = lost.out.substr(at + 5, lost.out.find(' ', at + 5) - at - 5);
    const Ran snapshot = why("--snapshot", tick);
    CHECK(snapshot.code == 0);
    CHECK(has(snapshot.out, "never arrived: loss\n"));
    CHECK(has(snapshot.out, "a newer one is in the frame shown: tick "));
    const Ran input = why("--input", "80");
    CHECK(input.code == 0);
    CHECK(has(input.out, "reached the game "));
    CHECK(why("--datagram", first_sequence(lost.out)).code == 0);
    const Ran message = why("--message", "bulk:0");
    CHECK(message.code == 0);
    CHECK(has(message.out, "delivered after "));
    CHECK(has(message.out, "where the time went "));
}

TEST_CASE("traces that cannot be") {
    const Traced t;
    const auto info = [&](const std::string& file) { return t.bench.run({"trace", "info", file}); };
    check_refused(info(t.bench.file("none")),
                  "wavetank: error: " + t.bench.file("none") + ": there is no such file");
    check_refused(info(t.bench.file(".")),
                  "wavetank: error: " + t.bench.file(".") + ": this is a directory");
    check_refused(info(t.bench.write("empty", "")),
                  "wavetank: error: " + t.bench.file("empty") + ": the file is empty");
    check_refused(info(t.file), "wavetank: error: " + t.file +
                                    ": this is not a trace: it does not begin like one");
    // Cut off behind its records: what is there is shown, and the place of the cut.
    std::string bytes = read_all(t.trace);
    const std::string cut = t.bench.write("cut", bytes.substr(0, bytes.size() - 100));
    const Ran opened = info(cut);
    CHECK(opened.code == 2);
    CHECK(has(opened.error, "warning: " + cut + ": "));
    CHECK(has(opened.out, "records    "));
    // A bit in the middle.
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 4);
    const Ran flipped = info(t.bench.write("flipped", bytes));
    CHECK((flipped.code == 2 || has(flipped.out, "records")));
}

TEST_CASE("questions that cannot be") {
    const Traced t;
    const auto first_line = [](const Ran& ran) {
        CHECK(ran.code == 2);
        return ran.error.substr(0, ran.error.find('\n'));
    };
    const std::string& trace = t.trace;
    const Bench& bench = t.bench;
    CHECK(first_line(bench.run({"trace", "show", trace, "--filter", "per == runner-0"})) ==
          "wavetank: error: --filter: unknown field \"per\"");
    CHECK(has(bench.run({"trace", "show", trace, "--filter", "per == 1"}).error,
              "\n   per == 1\n   ^^^ did you mean \"peer\"?\n"));
    CHECK(first_line(bench.run({"trace", "export", trace, bench.file("x.xml")})) ==
          "wavetank: error: " + bench.file("x.xml") +
              " does not say its format: --format pcapng, chrome, csv or jsonl");
    CHECK(first_line(bench.run({"trace", "cut", trace, trace})) ==
          "wavetank: error: " + trace + " is the trace itself");
    CHECK(first_line(bench.run({"why", trace, "--peer", "runner-9", "--input", "3"})) ==
          "wavetank: error: no bot \"runner-9\" in this trace, did you mean runner-0?");
    CHECK(first_line(bench.run({"why", trace, "--peer", "runner-0"})) ==
          "wavetank: error: one of --message LANE:ID, --snapshot, --input, --datagram");
    CHECK(first_line(bench.run({"why", trace, "--peer", "runner-0", "--message", "balk:1"})) ==
          "wavetank: error: --message balk:1: no lane \"balk\", did you mean bulk?");
    CHECK(first_line(bench.run({"why", trace, "--peer", "runner-0", "--message", "bulk:999"})) ==
          "wavetank: error: no message bulk:999 of runner-0 was sent in this trace");
    CHECK(first_line(t.run({"--trace-last", "5s"})) ==
          "wavetank: error: --trace-last, --trace-peers and --capture need --trace FILE");
    CHECK(first_line(t.run({"--trace", t.file})) ==
          "wavetank: error: --trace would overwrite " + t.file);
    CHECK(first_line(t.run({"--trace", bench.file("x"), "--capture", "keys"})) ==
          "wavetank: error: --capture keys: only payload can be captured beside records");
    CHECK(first_line(t.run({"--trace", bench.file("x"), "--trace-peers", "walker"}))
              .starts_with("wavetank: error: --trace-peers \"walker\": "));
    CHECK(first_line(bench.run({"run", t.file, t.file, "--trace", bench.file("x")})) ==
          "wavetank: error: --trace takes one scenario at a time");
    CHECK(first_line(bench.run({"trace", "cut", trace, bench.file("no/such/dir")})) ==
          "wavetank: error: cannot write " + bench.file("no/such/dir"));
}

TEST_CASE("a failed run names the trace that would tell why, or where to look in it") {
    const Traced t;
    const std::vector<std::string> failing{
        "--set", "gates.everyone_in=peers.snapshot_age max < 1ms in play"};
    const Ran plain = t.run(failing);
    CHECK(plain.code == 1);
    CHECK(has(plain.out, " --trace t-5.wtrace\n"));
    std::vector<std::string> traced = failing;
    traced.insert(traced.end(), {"--trace", t.trace});
    const Ran with = t.run(traced);
    CHECK(with.code == 1);
    CHECK(has(with.out, "look     wavetank-viewer " + t.trace + " --at tick:"));
    CHECK(has(t.bench.run({"trace", "info", t.trace}).out, "1  gate "));
}

// Wireshark's own reader, where it is installed (apt-get install tshark).
TEST_CASE("tshark reads the pcapng and its fields") {
    if (std::system("tshark --version >/dev/null 2>&1") != 0) {
        MESSAGE("skipped: tshark is not installed");
        return;
    }
    const Traced t;
    const std::string capture = t.bench.file("x.pcapng");
    REQUIRE(t.bench.run({"trace", "export", t.trace, capture}).code == 0);
    const auto tshark = [&](const std::string& options) {
        const std::string out = t.bench.file("tshark");
        const std::string command = "tshark -r " + capture + " -X lua_script:" + WT_SHARE +
                                    "/wavetank.lua " + options + " >" + out + " 2>" + out + ".2";
        CHECK(std::system(command.c_str()) == 0);
        CHECK_FALSE(has(read_all(out + ".2"), "rror"));
        return read_all(out);
    };
    CHECK(has(tshark("-N n -c 20"), "runner-0"));
    CHECK(has(tshark("-Y 'frame.comment contains \"DROPPED: loss\"' -T fields -e "
                     "frame.interface_name -e wavetank.kind"),
              "link-in\t"));
    CHECK(has(tshark("-Y 'wavetank.kind == \"snapshot\"' -T fields -e frame.interface_name"),
              "link-out\n"));
    CHECK(tshark("-Y '_ws.malformed || ip.checksum.status == 0'").empty());
}

}  // namespace wt::cli_test
