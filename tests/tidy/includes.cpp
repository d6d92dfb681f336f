// SPDX-License-Identifier: MIT
//
// Arrows point one way: what each folder may include of ours, and the one place of each third
// party's headers.
#include <array>
#include <vector>

#include "tests/tidy/tree.hpp"

namespace wt::tidy {

namespace {

struct Layer {
    std::string_view folder;
    std::vector<std::string_view> may_include;
};

// The longest folder that matches decides.
const Layer* layer_of(const SourceFile& file) {
    static const std::array<Layer, 20> layers = {{
        {"engine/base", {"engine/base"}},
        {"engine/crypto", {"engine/base", "engine/crypto"}},
        {"engine/transport", {"engine/base", "engine/transport"}},
        {"engine/secure", {"engine/base", "engine/crypto", "engine/transport", "engine/secure"}},
        {"engine/udp", {"engine/base", "engine/transport", "engine/udp"}},
        {"engine/replication", {"engine/base", "engine/replication"}},
        {"engine/session", {"engine/base", "engine/crypto", "engine/transport", "engine/session"}},
        {"engine/prediction",
         {"engine/base", "engine/replication", "engine/session", "engine/prediction"}},
        {"engine/arena",
         {"engine/base", "engine/replication", "engine/prediction", "engine/arena"}},
        {"bots", {"engine", "bots"}},
        {"simulator/link", {"engine/base", "engine/transport", "simulator/link"}},
        {"simulator/cipher", {"engine", "simulator/cipher"}},
        {"simulator/metrics",
         {"engine", "bots", "simulator/scenario", "simulator/link", "simulator/metrics"}},
        {"simulator/core",
         {"engine/base", "engine/transport", "bots", "simulator/link", "simulator/core"}},
        {"simulator", {"engine", "bots", "simulator"}},
        {"viewer", {"engine", "bots", "simulator", "viewer"}},
        {"viewer/model", {"engine", "bots", "simulator", "viewer/model"}},
        {"viewer/panels", {"engine", "bots", "simulator", "viewer/model", "viewer/panels"}},
        {"viewer/drive",
         {"engine", "bots", "simulator", "viewer/model", "viewer/panels", "viewer/drive"}},
        {"tests", {"engine", "bots", "simulator", "viewer", "tests"}},
    }};
    const Layer* best = nullptr;
    for (const Layer& layer : layers) {
        if (!file.is_under(layer.folder)) continue;
        if (best == nullptr || layer.folder.size() > best->folder.size()) best = &layer;
    }
    return best;
}

struct Guest {
    std::string_view header;                   // Prefix of what stands in <>.
    std::vector<std::string_view> only_under;  // Files or folders.
    std::string_view not_under{};              // A folder below one of them, or empty.
};

bool is_at(const SourceFile& file, std::string_view place) {
    return file.path == place || file.is_under(place);
}

void check_guest(const SourceFile& file, std::size_t line, std::string_view header,
                 Findings& findings) {
    static const std::array<Guest, 13> guests = {{
        {"sodium", {"engine/crypto", "tests/bench"}},
        {"toml++", {"simulator/scenario/toml.cpp"}},
        {"CLI/", {"simulator/cli/options.cpp"}},
        {"benchmark/", {"tests/bench"}},
        {"doctest/", {"tests"}},
        {"imgui", {"viewer"}, "viewer/model"},
        {"backends/imgui", {"viewer/app"}},
        {"GLFW/", {"viewer/app"}},
        {"stb_", {"viewer/app", "tests/viewer"}},
        // The system's network.
        {"sys/socket", {"engine/udp", "tests"}},
        {"netinet/", {"engine/udp", "tests"}},
        {"arpa/", {"engine/udp", "tests"}},
        {"poll.h", {"engine/udp", "tests"}},
    }};
    for (const Guest& guest : guests) {
        if (header.substr(0, guest.header.size()) != guest.header) continue;
        bool allowed = false;
        for (const std::string_view place : guest.only_under) {
            allowed = allowed || is_at(file, place);
        }
        if (!guest.not_under.empty() && is_at(file, guest.not_under)) allowed = false;
        if (!allowed) {
            findings.add(file.path, line, std::string(header) + " has its place elsewhere");
        }
    }
}

}  // namespace

void check_includes(const Tree& tree, Findings& findings) {
    for (const SourceFile& file : tree.files) {
        if (!file.is_cpp()) continue;
        const Layer* const layer = layer_of(file);
        if (layer == nullptr) {
            findings.add(file.path, 1, "lies in no layer that tests/tidy/includes.cpp knows");
            continue;
        }
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string& line = file.lines[i];
            if (line.compare(0, 9, "#include ") != 0 || line.size() < 12) continue;
            const std::size_t end = line.find_first_of(">\"", 10);
            const std::string header = line.substr(10, end - 10);
            if (line[9] == '<') {
                check_guest(file, i + 1, header, findings);
                continue;
            }
            bool allowed = false;
            for (const std::string_view folder : layer->may_include) {
                allowed =
                    allowed || (header.compare(0, folder.size(), folder) == 0 &&
                                header.size() > folder.size() && header[folder.size()] == '/');
            }
            if (!allowed) {
                findings.add(file.path, i + 1,
                             std::string(layer->folder) + " may not include " + header);
            }
        }
    }
}

}  // namespace wt::tidy
