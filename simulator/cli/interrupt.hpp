// SPDX-License-Identifier: MIT
//
// Ctrl-C: the first one asks the run to stop at its next grid point and report what it has; the
// second one ends the process.
#pragma once

namespace wt::sim {

void catch_interrupts();
[[nodiscard]] bool was_interrupted();

}  // namespace wt::sim
