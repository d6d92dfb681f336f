// SPDX-License-Identifier: MIT
//
// A run walks through all of its clients' memory every few milliseconds: with pages of 4 KiB the
// processor forgets where they are each time. Asking for pages of 2 MiB costs nothing, changes no
// result and took a tenth off the 128-peer gate.
#pragma once

#include <cstdint>

namespace wt::sim {

// From now on this process takes its memory from one heap, the first `bytes` of which shall lie in
// huge pages where the system has them; elsewhere nothing happens. Nothing is touched yet, so what
// is not used costs no memory but the rest of the last page. Call it once, before the run is built.
void prefer_huge_pages(std::uint64_t bytes);

}  // namespace wt::sim
