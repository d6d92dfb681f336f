// SPDX-License-Identifier: MIT
//
// A message: its fragments' sendings, what became of each, and the delivery. Ids come again after
// 65,536 messages and with every connection, so a message is known by its id and by the instant at
// which Send accepted it.
#include <map>

#include "simulator/report/format.hpp"
#include "simulator/scenario/exact_text.hpp"
#include "simulator/trace/why_story.hpp"

namespace wt::trace {

namespace {

// Records round ages down to microseconds.
constexpr std::int64_t rounding_ns = 2'000;
// How long after a delivery its last acknowledgements are waited for.
constexpr std::int64_t aftermath_ns = 3'000'000'000;

struct Sending {
    std::uint64_t record = 0;
    std::int64_t sent_ns = 0;
    std::int64_t arrived_ns = -1;
    std::int64_t read_ns = -1;
    std::uint32_t fragment = 0;
    std::uint32_t transmission = 0;  // 0: unreliable.
    std::uint32_t number = 0;        // Transmission sequence.
    bool is_lost = false;
};

// Several of one kind at one instant make one row.
struct Happening {
    enum class What : std::uint8_t { sent, sent_again, lost, arrived, acked };
    What what = What::sent;
    std::int64_t time_ns = 0;
    std::string more{};  // Cause of a loss.
    std::string luck{};  // Of the first of them, on the link.
    std::uint32_t luck_fragment = 0;
    std::vector<std::uint32_t> fragments{};
    std::vector<std::uint32_t> numbers{};
    std::uint32_t transmission = 0;
    std::int64_t since_ns = 0;  // sent_again: since the sending before.
    std::uint64_t record = 0;
};

class MessageStory {
public:
    explicit MessageStory(const Story& story) : story_(story) {}

    Result<WhyAnswer, std::string> tell() {
        if (!find_first())
            return unexpected("no message " + lane() + ":" + std::to_string(story_.question().id) +
                              " of " + story_.peer() + " was sent in this trace");
        collect();
        WhyAnswer answer;
        answer.start_ns = accepted_ns_;
        title(answer);
        rows(answer);
        shares(answer);
        find_fast_retransmit(answer);
        return answer;
    }

private:
    [[nodiscard]] std::string lane() const {
        return word_of(story_.trace().about().lanes, story_.question().lane);
    }
    [[nodiscard]] bool is_ours(const Record& record) const {
        return record.lane == story_.question().lane && record.detail == story_.question().id &&
               Story::is_down(record) == is_down_;
    }

    bool find_first() {
        bool found = false;
        story_.walk(story_.question().from_ns, [&](std::uint64_t, const Record& record) {
            const bool is_it = Story::is(record, Type::send) && story_.is_wanted_way(record) &&
                               record.lane == story_.question().lane &&
                               record.detail == story_.question().id;
            if (!is_it) return true;
            is_down_ = Story::is_down(record);
            accepted_ns_ = Story::accepted_ns(record);
            first_ = record;
            found = true;
            return false;
        });
        return found;
    }

    void collect() {
        Record send;
        story_.walk(first_.time, [&](std::uint64_t number, const Record& record) {
            if (delivered_ns_ >= 0 && record.time > delivered_ns_ + aftermath_ns) return false;
            const bool is_end = Story::is(record, Type::connection) &&
                                record.kind == static_cast<std::uint16_t>(Change::down) &&
                                record.time > first_.time;
            if (is_end && delivered_ns_ < 0) {
                closed_ns_ = record.time;
                closed_ = detail_text(story_.trace().about(), record);
                closed_record_ = number;
                return false;
            }
            if (is_end) return false;
            return take(number, record, send);
        });
    }

    // False: the story is over.
    bool take(std::uint64_t number, const Record& record, Record& send) {
        if (Story::is_down(record) != is_down_) return true;
        if (Story::is(record, Type::send)) {
            send = record;
            return !is_ours(record) || take_send(number, record);
        }
        if (Story::is(record, Type::fragment)) {
            note_transmission(record);
            if (is_ours(record) && send.sequence == record.sequence) take_fragment(record);
        }
        if (Story::is(record, Type::drop) || Story::is(record, Type::receive))
            take_fate(number, record);
        if (Story::is(record, Type::acked)) take_ack(number, record);
        if (Story::is(record, Type::deliver)) take_delivery(number, record);
        return true;
    }

    void take_delivery(std::uint64_t number, const Record& record) {
        if (delivered_ns_ < 0) {
            if (!is_ours(record)) return;
            delivered_ns_ = record.time;
            delivered_bytes_ = record.sequence;
            delivered_record_ = number;
        } else if (record.time == delivered_ns_ && record.lane == story_.question().lane) {
            behind_.push_back(record.detail);
        }
    }

    bool take_send(std::uint64_t number, const Record& record) {
        const std::int64_t distance = Story::accepted_ns(record) - accepted_ns_;
        const bool is_same = distance <= rounding_ns && distance >= -rounding_ns;
        // The id's next message; ours is over.
        if (!is_same) return delivered_ns_ < 0;
        Sending sending;
        sending.record = number;
        sending.sent_ns = record.time;
        by_sequence_[record.sequence] = sendings_.size();
        sendings_.push_back(sending);
        if ((record.flags & flag::reliable) == 0)
            happen(Happening::What::sent, record.time, number);
        return true;
    }

    void take_fragment(const Record& record) {
        const auto found = by_sequence_.find(record.sequence);
        if (found == by_sequence_.end()) return;
        Sending& sending = sendings_[found->second];
        sending.fragment = record.age & 0xff;
        sending.transmission = record.age >> 8;
        sending.number = record.size;
        fragments_ = std::max(fragments_, sending.fragment + 1);
        const bool is_first = sending.transmission <= 1;
        Happening& event = happen(is_first ? Happening::What::sent : Happening::What::sent_again,
                                  record.time, sending.record, {}, sending.transmission);
        event.fragments.push_back(sending.fragment);
        event.numbers.push_back(sending.number);
        const auto before = last_sent_.find(sending.fragment);
        if (!is_first && before != last_sent_.end()) event.since_ns = record.time - before->second;
        last_sent_[sending.fragment] = record.time;
    }

    void take_fate(std::uint64_t number, const Record& record) {
        const auto found = by_sequence_.find(record.sequence);
        if (found == by_sequence_.end()) return;
        Sending& sending = sendings_[found->second];
        if (Story::is(record, Type::drop)) {
            sending.is_lost = true;
            Happening& loss =
                happen(Happening::What::lost, record.time - std::int64_t{record.age} * 1'000,
                       number, detail_text(story_.trace().about(), record));
            note_luck(record, sending, loss);
            return;
        }
        if (sending.read_ns >= 0) return;
        sending.read_ns = record.time;
        sending.arrived_ns = sending.sent_ns + std::int64_t{record.age} * 1'000;
        Happening& arrival = happen(Happening::What::arrived, record.time, number);
        note_luck(record, sending, arrival);
    }

    // Of several in one row the first one's luck, by name: each has its own (--datagram).
    void note_luck(const Record& record, const Sending& sending, Happening& event) const {
        if (event.fragments.empty()) {
            event.luck = story_.luck_text(record);
            event.luck_fragment = sending.fragment;
        }
        event.fragments.push_back(sending.fragment);
    }
    [[nodiscard]] static std::string luck(const Happening& event) {
        if (event.luck.empty() || event.fragments.size() == 1) return event.luck;
        return "; " + std::to_string(event.luck_fragment) + ": " + event.luck.substr(2);
    }

    void note_transmission(const Record& fragment) { sent_at_[key_of(fragment)] = fragment.time; }
    static std::uint64_t key_of(const Record& record) {
        return std::uint64_t{record.lane} << 32 | std::uint64_t{record.detail} << 8 |
               (record.age & 0xff);
    }
    void take_ack(std::uint64_t number, const Record& record) {
        const auto sent = sent_at_.find(key_of(record));
        if (sent != sent_at_.end()) acks_.push_back({record.time, sent->second});
        if (!is_ours(record)) return;
        happen(Happening::What::acked, record.time, number).fragments.push_back(record.age & 0xff);
    }

    Happening& happen(Happening::What what, std::int64_t time_ns, std::uint64_t record,
                      std::string more = {}, std::uint32_t transmission = 0) {
        for (std::size_t i = happenings_.size(); i > 0; --i) {
            Happening& known = happenings_[i - 1];
            if (known.time_ns != time_ns) continue;
            if (known.what == what && known.more == more && known.transmission == transmission)
                return known;
        }
        return happenings_.emplace_back(Happening{.what = what,
                                                  .time_ns = time_ns,
                                                  .more = std::move(more),
                                                  .transmission = transmission,
                                                  .record = record});
    }

    void title(WhyAnswer& answer) const {
        const std::uint32_t bytes = delivered_bytes_;
        answer.title = lane() + " message " + std::to_string(story_.question().id) +
                       (is_down_ ? " to " : " from ") + story_.peer();
        if (bytes != 0) answer.title += ", " + sim::grouped(bytes) + " B";
        if (fragments_ > 1) answer.title += " in " + std::to_string(fragments_) + " fragments";
        if (delivered_ns_ >= 0)
            answer.verdict = "delivered after " + sim::format_time(delivered_ns_ - accepted_ns_);
        else if (closed_ns_ >= 0)
            answer.verdict = "never delivered: the connection ended";
        else if (first_.flags & flag::reliable)
            answer.verdict = "not delivered by the trace's end";
        else
            answer.verdict = "never delivered";
    }

    // "fragments 0-3" or nothing, where there is only one.
    [[nodiscard]] std::string parts(const Happening& event) const {
        if (fragments_ <= 1) return {};
        return (event.fragments.size() == 1 ? "fragment " : "fragments ") +
               number_list(event.fragments) + " ";
    }

    void rows(WhyAnswer& answer) const {
        answer.rows.push_back(
            {accepted_ns_,
             "accepted by Send" +
                 (first_.tick != 0 ? " at tick " + sim::grouped(first_.tick) : std::string{}),
             story_.sender(is_down_), no_record, false});
        for (const Happening& event : happenings_)
            answer.rows.push_back(row(event));
        if (closed_ns_ >= 0)
            answer.rows.push_back(
                {closed_ns_, "connection ended: " + closed_, "", closed_record_, true});
        if (delivered_ns_ < 0) return;
        std::string text = "delivered";
        if (!behind_.empty()) {
            text += "; " + std::string(behind_.size() == 1 ? "message " : "messages ") +
                    number_list(behind_) + " had waited behind it";
        }
        answer.rows.push_back(
            {delivered_ns_, text, story_.receiver(is_down_), delivered_record_, false});
    }

    [[nodiscard]] WhyRow row(const Happening& event) const {
        WhyRow row{event.time_ns, "", story_.sender(is_down_), event.record, false};
        switch (event.what) {
            case Happening::What::sent:
                row.text = parts(event) + "sent";
                if (!event.numbers.empty()) row.text += " (seq " + number_list(event.numbers) + ")";
                break;
            case Happening::What::sent_again:
                row.text = parts(event) + "sent again (seq " + number_list(event.numbers) +
                           ", try " + std::to_string(event.transmission) + ", after " +
                           sim::format_time(event.since_ns) + story_.rto_text(event.time_ns) + ")";
                break;
            case Happening::What::lost:
                row.text = parts(event) + "LOST: " + event.more + luck(event);
                row.where = Story::link(is_down_);
                row.is_loss = true;
                break;
            case Happening::What::arrived:
                row.text = parts(event) + "arrived" + luck(event);
                row.where = story_.receiver(is_down_);
                break;
            case Happening::What::acked:
                row.text = parts(event) + "acknowledged";
                break;
        }
        return row;
    }

    // The sending whose arrival made the message complete; nullptr if it never was.
    [[nodiscard]] const Sending* last_needed() const {
        std::map<std::uint32_t, const Sending*> first_read;
        for (const Sending& sending : sendings_) {
            if (sending.read_ns < 0) continue;
            const Sending*& known = first_read[sending.fragment];
            if (known == nullptr || sending.read_ns < known->read_ns) known = &sending;
        }
        const Sending* last = nullptr;
        for (const auto& [fragment, sending] : first_read) {
            if (last == nullptr || sending->read_ns > last->read_ns) last = sending;
        }
        return last;
    }

    [[nodiscard]] std::int64_t first_sent_ns(std::uint32_t fragment) const {
        for (const Sending& sending : sendings_) {
            if (sending.fragment == fragment) return sending.sent_ns;
        }
        return accepted_ns_;
    }

    // Of the fragment that came last: until it was sent, until the sending that arrived, on the
    // way, until it was read, and until everything before it was there.
    void shares(WhyAnswer& answer) const {
        const Sending* const last = last_needed();
        if (last == nullptr || delivered_ns_ < 0) return;
        const std::int64_t first = first_sent_ns(last->fragment);
        add_share(answer, "queue", first - accepted_ns_);
        add_share(answer, "waiting to send again", last->sent_ns - first);
        add_share(answer, "flight", last->arrived_ns - last->sent_ns);
        add_share(answer, "poll", last->read_ns - last->arrived_ns);
        add_share(answer, "behind others", delivered_ns_ - last->read_ns);
    }

    // Three later transmissions were acknowledged before the one that helped was sent.
    void find_fast_retransmit(WhyAnswer& answer) const {
        constexpr unsigned newer_min = 3;
        const Sending* const last = last_needed();
        if (last == nullptr || last->transmission <= 1) return;
        const std::int64_t first = first_sent_ns(last->fragment);
        unsigned newer = 0;
        for (const Ack& ack : acks_) {
            if (ack.sent_ns <= first || ack.time_ns >= last->sent_ns) continue;
            if (++newer < newer_min) continue;
            answer.helped.push_back("fast_retransmit = 3: three newer ones were acknowledged at " +
                                    clock_text(ack.time_ns));
            return;
        }
    }

    struct Ack {
        std::int64_t time_ns = 0;
        std::int64_t sent_ns = 0;  // Of what was acknowledged: its latest sending.
    };

    const Story& story_;
    bool is_down_ = false;
    std::int64_t accepted_ns_ = 0;
    Record first_{};
    std::vector<Sending> sendings_{};
    std::map<std::uint32_t, std::size_t> by_sequence_{};
    std::map<std::uint32_t, std::int64_t> last_sent_{};  // By fragment.
    std::map<std::uint64_t, std::int64_t> sent_at_{};    // Of any message's fragment.
    std::vector<Ack> acks_{};
    std::vector<Happening> happenings_{};
    std::vector<std::uint32_t> behind_{};
    std::uint32_t fragments_ = 1;
    std::uint32_t delivered_bytes_ = 0;
    std::int64_t delivered_ns_ = -1;
    std::uint64_t delivered_record_ = no_record;
    std::int64_t closed_ns_ = -1;
    std::uint64_t closed_record_ = no_record;
    std::string closed_{};
};

}  // namespace

Result<WhyAnswer, std::string> why_message(const Story& story) {
    return MessageStory(story).tell();
}

}  // namespace wt::trace
