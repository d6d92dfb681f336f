// SPDX-License-Identifier: MIT
//
// What cannot work says so: one clear error, exit code 2.
#include <doctest/doctest.h>

#include <csignal>
#include <memory>

#include "engine/crypto/entropy.hpp"
#include "engine/secure/endpoints.hpp"
#include "engine/udp/address_text.hpp"
#include "engine/udp/driver.hpp"
#include "engine/udp/waiter.hpp"
#include "tests/udp/program.hpp"

namespace wt::udp_test {

namespace {

const char* const small =
    "[scenario]\nphases = [\"play 20s\"]\n[bots.idle]\ncount = 2\n"
    "reconnect = { after = \"200ms\", tries = 100 }\n";

void check_refused(Program& program, const std::string& words) {
    const int code = program.wait(Duration::seconds(15));
    const std::string error = program.error();
    CHECK_MESSAGE(code == 2, program.out(), error);
    CHECK_MESSAGE(error.find(words) != std::string::npos, error);
    // One line.
    CHECK(error.find('\n') == error.size() - 1);
    CHECK(error.starts_with("wavetank: error: "));
}

udp::Socket socket_of_ours() {
    auto opened = udp::Socket::open({.bind = *udp::parse_address("127.0.0.1:0")});
    REQUIRE(opened);
    return std::move(*opened);
}

}  // namespace

TEST_CASE("addresses that cannot be" * doctest::test_suite("short")) {
    const Folder folder;
    const std::string file = folder.write("t.toml", small);
    const auto refused = [&](std::vector<std::string> words, const std::string& why) {
        Program program(folder, "program", std::move(words));
        check_refused(program, why);
    };
    refused({"serve", file, "--listen", "127.0.0.1"}, "\"127.0.0.1\" has no port");
    refused({"serve", file, "--listen", "192.0.2.1:4000"},
            "192.0.2.1:4000 is no address of this machine");
    refused({"bots", file, "--connect", "localhost:4000"}, "names are not looked up");
    refused({"bots", file, "--connect", "127.0.0.1:0"}, "nobody can be reached there");
    refused({"bots", file, "--connect", "0.0.0.0:4000"}, "nobody can be reached there");
    Program server(folder, "server", {"serve", file, "--listen", "127.0.0.1:0"});
    const std::string address = server.address();
    refused({"serve", file, "--listen", address}, address + " is in use");
}

TEST_CASE("scenarios that cannot be in real time" * doctest::test_suite("short")) {
    const Folder folder;
    const std::string file = folder.write("t.toml", small);
    for (const char* const command : {"serve", "bots"}) {
        CAPTURE(command);
        const std::string option = command == std::string("serve") ? "--listen" : "--connect";
        const auto refused = [&](const std::string& scenario, const std::string& setting,
                                 const std::string& why) {
            std::vector<std::string> words{command, scenario, option, "127.0.0.1:4999"};
            if (!setting.empty()) words.insert(words.end(), {"--set", setting});
            Program program(folder, "program", words);
            check_refused(program, why);
        };
        refused(file, "transport.cipher=null", "the null cipher protects nothing");
        refused(file, "transport.kind=loopback", "loopback has no encryption");
        const std::string restart =
            folder.write("restart.toml", std::string(small) +
                                             "[[at]]\nname = \"crash\"\ntime = \"2s\"\n"
                                             "do = \"restart\"\nwho = \"server\"\n");
        refused(restart, "", "act crash: restart of the server is for runs only");
        const std::string fault =
            folder.write("fault.toml", std::string(small) +
                                           "[[at]]\nname = \"hit\"\ntime = \"2s\"\n"
                                           "do = \"drop\"\nwho = \"all\"\n"
                                           "what = \"down snapshot #1..3\"\n");
        refused(fault, "", "act hit: \"down snapshot #1..3\" is for runs only");
    }
}

// All at once, since each of them takes its seconds to be sure.
TEST_CASE("servers that are none, or another one" * doctest::test_suite("short")) {
    const Folder folder;
    const std::string file = folder.write("t.toml", small);
    const auto bots = [&](const std::string& name, const std::string& address,
                          std::vector<std::string> more = {}) {
        std::vector<std::string> words{"bots", file, "--connect", address};
        words.insert(words.end(), more.begin(), more.end());
        return std::make_unique<Program>(folder, name, words);
    };
    std::string nowhere;
    {
        const udp::Socket gone = socket_of_ours();
        nowhere = udp::text_of(gone.local());
    }
    const udp::Socket mute = socket_of_ours();
    Program server(folder, "server", {"serve", file, "--listen", "127.0.0.1:0"});
    const std::string address = server.address();
    const auto nobody = bots("nobody", nowhere);
    const auto silent = bots("silent", udp::text_of(mute.local()));
    const auto strangers = bots("strangers", address, {"--seed", "7"});
    const auto rules = bots("rules", address, {"--set", "server.input_rate=30Hz"});

    // A server of next year: same wire, another protocol.
    secure::ServerConfig next_year;
    next_year.protocol_version = 2;
    udp::Socket socket = socket_of_ours();
    const auto endpoint = secure::make_server(next_year, crypto::system_entropy());
    udp::Driver driver(*endpoint, socket);
    const auto newer = bots("newer", udp::text_of(socket.local()));
    const udp::Clock clock;
    udp::Waiter waiter;
    const Instant end = clock.now() + Duration::seconds(6);
    for (Instant now = clock.now(); now < end; now = clock.now()) {
        transport::Event event;
        driver.receive(now, [&] {
            while (endpoint->next_event(event)) {
            }
        });
        driver.flush(now);
        waiter.wait(clock, udp::next_quantum(now, udp::Driver::quantum));
    }
    check_refused(*nobody, "nobody listens at " + nowhere);
    check_refused(*silent, "no answer from " + udp::text_of(mute.local()));
    check_refused(*strangers, "does not know these tickets");
    check_refused(*rules, "plays by other rules (refused_rates)");
    check_refused(*newer, "another version of the protocol (refused_version)");
}

}  // namespace wt::udp_test
