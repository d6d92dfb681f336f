// SPDX-License-Identifier: MIT
#include "engine/session/adapter.hpp"

#include <algorithm>
#include <variant>

#include "engine/session/envelope.hpp"

namespace wt::session {

using transport::Lane;

Readiness judge_capabilities(const transport::Capabilities& capabilities,
                             const AdapterNeeds& needs) {
    Readiness ready;
    ready.authenticated = capabilities.authentication_ready && capabilities.encryption_ready;
    const auto largest_on = [&](Lane lane) {
        return capabilities.largest_reliable[static_cast<unsigned>(lane)];
    };
    const bool has_datagrams =
        capabilities.datagrams && capabilities.largest_unreliable > envelope_header_bytes;
    const bool has_control = largest_on(Lane::control) > envelope_header_bytes;
    const bool has_reduced = largest_on(Lane::gameplay) > envelope_header_bytes;
    ready.profile = has_datagrams ? Profile::full : Profile::reliable_only;
    const bool usable = has_datagrams || (needs.allow_reliable_only && has_reduced);
    if (!usable || !has_control || (!ready.authenticated && !needs.allow_unauthenticated)) {
        ready.verdict = EndReason::refused_capabilities;
        return ready;
    }
    const std::uint32_t gameplay =
        has_datagrams ? capabilities.largest_unreliable : largest_on(Lane::gameplay);
    // One bound for all channels keeps an unreliable message whole in one datagram.
    ready.message_bytes = std::min({needs.message_bytes, gameplay, largest_on(Lane::control),
                                    static_cast<std::uint32_t>(message_bytes_max)});
    return ready;
}

AdapterStatus EndpointAdapter::open(Instant now, const transport::ConnectRequest& request) {
    switch (endpoint_.connect(now, request)) {
        case transport::ConnectStatus::ok:
            return AdapterStatus::ok;
        case transport::ConnectStatus::busy:
            return AdapterStatus::would_block;
        case transport::ConnectStatus::bad_token:
            return AdapterStatus::invalid;
        case transport::ConnectStatus::unsupported:
            return AdapterStatus::unsupported;
    }
    return AdapterStatus::invalid;
}

AdapterStatus EndpointAdapter::poll(Instant, MutableBytes ingress, transport::Event& out) {
    transport::Event event;
    if (!endpoint_.next_event(event)) return AdapterStatus::empty;
    ConstBytes* view = nullptr;
    if (auto* received = std::get_if<transport::Received>(&event)) view = &received->bytes;
    if (auto* asked = std::get_if<transport::AuthorisationAsked>(&event)) view = &asked->token;
    if (view != nullptr) {
        if (view->size() > ingress.size()) return AdapterStatus::too_large;
        std::copy(view->begin(), view->end(), ingress.begin());
        *view = ConstBytes(ingress).first(view->size());
    }
    out = event;
    return AdapterStatus::ok;
}

AdapterStatus EndpointAdapter::send(Instant now, transport::ConnectionId to,
                                    const transport::Message& message) {
    switch (endpoint_.send(now, to, message)) {
        case transport::SendStatus::ok:
        case transport::SendStatus::replaced:
            return AdapterStatus::ok;
        case transport::SendStatus::backlogged:
            return AdapterStatus::would_block;
        case transport::SendStatus::too_large:
            return AdapterStatus::too_large;
        case transport::SendStatus::not_connected:
            return AdapterStatus::closed;
        case transport::SendStatus::unsupported:
            return AdapterStatus::unsupported;
    }
    return AdapterStatus::invalid;
}

AdapterStatus EndpointAdapter::close(Instant now, transport::ConnectionId connection) {
    const bool known = endpoint_.close(now, connection, transport::CloseReason::application);
    return known ? AdapterStatus::ok : AdapterStatus::closed;
}

AdapterStatus EndpointAdapter::stats(Instant now, transport::ConnectionId connection,
                                     transport::ConnectionLevels& out) const {
    return endpoint_.levels_of(now, connection, out) ? AdapterStatus::ok : AdapterStatus::closed;
}

}  // namespace wt::session
