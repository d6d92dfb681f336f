// SPDX-License-Identifier: MIT
//
// What `e` leaves: of a saved trace the records of the range that the list's filter lets through,
// as CSV beside it; of a live run its scenario with every change of a link that was made by hand,
// which `wavetank run` then repeats.
#include <fstream>

#include "simulator/trace/exporter.hpp"
#include "viewer/model/live_source.hpp"
#include "viewer/model/model.hpp"
#include "viewer/model/text.hpp"

namespace wt::viewer {

void Model::export_range() {
    if (live() != nullptr) return export_scenario();
    if (source_->file() == nullptr) return say("nothing of this can be exported");
    auto filter = trace::Filter::compile(records.filter, source_->names());
    if (!filter) {
        say("the filter is not right: " + filter.error().message);
        return;
    }
    const std::string path = export_path.empty() ? "wavetank-range.csv" : export_path;
    trace::Output output(path);
    const trace::RecordRange chosen = source_->file()->range_of(range().from.ns, range().to.ns);
    const std::uint64_t count =
        trace::export_csv(*source_->file(), {.filter = *filter, .range = chosen}, output);
    if (output.close()) {
        say(count_text(count) + " records in " + path);
    } else {
        say(path + " could not be written");
    }
}

void Model::export_scenario() {
    const std::string path = export_path.empty() ? "wavetank-live.toml" : export_path;
    std::ofstream file(path, std::ios::binary);
    file << live()->text();
    file.close();
    say(file.good() ? "the scenario as it is now is in " + path : path + " could not be written");
}

}  // namespace wt::viewer
