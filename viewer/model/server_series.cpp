// SPDX-License-Identifier: MIT
#include "viewer/model/server_series.hpp"

namespace wt::viewer {

const std::vector<Cell>& ServerSeries::of(const std::string& key) {
    for (One& one : all_) {
        if (one.key != key) continue;
        one.is_wanted = true;
        return one.cells;
    }
    has_new_ = true;
    all_.push_back({.key = key});
    return all_.back().cells;
}

bool ServerSeries::refresh(const Source& source, Range view) {
    for (One& one : all_) {
        if (!one.is_wanted) continue;
        one.is_wanted = false;
        const bool is_same = one.view == view && one.version == source.version();
        if (is_same && !one.cells.empty()) continue;
        const int series = source.info().find_series(one.key);
        if (series < 0) continue;
        one.view = view;
        one.version = source.version();
        one.cells.assign(columns, Cell{});
        (void)source.cells(static_cast<std::size_t>(series), server_peer, view, one.cells,
                           Detail::exact);
    }
    const bool is_settled = !has_new_;
    has_new_ = false;
    return is_settled;
}

}  // namespace wt::viewer
