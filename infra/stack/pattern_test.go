package stack_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// comparison matches one condition of a pattern.
var comparison = regexp.MustCompile(`^\$\.([\w.]+) (=|>) ("[^"]*"|\d+)$`)

// counted returns what a metric filter adds up for a line: a number, or a field of the line, if the
// line matches the pattern. It supports the subset of CloudWatch's patterns that the stack uses.
func counted(t *testing.T, pattern, value, line string) float64 {
	t.Helper()
	var fields map[string]any
	if json.Unmarshal([]byte(line), &fields) != nil || !matchesLine(t, pattern, fields) {
		return 0
	}
	if name, ok := strings.CutPrefix(value, "$."); ok {
		n, _ := field(fields, name).(float64)
		return n
	}
	n, err := strconv.ParseFloat(value, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// matchesLine evaluates a pattern whose conditions are joined by either || or &&.
func matchesLine(t *testing.T, pattern string, fields map[string]any) bool {
	t.Helper()
	inner, ok := strings.CutPrefix(pattern, "{ ")
	inner, closed := strings.CutSuffix(inner, " }")
	if !ok || !closed || strings.Contains(inner, "||") && strings.Contains(inner, "&&") {
		t.Fatalf("the pattern %q is not supported", pattern)
	}
	all := !strings.Contains(inner, "||")
	for _, condition := range regexp.MustCompile(` (?:\|\||&&) `).Split(inner, -1) {
		c := comparison.FindStringSubmatch(condition)
		if c == nil {
			t.Fatalf("the condition %q is not supported", condition)
		}
		text, like := fmt.Sprintf("%q", fmt.Sprint(field(fields, c[1]))), c[3]
		holds := text == like
		if end, ok := strings.CutPrefix(like, `"*`); ok {
			holds = strings.HasSuffix(text, end)
		}
		if c[2] == ">" {
			n, isNumber := field(fields, c[1]).(float64)
			least, err := strconv.ParseFloat(c[3], 64)
			holds = isNumber && err == nil && n > least
		}
		if holds != all {
			return holds
		}
	}
	return all
}

// field returns the value at a path of fields, or nil.
func field(v any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}
