// SPDX-License-Identifier: MIT
//
// A hostile server towards an honest client: it challenges, accepts, rejects and says goodbye as it
// likes, with right and wrong attempts, proofs, keys, tags, capabilities and tick rates, in any
// order, twice, bent, and from other addresses; once a session stands it holds its keys. The client
// comes in only by an accept that is proven, authentic and to its liking, each of which this end
// judges for itself; it says why where it does not like one; whatever is not proven ends nothing.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "engine/secure/config.hpp"
#include "engine/secure/key_schedule.hpp"
#include "simulator/cipher/null_endpoints.hpp"
#include "simulator/cipher/null_suite.hpp"
#include "tests/fuzz/fuzz_bytes.hpp"

namespace {

using namespace wt;
using namespace wt::secure;
using sim::NullSuite;
using transport::CloseReason;
using transport::Refusal;

constexpr std::uint32_t required_features = 0b0110;
constexpr std::uint32_t tick_rate_min = 20;
constexpr std::uint32_t tick_rate_max = 120;

// What an accept does to this client, as far as the server can tell.
enum class Verdict : std::uint8_t { nothing, in, disliked };

class Siege {
public:
    explicit Siege(fuzz::FuzzBytes input) : input_(input) {
        const std::uint8_t mode = input_.u8();
        ClientConfig config;
        config.features = {.offered = 0xff, .required = required_features};
        config.tick_rate_min = tick_rate_min;
        config.tick_rate_max = tick_rate_max;
        config.allow_unbound = mode % 4 != 0;
        is_unbound_allowed_ = config.allow_unbound;
        is_bound_ = mode / 4 % 2 == 1;
        keys_.join_key.fill(1);
        keys_.accept_key.fill(2);
        client_ = sim::make_null_client(config, Entropy::from_luck(luck_));
        server_at_.port = 1;
        Entropy entropy = Entropy::from_luck(luck_);
        NullSuite::make_key_pair(entropy, secret_, public_);
        connect();
    }

    void run() {
        for (unsigned count = 0; !input_.empty() && count < operations_max; ++count) {
            act();
            settle();
        }
    }

private:
    static constexpr unsigned operations_max = 256;
    static constexpr std::size_t sessions_kept = 8;

    struct Session {
        std::uint64_t attempt = 0;
        SessionKeys keys{};
        std::uint64_t number = 0;  // Last packet number of this end.
    };

    void connect() {
        transport::ConnectRequest request{.server = server_at_};
        if (is_bound_) request.keys = keys_;
        const transport::ConnectStatus status = client_->connect(now_, request);
        if (status != transport::ConnectStatus::ok) return;
        may_fail_proof_ = false;
        settle();
    }

    void act() {
        switch (input_.u8() % 12) {
            case 0:
                return send_challenge();
            case 1:
            case 2:
                return send_accept();
            case 3:
                return send_reject();
            case 4:
            case 5:
                return send_session();
            case 6:
                return repeat();
            case 7:
                return bend();
            case 8:
                now_ += Duration::millis(input_.u8() * 20);
                return;
            case 9:
                return application();
            case 10:
                return deliver(server_at_, input_.bytes(input_.u8()));
            default: {
                transport::Address elsewhere = server_at_;
                elsewhere.port = static_cast<std::uint16_t>(1 + input_.u8());
                if (sent_.empty()) return;
                return deliver(elsewhere, sent_[input_.u8() % sent_.size()]);
            }
        }
    }

    // Mostly the attempt that the client named last.
    std::uint64_t attempt() {
        const std::uint8_t how = input_.u8();
        if (how < 224) return asked_.attempt;
        return how < 240 ? older_attempt_ : asked_.attempt ^ (std::uint64_t{1} << how % 16);
    }

    void send_challenge() {
        Challenge challenge{.attempt = attempt(), .cookie = {}};
        challenge.cookie.fill(input_.u8());
        std::array<std::uint8_t, challenge_bytes> datagram{};
        write_challenge(challenge, datagram);
        send(datagram);
    }

    void send_accept() {
        Accept accept{.attempt = attempt(), .server_key = public_};
        const std::uint8_t wrong = input_.u8();
        accept.player = {input_.u8()};
        // Most are to the client's liking.
        const std::uint8_t terms = input_.u8();
        accept.tick_rate = (terms & 3u) != 3 ? 60 : input_.u8();
        accept.features = (terms & 12u) != 12 ? required_features : input_.u8();
        accept.protocol_version = (terms & 48u) != 48 ? 1 : input_.u8();
        accept.session_bound = is_bound_ != ((terms & 192u) == 192);
        if (wrong % 16 == 1) accept.server_key.fill(0);
        if (accept.session_bound) {
            Key key = keys_.accept_key;
            if (wrong % 16 == 2) key[0] ^= 1;
            NullSuite::prove(key, accept_transcript(asked_.client_key, accept),
                             accept.accept_proof);
        }
        std::array<std::uint8_t, accept_bytes> datagram{};
        write_accept(accept, datagram);
        SessionKeys made;
        if (derive(accept.server_key, datagram, made))
            seal_accept<NullSuite>(made.packet_out, datagram);
        if (wrong % 16 == 3) datagram[accept_bytes - 1 - wrong / 16] ^= 1;
        send(datagram);
    }

    void send_reject() {
        std::array<std::uint8_t, reject_bytes> datagram{};
        write_reject({.attempt = attempt(),
                      .reason = static_cast<CloseReason>(
                          static_cast<unsigned>(CloseReason::refused_version) + input_.u8() % 4)},
                     datagram);
        send(datagram);
    }

    // Under the keys of a session that stood, whatever the fuzzer makes of its body.
    void send_session() {
        if (sessions_.empty()) return;
        Session& session = sessions_[sessions_.size() - 1 - input_.u8() % sessions_.size()];
        const auto kind = static_cast<WireKind>(16 + input_.u8() % 8);
        std::array<std::uint8_t, 128> room{};
        write_frame(room.data(), kind);
        store_u64(room.data() + packet_number_offset, ++session.number);
        const ConstBytes body = input_.bytes(input_.u8() % 64);
        std::copy(body.begin(), body.end(), room.begin() + session_header_bytes);
        const std::size_t size = session_header_bytes + body.size();
        NullSuite::seal_packet(session.keys.packet_out, session.number,
                               ConstBytes(room).first(size), room.data() + size);
        send(ConstBytes(room).first(size + tag_bytes));
    }

    void repeat() {
        if (!sent_.empty()) deliver(server_at_, sent_[input_.u8() % sent_.size()]);
    }
    void bend() {
        if (sent_.empty()) return;
        std::vector<std::uint8_t> bent = sent_[input_.u8() % sent_.size()];
        const std::uint8_t at = input_.u8();
        if (at % 8 == 0) {
            bent.resize(at % bent.size());
        } else {
            bent[at % bent.size()] ^= static_cast<std::uint8_t>(input_.u8() | 1u);
        }
        deliver(server_at_, bent);
    }

    void application() {
        const std::uint8_t how = input_.u8();
        const std::array<std::uint8_t, 40> words{};
        switch (how % 5) {
            case 0:
            case 1:
                static_cast<void>(
                    client_->send(now_, connection_,
                                  {.lane = static_cast<transport::Lane>(how % 8), .bytes = words}));
                return;
            case 2:
                was_left_ = client_->close(now_, connection_, CloseReason::application);
                return;
            case 3:
                client_->restart(now_);
                is_up_ = false;
                connection_ = {};
                asked_ = {};
                return connect();
            default:
                return connect();
        }
    }

    // As the server's end derives them.
    bool derive(const PublicKey& own, std::span<const std::uint8_t, accept_bytes> datagram,
                SessionKeys& made) const {
        return derive_session_keys<NullSuite>({.own_secret = secret_,
                                               .client_key = asked_.client_key,
                                               .server_key = own,
                                               .is_client = false},
                                              datagram, made);
    }

    // Whether the client has to take it, judged by who holds the other half of every secret.
    Verdict verdict_on(ConstBytes datagram, CloseReason& why, SessionKeys& made) {
        WireKind kind{};
        if (read_frame(datagram, kind) != FrameStatus::ok || kind != WireKind::accept)
            return Verdict::nothing;
        const std::optional<Accept> accept = read_accept(datagram);
        if (!accept.has_value() || client_->pending_count() == 0) return Verdict::nothing;
        if (accept->attempt != asked_.attempt) return Verdict::nothing;
        may_fail_proof_ = true;
        if (accept->session_bound != is_bound_) return Verdict::nothing;
        if (is_bound_) {
            Proof proof{};
            NullSuite::prove(keys_.accept_key, accept_transcript(asked_.client_key, *accept),
                             proof);
            if (proof != accept->accept_proof) return Verdict::nothing;
        } else if (!is_unbound_allowed_) {
            return Verdict::nothing;
        }
        const auto bytes = datagram.first<accept_bytes>();
        if (accept->server_key != public_ || !derive(public_, bytes, made)) return Verdict::nothing;
        if (!is_accept_authentic<NullSuite>(made.packet_out, bytes)) return Verdict::nothing;
        why = CloseReason::none;
        if (accept->tick_rate < tick_rate_min || accept->tick_rate > tick_rate_max)
            why = CloseReason::unsupported_tick_rate;
        if ((accept->features & required_features) != required_features)
            why = CloseReason::missing_capability;
        if (accept->protocol_version != 1) why = CloseReason::refused_version;
        return why == CloseReason::none ? Verdict::in : Verdict::disliked;
    }

    void send(ConstBytes datagram) {
        if (sent_.size() < 64) sent_.emplace_back(datagram.begin(), datagram.end());
        deliver(server_at_, datagram);
    }

    // Each datagram has the exact room that it needs, so that the sanitizer sees a step beyond it.
    void deliver(const transport::Address& from, ConstBytes bytes) {
        const std::vector<std::uint8_t> datagram(bytes.begin(), bytes.end());
        SessionKeys made;
        CloseReason why{};
        const bool is_ours = from == server_at_;
        const Verdict verdict = is_ours ? verdict_on(datagram, why, made) : Verdict::nothing;
        if (is_ours) note(datagram);
        const std::uint64_t no_room = refused(Refusal::inbox_full);
        const std::uint32_t pending = client_->pending_count();
        // A session stands and this end holds its keys: its datagrams may end the probe beside it.
        const bool had_session = client_->connection_count() == 1;
        client_->receive(now_, from, datagram, {});
        if (refused(Refusal::inbox_full) != no_room) return;
        if (verdict == Verdict::nothing) {
            if (!rejected_.has_value() && !had_session)
                WT_CHECK(client_->pending_count() == pending);
            return settle();
        }
        WT_CHECK(client_->pending_count() == 0);
        sessions_.push_back({.attempt = asked_.attempt, .keys = made});
        if (sessions_.size() > sessions_kept) sessions_.erase(sessions_.begin());
        expected_ = verdict == Verdict::in;
        goodbye_ = verdict == Verdict::disliked ? why : CloseReason::none;
        settle();
        WT_CHECK(!expected_);
        if (verdict == Verdict::in) WT_CHECK(is_up_);
        WT_CHECK(goodbye_ == CloseReason::none);
    }

    std::uint64_t refused(Refusal why) const {
        return client_->counters().refused[static_cast<std::size_t>(why)];
    }

    // What a datagram may change besides: the cookie, and the attempt's end.
    void note(ConstBytes datagram) {
        rejected_.reset();
        WireKind kind{};
        if (read_frame(datagram, kind) != FrameStatus::ok || client_->pending_count() == 0) return;
        if (kind == WireKind::challenge) {
            const std::optional<Challenge> challenge = read_challenge(datagram);
            if (challenge.has_value() && challenge->attempt == asked_.attempt)
                cookie_ = challenge->cookie;
        } else if (kind == WireKind::reject) {
            const std::optional<Reject> reject = read_reject(datagram);
            if (reject.has_value() && reject->attempt == asked_.attempt) rejected_ = reject->reason;
        }
    }

    void settle() {
        client_->advance(now_);
        events();
        drain();
        rejected_.reset();
        WT_CHECK(client_->next_deadline() > now_);
        WT_CHECK(client_->connection_count() <= 1);
        WT_CHECK(client_->pending_count() <= 1);
    }

    void events() {
        transport::Event event;
        while (client_->next_event(event)) {
            if (const auto* up = std::get_if<transport::Connected>(&event)) {
                WT_CHECK(expected_);
                WT_CHECK(up->session_bound == is_bound_);
                WT_CHECK(up->tick_rate >= tick_rate_min);
                WT_CHECK(up->tick_rate <= tick_rate_max);
                expected_ = false;
                is_up_ = true;
                connection_ = up->connection;
            } else if (const auto* down = std::get_if<transport::Closed>(&event)) {
                check_end(*down);
                if (down->connection == connection_) is_up_ = false;
            }
        }
    }

    void check_end(const transport::Closed& down) {
        WT_CHECK(down.reason != CloseReason::none);
        if (down.was_connected || down.connection.is_valid()) return;
        // An attempt's end: by the server's own word, by the application's, or by time.
        if (rejected_.has_value() && down.reason == *rejected_) return;
        if (down.reason == CloseReason::application && was_left_) return;
        if (down.reason == CloseReason::bad_accept_proof && may_fail_proof_) return;
        WT_CHECK(down.reason == CloseReason::no_answer);
    }

    void drain() {
        std::array<std::uint8_t, transport::datagram_bytes_max> room;
        transport::Datagram out;
        out.room = room;
        while (client_->next_datagram(now_, out)) {
            WT_CHECK(out.size <= room.size());
            WT_CHECK(out.to == server_at_);
            const ConstBytes datagram = ConstBytes(room).first(out.size);
            WireKind kind{};
            WT_CHECK(read_frame(datagram, kind) == FrameStatus::ok);
            if (kind == WireKind::request || kind == WireKind::join) {
                hear_request(datagram, kind);
            } else {
                hear_session(datagram, kind);
            }
            out.room = room;
        }
    }

    void hear_request(ConstBytes datagram, WireKind kind) {
        const std::optional<Request> request = read_request(datagram);
        WT_CHECK(request.has_value());
        if (request->attempt != asked_.attempt) {
            older_attempt_ = asked_.attempt;
            cookie_.reset();
            may_fail_proof_ = false;
        }
        asked_ = *request;
        // A join shows the cookie that this end gave to this attempt, and no other.
        WT_CHECK((kind == WireKind::join) == cookie_.has_value());
        if (cookie_.has_value()) WT_CHECK(request->cookie == *cookie_);
        WT_CHECK(request->session_bound == is_bound_);
    }

    // Under the keys of some session that stood; the goodbye to a disliked one says why.
    void hear_session(ConstBytes datagram, WireKind kind) {
        const std::size_t tagged = datagram.size() - tag_bytes;
        const std::uint64_t number = load_u64(datagram.data() + packet_number_offset);
        const auto session =
            std::find_if(sessions_.begin(), sessions_.end(), [&](const Session& s) {
                return NullSuite::open_packet(s.keys.packet_in, number, datagram.first(tagged),
                                              datagram.data() + tagged);
            });
        // Only the last few are kept; a goodbye may be of one before them.
        if (session == sessions_.end()) {
            WT_CHECK(sessions_.size() == sessions_kept);
            return;
        }
        if (kind != WireKind::close || goodbye_ == CloseReason::none) return;
        if (session + 1 != sessions_.end()) return;
        WT_CHECK(datagram[session_header_bytes] == static_cast<std::uint8_t>(goodbye_));
        goodbye_ = CloseReason::none;
    }

    fuzz::FuzzBytes input_;
    LuckStream luck_{LuckKey::root(1).with("server")};
    std::unique_ptr<transport::Endpoint> client_{};
    transport::Address server_at_{};
    transport::SessionProofKeys keys_{};
    bool is_bound_ = false;
    bool is_unbound_allowed_ = false;
    SecretKey secret_{};
    PublicKey public_{};
    Request asked_{};  // As it came last.
    std::uint64_t older_attempt_ = 0;
    std::optional<Cookie> cookie_{};         // That the attempt has to show.
    std::optional<CloseReason> rejected_{};  // By the datagram that came last.
    bool may_fail_proof_ = false;            // An accept of this attempt was there.
    bool was_left_ = false;
    bool expected_ = false;                    // An accept must have brought the client in.
    CloseReason goodbye_ = CloseReason::none;  // That must be said now.
    std::vector<Session> sessions_{};
    std::vector<std::vector<std::uint8_t>> sent_{};
    bool is_up_ = false;
    transport::ConnectionId connection_{};
    Instant now_ = Instant{} + Duration::seconds(100);
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Siege(fuzz::FuzzBytes(data, size)).run();
    return 0;
}
