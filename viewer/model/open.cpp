// SPDX-License-Identifier: MIT
#include "viewer/model/open.hpp"

#include "viewer/model/saved_source.hpp"

namespace wt::viewer {

std::string open_file(Model& model, const std::string& path) {
    auto opened = SavedSource::open(path);
    if (!opened) return opened.error();
    model.open(std::move(*opened), path + ".marks");
    return {};
}

}  // namespace wt::viewer
