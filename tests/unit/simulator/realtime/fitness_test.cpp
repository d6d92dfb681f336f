// SPDX-License-Identifier: MIT
#include "simulator/realtime/fitness.hpp"

#include <doctest/doctest.h>

namespace wt::sim::fitness_test {

TEST_CASE("what only a simulated server can declare is named, key by key") {
    Scenario scenario;
    CHECK(real_time_omissions(scenario).empty());
    scenario.server.cost.object = Duration::micros(1);
    REQUIRE(real_time_omissions(scenario).size() == 1);
    CHECK(real_time_omissions(scenario)[0].starts_with("server.cost "));
    scenario.server.receive_buffer = 64 * 1'024;
    REQUIRE(real_time_omissions(scenario).size() == 2);
    CHECK(real_time_omissions(scenario)[1].starts_with("server.receive_buffer "));
}

}  // namespace wt::sim::fitness_test
