#include "tools/tile-bench/Report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace bench;

void bench::printChecks(const std::vector<CheckRow> &rows, bool all) {
  for (size_t first = 0, last = 0; first < rows.size(); first = last) {
    CheckRow worst = rows[first];
    size_t good = 0;
    while (last < rows.size() && rows[last].title == rows[first].title) {
      const CheckRow &row = rows[last++];
      good += row.ok;
      worst.relative = std::max(worst.relative, row.relative);
      worst.largest = std::max(worst.largest, row.largest);
      if (!row.ok || all)
        std::printf("  %s %-40s %-26s rel %.1e max %.1e %s\n", row.ok ? "ok    " : "FAILED", row.title.c_str(),
                    row.shape.c_str(), row.relative, row.largest, row.note.c_str());
    }
    std::printf("%-42s %2zu of %2zu right, rel %.1e, max %.1e\n", rows[first].title.c_str(), good, last - first,
                worst.relative, worst.largest);
  }
}

void bench::printTimes(const std::vector<TimeRow> &rows) {
  if (rows.empty())
    return;
  std::printf("\n%-42s %-22s %9s %9s %9s %8s %13s %6s %5s\n", "kernel", "shape", "us", "rate", "reference", "ratio",
              "p20..p80", "MHz", "W");
  for (const TimeRow &row : rows)
    std::printf("%-42s %-22s %9.1f %9.1f %9.1f %7.1f%% %5.1f..%5.1f%% %6.0f %5.0f  %s vs %s\n", row.title.c_str(),
                row.shape.c_str(), row.ms * 1e3, row.rate, row.referenceRate, row.ratio * 100, row.ratioLow * 100,
                row.ratioHigh * 100, row.megahertz, row.watts, row.isFlops ? "TFLOP/s" : "GB/s", row.against.c_str());
}

static std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  }
  return result + "\"";
}

/// JSON has neither NaN nor infinity.
static std::string number(double value) {
  if (!std::isfinite(value))
    return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

tilec::Status bench::writeJson(const std::string &file, const std::string &device, const std::vector<CheckRow> &checks,
                               const std::vector<TimeRow> &times) {
  std::string text = "{\"device\": " + quoted(device) + ",\n \"checks\": [";
  const char *separator = "\n  ";
  for (const CheckRow &row : checks) {
    text += separator + ("{\"kernel\": " + quoted(row.title)) + ", \"shape\": " + quoted(row.shape) +
            ", \"ok\": " + (row.ok ? "true" : "false") + ", \"relative\": " + number(row.relative) +
            ", \"largest\": " + number(row.largest) + ", \"note\": " + quoted(row.note) + "}";
    separator = ",\n  ";
  }
  text += "],\n \"times\": [";
  separator = "\n  ";
  for (const TimeRow &row : times) {
    text += separator + ("{\"kernel\": " + quoted(row.title)) + ", \"shape\": " + quoted(row.shape) +
            ", \"against\": " + quoted(row.against) + ", \"ms\": " + number(row.ms) +
            ", \"referenceMs\": " + number(row.referenceMs) + ", \"rate\": " + number(row.rate) +
            ", \"referenceRate\": " + number(row.referenceRate) +
            ", \"unit\": " + (row.isFlops ? "\"TFLOP/s\"" : "\"GB/s\"") + ", \"ratio\": " + number(row.ratio) +
            ", \"ratioP20\": " + number(row.ratioLow) + ", \"ratioP80\": " + number(row.ratioHigh) +
            ", \"megahertz\": " + number(row.megahertz) + ", \"watts\": " + number(row.watts) + "}";
    separator = ",\n  ";
  }
  text += "]}\n";
  std::FILE *out = file == "-" ? stdout : std::fopen(file.c_str(), "w");
  bool written = out && std::fwrite(text.data(), 1, text.size(), out) == text.size();
  if (out && out != stdout)
    written &= std::fclose(out) == 0;
  return written ? tilec::Status() : tilec::Status::invalidArgument("cannot write " + file);
}
