// SPDX-License-Identifier: MIT
//
// From a selected record to the question that `wavetank why` answers.
#include "viewer/model/model.hpp"
#include "viewer/model/record_text.hpp"

namespace wt::viewer {

namespace {

using trace::Type;
using What = trace::WhyQuestion::What;

// What the record is about; nothing where there is no story to tell.
std::optional<trace::WhyQuestion> question_of(const trace::Record& record) {
    trace::WhyQuestion question;
    question.peer = record.peer;
    question.from_ns = 0;
    switch (static_cast<Type>(record.type)) {
        case Type::send:
        case Type::fragment:
        case Type::drop:
        case Type::duplicate:
        case Type::queue:
        case Type::receive:
            question.what = What::datagram;
            question.id = record.sequence;
            question.is_down = has_flag(record, trace::flag::down);
            return question;
        case Type::deliver:
        case Type::acked:
            question.what = What::message;
            question.lane = record.lane;
            question.id = record.detail;
            question.is_down = has_flag(record, trace::flag::down);
            // Ids come again: the life of this one began at most a minute before.
            question.from_ns = record.time - std::int64_t{record.age} * 1'000;
            return question;
        case Type::apply:
            question.what = What::snapshot;
            question.id = record.tick;
            return question;
        case Type::input:
        case Type::input_missing:
            question.what = What::input;
            question.id = record.tick;
            return question;
        default:
            return std::nullopt;
    }
}

}  // namespace

const WhyView& Model::why() {
    if (why_.record == record_) return why_;
    why_ = WhyView{};
    why_.record = record_;
    if (!source_ || record_ == no_record || record_ >= source_->record_count()) return why_;
    if (source_->file() == nullptr) {
        why_.problem = "a saved trace answers this: the run is still going on";
        return why_;
    }
    const std::optional<trace::WhyQuestion> question = question_of(source_->record(record_));
    if (!question) {
        why_.problem = "nothing to tell of this record";
        return why_;
    }
    if (!link_replay_) link_replay_ = std::make_unique<sim::LinkReplay>(*source_->file());
    auto answer = trace::why(*source_->file(), *question, sim::luck_of(*link_replay_));
    if (answer) {
        why_.answer = std::move(*answer);
    } else {
        why_.problem = answer.error();
    }
    return why_;
}

void Model::look_at_record(std::uint64_t number) {
    if (!source_ || number >= source_->record_count()) return;
    select_record(number);
    why_.record = number;
    axis.reveal(cursor_);
}

}  // namespace wt::viewer
