package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const (
	// memorySlack is how many KB of memory a process may gain: the collector's rhythm and the
	// allocator's arenas.
	memorySlack = 24 << 10
	// messageMemory is how many KB the engine's cache may gain for each message.
	messageMemory = 4
	// soakFiles is how many files or threads a process may gain: momentary connections.
	soakFiles = 10
)

// footprint is the resource use of a process.
type footprint struct {
	memory         int // resident, in KB
	files, threads int
}

// footprintOf reads the footprint of a process.
func footprintOf(t *testing.T, pid int) (f footprint) {
	t.Helper()
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	files, err := os.ReadDir(filepath.Join(dir, "fd"))
	if err != nil {
		t.Fatal(err)
	}
	status, err := os.ReadFile(filepath.Join(dir, "status"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		n, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), " kB")) // other lines are not numbers
		switch name {
		case "VmRSS":
			f.memory = n
		case "Threads":
			f.threads = n
		}
	}
	f.files = len(files)
	return f
}

// childOf returns the only child of a process.
func childOf(t *testing.T, pid int) int {
	t.Helper()
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		t.Fatal(err)
	}
	var children []string
	for _, task := range tasks {
		text, err := os.ReadFile(task)
		if err == nil { // the thread may have ended
			children = append(children, strings.Fields(string(text))...)
		}
	}
	if len(children) != 1 {
		t.Fatalf("the server has the children %q, want its engine", children)
	}
	child, err := strconv.Atoi(children[0])
	if err != nil {
		t.Fatal(err)
	}
	return child
}

// whatGrew describes what has grown between the second and the last quarter of the samples, or is
// empty. The first quarter is the warm-up. messages is how many messages the process stores.
func whatGrew(samples []footprint, messages int) string {
	quarter := len(samples) / 4
	early, late := samples[quarter:2*quarter], samples[len(samples)-quarter:]
	for _, m := range []struct {
		name  string
		slack int
		of    func(footprint) int
	}{
		{"KB of memory", memorySlack + messages*messageMemory, func(f footprint) int { return f.memory }},
		{"files", soakFiles, func(f footprint) int { return f.files }},
		{"threads", soakFiles, func(f footprint) int { return f.threads }},
	} {
		before, after := median(early, m.of), median(late, m.of)
		if after > before+m.slack {
			return fmt.Sprintf("%d %s have become %d, more than %d of slack", before, m.name, after, m.slack)
		}
	}
	return ""
}

// TestGrowth_FindsEachLeak checks series with and without a leak.
func TestGrowth_FindsEachLeak(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		of    func(i int) footprint
		leaks bool
	}{
		{"steady", func(i int) footprint { return footprint{50_000 + i%7*1000, 20 + i%5, 10} }, false},
		{"warm-up", func(i int) footprint { return footprint{50_000 * min(i, 10), 5 * min(i, 10), 10} }, false},
		{"memory", func(i int) footprint { return footprint{50_000 + 1000*i, 20, 10} }, true},
		{"files", func(i int) footprint { return footprint{50_000, 20 + i/2, 10} }, true},
		{"threads", func(i int) footprint { return footprint{50_000, 20, 10 + i/2} }, true},
	} {
		var samples []footprint
		for i := range soakSamples {
			samples = append(samples, tt.of(i))
		}
		if got := whatGrew(samples, 0); (got != "") != tt.leaks {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}
