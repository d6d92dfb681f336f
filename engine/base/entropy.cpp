// SPDX-License-Identifier: MIT
#include "engine/base/entropy.hpp"

namespace wt {

Entropy Entropy::from_luck(LuckStream& stream) {
    const Fill fill = [](void* state, MutableBytes target) {
        LuckStream& luck = *static_cast<LuckStream*>(state);
        for (std::size_t at = 0; at < target.size();) {
            const std::uint64_t word = luck.next();
            for (unsigned byte = 0; byte < 8 && at < target.size(); ++byte, ++at) {
                target[at] = static_cast<std::uint8_t>(word >> (8 * byte));
            }
        }
    };
    return Entropy(fill, &stream);
}

}  // namespace wt
