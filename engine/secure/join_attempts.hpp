// SPDX-License-Identifier: MIT
//
// The server's memory of attempts past their cookie: one an address, oldest first, each under a
// handle that goes stale when the attempt ends. What comes out of an authorisation can therefore
// never establish anything but the attempt that asked for it.
// Spec: 000, connection establishment: generations, pending attempts, authorisations under way.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/base/fixed_ring.hpp"
#include "engine/base/time.hpp"
#include "engine/secure/address_table.hpp"
#include "engine/secure/handshake.hpp"
#include "engine/transport/event.hpp"

namespace wt::secure {

class JoinAttempts {
public:
    static constexpr std::uint32_t none = AddressTable::none;

    struct Attempt {
        transport::Address address{};
        Request request{};
        Instant deadline{};
        // The unconfirmed peer it became, once the authority has answered.
        std::uint32_t peer = none;
        std::array<std::uint8_t, accept_bytes> accept{};  // As sent, to be sent again.

        [[nodiscard]] bool is_accepted() const { return peer != none; }
    };

    JoinAttempts(std::uint32_t pending_max, Entropy& entropy);

    // Whether begin() has room for one more attempt and for the events it may cause, perhaps after
    // the end of another one that it replaces.
    [[nodiscard]] bool has_room(bool replaces) const;
    // A new attempt: AuthorisationAsked will come out. A bug without room, or where the address has
    // one already.
    std::uint32_t begin(const transport::Address& address, const Request& request,
                        Instant deadline);
    // The authority has answered: the question is no longer open, whatever comes of it.
    void mark_answered(std::uint32_t index);
    // The answer admitted it and `peer` waits for the client's first datagram.
    void mark_accepted(std::uint32_t index, std::uint32_t peer);
    // Its client is at another address now. A bug where another attempt is there.
    void move(std::uint32_t index, const transport::Address& address);
    // Its handle goes stale. An answer that is still under way is withdrawn.
    void end(std::uint32_t index);
    // Forgets all without an event and draws a fresh table key.
    void forget_all(Entropy& entropy);

    [[nodiscard]] bool next_event(transport::Event& out);

    [[nodiscard]] std::uint32_t find(const transport::Address& address) const;
    // none if the handle is stale.
    [[nodiscard]] std::uint32_t find(transport::AttemptId id) const;
    // The attempt whose request this is, cookie apart, wherever it came from; none if there is
    // none.
    [[nodiscard]] std::uint32_t find_same(const Request& request) const;
    // Whether the authority still has to answer.
    [[nodiscard]] bool is_asked(std::uint32_t index) const;
    [[nodiscard]] transport::AttemptId id_of(std::uint32_t index) const;
    [[nodiscard]] Attempt& at(std::uint32_t index);
    [[nodiscard]] const Attempt& at(std::uint32_t index) const;
    // The one that began first, or none. Deadlines are in order of beginning.
    [[nodiscard]] std::uint32_t oldest() const { return oldest_; }
    [[nodiscard]] std::uint32_t pending_count() const { return pending_count_; }
    [[nodiscard]] std::uint32_t asked_count() const { return asked_count_; }

private:
    struct Slot {
        Attempt attempt{};
        std::uint32_t generation = 0;
        std::uint32_t older = none;
        std::uint32_t newer = none;
        bool in_use = false;
        bool asked = false;
        bool asked_given = false;  // The application has seen its question.
    };

    struct Notice {
        transport::AttemptId id{};
        bool withdrawn = false;
    };

    void unlink(std::uint32_t index);

    std::vector<Slot> slots_;
    std::vector<std::uint32_t> free_;
    AddressTable by_address_;
    FixedRing<Notice> notices_;
    std::uint32_t oldest_ = none;
    std::uint32_t newest_ = none;
    std::uint32_t pending_count_ = 0;
    std::uint32_t asked_count_ = 0;
};

}  // namespace wt::secure
