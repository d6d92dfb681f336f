// SPDX-License-Identifier: MIT
#include "viewer/model/scan_index.hpp"

#include <algorithm>
#include <chrono>

namespace wt::viewer {

ScanIndex::ScanIndex(const trace::TraceFile& file)
    : file_(file), blocks_(std::min(file.block_count(), blocks_max)) {}

ScanIndex::~ScanIndex() {
    wants_end_.store(true, std::memory_order_relaxed);
    if (thread_.joinable()) thread_.join();
}

void ScanIndex::start() {
    if (thread_.joinable() || blocks_.empty()) return;
    thread_ = std::thread([this] { work(); });
}

void ScanIndex::work() {
    std::vector<std::uint8_t> room(std::size_t{trace::block_records} * trace::Record::stored_bytes);
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
        while (waits_.load(std::memory_order_relaxed) &&
               !wants_end_.load(std::memory_order_relaxed))
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (wants_end_.load(std::memory_order_relaxed)) return;
        file_.read_ahead(block + 1);
        const ConstBytes copied = file_.copy_records(file_.block(block).first_record, room);
        blocks_[block] =
            trace::RecordColumns::of(copied.empty() ? file_.block_bytes(block) : copied);
        ready_.store(block + 1, std::memory_order_release);
    }
}

}  // namespace wt::viewer
