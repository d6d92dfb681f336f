// SPDX-License-Identifier: MIT
#include "viewer/drive/headless.hpp"

#include "viewer/panels/keys.hpp"

namespace wt::viewer {

namespace {

void mix(std::uint64_t& hash, const void* data, std::size_t bytes) {
    const auto* at = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < bytes; ++i) {
        hash ^= at[i];
        hash *= 0x100000001b3ull;
    }
}

}  // namespace

Headless::Headless(Model& model, const HeadlessOptions& options)
    : context_(ImGui::CreateContext()), ui_{.model = model} {
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = options.size;
    io.DeltaTime = 1.0f / 60;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    map_native_keys();
    ui_.scale = options.scale;
    ui_.items = &items_;
    ui_.fonts = load_fonts(options.use_system_fonts ? find_fonts() : FontFiles{}, options.scale);
    set_style(options.scale);
    unsigned char* pixels = nullptr;
    int width = 0;
    int height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    driver_ = std::make_unique<Driver>(ui_, [this] { draw(); });
}

Headless::~Headless() {
    ImGui::DestroyContext(context_);
}

void Headless::resize(ImVec2 size) {
    ImGui::SetCurrentContext(context_);
    ImGui::GetIO().DisplaySize = size;
}

void Headless::draw() {
    ImGui::SetCurrentContext(context_);
    driver_->apply();
    ImGui::NewFrame();
    draw_frame(ui_);
    ImGui::Render();
}

std::uint64_t Headless::draw_hash() const {
    ImGui::SetCurrentContext(context_);
    const ImDrawData* const data = ImGui::GetDrawData();
    std::uint64_t hash = 0xcbf29ce484222325ull;
    for (int i = 0; i < data->CmdListsCount; ++i) {
        const ImDrawList& list = *data->CmdLists[i];
        mix(hash, list.VtxBuffer.Data, static_cast<std::size_t>(list.VtxBuffer.size_in_bytes()));
        mix(hash, list.IdxBuffer.Data, static_cast<std::size_t>(list.IdxBuffer.size_in_bytes()));
        for (const ImDrawCmd& command : list.CmdBuffer) {
            mix(hash, &command.ClipRect, sizeof(command.ClipRect));
            mix(hash, &command.ElemCount, sizeof(command.ElemCount));
        }
    }
    return hash;
}

int Headless::vertices() const {
    ImGui::SetCurrentContext(context_);
    return ImGui::GetDrawData()->TotalVtxCount;
}

}  // namespace wt::viewer
