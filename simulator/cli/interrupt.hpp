// SPDX-License-Identifier: MIT
//
// Ctrl-C: the first one asks the run to stop at its next grid point and report what it has; the
// second one ends the process.
#pragma once

namespace wt::sim {

// `wavetank run ... | head`: whoever reads us may go; report files and exit code stay as they are.
void ignore_broken_pipes();
void catch_interrupts();
[[nodiscard]] bool was_interrupted();

}  // namespace wt::sim
