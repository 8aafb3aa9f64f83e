package docs

import (
	"fmt"
	"io/fs"
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
	return checkSpans(root, files, codeSpan, func(_, name string) error {
		if testName.MatchString(name) && !declared[name] {
			return fmt.Errorf("there is no test %s", name)
		}
		return nil
	})
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
