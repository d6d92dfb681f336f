// SPDX-License-Identifier: MIT
#include "simulator/cli/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

extern char** environ;

namespace wt::sim {

int run_self(const std::vector<std::string>& arguments) {
    std::vector<std::string> words{"wavetank"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int failed =
        posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) return -1;
    int status = 0;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

ScratchDirectory::ScratchDirectory() {
    std::error_code failure;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(failure);
    std::string name = (folder / "wavetank-XXXXXX").string();
    if (!failure && mkdtemp(name.data()) != nullptr) path_ = name;
}

ScratchDirectory::~ScratchDirectory() {
    std::error_code failure;
    if (is_valid()) std::filesystem::remove_all(path_, failure);
}

}  // namespace wt::sim
