package measure

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of the times in /proc, on all of Linux's architectures that Go has.
const tick = 10 * time.Millisecond

// processorTime returns the processor time of a process, or zero where the system does not report
// it.
func processorTime(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// The name of the program ends with the last parenthesis and may have spaces. The times of user
	// and system are the 12th and the 13th field after it.
	const user, system = 11, 12
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) <= system {
		return 0
	}
	var ticks time.Duration
	for _, field := range []string{fields[user], fields[system]} {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0
		}
		ticks += time.Duration(n)
	}
	return ticks * tick
}

// spent is the processor time of a server and of its engine.
type spent struct{ server, engine time.Duration }

func (s *runningServer) spent() (t spent) {
	t.server = processorTime(s.cmd.Process.Pid)
	for _, child := range childrenOf(s.cmd.Process.Pid) {
		t.engine += processorTime(child)
	}
	return t
}

// processor returns the processor time of each of n since t. Unlike response time, it hardly
// depends on other processes. The engine is a third-party program, so its part is a bound.
func (s *runningServer) processor(of string, n int, t spent) Figure {
	now := s.spent()
	f := Figure{Name: "processor time of " + of, Value: "this system does not tell"}
	if now.server > t.server {
		f.Value = fmt.Sprintf(
			"%.2f ms, and the engine's %.2f ms", ms(now.server-t.server)/float64(n), ms(now.engine-t.engine)/float64(n),
		)
	}
	return f
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// residentBytes returns the resident memory of a process, or zero where the system does not report
// it.
func residentBytes(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// childrenOf returns the children of a process, or none where the system does not report them.
func childrenOf(pid int) []int {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		return nil
	}
	var children []int
	for _, task := range tasks {
		text, err := os.ReadFile(task)
		if err != nil {
			continue // the thread has ended
		}
		for child := range strings.FieldsSeq(string(text)) {
			if n, err := strconv.Atoi(child); err == nil {
				children = append(children, n)
			}
		}
	}
	return children
}
