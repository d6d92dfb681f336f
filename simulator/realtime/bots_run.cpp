// SPDX-License-Identifier: MIT
#include "simulator/realtime/bots_run.hpp"

#include <sys/resource.h>

#include <algorithm>

#include "engine/crypto/entropy.hpp"
#include "engine/udp/address_text.hpp"
#include "simulator/realtime/fitness.hpp"
#include "simulator/realtime/real_time_result.hpp"
#include "simulator/run/collect_results.hpp"

namespace wt::sim {

namespace {

constexpr Duration grid_step = Duration::millis(100);
// After the first refusal others get so long to fare better.
constexpr Duration join_patience = Duration::seconds(2);

RealSockets real_sockets(Instant now) {
    // The office's clock is the wall clock, which the server judges by. Visits of a process that
    // started a second earlier are a million lower.
    const std::uint64_t seconds = static_cast<std::uint64_t>(now.ns / 1'000'000'000);
    return {.entropy = crypto::system_entropy(),
            .tickets = {.office_ahead = now - Instant{}, .visits_before = seconds << 20}};
}

}  // namespace

std::unique_ptr<Process> BotsRun::make_far_end(const transport::Address& server) {
    auto process = std::make_unique<Process>(Process{.luck = LuckStream(LuckKey{})});
    process->endpoint = std::make_unique<Portal>(server);
    process->behaviour = std::make_unique<NoBehaviour>();
    return process;
}

BotsRun::BotsRun(const Scenario& scenario, const std::vector<Gate>& gates,
                 const RealTimeOptions& options)
    : scenario_(scenario),
      gates_(split_gates(Side::bots, gates, scenario.world.game)),
      options_(options),
      watches_(watches_of(gates_.seen)),
      built_(build_bots(scenario, options.seed, real_sockets(clock_.now()),
                        make_far_end(options.address))),
      portal_(static_cast<Portal&>(*built_.processes.front()->endpoint)) {
    for (std::size_t host = 1; host < built_.plan.hosts.size(); ++host) {
        HostPlan& plan = built_.plan.hosts[host];
        watches_of_bots_.push_back(std::make_unique<RefusalWatch>(*plan.endpoint));
        plan.endpoint = watches_of_bots_.back().get();
    }
}

// A socket a bot, one for forged addresses, and what the process has open anyway.
std::string BotsRun::make_room() const {
    constexpr rlim_t others = 32;
    const rlim_t needed = scenario_.bot_count() + 1 + others;
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed) return "";
    limit.rlim_cur = std::min(needed, limit.rlim_max);
    if (setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur == needed) return "";
    return std::to_string(scenario_.bot_count()) + " bots need as many sockets, and at most " +
           std::to_string(limit.rlim_max) + " files may be open (ulimit -n)";
}

// What needs to know where the world's time 0 lies: everything that tells the server's ticks.
void BotsRun::begin() {
    constexpr std::int64_t second = 1'000'000'000;
    const Duration preparation = Duration::millis(200);
    zero_ = {((clock_.now() + preparation).ns / second + 1) * second};
    scenario_.transport.initial_tick = real_time_tick(zero_, scenario_);
    collector_.emplace(make_collector(scenario_, watches_));
    figures_ = std::make_unique<MetricsObserver>(scenario_, *collector_);
    observer_ = std::make_unique<OneSideObserver>(Side::bots, *figures_);
    world_ = std::make_unique<World>(built_.plan, observer_.get());
    grid_ = Instant{} + grid_step;
}

Result<RunResult, std::string> BotsRun::run(udp::Waiter& waiter) {
    if (const std::string problem = make_room(); !problem.empty()) return unexpected(problem);
    begin();
    waiter.wait(clock_, zero_ + lag);
    while (!waiter.is_stopped() && reached_ < scenario_.end()) {
        const Instant wake = udp::next_quantum(clock_.now(), step);
        waiter.wait(clock_, wake);
        portal_.read();
        run_to(Instant{} + (clock_.now() - zero_ - lag));
        const Duration late = clock_.now() - wake;
        late_max_ = std::max(late_max_, late);
        if (late > late_step) ++late_steps_;
        if (reached_ < grid_) continue;
        grid_ = multiple_at_or_after(reached_ + Duration::nanos(1), grid_step);
        if (const auto reason = hopelessness()) return unexpected(*reason);
        if (!options_.on_grid) continue;
        options_.on_grid({.now = reached_,
                          .end = scenario_.end(),
                          .active = collector_->active_now(),
                          .bots = scenario_.player_count(),
                          .failing = failed_for_good(gates_.seen, *collector_)});
    }
    return finish(waiter.is_stopped());
}

void BotsRun::run_to(Instant world) {
    const Instant until = std::min(world, scenario_.end());
    if (until <= reached_) return;
    world_->run_until(until);
    reached_ = until;
    was_anybody_in_ = was_anybody_in_ || collector_->active_now() > 0;
}

std::optional<std::string> BotsRun::refusal_of(std::uint32_t bot) const {
    using transport::CloseReason;
    const CloseReason refusal = watches_of_bots_[bot]->refusal();
    if (refusal == CloseReason::refused_version || refusal == CloseReason::refused_capabilities ||
        refusal == CloseReason::missing_capability) {
        return "the server speaks another version of the protocol (" +
               std::string(transport::name_of(refusal)) +
               "); serve and bots must be of one version";
    }
    if (refusal == CloseReason::refused_authorisation) {
        return "the server does not know these tickets: serve and bots need the same scenario and "
               "--seed";
    }
    if (built_.game != GameKind::arena || built_.is_hostile[bot] != 0) return std::nullopt;
    const session::EndReason end = built_.game_bot(bot).client().session().reason();
    if (end < session::EndReason::refused_protocol || end > session::EndReason::refused_rates)
        return std::nullopt;
    return "the server plays by other rules (" + std::string(session::name_of(end)) +
           "): serve and bots need the same scenario and --set";
}

std::optional<std::string> BotsRun::hopelessness() const {
    if (was_anybody_in_) return std::nullopt;
    std::optional<std::string> refusal;
    bool may_anybody_hope = false;
    for (std::uint32_t bot = 0; bot < watches_of_bots_.size(); ++bot) {
        if (built_.is_hostile[bot] != 0) continue;
        const HostPlan& plan = built_.plan.hosts[bot + 1];
        // Whoever has not begun does not count, nor who has only just begun.
        if (plan.join_at + join_patience > reached_) continue;
        const std::optional<std::string> own = refusal_of(bot);
        may_anybody_hope = may_anybody_hope || !own.has_value();
        if (own.has_value()) refusal = own;
    }
    return may_anybody_hope ? std::nullopt : refusal;
}

RunResult BotsRun::finish(bool was_stopped) {
    RunResult result;
    result.seed = options_.seed;
    result.stopped = was_stopped ? Stopped::interrupted : Stopped::at_end;
    // Figures need an instant to lie in, even of a run that was stopped before it began.
    run_to(Instant{} + Duration::millis(1));
    result.ran_until = reached_;
    world_->finish();
    figures_->finish(reached_);
    result.cost.wall_ns = stopwatch_.wall_ns();
    result.cost.cpu_ns = stopwatch_.cpu_ns();
    result.cost.memory_bytes = peak_memory_bytes();
    collect_run(*world_, {}, result);
    collect_links(scenario_, *world_, *collector_, result);
    collect_peers(scenario_, *figures_, result);
    collect_acts(scenario_, *world_, built_, result);
    fill_figures(result, scenario_, gates_.seen, *collector_, options_.count_cost);
    collect_weather(*world_, *figures_, result);
    keep_what_was_seen(Side::bots, scenario_.world.game, result);
    RealTimeResult real{.side = name_of(Side::bots),
                        .command = "bots",
                        .address = udp::text_of(options_.address),
                        .unseen_gates = gates_.unseen,
                        .left_out = real_time_omissions(scenario_),
                        .late_max = late_max_,
                        .late_steps = late_steps_};
    add_socket_counts(portal_.sockets(), real.counts);
    if (portal_.overflow() != 0) real.counts.push_back({"overflow", portal_.overflow()});
    if (portal_.unopened() != 0) real.counts.push_back({"unopened", portal_.unopened()});
    result.real_time = std::move(real);
    return result;
}

}  // namespace wt::sim
