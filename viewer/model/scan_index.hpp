// SPDX-License-Identifier: MIT
//
// What makes a filter over all records quick: the fields that filters ask for most, column by
// column, gathered by a thread of its own once the first picture stands. Until a block is there
// its records are read one by one, with the same answer. It only ever reads the file.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "simulator/trace/record_columns.hpp"
#include "simulator/trace/trace_file.hpp"

namespace wt::viewer {

class ScanIndex {
public:
    // Blocks of the largest trace that gets one: 16.8 M records, 168 MB beside a file of 540 MB.
    // Of a larger one the first so many blocks do.
    static constexpr std::size_t blocks_max = 256;

    // The file must outlive this.
    explicit ScanIndex(const trace::TraceFile& file);
    ~ScanIndex();
    ScanIndex(const ScanIndex&) = delete;
    ScanIndex& operator=(const ScanIndex&) = delete;

    // Begins, once; whoever calls again changes nothing.
    void start();
    [[nodiscard]] bool is_complete() const { return ready() == blocks_.size(); }
    // While `waits` no further block is begun.
    void hold_back(bool waits) const { waits_.store(waits, std::memory_order_relaxed); }
    // nullptr: not there yet.
    [[nodiscard]] const trace::RecordColumns* of_block(std::size_t block) const {
        return block < ready() ? &blocks_[block] : nullptr;
    }

private:
    // Blocks below this number are written and never touched again.
    [[nodiscard]] std::size_t ready() const { return ready_.load(std::memory_order_acquire); }
    void work();

    const trace::TraceFile& file_;
    std::vector<trace::RecordColumns> blocks_{};
    std::atomic<std::size_t> ready_ = 0;
    std::atomic<bool> wants_end_ = false;
    mutable std::atomic<bool> waits_ = false;
    std::thread thread_{};
};

}  // namespace wt::viewer
