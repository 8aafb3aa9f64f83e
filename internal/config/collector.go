package config

import "strconv"

// The Go runtime reads these variables, and the stack sets them for every function.
const (
	EnvGarbagePercent = "GOGC"
	EnvMemoryLimit    = "GOMEMLIMIT"
)

// GarbagePercent is how much a heap grows before it is collected, in percent of the memory in use.
// A function uses a few megabytes of the hundreds that it is billed for, so it collects a quarter
// as often as by default. That saves a tenth of the processor time of posts, and a fifth of the
// processor time of pages (make sizes). A larger value saves little more, and lets a process touch
// more memory.
const GarbagePercent = 400

// A process is ended when it exceeds its memory. The limit leaves an eighth of it, and at least
// outsideHeap, for memory that the Go runtime does not count: the pages of the binary, and the
// sandbox.
const (
	outsideShare = 8
	outsideHeap  = 32 // MiB; the binaries have up to 11
)

// MemoryLimit returns the value of EnvMemoryLimit for a function with this much memory. Near the
// limit the collector works harder, which keeps the process from being killed.
func MemoryLimit(memoryMB int) string {
	return strconv.Itoa(memoryMB-max(outsideHeap, memoryMB/outsideShare)) + "MiB"
}
