// SPDX-License-Identifier: MIT
//
// A server among strangers: nothing it sends to an address is longer than what came from there
// until a cookie of its own came back; nothing is allocated, nobody is remembered; limits hold.
#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <variant>

#include "engine/secure/handshake.hpp"
#include "simulator/cipher/null_endpoints.hpp"
#include "tests/fuzz/fuzz_bytes.hpp"

namespace {

std::uint64_t allocations = 0;

}  // namespace

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WT_SANITIZED 1
#endif
#endif

#ifdef WT_SANITIZED
// The sanitizer's own operators stay, or it would miss what they watch.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void*,
                                                                           std::size_t),
                                                         void (*on_free)(const volatile void*));
static void watch_allocations() {
    static const int installed = __sanitizer_install_malloc_and_free_hooks(
        [](const volatile void*, std::size_t) { ++allocations; }, [](const volatile void*) {});
    WT_CHECK(installed != 0);
}
#else
static void watch_allocations() {}
void* operator new(std::size_t bytes) {
    ++allocations;
    void* const memory = std::malloc(bytes == 0 ? 1 : bytes);
    if (memory == nullptr) std::abort();
    return memory;
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
#endif

namespace {

using namespace wt;
using namespace wt::secure;

constexpr std::size_t stranger_count = 4;

struct Stranger {
    transport::Address address{};
    std::uint64_t bytes_in = 0;   // To the server.
    std::uint64_t bytes_out = 0;  // From it.
    Cookie cookie{};
    bool has_cookie = false;
    bool proven = false;  // Sent a cookie back.
};

class Siege {
public:
    explicit Siege(fuzz::FuzzBytes input) : input_(input) {
        ServerConfig config;
        config.peers_max = 3;
        config.pending_max = 2;
        config.authorising_max = 2;
        config.allow_unbound = true;
        server_ = sim::make_null_server(config, Entropy::from_luck(luck_));
        for (std::size_t i = 0; i < stranger_count; ++i)
            strangers_[i].address.port = static_cast<std::uint16_t>(1'000 + i);
    }

    void run() {
        while (!input_.empty()) {
            act();
            settle();
        }
    }

private:
    void act() {
        Stranger& who = strangers_[input_.u8() % stranger_count];
        switch (input_.u8() % 6) {
            case 0:  // Anything at all.
                return send(who, input_.bytes(input_.u16() % 1'400));
            case 1:  // With a right frame.
                return send_framed(who);
            case 2:
                return send_request(who, WireKind::request);
            case 3:
                return send_request(who, WireKind::join);
            case 4:
                now_ += Duration::millis(input_.u16());
                return;
            default:
                return answer();
        }
    }

    void send(Stranger& who, ConstBytes datagram) {
        who.bytes_in += datagram.size();
        server_->receive(now_, who.address, datagram, {});
    }

    void send_framed(Stranger& who) {
        std::array<std::uint8_t, 600> datagram{};
        write_frame(datagram.data(), static_cast<WireKind>(input_.u8() % 24));
        const ConstBytes body = input_.bytes(input_.u16() % (datagram.size() - frame_bytes));
        std::copy(body.begin(), body.end(), datagram.begin() + frame_bytes);
        send(who, ConstBytes(datagram).first(frame_bytes + body.size()));
    }

    void send_request(Stranger& who, WireKind kind) {
        Request request;
        request.protocol_version = input_.u8() % 4u == 0 ? 2 : 1;
        request.attempt = input_.u8() | 1u;
        request.previous = input_.u8();
        request.client_key.fill(static_cast<std::uint8_t>(input_.u8() | 2u));
        request.session_bound = input_.u8() % 2 == 1;
        request.token_bytes = input_.u8();
        if (kind == WireKind::join && input_.u8() % 8u != 0) {
            request.cookie = who.cookie;
            who.proven = who.proven || who.has_cookie;
        }
        std::array<std::uint8_t, request_bytes> datagram{};
        write_request(request, kind, datagram);
        send(who, datagram);
    }

    void answer() {
        const transport::AuthorisationAnswer how{.attempt = asked_,
                                                 .admitted = input_.u8() % 4u != 0,
                                                 .player = {1},
                                                 .session_bound = input_.u8() % 2 == 1};
        static_cast<void>(server_->answer_authorisation(now_, how));
    }

    void settle() {
        server_->advance(now_);
        drain_datagrams();
        drain_events();
        WT_CHECK(server_->next_deadline() > now_);
        WT_CHECK(server_->pending_count() <= 2);
        WT_CHECK(server_->connection_count() <= 3);
        bool anybody = false;
        for (const Stranger& who : strangers_) {
            anybody = anybody || who.proven;
            if (!who.proven) WT_CHECK(who.bytes_out <= who.bytes_in);
        }
        if (anybody) return;
        WT_CHECK(server_->pending_count() == 0);
        WT_CHECK(server_->connection_count() == 0);
        // The first datagrams may find their pools; after those nothing grows.
        if (++quiet_steps_ == 1) quiet_allocations_ = allocations;
        WT_CHECK(allocations == quiet_allocations_);
    }

    void drain_datagrams() {
        std::array<std::uint8_t, transport::datagram_bytes_max> room{};
        transport::Datagram out;
        out.room = room;
        while (server_->next_datagram(now_, out)) {
            WT_CHECK(out.size <= room.size());
            for (Stranger& who : strangers_) {
                if (who.address != out.to) continue;
                who.bytes_out += out.size;
                const ConstBytes datagram = ConstBytes(room).first(out.size);
                WireKind kind{};
                WT_CHECK(read_frame(datagram, kind) == FrameStatus::ok);
                if (kind != WireKind::challenge) continue;
                const std::optional<Challenge> challenge = read_challenge(datagram);
                WT_CHECK(challenge.has_value());
                who.cookie = challenge->cookie;
                who.has_cookie = true;
            }
        }
    }

    void drain_events() {
        transport::Event event;
        while (server_->next_event(event)) {
            if (const auto* asked = std::get_if<transport::AuthorisationAsked>(&event)) {
                asked_ = asked->attempt;
            }
        }
    }

    fuzz::FuzzBytes input_;
    LuckStream luck_{LuckKey::root(1).with("siege")};
    std::unique_ptr<transport::Endpoint> server_{};
    std::array<Stranger, stranger_count> strangers_{};
    transport::AttemptId asked_{};
    Instant now_ = Instant{} + Duration::seconds(100);
    std::uint64_t quiet_steps_ = 0;
    std::uint64_t quiet_allocations_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    watch_allocations();
    Siege(fuzz::FuzzBytes(data, size)).run();
    return 0;
}
