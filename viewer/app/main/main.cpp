// SPDX-License-Identifier: MIT
//
// The program. Everything is in viewer/app, so that tests reach it as a library.
#include "viewer/app/app.hpp"

int main(int argc, char** argv) {
    return wt::viewer::app_main(argc, argv);
}
