// SPDX-License-Identifier: MIT
//
// pcapng with two interfaces of raw IPv4: a datagram appears on link-in when it was handed over and
// on link-out when it was read, so that delay, loss and order can be seen. What was dropped says so
// in its comment. Payloads are not in there: in their place stands what the trace knows of the
// datagram, 26 bytes that wavetank.lua takes apart (PcapHead), and the packet is cut behind them.
// Spec: pcapng (draft-ietf-opsawg-pcapng), LINKTYPE_IPV4.
#include <algorithm>
#include <array>

#include "simulator/report/format.hpp"
#include "simulator/trace/exporter.hpp"
#include "simulator/trace/packing.hpp"
#include "simulator/trace/record_text.hpp"

namespace wt::trace {

namespace {

constexpr std::uint32_t section_block = 0x0a0d'0d0a;
constexpr std::uint32_t interface_block = 1;
constexpr std::uint32_t name_block = 4;
constexpr std::uint32_t packet_block = 6;
constexpr std::uint16_t linktype_ipv4 = 228;
constexpr std::uint16_t option_comment = 1;
constexpr std::uint16_t option_if_name = 2;
constexpr std::uint16_t option_userappl = 4;
constexpr std::uint16_t option_tsresol = 9;
constexpr std::uint16_t name_ipv4 = 1;
constexpr std::uint16_t server_port = 7'777;
constexpr std::uint16_t client_port = 50'000;
constexpr std::size_t header_bytes = 28;  // IPv4 and UDP.

// The server is 10.0.0.1; peer n is 10.1.(n >> 8).(n & 255).
std::array<std::uint8_t, 4> address_of(std::uint16_t peer) {
    if (peer == 0) return {10, 0, 0, 1};
    return {10, 1, static_cast<std::uint8_t>(peer >> 8), static_cast<std::uint8_t>(peer & 255)};
}

// Network byte order.
void put_u16(std::vector<std::uint8_t>& out, std::uint16_t value) {
    out.push_back(static_cast<std::uint8_t>(value >> 8));
    out.push_back(static_cast<std::uint8_t>(value));
}

class PcapngExport {
public:
    PcapngExport(const TraceFile& trace, Output& output) : trace_(trace), output_(output) {}

    std::uint64_t write(const Selection& selection) {
        write_head();
        std::uint64_t count = 0;
        for_each_record(trace_, selection.filter, selection.range,
                        [&](std::uint64_t number, const std::uint8_t* stored) {
                            if (write_record(number, Record::load(stored))) ++count;
                            return true;
                        });
        return count;
    }

private:
    // Type, body, and the length before and behind.
    void block(std::uint32_t type, const std::vector<std::uint8_t>& body) {
        const std::uint32_t padding = static_cast<std::uint32_t>((4 - body.size() % 4) % 4);
        const std::uint32_t length = static_cast<std::uint32_t>(body.size()) + padding + 12;
        std::vector<std::uint8_t> bytes;
        Packer packer(bytes);
        packer.number(type);
        packer.number(length);
        bytes.insert(bytes.end(), body.begin(), body.end());
        bytes.insert(bytes.end(), padding, 0);
        packer.number(length);
        output_.bytes(bytes);
    }
    static void option(std::vector<std::uint8_t>& body, std::uint16_t code, std::string_view text) {
        Packer packer(body);
        packer.number(code);
        packer.number(static_cast<std::uint16_t>(std::min<std::size_t>(text.size(), 0xffff)));
        body.insert(body.end(), text.begin(), text.end());
        body.insert(body.end(), (4 - text.size() % 4) % 4, 0);
    }
    static void end_options(std::vector<std::uint8_t>& body) { body.insert(body.end(), 4, 0); }

    void write_head() {
        const About& about = trace_.about();
        std::vector<std::uint8_t> body;
        Packer section(body);
        section.number(std::uint32_t{0x1a2b'3c4d});
        section.number(std::uint16_t{1});
        section.number(std::uint16_t{0});
        section.number(~std::uint64_t{0});
        option(body, option_comment,
               "scenario " + about.scenario + ", seed " + std::to_string(trace_.header().seed) +
                   ", schema " + sim::format_hex(trace_.header().schema_hash, 16));
        option(body, option_userappl, about.build);
        end_options(body);
        block(section_block, body);
        for (const char* const name : {"link-in", "link-out"}) {
            body.clear();
            Packer interface(body);
            interface.number(linktype_ipv4);
            interface.number(std::uint16_t{0});
            interface.number(std::uint32_t{0});
            option(body, option_if_name, name);
            option(body, option_tsresol, "\x09");
            end_options(body);
            block(interface_block, body);
        }
        write_names();
    }

    void write_names() {
        std::vector<std::uint8_t> body;
        for (std::uint32_t peer = 0; peer < trace_.peer_count(); ++peer) {
            const std::array<std::uint8_t, 4> address =
                address_of(static_cast<std::uint16_t>(peer));
            const std::string name = trace_.peer_name(static_cast<std::uint16_t>(peer));
            Packer packer(body);
            packer.number(name_ipv4);
            const std::size_t bytes = address.size() + name.size() + 1;
            packer.number(static_cast<std::uint16_t>(bytes));
            body.insert(body.end(), address.begin(), address.end());
            body.insert(body.end(), name.begin(), name.end());
            body.insert(body.end(), 1 + (4 - bytes % 4) % 4, 0);
        }
        end_options(body);
        block(name_block, body);
    }

    // What the neighbours say of a datagram that was just sent.
    struct Neighbours {
        std::optional<Record> fragment{};
        std::optional<Record> drop{};
        std::optional<Record> queue{};
        bool is_copied = false;
    };
    [[nodiscard]] Neighbours neighbours_of(std::uint64_t number, const Record& send) const {
        Neighbours found;
        // At most a fragment and three more.
        for (std::uint64_t next = number + 1; next < trace_.record_count() && next < number + 5;
             ++next) {
            const Record record = trace_.record(next);
            const Type type = static_cast<Type>(record.type);
            if (record.time != send.time || record.peer != send.peer || type == Type::send) break;
            if (type == Type::fragment) found.fragment = record;
            if (type == Type::drop) found.drop = record;
            if (type == Type::queue) found.queue = record;
            if (type == Type::duplicate) found.is_copied = true;
        }
        return found;
    }

    // False where the record is no packet.
    bool write_record(std::uint64_t number, const Record& record) {
        switch (static_cast<Type>(record.type)) {
            case Type::send: {
                const Neighbours near = neighbours_of(number, record);
                std::string comment;
                if (near.drop) comment = "DROPPED: " + detail_text(trace_.about(), *near.drop);
                if (near.is_copied) comment = "DUPLICATED";
                if (near.queue)
                    comment += (comment.empty() ? "" : ", ") + std::string("link queue ") +
                               sim::format_time(std::int64_t{near.queue->age} * 1'000);
                packet(0, record, near.fragment, comment);
                return true;
            }
            case Type::receive:
                packet(1, record, std::nullopt,
                       "link delay " + sim::format_time(std::int64_t{record.age} * 1'000) +
                           ((record.flags & flag::copy) != 0 ? ", copy" : "") +
                           ((record.flags & flag::reordered) != 0 ? ", reordered" : ""));
                return true;
            case Type::drop:
                // The first link's drops stand at their send.
                if ((record.flags & (flag::on_path | flag::at_socket)) == 0) return false;
                packet(1, record, std::nullopt,
                       "DROPPED: " + detail_text(trace_.about(), record) +
                           ((record.flags & flag::at_socket) != 0 ? " (at the socket)"
                                                                  : " (shared link)"));
                return true;
            case Type::fragment:
            case Type::duplicate:
            case Type::queue:
            case Type::deliver:
            case Type::refuse:
            case Type::acked:
            case Type::rtt:
            case Type::connection:
            case Type::input:
            case Type::input_missing:
            case Type::apply:
            case Type::response:
            case Type::correction:
            case Type::baseline_miss:
            case Type::keyframe_request:
            case Type::desync:
            case Type::ticket_refused:
            case Type::tick:
            case Type::act_begin:
            case Type::act_end:
                return false;
        }
        return false;
    }

    // PcapHead, network byte order: version 1, type, lane, kind (1 each: kinds end below 256),
    // flags 2, sequence 4, tick 4, age 4, detail 2, transmission sequence 2, fragment 1,
    // transmission 1, reserved 2.
    static void add_head(std::vector<std::uint8_t>& out, const Record& record,
                         const std::optional<Record>& fragment) {
        for (const std::uint8_t byte :
             {std::uint8_t{1}, record.type, record.lane, static_cast<std::uint8_t>(record.kind)})
            out.push_back(byte);
        put_u16(out, record.flags);
        for (const std::uint32_t word : {record.sequence, record.tick, record.age}) {
            put_u16(out, static_cast<std::uint16_t>(word >> 16));
            put_u16(out, static_cast<std::uint16_t>(word));
        }
        put_u16(out, record.type == static_cast<std::uint8_t>(Type::drop) ? std::uint16_t{0}
                                                                          : record.detail);
        put_u16(out, fragment ? fragment->size : std::uint16_t{0});
        const std::uint32_t parts = fragment ? fragment->age : 0;
        out.push_back(static_cast<std::uint8_t>(parts & 0xff));
        out.push_back(static_cast<std::uint8_t>(std::min<std::uint32_t>(parts >> 8, 255)));
        put_u16(out, 0);
    }

    void packet(std::uint32_t interface, const Record& record,
                const std::optional<Record>& fragment, const std::string& comment) {
        const bool is_down = (record.flags & flag::down) != 0;
        std::vector<std::uint8_t> head;
        add_head(head, record, fragment);
        // Smaller than what we know of it: no transport here has such, but the format allows it.
        const std::size_t payload = std::max<std::size_t>(record.size, head.size());
        std::vector<std::uint8_t> frame;
        const auto total =
            static_cast<std::uint16_t>(std::min<std::size_t>(header_bytes + payload, 0xffff));
        frame.insert(frame.end(), {0x45, 0});
        put_u16(frame, total);
        put_u16(frame, static_cast<std::uint16_t>(record.sequence));
        frame.insert(frame.end(), {0x40, 0, 64, 17, 0, 0});
        for (const std::uint16_t peer :
             {is_down ? std::uint16_t{0} : record.peer, is_down ? record.peer : std::uint16_t{0}}) {
            const std::array<std::uint8_t, 4> address = address_of(peer);
            frame.insert(frame.end(), address.begin(), address.end());
        }
        set_checksum(frame);
        put_u16(frame, is_down ? server_port : client_port);
        put_u16(frame, is_down ? client_port : server_port);
        put_u16(frame, static_cast<std::uint16_t>(total - 20));
        put_u16(frame, 0);
        frame.insert(frame.end(), head.begin(), head.end());

        std::vector<std::uint8_t> body;
        Packer packer(body);
        packer.number(interface);
        const std::uint64_t at = static_cast<std::uint64_t>(record.time);
        packer.number(static_cast<std::uint32_t>(at >> 32));
        packer.number(static_cast<std::uint32_t>(at));
        packer.number(static_cast<std::uint32_t>(frame.size()));
        packer.number(std::uint32_t{total});
        body.insert(body.end(), frame.begin(), frame.end());
        body.insert(body.end(), (4 - frame.size() % 4) % 4, 0);
        if (!comment.empty()) {
            option(body, option_comment, comment);
            end_options(body);
        }
        block(packet_block, body);
    }

    // Of an IPv4 header of 20 bytes: ones' complement of the ones' complement sum.
    static void set_checksum(std::vector<std::uint8_t>& frame) {
        std::uint32_t sum = 0;
        for (std::size_t i = 0; i < 20; i += 2)
            sum += std::uint32_t{frame[i]} << 8 | frame[i + 1];
        while (sum >> 16 != 0)
            sum = (sum & 0xffff) + (sum >> 16);
        frame[10] = static_cast<std::uint8_t>(~sum >> 8);
        frame[11] = static_cast<std::uint8_t>(~sum);
    }

    const TraceFile& trace_;
    TextOutput output_;
};

}  // namespace

std::uint64_t export_pcapng(const TraceFile& trace, const Selection& selection, Output& output) {
    return PcapngExport(trace, output).write(selection);
}

}  // namespace wt::trace
