// SPDX-License-Identifier: MIT
//
// Integers in which a product of two 64-bit ones fits. Both compilers have them, no standard does.
#pragma once

namespace wt {

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

}  // namespace wt
