package rights

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Calls are the calls of functions, by the functions' names.
type Calls map[string][]Call

// ReadRecording reads a recording: lines of function, action, resource and key kinds.
func ReadRecording(file string) (Calls, error) {
	text, err := os.ReadFile(file) // #nosec G304 -- a test's own file
	if err != nil {
		return nil, err
	}
	calls := Calls{}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) < 3 {
			return nil, fmt.Errorf("%s: line %q has no function, action and resource", file, strings.TrimSpace(line))
		}
		calls[f[0]] = append(calls[f[0]], Call{Action: f[1], Resource: f[2], Keys: strings.Join(f[3:], " ")})
	}
	return calls, nil
}

// String writes calls as a recording.
func (c Calls) String() string {
	var b strings.Builder
	for _, line := range c.lines() {
		b.WriteString(line + "\n")
	}
	return b.String()
}

func (c Calls) lines() []string {
	var lines []string
	for function, calls := range c {
		for _, call := range calls {
			lines = append(lines, function+" "+call.String())
		}
	}
	slices.SortFunc(lines, cmp.Compare[string])
	return slices.Compact(lines)
}

// without lists the lines of c that are not in other.
func (c Calls) without(other Calls) []string {
	known := other.lines()
	return slices.DeleteFunc(c.lines(), func(line string) bool { return slices.Contains(known, line) })
}

// And is both recordings in one.
func (c Calls) And(other Calls) Calls {
	both := Calls{}
	for _, calls := range []Calls{c, other} {
		for function, all := range calls {
			both[function] = append(both[function], all...)
		}
	}
	return both
}
