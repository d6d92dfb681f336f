// SPDX-License-Identifier: MIT
#include "viewer/model/open.hpp"

#include "viewer/model/live_source.hpp"
#include "viewer/model/saved_source.hpp"

namespace wt::viewer {

std::string open_file(Model& model, const std::string& path, const OpenOptions& options) {
    if (path.ends_with(".toml")) {
        auto started = LiveSource::open(path, options.settings, options.live);
        if (!started) return started.error();
        model.open(std::move(*started), "");
        model.axis.show_all();
        model.export_path = path.substr(0, path.size() - 5) + ".live.toml";
        model.recent.add(path);
        return {};
    }
    auto opened = SavedSource::open(path);
    if (!opened) return opened.error();
    model.open(std::move(*opened), path + ".marks");
    model.export_path = path + ".csv";
    model.recent.add(path);
    return {};
}

std::string compare_with(Model& model, const std::string& path) {
    if (model.source() == nullptr || model.source()->file() == nullptr)
        return "a saved trace has to be open to be compared with";
    auto opened = SavedSource::open(path);
    if (!opened) return opened.error();
    model.compare(std::move(*opened));
    return {};
}

}  // namespace wt::viewer
