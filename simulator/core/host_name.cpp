// SPDX-License-Identifier: MIT
#include "simulator/core/host_name.hpp"

#include <algorithm>
#include <numeric>

#include "engine/base/check.hpp"

namespace wt::sim {

namespace {
constexpr std::uint16_t first_port = 40'000;
// Ports stay above 40,000 and below 65,536.
constexpr std::uint32_t port_count = 25'000;
}  // namespace

HostName server_name() {
    return {"server", 0};
}

std::string text_of(const HostName& name) {
    if (name == server_name()) return name.group;
    return name.group + "-" + std::to_string(name.number);
}

std::uint64_t hash_of(const HostName& name) {
    return LuckKey{0x77a0'5eed}.with(name.group).with(name.number).value;
}

LuckKey luck_of(std::uint64_t seed, const HostName& name) {
    return LuckKey::root(seed).with("host").with(name.group).with(name.number);
}

transport::Address address_of(const HostName& name, std::uint32_t incarnation) {
    transport::Address address;
    const LuckKey key{hash_of(name)};
    store_u64(address.ip.data(), key.draw(0));
    store_u64(address.ip.data() + 8, key.draw(1));
    address.ip[0] = 0xfd;
    address.port = port_number(incarnation);
    return address;
}

std::uint16_t port_number(std::uint32_t n) {
    return static_cast<std::uint16_t>(first_port + n % port_count);
}

std::vector<std::uint32_t> ranks_of(std::span<const HostName> names) {
    std::vector<std::uint32_t> order(names.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return names[a] < names[b]; });
    std::vector<std::uint32_t> ranks(names.size());
    for (std::uint32_t place = 0; place < order.size(); ++place) {
        if (place > 0) WT_CHECK(names[order[place - 1]] != names[order[place]]);
        ranks[order[place]] = place;
    }
    return ranks;
}

}  // namespace wt::sim
