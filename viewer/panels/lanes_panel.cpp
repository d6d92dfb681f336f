// SPDX-License-Identifier: MIT
//
// Lanes: one peer's traffic by lane and direction over the view, lost datagrams crossed out.
// Ladder: single datagrams between the peer, its link and the server, time running downwards.
#include <algorithm>
#include <cmath>

#include "viewer/model/record_text.hpp"
#include "viewer/model/text.hpp"
#include "viewer/panels/panels.hpp"
#include "viewer/panels/plot.hpp"

namespace wt::viewer {

namespace {

std::string peer_name(Ui& ui) {
    const PeerIndex peer = ui.model.peer();
    return peer == no_peer ? "no peer" : ui.model.info()->peers[peer].name;
}

// The peer that a panel is about, behind the panel's title.
void name_peer(Ui& ui, const char* name, const std::string& more) {
    ImGui::SameLine(0, ui.px(4));
    ImGui::AlignTextToFramePadding();
    label(ui, name, peer_name(ui), peer_colour(0));
    if (more.empty()) return;
    ImGui::SameLine(0, ui.px(14));
    const std::string text = fitted(ui.fonts.text, more, ImGui::GetContentRegionAvail().x);
    label(ui, std::string(name) + "/more", text, colour::dim);
}

void draw_lane_row(Ui& ui, const TimeArea& area, const LaneRow& row, float top, float height) {
    ImDrawList* const list = ImGui::GetWindowDrawList();
    const trace::About& about = ui.model.source()->about();
    const std::string lane = row.lane == trace::no_lane ? "other" : lane_text(about, row.lane);
    const std::string name = std::string("lanes/") + (row.is_down ? "down/" : "up/") + lane;
    const ImU32 ink = row.lane == trace::no_lane ? colour::dim : lane_colour(row.lane);
    const float middle = top + height / 2;
    draw_text(ui, {area.min.x - ui.px(8), middle - ui.fonts.small->FontSize / 2}, Align::right,
              name, lane + (row.is_down ? " down" : " up"), ink, ui.fonts.small);
    list->AddLine({area.min.x, top + height - 0.5f}, {area.max.x, top + height - 0.5f},
                  colour::grid);
    std::uint32_t most = 1;
    for (const LaneRow::Column& column : row.columns)
        most = std::max(most, column.sent);
    const float width = area.width() / static_cast<float>(row.columns.size());
    const float full = height - ui.px(5);
    for (std::size_t i = 0; i < row.columns.size(); ++i) {
        const LaneRow::Column& column = row.columns[i];
        if (column.sent == 0 && column.lost == 0) continue;
        const float x = area.min.x + static_cast<float>(i) * width;
        const float share = static_cast<float>(column.sent) / static_cast<float>(most);
        const float tall = std::max(ui.px(3), full * share);
        const float right = x + std::max(1.0f, width - 0.5f);
        if (column.sent > 0) {
            list->AddRectFilled({x, top + height - ui.px(2) - tall},
                                {right, top + height - ui.px(2)},
                                column.resent > 0 ? ink : with_alpha(ink, 120));
        }
        if (column.lost > 0) {
            const float reach = ui.px(2.5f);
            const ImVec2 at{x + width / 2, top + ui.px(5)};
            list->AddLine({at.x - reach, at.y - reach}, {at.x + reach, at.y + reach}, colour::note);
            list->AddLine({at.x - reach, at.y + reach}, {at.x + reach, at.y - reach}, colour::note);
        }
    }
}

void draw_events(Ui& ui, const TimeArea& area, float top, float height) {
    ImDrawList* const list = ImGui::GetWindowDrawList();
    const trace::About& about = ui.model.source()->about();
    draw_text(ui, {area.min.x - ui.px(8), top + height / 2 - ui.fonts.small->FontSize / 2},
              Align::right, "lanes/events", "events", colour::dim, ui.fonts.small);
    float free_from = area.min.x;
    std::size_t shown = 0;
    const std::vector<LaneEvent>& events = ui.model.lanes.events();
    for (std::size_t i = 0; i < events.size(); ++i) {
        const LaneEvent& event = events[i];
        const float x = area.x_of(event.at);
        const float next = i + 1 < events.size() ? area.x_of(events[i + 1].at) : area.max.x;
        const ImVec2 at{x, top + height / 2};
        list->AddCircleFilled(at, ui.px(3), colour::accent);
        const trace::Record record = ui.model.source()->record(event.record);
        std::string text = type_text(about, record);
        const std::string kind = kind_text(about, record);
        if (!kind.empty() && is_type(record, trace::Type::connection)) text = kind;
        const float width = text_size(ui.fonts.small, text).x;
        if (x + ui.px(6) < free_from || x + ui.px(10) + width > next) continue;
        draw_text(ui, {x + ui.px(6), at.y - ui.fonts.small->FontSize / 2}, Align::left,
                  "lanes/event/" + std::to_string(shown++), text, colour::dim, ui.fonts.small);
        free_from = x + width + ui.px(14);
    }
}

struct Rails {
    float peer;
    float link;
    float server;
    float top;
    float bottom;
    Range shown;

    [[nodiscard]] float y_of(Instant at) const {
        const double share =
            static_cast<double>((at - shown.from).ns) / static_cast<double>(shown.length().ns);
        return top + static_cast<float>(std::clamp(share, -0.5, 2.0)) * (bottom - top);
    }
};

void draw_step(Ui& ui, const Rails& rails, const LadderStep& step, float& text_free_from) {
    ImDrawList* const list = ImGui::GetWindowDrawList();
    const trace::About& about = ui.model.source()->about();
    const float from = step.is_down ? rails.server : rails.peer;
    const float to = step.is_down ? rails.peer : rails.server;
    const ImU32 ink = step.lane == trace::no_lane ? colour::dim : lane_colour(step.lane);
    const bool is_lost = step.dropped != Instant::never();
    const bool was_sent = step.sent != Instant::never();
    const Instant start = was_sent ? step.sent : is_lost ? step.dropped : step.received;
    const ImVec2 begin{was_sent ? from : rails.link, rails.y_of(start)};
    if (is_lost) {
        const ImVec2 end{rails.link, rails.y_of(std::max(step.dropped, start)) + ui.px(6)};
        const float reach = ui.px(4);
        list->AddLine(begin, end, ink, 1.2f * ui.scale);
        list->AddLine({end.x - reach, end.y - reach}, {end.x + reach, end.y + reach}, colour::note,
                      1.6f * ui.scale);
        list->AddLine({end.x - reach, end.y + reach}, {end.x + reach, end.y - reach}, colour::note,
                      1.6f * ui.scale);
    } else if (step.received != Instant::never()) {
        const ImVec2 end{to, rails.y_of(step.received)};
        list->AddLine(begin, end, ink, 1.2f * ui.scale);
        const float back = to > from ? -ui.px(5) : ui.px(5);
        list->AddTriangleFilled(end, {end.x + back, end.y - ui.px(3)},
                                {end.x + back, end.y + ui.px(3)}, ink);
    } else {
        list->AddLine(begin, {rails.link, begin.y + ui.px(4)}, with_alpha(ink, 90));
    }
    if (begin.y < rails.top || begin.y + ui.fonts.small->FontSize > rails.bottom) return;
    if (begin.y < text_free_from) return;
    text_free_from = begin.y + ui.fonts.small->FontSize;
    std::string text =
        step.kind == 0 ? lane_text(about, step.lane) : trace::word_of(about.kinds, step.kind);
    text += " #" + std::to_string(step.sequence);
    const std::string name =
        std::string("ladder/") + (step.is_down ? "down/" : "up/") + std::to_string(step.sequence);
    const float x = from + (from < to ? -ui.px(8) : ui.px(8));
    draw_text(ui, {x, begin.y - ui.fonts.small->FontSize / 2},
              from < to ? Align::right : Align::left, name, text, colour::dim, ui.fonts.small);
    if (is_lost) {
        draw_text(ui, {rails.link + ui.px(8), rails.y_of(step.dropped) + ui.px(2)}, Align::left,
                  name + "/cause", "lost: " + step.cause, colour::note, ui.fonts.small);
    }
}

void draw_rails(Ui& ui, const Rails& rails) {
    ImDrawList* const list = ImGui::GetWindowDrawList();
    const float head = rails.top - ui.fonts.small->FontSize - ui.px(4);
    struct Rail {
        float x;
        const char* name;
        std::string text;
        ImU32 ink;
    };
    const Rail all[] = {{rails.peer, "ladder/head/peer", peer_name(ui), peer_colour(0)},
                        {rails.link, "ladder/head/link", "link", colour::dim},
                        {rails.server, "ladder/head/server", "server", colour::text}};
    for (const Rail& rail : all) {
        list->AddLine({rail.x, rails.top}, {rail.x, rails.bottom}, colour::line,
                      rail.x == rails.link ? 1.0f : 2.0f);
        draw_text(ui, {rail.x, head}, Align::centre, rail.name, rail.text, rail.ink,
                  ui.fonts.small);
    }
}

}  // namespace

void draw_lanes(Ui& ui) {
    Model& model = ui.model;
    model.lanes.refresh(*model.source(), model.peer(), model.axis.view());
    name_peer(ui, "lanes/peer", model.lanes.is_cut() ? "only the beginning: look closer" : "");
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float gutter = text_size(ui.fonts.small, "gameplay down").x + ui.px(14);
    ImGui::SetCursorScreenPos({start.x + gutter, start.y});
    const TimeArea area =
        time_area(ui, "lanes", {room.x - gutter, room.y - time_labels_height(ui)});
    ImDrawList* const list = ImGui::GetWindowDrawList();
    list->AddRectFilled(area.min, area.max, colour::plot, ui.px(2));
    draw_time_grid(ui, area, "lanes", true);
    const float rows = static_cast<float>(model.lanes.rows().size()) + 1;
    const float height = std::min(ui.px(44), area.height() / rows);
    float top = area.min.y;
    draw_events(ui, area, top, height);
    for (const LaneRow& row : model.lanes.rows()) {
        top += height;
        if (height >= ui.fonts.small->FontSize) draw_lane_row(ui, area, row, top, height);
    }
    if (model.lanes.rows().empty()) {
        draw_text(ui, {(area.min.x + area.max.x) / 2, (area.min.y + area.max.y) / 2}, Align::centre,
                  "lanes/empty",
                  has_records(model) ? "no records of this peer here" : no_records_text,
                  colour::faint);
    }
    draw_time_marks(ui, area);
}

void draw_ladder(Ui& ui) {
    Model& model = ui.model;
    const Range shown = Ladder::window_of(model.axis.view(), model.cursor());
    model.ladder.refresh(*model.source(), model.peer(), shown);
    name_peer(ui, "ladder/peer",
              clock_text(shown.from) + " to " + clock_text(shown.to) +
                  (model.ladder.is_cut() ? ", not all" : ""));
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    if (room.x < ui.px(120) || room.y < ui.px(60)) return;
    ImGui::InvisibleButton("ladder", room);
    mark(ui, "ladder");
    const float side = text_size(ui.fonts.small, "keyframe_request #000000").x + ui.px(4);
    const float margin = std::min(side, room.x * 0.3f);
    Rails rails{};
    rails.peer = start.x + margin;
    rails.server = start.x + room.x - margin;
    rails.link = (rails.peer + rails.server) / 2;
    rails.top = start.y + ui.fonts.small->FontSize + ui.px(6);
    rails.bottom = start.y + room.y;
    rails.shown = shown;
    draw_rails(ui, rails);
    ImDrawList* const list = ImGui::GetWindowDrawList();
    list->PushClipRect({start.x, rails.top}, {start.x + room.x, rails.bottom}, true);
    float up_free = rails.top;
    float down_free = rails.top;
    for (const LadderStep& step : model.ladder.steps())
        draw_step(ui, rails, step, step.is_down ? down_free : up_free);
    const float y = rails.y_of(model.cursor());
    list->AddLine({start.x, y}, {start.x + room.x, y}, with_alpha(colour::cursor, 90));
    if (model.ladder.steps().empty()) {
        draw_text(ui, {rails.link, (rails.top + rails.bottom) / 2}, Align::centre, "ladder/empty",
                  "no datagrams here", colour::faint);
    }
    list->PopClipRect();
}

}  // namespace wt::viewer
