// SPDX-License-Identifier: MIT
//
// Integers to text. A chance is printed with as few decimals as read back to the same threshold.
#include "simulator/scenario/exact_text.hpp"

#include "engine/base/wide.hpp"

namespace wt::sim {

namespace {

std::string decimal(std::uint64_t digits, unsigned decimals) {
    std::string text = std::to_string(digits);
    if (decimals == 0) return text;
    if (text.size() <= decimals) text.insert(0, decimals + 1 - text.size(), '0');
    text.insert(text.size() - decimals, 1, '.');
    while (text.ends_with('0'))
        text.pop_back();
    if (text.ends_with('.')) text.pop_back();
    return text;
}

}  // namespace

std::string exact_time(Duration duration) {
    const std::string sign = duration.ns < 0 ? "-" : "";
    const std::uint64_t ns = duration.ns < 0
                                 ? std::uint64_t{0} - static_cast<std::uint64_t>(duration.ns)
                                 : static_cast<std::uint64_t>(duration.ns);
    if (ns % 1'000'000'000 == 0) return sign + std::to_string(ns / 1'000'000'000) + "s";
    if (ns % 1'000'000 == 0) return sign + std::to_string(ns / 1'000'000) + "ms";
    if (ns % 1'000 == 0) return sign + std::to_string(ns / 1'000) + "us";
    return sign + std::to_string(ns) + "ns";
}

std::string exact_millis(Duration duration) {
    const std::string sign = duration.ns < 0 ? "-" : "";
    const std::uint64_t ns = duration.ns < 0
                                 ? std::uint64_t{0} - static_cast<std::uint64_t>(duration.ns)
                                 : static_cast<std::uint64_t>(duration.ns);
    return sign + decimal(ns, 6) + "ms";
}

std::string exact_bytes(std::uint64_t bytes) {
    if (bytes != 0 && bytes % (1'024 * 1'024) == 0)
        return std::to_string(bytes / (1'024 * 1'024)) + "MiB";
    if (bytes != 0 && bytes % 1'024 == 0) return std::to_string(bytes / 1'024) + "KiB";
    return std::to_string(bytes) + "B";
}

std::string exact_rate(BitRate rate) {
    const std::uint64_t bits = rate.bits_per_second;
    if (bits != 0 && bits % 1'000'000'000 == 0)
        return std::to_string(bits / 1'000'000'000) + "Gbit/s";
    if (bits != 0 && bits % 1'000'000 == 0) return std::to_string(bits / 1'000'000) + "Mbit/s";
    if (bits != 0 && bits % 1'000 == 0) return std::to_string(bits / 1'000) + "kbit/s";
    return std::to_string(bits) + "bit/s";
}

std::string exact_share(Chance chance) {
    // Ten decimals of a percent are finer than 2^-32, so the loop always finds one.
    Wide scale = 100;
    for (unsigned decimals = 0; decimals <= 10; ++decimals) {
        const std::uint64_t digits = static_cast<std::uint64_t>(
            (static_cast<Wide>(chance.threshold) * scale + Chance::one / 2) >> 32);
        const Wide back = ((static_cast<Wide>(digits) << 32) + scale / 2) / scale;
        if (back == chance.threshold) return decimal(digits, decimals) + "%";
        scale *= 10;
    }
    return "0%";
}

std::string exact_percent(std::uint64_t ppb) {
    return decimal(ppb, 7) + "%";
}

std::string exact_packets(std::uint64_t milli) {
    return decimal(milli, 3) + " packets";
}

std::string grouped(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t from_end = 3; from_end < text.size(); from_end += 4)
        text.insert(text.size() - from_end, 1, ',');
    return text;
}

std::string in_quotes(std::string_view text) {
    return '"' + std::string(text) + '"';
}

}  // namespace wt::sim
