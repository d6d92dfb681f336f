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
    const std::int64_t offset = std::clamp<std::int64_t>(at - range.from.ns, 0,
                                                         range.length().ns - 1);
    // A run is shorter than 2^53 ns times what a double loses here: at most one part off.
    const double share = static_cast<double>(offset) / static_cast<double>(range.length().ns);
    return std::min(static_cast<std::size_t>(share * static_cast<double>(parts)), parts - 1);
}

}  // namespace

Result<std::unique_ptr<SavedSource>, std::string> SavedSource::open(const std::string& path) {
    Result<trace::TraceFile, std::string> file = trace::TraceFile::open(path);
    if (!file) return unexpected(path + ": " + file.error());
    return std::make_unique<SavedSource>(std::move(*file), file_name(path));
}

SavedSource::SavedSource(trace::TraceFile file, const std::string& title)
    : file_(std::move(file)), info_(run_info_of(file_.header(), file_.about(), origins_)) {
    info_.title = title;
    if (file_.outcome()) add_outcome(*file_.outcome(), info_);
    if (!file_.damage().empty()) info_.warning = file_.damage();
    if (file_.counts().dropped > 0)
        info_.warning = count_text(file_.counts().dropped) + " records were not kept";
    for (const trace::Anomaly& anomaly : file_.anomalies())
        anomalies_.push_back(anomaly_of(anomaly, file_.about(), info_));
    end_ = {std::max<std::int64_t>(file_.last_ns(), 1)};
}

void SavedSource::cells(std::size_t series, PeerIndex peer, Range range,
                        std::span<Cell> out) const {
    if (series >= origins_.size() || peer >= file_.peer_count() || range.is_empty()) return;
    const SeriesOrigin& origin = origins_[series];
    const auto read = [&](std::uint32_t from) {
        if (origin.is_sum) {
            add_up(from, peer, range, origin.scale, out);
        } else {
            sample(from, peer, range, origin.scale, out);
        }
    };
    read(origin.first);
    if (origin.second >= 0) read(static_cast<std::uint32_t>(origin.second));
}

void SavedSource::sample(std::uint32_t series, PeerIndex peer, Range range, std::int64_t scale,
                         std::span<Cell> out) const {
    // Panels ask for 240 columns; whoever asks for more gets them in pieces.
    std::array<trace::SeriesCell, 256> piece;
    for (std::size_t first = 0; first < out.size(); first += piece.size()) {
        const std::size_t count = std::min(piece.size(), out.size() - first);
        const auto edge = [&](std::size_t column) {
            const double share = static_cast<double>(column) / static_cast<double>(out.size());
            return range.from.ns +
                   static_cast<std::int64_t>(share * static_cast<double>(range.length().ns));
        };
        std::fill_n(piece.begin(), count, trace::SeriesCell{});
        file_.series().sample(series, static_cast<std::uint16_t>(peer), edge(first),
                              edge(first + count), {piece.data(), count});
        for (std::size_t i = 0; i < count; ++i) {
            if (piece[i].is_empty()) continue;
            out[first + i].merge({piece[i].min * scale, piece[i].max * scale, 0});
        }
    }
}

// Sums have to be counted from the shortest cells: the pyramid above knows no totals.
void SavedSource::add_up(std::uint32_t series, PeerIndex peer, Range range, std::int64_t scale,
                         std::span<Cell> out) const {
    const std::uint64_t count = file_.series().cells(0);
    std::uint64_t first = static_cast<std::uint64_t>(range.from.ns / trace::cell_ns);
    const std::uint64_t last = std::min(
        count, static_cast<std::uint64_t>((range.to.ns + trace::cell_ns - 1) / trace::cell_ns));
    std::array<trace::SeriesCell, 256> piece;
    while (first < last) {
        const std::size_t taken = std::min<std::uint64_t>(piece.size(), last - first);
        std::fill_n(piece.begin(), taken, trace::SeriesCell{});
        file_.series().read(series, static_cast<std::uint16_t>(peer), 0, first,
                            {piece.data(), taken});
        for (std::size_t i = 0; i < taken; ++i) {
            if (piece[i].is_empty()) continue;
            const std::int64_t at = static_cast<std::int64_t>(first + i) * trace::cell_ns;
            const std::int64_t value = piece[i].max * scale;
            out[part_of(range, at, out.size())].merge({value, value, value});
        }
        first += taken;
    }
}

ConstBytes SavedSource::record_bytes(std::uint64_t first) const {
    if (first >= file_.record_count()) return {};
    const std::size_t block = static_cast<std::size_t>(first / trace::block_records);
    const std::uint64_t place = first - file_.block(block).first_record;
    return file_.block_bytes(block).subspan(place * trace::Record::stored_bytes);
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
    std::size_t block = static_cast<std::size_t>(std::min(start, file_.record_count() - 1) /
                                                 trace::block_records);
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
