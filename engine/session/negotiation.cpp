// SPDX-License-Identifier: MIT
#include "engine/session/negotiation.hpp"

#include "engine/base/mutated.hpp"
#include "engine/session/envelope.hpp"

namespace wt::session {

namespace {

constexpr std::uint8_t flag_allows_reliable_only = 1;
constexpr std::uint8_t flag_needs_reliable_only = 2;
constexpr std::uint8_t flags_all = 3;

void write_rates(ByteWriter& writer, const Rates& rates) {
    writer.u16(rates.tick);
    writer.u16(rates.input);
    writer.u16(rates.snapshot);
}

void read_rates(ByteReader& reader, Rates& rates) {
    reader.u16(rates.tick);
    reader.u16(rates.input);
    reader.u16(rates.snapshot);
}

bool are_rates_sane(const Rates& rates) {
    if (rates.tick == 0 || rates.input == 0 || rates.snapshot == 0) return false;
    return rates.snapshot <= rates.tick;
}

bool is_bound_sane(std::uint16_t message_bytes) {
    return message_bytes > envelope_header_bytes && message_bytes <= message_bytes_max;
}

}  // namespace

bool write_hello(const Hello& hello, MutableBytes target, std::size_t& size) {
    if (hello.ticket.size() > ticket_room) return false;
    if (target.size() < hello_bytes_fixed + hello.ticket.size()) return false;
    const Terms& terms = hello.terms;
    ByteWriter writer(target);
    writer.u32(terms.protocol);
    writer.u64(terms.schema_hash);
    writer.u64(terms.features.offered);
    writer.u64(terms.features.required);
    writer.u32(terms.content_version);
    write_rates(writer, terms.rates);
    writer.u16(terms.tick_rate_min);
    writer.u16(hello.message_bytes);
    writer.u8(
        static_cast<std::uint8_t>((terms.allow_reliable_only ? flag_allows_reliable_only : 0) |
                                  (hello.needs_reliable_only ? flag_needs_reliable_only : 0)));
    writer.u8(0);
    writer.u16(0);
    writer.u16(static_cast<std::uint16_t>(hello.ticket.size()));
    writer.bytes(hello.ticket);
    size = writer.written();
    return true;
}

bool read_hello(ConstBytes bytes, Hello& out) {
    ByteReader reader(bytes);
    Hello hello;
    Terms& terms = hello.terms;
    std::uint8_t flags = 0;
    std::uint8_t zero_8 = 0;
    std::uint16_t zero_16 = 0;
    std::uint16_t ticket_bytes = 0;
    reader.u32(terms.protocol);
    reader.u64(terms.schema_hash);
    reader.u64(terms.features.offered);
    reader.u64(terms.features.required);
    reader.u32(terms.content_version);
    read_rates(reader, terms.rates);
    reader.u16(terms.tick_rate_min);
    reader.u16(hello.message_bytes);
    reader.u8(flags);
    reader.u8(zero_8);
    reader.u16(zero_16);
    reader.u16(ticket_bytes);
    if (reader.failed() || ticket_bytes > ticket_room) return false;
    if (flags > flags_all || zero_8 != 0 || zero_16 != 0) return false;
    if (reader.left() != ticket_bytes) return false;
    reader.view(ticket_bytes, hello.ticket);
    if (!are_rates_sane(terms.rates) || !is_bound_sane(hello.message_bytes)) return false;
    if (terms.tick_rate_min == 0 || terms.tick_rate_min > terms.rates.tick) return false;
    terms.allow_reliable_only = (flags & flag_allows_reliable_only) != 0;
    hello.needs_reliable_only = (flags & flag_needs_reliable_only) != 0;
    out = hello;
    return true;
}

bool write_welcome(const Welcome& welcome, MutableBytes target, std::size_t& size) {
    if (target.size() < welcome_bytes) return false;
    ByteWriter writer(target);
    writer.u64(welcome.epoch);
    writer.u32(welcome.tick);
    write_rates(writer, welcome.rates);
    writer.u64(welcome.features);
    writer.u32(welcome.content_version);
    writer.u16(welcome.message_bytes);
    writer.u8(static_cast<std::uint8_t>(welcome.profile));
    size = writer.written();
    return true;
}

bool read_welcome(ConstBytes bytes, Welcome& out) {
    if (bytes.size() != welcome_bytes) return false;
    ByteReader reader(bytes);
    Welcome welcome;
    std::uint8_t profile = 0;
    reader.u64(welcome.epoch);
    reader.u32(welcome.tick);
    read_rates(reader, welcome.rates);
    reader.u64(welcome.features);
    reader.u32(welcome.content_version);
    reader.u16(welcome.message_bytes);
    reader.u8(profile);
    if (welcome.epoch == 0 || profile > 1) return false;
    if (!are_rates_sane(welcome.rates) || !is_bound_sane(welcome.message_bytes)) return false;
    welcome.profile = static_cast<Profile>(profile);
    out = welcome;
    return true;
}

EndReason judge_hello(const Terms& server, const Hello& hello) {
    const Terms& client = hello.terms;
    if (client.protocol != server.protocol && !mutated<"hello-protocol">())
        return EndReason::refused_protocol;
    if (client.schema_hash != server.schema_hash && !mutated<"hello-schemas">())
        return EndReason::refused_schema;
    if ((server.features.required & ~client.features.offered) != 0 &&
        !mutated<"hello-features">()) {
        return EndReason::refused_features;
    }
    if ((client.features.required & ~server.features.offered) != 0) {
        return EndReason::refused_features;
    }
    if (client.content_version != server.content_version) return EndReason::refused_content;
    const bool follows =
        server.rates.tick >= client.tick_rate_min && server.rates.tick <= client.rates.tick &&
        server.rates.input <= client.rates.input && server.rates.snapshot <= client.rates.snapshot;
    if (!follows) return EndReason::refused_rates;
    const bool reduces = server.allow_reliable_only && client.allow_reliable_only;
    if (hello.needs_reliable_only && !reduces) return EndReason::refused_capabilities;
    return EndReason::none;
}

EndReason judge_welcome(const Terms& client, const Welcome& welcome) {
    if ((client.features.required & ~welcome.features) != 0 && !mutated<"welcome-features">())
        return EndReason::refused_features;
    if ((welcome.features & ~client.features.offered) != 0) return EndReason::refused_features;
    if (welcome.content_version != client.content_version && !mutated<"welcome-content">())
        return EndReason::refused_content;
    const bool follows = welcome.rates.tick >= client.tick_rate_min &&
                         welcome.rates.tick <= client.rates.tick &&
                         welcome.rates.input <= client.rates.input &&
                         welcome.rates.snapshot <= client.rates.snapshot;
    if (!follows) return EndReason::refused_rates;
    if (welcome.profile == Profile::reliable_only && !client.allow_reliable_only) {
        return EndReason::refused_capabilities;
    }
    return EndReason::none;
}

}  // namespace wt::session
