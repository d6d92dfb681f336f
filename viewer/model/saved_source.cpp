// SPDX-License-Identifier: MIT
#include "viewer/model/saved_source.hpp"

#include <algorithm>
#include <array>

#include "viewer/model/text.hpp"

namespace wt::viewer {

namespace {

std::string file_name(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

// In which of `parts` equal parts of the range an instant lies.
std::size_t part_of(Range range, std::int64_t at, std::size_t parts) {
    const std::int64_t offset =
        std::clamp<std::int64_t>(at - range.from.ns, 0, range.length().ns - 1);
    // A run is shorter than 2^53 ns times what a double loses here: at most one part off.
    const double share = static_cast<double>(offset) / static_cast<double>(range.length().ns);
    return std::min(static_cast<std::size_t>(share * static_cast<double>(parts)), parts - 1);
}

}  // namespace

Result<std::unique_ptr<SavedSource>, std::string> SavedSource::open(const std::string& path) {
    Result<trace::TraceFile, std::string> file =
        trace::TraceFile::open(path, trace::FileView::Access::scattered);
    if (!file) return unexpected(path + ": " + file.error());
    return std::make_unique<SavedSource>(std::move(*file), file_name(path));
}

SavedSource::SavedSource(trace::TraceFile file, const std::string& title)
    : file_(std::move(file)),
      info_(run_info_of(file_.header(), file_.about(), origins_)),
      index_(file_) {
    info_.title = title;
    if (file_.outcome()) add_outcome(*file_.outcome(), info_);
    if (!file_.damage().empty()) info_.warning = file_.damage();
    if (file_.counts().dropped > 0)
        info_.warning = count_text(file_.counts().dropped) + " records were not kept";
    for (const trace::Anomaly& anomaly : file_.anomalies())
        anomalies_.push_back(anomaly_of(anomaly, file_.about(), info_));
    end_ = {std::max<std::int64_t>(file_.last_ns(), 1)};
}

void SavedSource::begin_frame() {
    if (was_drawn_) index_.start();
    was_drawn_ = true;
}

std::size_t SavedSource::cells(std::size_t series, PeerIndex peer, Range range, std::span<Cell> out,
                               Detail detail) const {
    if (series >= origins_.size() || peer >= file_.peer_count() || range.is_empty() || out.empty())
        return 0;
    const SeriesOrigin& origin = origins_[series];
    // Sums have to be counted from the shortest cells: the pyramid above knows no totals.
    std::uint32_t level = 0;
    const std::int64_t part = range.length().ns / static_cast<std::int64_t>(out.size());
    if (!origin.is_sum) {
        while (level + 1 < file_.series().levels() &&
               trace::SeriesReader::cell_length_ns(level + 1) <= part)
            ++level;
    }
    if (detail == Detail::rough) {
        level = std::max(level, file_.series().level_for(range.length().ns, out.size() / 8));
    }
    std::size_t cost = spread(origin, origin.first, peer, range, level, out);
    if (origin.second >= 0) {
        cost += spread(origin, static_cast<std::uint32_t>(origin.second), peer, range, level, out);
    }
    return cost;
}

std::size_t SavedSource::spread(const SeriesOrigin& origin, std::uint32_t series, PeerIndex peer,
                                Range range, std::uint32_t level, std::span<Cell> out) const {
    const std::int64_t length = trace::SeriesReader::cell_length_ns(level);
    const std::uint64_t begin = static_cast<std::uint64_t>(range.from.ns / length);
    const std::uint64_t end =
        std::min(file_.series().cells(level),
                 static_cast<std::uint64_t>((range.to.ns + length - 1) / length));
    std::array<trace::SeriesCell, 256> piece;
    for (std::uint64_t first = begin; first < end; first += piece.size()) {
        const std::size_t count = std::min<std::uint64_t>(piece.size(), end - first);
        std::fill_n(piece.begin(), count, trace::SeriesCell{});
        file_.series().read(series, static_cast<std::uint16_t>(peer), level, first,
                            {piece.data(), count});
        for (std::size_t i = 0; i < count; ++i) {
            if (piece[i].is_empty()) continue;
            const std::int64_t at = static_cast<std::int64_t>(first + i) * length;
            const Cell cell{piece[i].min * origin.scale, piece[i].max * origin.scale,
                            origin.is_sum ? piece[i].max * origin.scale : 0};
            const std::size_t part = part_of(range, at, out.size());
            out[part].merge(cell);
            // A cell that is longer than a part covers all parts up to the next one.
            const std::size_t last = part_of(range, at + length - 1, out.size());
            for (std::size_t more = part + 1; !origin.is_sum && more <= last; ++more)
                out[more].merge(cell);
        }
    }
    return end > begin ? static_cast<std::size_t>(end - begin) : 0;
}

ConstBytes SavedSource::record_bytes(std::uint64_t first) const {
    if (first >= file_.record_count()) return {};
    const std::size_t block = static_cast<std::size_t>(first / trace::block_records);
    const std::uint64_t place = first - file_.block(block).first_record;
    return file_.block_bytes(block).subspan(place * trace::Record::stored_bytes);
}

const trace::RecordColumns* SavedSource::columns_of(std::uint64_t first) const {
    return index_.of_block(static_cast<std::size_t>(first / trace::block_records));
}

std::uint64_t SavedSource::first_record_at(Instant at) const {
    return file_.range_of(at.ns, at.ns).first;
}

std::uint64_t SavedSource::neighbour(std::uint64_t number, PeerIndex peer, int step) const {
    if (file_.record_count() == 0 || peer >= file_.peer_count()) return no_record;
    const std::uint16_t wanted = static_cast<std::uint16_t>(peer);
    std::uint64_t start = number;
    if (number == no_record || number >= file_.record_count()) {
        if (step > 0) return no_record;
        start = file_.record_count();
    }
    std::size_t block =
        static_cast<std::size_t>(std::min(start, file_.record_count() - 1) / trace::block_records);
    for (;;) {
        const ConstBytes places = file_.peer_places(block, wanted);
        const std::uint64_t base = file_.block(block).first_record;
        const std::size_t count = places.size() / 2;
        std::uint64_t best = no_record;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t place = load_little<std::uint16_t>(places.data() + i * 2);
            if (place >= file_.block(block).count) continue;
            const std::uint64_t found = base + place;
            if (step > 0 && found > start) return found;
            if (step < 0 && found < start) best = found;
        }
        if (best != no_record) return best;
        if (step > 0 ? block + 1 >= file_.block_count() : block == 0) return no_record;
        block = step > 0 ? block + 1 : block - 1;
    }
}

void SavedSource::each_of_peer(PeerIndex peer, std::uint64_t from, const TakeRecord& take) const {
    if (peer >= file_.peer_count() || from >= file_.record_count()) return;
    const std::size_t start = static_cast<std::size_t>(from / trace::block_records);
    for (std::size_t block = start; block < file_.block_count(); ++block) {
        const ConstBytes places = file_.peer_places(block, static_cast<std::uint16_t>(peer));
        const std::uint64_t base = file_.block(block).first_record;
        for (std::size_t i = 0; i + 1 < places.size(); i += 2) {
            const std::uint64_t place = load_little<std::uint16_t>(places.data() + i);
            if (place >= file_.block(block).count || base + place < from) continue;
            if (!take(base + place, file_.record(base + place))) return;
        }
    }
}

}  // namespace wt::viewer
