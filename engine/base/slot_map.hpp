// SPDX-License-Identifier: MIT
//
// A table whose entries are reached by (index, generation): the handle of an erased entry finds
// nothing, even after its slot was used again. Slots are reused last-freed first,
// which is a function of the calls alone.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/base/check.hpp"
#include "engine/base/ids.hpp"

namespace wt {

template <class T, class Tag>
class SlotMap {
public:
    using Id = Handle<Tag>;

    // At most `capacity` entries at once. Memory for all of them is claimed here.
    explicit SlotMap(std::uint32_t capacity) : slots_(capacity) { free_.reserve(capacity); }

    // An invalid handle when full: nothing changed.
    [[nodiscard]] Id insert(T value) {
        std::uint32_t index = used_;
        if (!free_.empty()) {
            index = free_.back();
            free_.pop_back();
        } else if (used_ == slots_.size()) {
            return {};
        } else {
            ++used_;
        }
        Slot& slot = slots_[index];
        slot.value = std::move(value);
        slot.occupied = true;
        ++count_;
        return {index, slot.generation};
    }
    // False on a stale handle: nothing changed.
    bool erase(Id id) {
        if (find(id) == nullptr) return false;
        Slot& slot = slots_[id.index];
        slot.value = T{};
        slot.occupied = false;
        --count_;
        // Generation 0 is never given out. A slot that came round is retired, so that the handle
        // of four billion lives ago cannot mean anybody.
        if (++slot.generation != 0) free_.push_back(id.index);
        return true;
    }

    // nullptr on a stale handle. Valid until the entry is erased.
    [[nodiscard]] T* find(Id id) {
        if (id.index >= slots_.size()) return nullptr;
        Slot& slot = slots_[id.index];
        if (!slot.occupied || slot.generation != id.generation) return nullptr;
        return &slot.value;
    }
    [[nodiscard]] const T* find(Id id) const { return const_cast<SlotMap*>(this)->find(id); }

    // Calls `visit(id, value)` for every entry in index order. It may erase the visited entry.
    template <class Visit>
    void for_each(Visit visit) {
        for (std::uint32_t index = 0; index < used_; ++index) {
            Slot& slot = slots_[index];
            if (slot.occupied) visit(Id{index, slot.generation}, slot.value);
        }
    }

    [[nodiscard]] std::uint32_t count() const { return count_; }
    [[nodiscard]] std::uint32_t capacity() const {
        return static_cast<std::uint32_t>(slots_.size());
    }
    [[nodiscard]] bool is_full() const { return free_.empty() && used_ == slots_.size(); }

private:
    struct Slot {
        T value{};
        std::uint32_t generation = 1;
        bool occupied = false;
    };

    std::vector<Slot> slots_;
    std::vector<std::uint32_t> free_{};
    std::uint32_t used_ = 0;  // Slots that were ever occupied.
    std::uint32_t count_ = 0;
};

}  // namespace wt
