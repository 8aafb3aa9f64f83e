package stack_test

import (
	"strconv"
	"strings"
)

// checkCollector checks that each function collects garbage less often than by default, and that it
// has memory beyond the limit of its heap, but not much.
func checkCollector(i *inspection) {
	for folder, name := range i.functions() {
		f := i.Resources[name+"Function"]
		percent, err := strconv.Atoi(f.text("Environment", "Variables", "GOGC"))
		i.expect(err == nil && percent > 100, "%s: GOGC is %q", folder, f.text("Environment", "Variables", "GOGC"))
		limit, inMiB := strings.CutSuffix(f.text("Environment", "Variables", "GOMEMLIMIT"), "MiB")
		heap, err := strconv.ParseFloat(limit, 64)
		memory := f.number("MemorySize")
		i.expect(err == nil && inMiB && heap >= memory*3/4 && heap <= min(memory*7/8, memory-32), "%s: GOMEMLIMIT is %q of %v MB", folder, limit, memory)
	}
}
