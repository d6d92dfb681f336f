// SPDX-License-Identifier: MIT
//
// Which counter a frame that cannot be read goes to.
#pragma once

#include "engine/base/check.hpp"
#include "engine/secure/wire.hpp"
#include "engine/transport/stats.hpp"

namespace wt::secure {

// A bug to ask about a frame that was fine.
[[nodiscard]] inline transport::Refusal refusal_of(FrameStatus status) {
    WT_CHECK(status != FrameStatus::ok);
    switch (status) {
        case FrameStatus::too_short:
            return transport::Refusal::too_short;
        case FrameStatus::bad_magic:
            return transport::Refusal::bad_magic;
        case FrameStatus::bad_version:
            return transport::Refusal::bad_version;
        case FrameStatus::unknown_kind:
        case FrameStatus::ok:
            break;
    }
    return transport::Refusal::unknown_kind;
}

}  // namespace wt::secure
