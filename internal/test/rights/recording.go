package rights

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Calls maps the names of functions to their calls.
type Calls map[string][]Call

// ReadRecording reads a recording. Each line has a function, an action, a resource, kinds of keys,
// and the attributes to which the call is confined.
func ReadRecording(file string) (Calls, error) {
	text, err := os.ReadFile(file) // #nosec G304 -- a file of the tests
	if err != nil {
		return nil, err
	}
	calls := Calls{}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) < 3 {
			return nil, fmt.Errorf("%s: line %q lacks a function, an action or a resource", file, strings.TrimSpace(line))
		}
		call := Call{Action: f[1], Resource: f[2], Keys: strings.Join(f[3:], " ")}
		if at := slices.Index(f, confined); at >= 0 {
			call.Keys, call.Attributes = strings.Join(f[3:at], " "), strings.Join(f[at+1:], " ")
		}
		calls[f[0]] = append(calls[f[0]], call)
	}
	return calls, nil
}

// String returns calls in the format of a recording.
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

// without returns the lines of c that are not in other.
func (c Calls) without(other Calls) []string {
	known := other.lines()
	return slices.DeleteFunc(c.lines(), func(line string) bool { return slices.Contains(known, line) })
}

// And returns the union of two recordings.
func (c Calls) And(other Calls) Calls {
	both := Calls{}
	for _, calls := range []Calls{c, other} {
		for function, all := range calls {
			both[function] = append(both[function], all...)
		}
	}
	return both
}
