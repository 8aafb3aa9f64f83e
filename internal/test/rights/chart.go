package rights

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
)

// chartKey matches a key in a cell of the key chart.
var chartKey = regexp.MustCompile("^`([^`]+)`")

// chartSections are the tables of the chart's sections but the first, which has the messages.
var chartSections = map[string]string{"## The activity log": "LogTable", "## Live connections": "LiveTable"}

// charted returns the kinds of partition keys in docs/keys.md, each after its table. The tests of
// internal/table compare the chart with the code.
var charted = sync.OnceValue(func() map[string]bool {
	_, source, _, _ := runtime.Caller(0)
	text, err := os.ReadFile(filepath.Join(filepath.Dir(source), "..", "..", "..", "docs", "keys.md"))
	if err != nil {
		panic(err) // the file is in the repository
	}
	kinds, resource := map[string]bool{}, "Table"
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "## ") {
			resource = chartSections[strings.TrimSpace(line)]
		}
		cells := strings.Split(line, "|")
		for i, cell := range cells {
			key := chartKey.FindStringSubmatch(strings.TrimSpace(cell))
			if key == nil || i%2 != 0 { // sort keys follow partition keys, and the item precedes both
				continue
			}
			if prefix, _, hasFields := strings.Cut(key[1], "#"); hasFields {
				key[1] = prefix + "#x"
			}
			kinds[resource+" "+key[1]] = true
		}
	}
	return kinds
})
