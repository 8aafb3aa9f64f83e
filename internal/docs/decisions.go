package docs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// decisionName matches the file name of a decision record. decisionHead matches its beginning: the
// number, the title, the date and the status.
var (
	decisionName = regexp.MustCompile(`^(\d{4})-[a-z0-9-]+\.md$`)
	decisionHead = regexp.MustCompile(`^# (\d+)\. (.+)\n\n- Date: \d{4}-\d{2}-\d{2}\n- Status: (accepted|proposed|superseded by \[ADR \d+\]\(.+\))\n\n`)
)

// decisionParts are the second-level headings of a decision record, in order.
var decisionParts = []string{"Context", "Decision", "Consequences"}

// CheckDecisions returns an error that names every file of docs/adr that does not follow the
// template of decision records, or whose title is missing in the index.
func CheckDecisions(root string) error {
	folder := filepath.Join(root, "docs", "adr")
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("check decisions: %w", err)
	}
	index, err := os.ReadFile(filepath.Join(folder, readme))
	if err != nil {
		return fmt.Errorf("check decisions: %w", err)
	}
	var errs []error
	for _, entry := range entries {
		if entry.Name() == readme {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err == nil {
			err = checkDecision(entry.Name(), string(text), string(index))
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("docs/adr/%s: %w", entry.Name(), err))
		}
	}
	return errors.Join(errs...)
}

// checkDecision compares one record with the template and the index.
func checkDecision(name, text, index string) error {
	number := decisionName.FindStringSubmatch(name)
	head := decisionHead.FindStringSubmatch(text)
	switch {
	case number == nil:
		return errors.New("the name is not a number of four digits and words: 0001-a-title.md")
	case head == nil:
		return errors.New("the record does not begin with a numbered title, a date and a status")
	case strings.TrimLeft(number[1], "0") != head[1]:
		return fmt.Errorf("the title has the number %s", head[1])
	}
	var parts []string
	for _, line := range prose(text) {
		if part, ok := strings.CutPrefix(line, "## "); ok {
			parts = append(parts, part)
		}
	}
	if strings.Join(parts, ", ") != strings.Join(decisionParts, ", ") {
		return fmt.Errorf("the parts are %s; want %s", strings.Join(parts, ", "), strings.Join(decisionParts, ", "))
	}
	if entry := fmt.Sprintf("\n- [%s. %s](%s)\n", head[1], head[2], name); !strings.Contains(index, entry) {
		return fmt.Errorf("the index has no line %q", strings.TrimSpace(entry))
	}
	return nil
}
