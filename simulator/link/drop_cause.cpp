// SPDX-License-Identifier: MIT
//
// The words for drop causes, as gates and reports write them.
#include "simulator/link/drop_cause.hpp"

namespace wt::sim {

const char* name_of(DropCause cause) {
    switch (cause) {
        case DropCause::none:
            return "none";
        case DropCause::loss:
            return "loss";
        case DropCause::bad_state:
            return "bad_state";
        case DropCause::queue:
            return "queue";
        case DropCause::aqm:
            return "aqm";
        case DropCause::police:
            return "police";
        case DropCause::mtu:
            return "mtu";
        case DropCause::partition:
            return "partition";
        case DropCause::receive_buffer:
            return "receive_buffer";
        case DropCause::corrupt:
            return "corrupt";
        case DropCause::exact:
            return "exact";
        case DropCause::no_socket:
            return "no_socket";
        case DropCause::nat:
            return "nat";
        case DropCause::mtu_reply:
            return "mtu_reply";
    }
    return "?";
}

}  // namespace wt::sim
