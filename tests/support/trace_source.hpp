// SPDX-License-Identifier: MIT
//
// A made-up trace as the viewer's model takes it. No window, no ImGui.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "tests/support/synthetic_trace.hpp"
#include "viewer/model/saved_source.hpp"

namespace wt::test {

// Null for bytes that are no trace.
inline std::unique_ptr<viewer::SavedSource> source_of(std::vector<std::uint8_t> bytes) {
    auto file = trace::TraceFile::parse(std::move(bytes));
    if (!file) return nullptr;
    return std::make_unique<viewer::SavedSource>(std::move(*file), "synthetic.wtrace");
}
inline std::unique_ptr<viewer::SavedSource> source_of(const SyntheticTrace& wanted) {
    return source_of(synthetic_bytes(wanted));
}

}  // namespace wt::test
