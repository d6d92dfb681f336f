// SPDX-License-Identifier: MIT
#include "simulator/link/corruption.hpp"

#include <algorithm>

#include "engine/base/check.hpp"
#include "engine/base/rng.hpp"

namespace wt::sim {

std::size_t apply(const Corruption& corruption, MutableBytes room, std::size_t size) {
    WT_CHECK(size <= room.size());
    if (!corruption.happens) return size;
    LuckStream luck(LuckKey{corruption.luck});
    switch (corruption.kind) {
        case CorruptConfig::Kind::flip: {
            if (size == 0) return size;
            const std::size_t place = luck.below(size);
            const std::uint64_t mask = 1 + luck.below(255);
            room[place] = static_cast<std::uint8_t>(room[place] ^ mask);
            return size;
        }
        case CorruptConfig::Kind::truncate:
            return luck.below(size);
        case CorruptConfig::Kind::junk: {
            const std::size_t wanted = 1 + luck.below(junk_bytes_max);
            const std::size_t added = std::min(wanted, room.size() - size);
            for (std::size_t i = 0; i < added; ++i) {
                room[size + i] = static_cast<std::uint8_t>(luck.next());
            }
            return size + added;
        }
    }
    return size;
}

}  // namespace wt::sim
