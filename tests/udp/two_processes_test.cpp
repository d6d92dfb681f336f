// SPDX-License-Identifier: MIT
//
// A scenario as two processes on loopback: join, play, leave, rejoin; either of them killed. The
// gates are judged by the program itself, so an exit code says most; the bounds leave room for a
// machine that does other things too, since what is tested is that it works and not how well.
#include <doctest/doctest.h>

#include <csignal>

#include "tests/udp/program.hpp"

namespace wt::udp_test {

namespace {

// Fast to give up and fast to ask again, so that seconds are enough for what takes a minute.
const char* const quick =
    "[transport]\nkeepalive = \"200ms\"\ntimeout = \"2s\"\n"
    "[links.default]\none_way_delay = \"20ms\"\nloss = \"1%\"\n";

std::string bots(unsigned count) {
    return "[bots.fighter]\ncount = " + std::to_string(count) +
           "\nreconnect = { after = \"200ms\", tries = 100 }\n";
}

// Two of them leave for a phase and come back. Every bot joins once, those two twice.
std::string leaving(unsigned count, const char* phases) {
    return std::string("[scenario]\nphases = [") + phases + "]\n" + quick + bots(count) +
           "[[at]]\nphase = \"away\"\ndo = \"leave\"\nwho = \"fighter-0..1\"\n"
           "[gates]\n"
           "everyone_in = \"peers.active min == 100% in play\"\n"
           "back = \"peers.active last == 100% in back\"\n"
           "stay = \"peers.disconnects total == 0\"\n"
           // 50 ms between snapshots, 20 ms on the way, two quanta, a frame: 97 ms; and the
           // machine.
           "fresh = \"peers.snapshot_age p50 <= 200ms in play\"\n"
           "response = \"peers.response p50 <= 400ms in play\"\n"
           "joins = \"server.joins total == " +
           std::to_string(count + 2) + "\"\ninputs = \"peers.input_loss mean <= 20% in play\"\n";
}

void play_leave_rejoin(unsigned count, const char* phases) {
    const Folder folder;
    const std::string file = folder.write("t.toml", leaving(count, phases));
    const std::string server_json = folder.file("server.json");
    const std::string bots_junit = folder.file("bots.xml");
    Program server(folder, "server",
                   {"serve", file, "--listen", "127.0.0.1:0", "--json", server_json});
    const std::string address = server.address();
    Program clients(folder, "bots", {"bots", file, "--connect", address, "--junit", bots_junit});
    const int bots_code = clients.wait();
    CHECK_MESSAGE(bots_code == 0, clients.out(), clients.error());
    const int server_code = server.wait();
    CHECK_MESSAGE(server_code == 0, server.out(), server.error());
    // Each judged its own gates, and says which it did not.
    CHECK(clients.out().find("GATES   5 passed, 0 failed") != std::string::npos);
    CHECK(server.out().find("GATES   2 passed, 0 failed") != std::string::npos);
    CHECK(clients.out().find("unseen    joins inputs") != std::string::npos);
    CHECK(clients.out().find("no digest: real time, bots of " + address) != std::string::npos);
    CHECK(clients.out().find("digest   ") == std::string::npos);
    const std::string json = read_all(server_json);
    CHECK(json.find("\"real_time\"") != std::string::npos);
    CHECK(json.find("\"side\": \"server\"") != std::string::npos);
    CHECK(json.find("\"last_draw\"") == std::string::npos);
    const std::string xml = read_all(bots_junit);
    CHECK(xml.find("tests=\"8\" failures=\"0\" errors=\"0\" skipped=\"2\"") != std::string::npos);
}

}  // namespace

TEST_CASE("four bots join, play, leave and rejoin" * doctest::test_suite("short")) {
    play_leave_rejoin(4, "\"join 2s\", \"play 2s\", \"away 1s\", \"back 2s\"");
}

TEST_CASE("a killed process is missed, and found again when it is back" *
          doctest::test_suite("short")) {
    const Folder folder;
    const std::string common = std::string(quick) + bots(3);
    const std::string all_day =
        folder.write("server.toml", "[scenario]\nphases = [\"play 60s\"]\n" + common +
                                        "[gates]\njoins = \"server.joins total == 3\"\n");
    const std::string file = folder.write(
        "bots.toml", "[scenario]\nphases = [\"join 2s\", \"storm 4s\", \"back 500ms\"]\n" + common +
                         "[gates]\nback = \"peers.active min == 100% in back\"\n"
                         // As in `leaving`: the new server's world comes through.
                         "fresh = \"peers.snapshot_age p50 <= 200ms in back\"\n"
                         // Nobody hears of a server that is dead.
                         "gone = \"peers.snapshot_age max > 600ms in storm\"\n");
    Program first(folder, "first", {"serve", all_day, "--listen", "127.0.0.1:0"});
    const std::string address = first.address();
    // Bots that die without a word: the next process's bots are the same players.
    {
        Program early(folder, "early", {"bots", file, "--connect", address});
        REQUIRE(early.await("in real time"));
        pause_for(Duration::millis(2'500));
        early.signal(SIGKILL);
        CHECK(early.wait() == -SIGKILL);
    }
    const std::string json = folder.file("bots.json");
    Program clients(folder, "bots", {"bots", file, "--connect", address, "--json", json});
    REQUIRE(clients.await("in real time"));
    pause_for(Duration::millis(2'500));
    // The server dies; another one takes its port a second later.
    first.signal(SIGKILL);
    CHECK(first.wait() == -SIGKILL);
    pause_for(Duration::millis(700));
    Program second(folder, "second", {"serve", all_day, "--listen", address});
    CHECK(second.address() == address);
    const int code = clients.wait();
    CHECK_MESSAGE(code == 0, clients.out(), clients.error());
    // The machine said that nobody listened.
    CHECK(read_all(json).find("\"receive_refused\"") != std::string::npos);
    // Ctrl-C: the report of what ran.
    second.signal(SIGINT);
    CHECK(second.wait() == 130);
    CHECK(second.out().find("INTERRUPTED") != std::string::npos);
    // All three came anew: nobody goes on with a server that knows nothing of him.
    CHECK_MESSAGE(second.out().find("ok    joins") != std::string::npos, second.out());
    CHECK(second.out().find("no digest") != std::string::npos);
}

TEST_CASE("SIGTERM writes the report of what ran, on both sides" * doctest::test_suite("short")) {
    const Folder folder;
    const std::string file = folder.write(
        "t.toml", "[scenario]\nphases = [\"play 60s\"]\n" + std::string(quick) + bots(2));
    const std::string json = folder.file("bots.json");
    Program server(folder, "server", {"serve", file, "--listen", "[::1]:0"});
    Program clients(folder, "bots", {"bots", file, "--connect", server.address(), "--json", json});
    REQUIRE(clients.await("in real time"));
    pause_for(Duration::millis(2'500));
    clients.signal(SIGTERM);
    CHECK(clients.wait() == 130);
    CHECK(clients.out().find("INTERRUPTED at ") != std::string::npos);
    CHECK(read_all(json).find("\"exit_code\": 130") != std::string::npos);
    server.signal(SIGTERM);
    CHECK(server.wait() == 130);
    CHECK(server.out().find("PEERS") != std::string::npos);
}

TEST_CASE("sixteen bots for ten seconds" * doctest::test_suite("long")) {
    play_leave_rejoin(16, "\"join 2s\", \"play 4s\", \"away 2s\", \"back 2s\"");
}

}  // namespace wt::udp_test
