#include "cli/verbs/verbs.h"

int main(int argc, char** argv) { return plumbline::cli::run_tool(argc, argv); }
