// SPDX-License-Identifier: MIT
#include "engine/udp/batch.hpp"

#include <algorithm>
#include <cstring>

#include "engine/base/check.hpp"
#include "engine/udp/address_text.hpp"
#include "engine/udp/messages.hpp"

namespace wt::udp {

namespace {

constexpr std::size_t ipv4_offset = 12;

// The system's addresses are read and written as the bytes that they are.
template <class System>
System system_address(const sockaddr_storage& storage) {
    System address{};
    std::memcpy(&address, &storage, sizeof(address));
    return address;
}

}  // namespace

SystemAddress to_system(const transport::Address& address, bool as_ipv4) {
    SystemAddress result;
    if (as_ipv4) {
        sockaddr_in named{};
        named.sin_family = AF_INET;
        named.sin_port = htons(address.port);
        std::memcpy(&named.sin_addr, address.ip.data() + ipv4_offset, sizeof(named.sin_addr));
        std::memcpy(&result.storage, &named, sizeof(named));
        result.bytes = sizeof(named);
        return result;
    }
    sockaddr_in6 named{};
    named.sin6_family = AF_INET6;
    named.sin6_port = htons(address.port);
    std::copy(address.ip.begin(), address.ip.end(), std::begin(named.sin6_addr.s6_addr));
    std::memcpy(&result.storage, &named, sizeof(named));
    result.bytes = sizeof(named);
    return result;
}

transport::Address from_system(const sockaddr_storage& storage) {
    transport::Address address;
    if (storage.ss_family == AF_INET) {
        const auto named = system_address<sockaddr_in>(storage);
        address.ip[ipv4_offset - 2] = 0xff;
        address.ip[ipv4_offset - 1] = 0xff;
        std::memcpy(address.ip.data() + ipv4_offset, &named.sin_addr, sizeof(named.sin_addr));
        address.port = ntohs(named.sin_port);
        return address;
    }
    const auto named = system_address<sockaddr_in6>(storage);
    std::copy(std::begin(named.sin6_addr.s6_addr), std::end(named.sin6_addr.s6_addr),
              address.ip.begin());
    address.port = ntohs(named.sin6_port);
    return address;
}

void ReceiveBatch::Messages::prepare() {
    for (std::size_t i = 0; i < batch_datagrams; ++i) {
        parts[i] = {.iov_base = rooms[i].data(), .iov_len = rooms[i].size()};
        msghdr& header = headers[i].msg_hdr;
        header = {};
        header.msg_name = &names[i];
        header.msg_namelen = sizeof(names[i]);
        header.msg_iov = &parts[i];
        header.msg_iovlen = 1;
        header.msg_control = controls[i].bytes.data();
        header.msg_controllen = controls[i].bytes.size();
        headers[i].msg_len = 0;
    }
}

ReceiveBatch::ReceiveBatch() : messages_(std::make_unique<Messages>()) {}
ReceiveBatch::~ReceiveBatch() = default;

ConstBytes ReceiveBatch::bytes(std::size_t index) const {
    WT_CHECK(index < count_);
    const std::size_t size = messages_->headers[index].msg_len;
    return ConstBytes(messages_->rooms[index]).first(size);
}

const transport::Address& ReceiveBatch::from(std::size_t index) const {
    WT_CHECK(index < count_);
    return messages_->from[index];
}

SendBatch::SendBatch() : messages_(std::make_unique<Messages>()) {}
SendBatch::~SendBatch() = default;

MutableBytes SendBatch::room() {
    WT_CHECK(!is_full());
    return messages_->rooms[count_];
}

void SendBatch::add(std::size_t bytes, const transport::Address& to) {
    WT_CHECK(bytes <= transport::datagram_bytes_max);
    add_outside(ConstBytes(room()).first(bytes), to);
}

void SendBatch::add_outside(ConstBytes bytes, const transport::Address& to) {
    WT_CHECK(!is_full());
    // The system's type has no const; sendmmsg only reads.
    messages_->parts[count_] = {.iov_base = const_cast<std::uint8_t*>(bytes.data()),
                                .iov_len = bytes.size()};
    messages_->to[count_] = to;
    ++count_;
}

}  // namespace wt::udp
