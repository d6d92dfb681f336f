// SPDX-License-Identifier: MIT
#include <string_view>

#include "simulator/cli/commands.hpp"
#include "simulator/cli/interrupt.hpp"
#include "simulator/cli/terminal.hpp"

namespace wt::sim {

int run_main(int argc, const char* const* argv) {
    ignore_broken_pipes();
    if (argc > 1 && std::string_view(argv[1]) == "view") return view_command(argc, argv);
    const ParsedOptions parsed = parse_options(argc, argv);
    if (!parsed.options) {
        if (parsed.exit_code == exit_passed)
            print(parsed.text);
        else
            print_error(parsed.text);
        return parsed.exit_code;
    }
    switch (parsed.options->command) {
        case Options::Command::run:
            return run_command(*parsed.options);
        case Options::Command::serve:
            return serve_command(*parsed.options);
        case Options::Command::bots:
            return bots_command(*parsed.options);
        case Options::Command::check:
            return check_command(*parsed.options);
        case Options::Command::list:
            return list_command(*parsed.options);
        case Options::Command::init:
            return init_command(*parsed.options);
        case Options::Command::links:
            return links_command(*parsed.options);
        case Options::Command::verify:
            return verify_command(*parsed.options);
        case Options::Command::explain:
            return explain_command(*parsed.options);
        case Options::Command::trace_info:
        case Options::Command::trace_show:
        case Options::Command::trace_cut:
        case Options::Command::trace_export:
        case Options::Command::trace_format:
            return trace_command(*parsed.options);
        case Options::Command::diff:
            return diff_command(*parsed.options);
        case Options::Command::why:
            return why_command(*parsed.options);
    }
    return exit_bad_input;
}

}  // namespace wt::sim
