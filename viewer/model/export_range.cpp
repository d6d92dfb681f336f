// SPDX-License-Identifier: MIT
//
// The records of the range that the list's filter lets through, as CSV beside the trace.
#include "simulator/trace/exporter.hpp"
#include "viewer/model/model.hpp"
#include "viewer/model/text.hpp"

namespace wt::viewer {

void Model::export_range() {
    if (source_->file() == nullptr) {
        say("a saved trace can be exported: the run is still going on");
        return;
    }
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

}  // namespace wt::viewer
