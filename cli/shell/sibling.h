// Programs that lie beside this one, because they need libraries that the tool does without: the server, and the reader
// of Kafka topics.
#pragma once

#include <string>
#include <vector>

namespace plumbline::cli {

// Becomes the program of this name in the folder of this one, with these arguments. Throws an io error if it cannot;
// `how_to_build` ends the message.
[[noreturn]] void become(const std::string& program, std::vector<std::string> arguments,
                         const std::string& how_to_build);
// The words of the command line of this process.
std::vector<std::string> words_of_process();

}  // namespace plumbline::cli
