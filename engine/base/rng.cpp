// SPDX-License-Identifier: MIT
#include "engine/base/rng.hpp"

namespace wt {

LuckKey LuckKey::root(std::uint64_t seed) {
    return LuckKey{mix(seed ^ 0x9159'015a'3070'dd17, 0x152f'ecd8'f70e'5939)}.with("wavetank");
}

LuckKey LuckKey::with(std::string_view name) const {
    std::uint64_t folded = value;
    // Byte by byte, so that no text layout of the machine enters.
    for (const char c : name) {
        folded = mix(folded ^ 0x6733'2667'ffc0'0b31,
                     static_cast<unsigned char>(c) + 0x8eb4'4a87'6858'1511);
    }
    return LuckKey{folded}.with(std::uint64_t{name.size()});
}

}  // namespace wt
