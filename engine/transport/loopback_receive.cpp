// SPDX-License-Identifier: MIT
//
// LoopbackEndpoint: what comes in. Addresses and epochs are believed; lengths and lanes are not.
#include "engine/transport/loopback_endpoint.hpp"

namespace wt::transport::loopback {

namespace {

Refusal refusal_of(HeaderStatus status) {
    switch (status) {
        case HeaderStatus::too_short:
            return Refusal::too_short;
        case HeaderStatus::bad_magic:
            return Refusal::bad_magic;
        case HeaderStatus::unknown_kind:
        case HeaderStatus::ok:
            break;
    }
    return Refusal::unknown_kind;
}

}  // namespace

void LoopbackEndpoint::receive(Instant now, const Address& from, ConstBytes datagram,
                               const Label& label) {
    now_ = now;
    if (datagram.size() > datagram_bytes_max) return own_.count(Refusal::too_long);
    ByteReader reader(datagram);
    Header header;
    const HeaderStatus status = read_header(reader, header);
    if (status != HeaderStatus::ok) return own_.count(refusal_of(status));
    if (is_server_) return receive_at_server(now, from, header, reader, label);
    receive_at_client(now, from, header, reader, label);
}

void LoopbackEndpoint::receive_at_server(Instant now, const Address& from, const Header& header,
                                         ByteReader reader, const Label& label) {
    if (header.kind == FrameKind::accept || header.kind == FrameKind::reject) {
        return own_.count(Refusal::unexpected);
    }
    if (header.kind == FrameKind::connect) {
        return receive_connect(now, from, header.epoch, reader);
    }
    const std::uint32_t index = at_address(from);
    if (index == none) return own_.count(Refusal::unknown_source);
    receive_session(now, index, header, reader, label);
}

void LoopbackEndpoint::receive_connect(Instant now, const Address& from, std::uint32_t epoch,
                                       ByteReader reader) {
    std::array<std::uint8_t, 16> session{};
    std::uint16_t token_bytes = 0;
    ConstBytes token;
    reader.bytes(session);
    reader.u16(token_bytes);
    if (reader.failed() || token_bytes > token_bytes_max || reader.left() != token_bytes) {
        return own_.count(Refusal::bad_handshake);
    }
    reader.view(token_bytes, token);
    const std::uint32_t old = at_address(from);
    if (old != none && peers_[old]->epoch == epoch && peers_[old]->phase != Phase::over) {
        // The same attempt again: its accept was lost, or the application is still thinking.
        if (peers_[old]->phase == Phase::up) peers_[old]->reply_due = true;
        return;
    }
    if (old == none && connection_count() + pending_count() >= config_.peers_max) {
        return own_.count(Refusal::server_full);
    }
    if (old != none) end(old, CloseReason::superseded, false);
    Peer& peer = *peers_[take_place(from)];
    peer.session = session;
    peer.token_bytes = token_bytes;
    std::copy(token.begin(), token.end(), peer.token.begin());
    peer.epoch = epoch;
    peer.phase = Phase::joining;
    peer.deadline = now + config_.attempt_timeout;
    peer.asked_due = true;
    ++own_.datagrams_received;
}

void LoopbackEndpoint::receive_at_client(Instant now, const Address& from, const Header& header,
                                         ByteReader reader, const Label& label) {
    const std::uint32_t index = at_address(from);
    if (index == none) return own_.count(Refusal::unknown_source);
    Peer& peer = *peers_[index];
    if (header.kind == FrameKind::connect) return own_.count(Refusal::unexpected);
    const bool is_answer = header.kind == FrameKind::accept || header.kind == FrameKind::reject;
    if (!is_answer) return receive_session(now, index, header, reader, label);
    if (peer.phase != Phase::joining || header.epoch != peer.epoch) {
        return own_.count(Refusal::unexpected);
    }
    if (header.kind == FrameKind::reject) return receive_goodbye(index, reader);
    std::uint64_t player = 0;
    std::uint32_t tick_rate = 0;
    reader.u64(player);
    reader.u32(tick_rate);
    if (reader.failed() || reader.left() != 0) return own_.count(Refusal::bad_handshake);
    peer.player = {player};
    peer.tick_rate = tick_rate;
    peer.phase = Phase::up;
    peer.was_up = true;
    peer.connected_due = true;
    peer.reply_due = false;
    peer.line.open(now, peer.epoch);
    ++own_.datagrams_received;
}

void LoopbackEndpoint::receive_session(Instant now, std::uint32_t index, const Header& header,
                                       ByteReader reader, const Label& label) {
    Peer& peer = *peers_[index];
    if (peer.phase != Phase::up || header.epoch != peer.epoch) {
        return own_.count(Refusal::unexpected);
    }
    ++peer.line.counters().datagrams_received;
    peer.line.counters().bytes_received += reader.left() + header_bytes;
    switch (header.kind) {
        case FrameKind::reliable:
        case FrameKind::sequenced:
        case FrameKind::unreliable:
            if (!peer.line.receive(now, header.kind, reader, label)) {
                end(index, peer.line.end_reason(), true);
            }
            return;
        case FrameKind::keepalive:
            return peer.line.note_heard(now);
        case FrameKind::close:
            return receive_goodbye(index, reader);
        case FrameKind::connect:
        case FrameKind::accept:
        case FrameKind::reject:
            return own_.count(Refusal::unexpected);
    }
}

void LoopbackEndpoint::receive_goodbye(std::uint32_t index, ByteReader reader) {
    std::uint8_t said = 0;
    reader.u8(said);
    if (reader.failed() || reader.left() != 0) return own_.count(Refusal::malformed);
    // "The application asked" is said by the other end; here it is the remote side's wish.
    const bool known =
        said > static_cast<std::uint8_t>(CloseReason::application) && said < close_reason_count;
    end(index, known ? static_cast<CloseReason>(said) : CloseReason::remote, false);
}

}  // namespace wt::transport::loopback
