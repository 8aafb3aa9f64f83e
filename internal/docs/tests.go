package docs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// testName matches a code span that is the name of a test.
var testName = regexp.MustCompile(`^Test[A-Z]\w*$`)

// notSearched are folders without tests of the repository, some of them large.
var notSearched = map[string]bool{"node_modules": true, ".git": true, "cdk.out": true}

// CheckTestNames returns an error that names every test in backticks in the documentation that no
// package declares.
func CheckTestNames(root string) error {
	files, err := Files(root)
	if err != nil {
		return err
	}
	declared, err := everyTest(root)
	if err != nil {
		return err
	}
	var errs []error
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			return fmt.Errorf("check test names: %w", err)
		}
		for i, line := range prose(string(text)) {
			for _, span := range codeSpan.FindAllStringSubmatch(line, -1) {
				if testName.MatchString(span[1]) && !declared[span[1]] {
					errs = append(errs, fmt.Errorf("%s:%d: there is no test %s", file, i+1, span[1]))
				}
			}
		}
	}
	return errors.Join(errs...)
}

// everyTest returns the names of the tests of all packages.
func everyTest(root string) (map[string]bool, error) {
	declared := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if notSearched[entry.Name()] || path != root && strings.HasPrefix(entry.Name(), ".") {
			return fs.SkipDir
		}
		tests, err := testsOf(path)
		for _, name := range tests {
			declared[name] = true
		}
		return err
	})
	return declared, err
}
