// SPDX-License-Identifier: MIT
#include "simulator/realtime/fitness.hpp"

#include <algorithm>

#include "simulator/run/act_expansion.hpp"

namespace wt::sim {

namespace {

// Acts on a process need that process; the server's is another one.
bool is_of_process(Act::Do what) {
    switch (what) {
        case Act::Do::pause:
        case Act::Do::kill:
        case Act::Do::leave:
        case Act::Do::restart:
        case Act::Do::behave:
            return true;
        default:
            return false;
    }
}

bool hits_server(const std::vector<Firing>& firings, const Act& act) {
    return std::any_of(firings.begin(), firings.end(), [&](const Firing& firing) {
        const bool is_this = firing.act == &act;
        return is_this && std::find(firing.hosts.begin(), firing.hosts.end(), HostIndex::server) !=
                              firing.hosts.end();
    });
}

// Datagrams of the real server come without a label: which one carries what is under its key.
bool asks_what_is_sealed(const FaultPlan& fault) {
    const FaultSelector& what = fault.what;
    const bool filters = what.message || what.fragment || what.transmission || what.tick ||
                         what.sequence || what.lane;
    return what.way == Way::down && (what.kind.has_value() || filters);
}

}  // namespace

std::vector<std::string> real_time_problems(const Scenario& scenario, std::uint64_t seed) {
    std::vector<std::string> problems;
    if (scenario.transport.kind != TransportKind::secure) {
        problems.push_back(
            "transport.kind: loopback has no encryption and never gets a real socket; "
            "--set transport.kind=secure");
    } else if (scenario.transport.cipher == CipherKind::null) {
        problems.push_back(
            "transport.cipher: the null cipher protects nothing and never gets a real socket; "
            "--set transport.cipher=chacha20-poly1305");
    }
    const HostIndex index(scenario);
    const std::vector<Firing> firings = firings_of(scenario, index, seed);
    for (const Act& act : scenario.acts) {
        if (is_of_process(act.what) && hits_server(firings, act)) {
            problems.push_back("act " + act.name + ": " + name_of(act.what) +
                               " of the server is for runs only: here the server is a process of "
                               "its own (kill it)");
        }
        if (act.what == Act::Do::rebind) {
            problems.push_back("act " + act.name +
                               ": rebind is for runs only: a bot's real socket keeps its port");
        }
        if (act.fault.has_value() && asks_what_is_sealed(*act.fault)) {
            problems.push_back("act " + act.name + ": \"" + act.selector +
                               "\" is for runs only: what a real server sends is sealed, so only "
                               "\"down datagram\" can be told");
        }
    }
    for (const LinkConfig& link : scenario.links) {
        if (link.nat.has_value()) {
            problems.push_back("links." + link.name +
                               ".nat is for runs only: a bot's real socket keeps its port");
        }
    }
    return problems;
}

std::vector<std::string> real_time_omissions(const Scenario& scenario) {
    std::vector<std::string> left_out;
    const HostCost& cost = scenario.server.cost;
    if (cost.datagram + cost.handshake + cost.object > Duration{})
        left_out.push_back("server.cost (the server's own CPU counts)");
    if (scenario.server.receive_buffer != ServerSettings{}.receive_buffer)
        left_out.push_back("server.receive_buffer (the kernel's holds)");
    return left_out;
}

}  // namespace wt::sim
