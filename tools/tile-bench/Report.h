/// Prints what was checked and timed, as tables for people and as JSON for programs.
#ifndef TOOLS_TILE_BENCH_REPORT_H
#define TOOLS_TILE_BENCH_REPORT_H

#include "tools/tile-bench/Bench.h"

namespace bench {

/// Failed checks one by one, the others as one line for each kernel with its worst errors.
void printChecks(const std::vector<CheckRow> &rows, bool all);
void printTimes(const std::vector<TimeRow> &rows);
/// Writes both lists; an error where the file cannot be written.
tilec::Status writeJson(const std::string &file, const std::string &device, const std::vector<CheckRow> &checks,
                        const std::vector<TimeRow> &times);

} // namespace bench

#endif // TOOLS_TILE_BENCH_REPORT_H
