package docs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var (
	// goTest matches a command that runs tests, goRun its pattern.
	goTest = regexp.MustCompile("go test [^`\\n]*")
	goRun  = regexp.MustCompile(` -run (?:'([^']+)'|(\S+))`)
	// testFunction matches the declaration of a test.
	testFunction = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	// makeVariable matches a variable of make that is assigned a value without others in it.
	makeVariable = regexp.MustCompile(`(?m)^(\w+) +:?\??= +([^$\n]+)$`)
)

// CheckTestCommands returns an error that names every `go test` of the Makefile, the scripts and
// the documentation whose package does not exist, or whose -run matches no test: go test takes
// that for a success.
func CheckTestCommands(root string) error {
	files, err := Files(root)
	if err != nil {
		return err
	}
	scripts, err := filepath.Glob(filepath.Join(root, "scripts", "*"))
	if err != nil {
		return fmt.Errorf("check commands: %w", err)
	}
	for _, script := range scripts {
		files = append(files, "scripts/"+filepath.Base(script))
	}
	var errs []error
	for _, file := range append(files, "Makefile") {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			return fmt.Errorf("check commands: %w", err)
		}
		expanded := string(text)
		for _, v := range makeVariable.FindAllStringSubmatch(expanded, -1) {
			expanded = strings.ReplaceAll(expanded, "$("+v[1]+")", v[2])
		}
		for _, command := range goTest.FindAllString(expanded, -1) {
			if err := checkTestCommand(root, command); err != nil {
				errs = append(errs, fmt.Errorf("%s: %s: %w", file, command, err))
			}
		}
	}
	return errors.Join(errs...)
}

// checkTestCommand looks for the packages of a command, and for the tests that it selects. Each
// alternative of the pattern must select one.
func checkTestCommand(root, command string) error {
	var tests []string
	packages := 0
	for _, word := range strings.Fields(command) {
		folder, ok := strings.CutPrefix(word, "./")
		if !ok || folder == "..." {
			continue
		}
		found, err := testsOf(filepath.Join(root, filepath.FromSlash(folder)))
		if err != nil {
			return err
		}
		tests = append(tests, found...)
		packages++
	}
	run := goRun.FindStringSubmatch(command)
	if run == nil || packages == 0 || strings.HasPrefix(run[1], "^$") {
		return nil
	}
	pattern, _, _ := strings.Cut(run[1]+run[2], "/")
	for _, part := range strings.Split(strings.Trim(strings.ReplaceAll(pattern, "$$", "$"), "^$()"), "|") {
		matches, err := regexp.Compile(strings.Trim(part, "^$()"))
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(tests, matches.MatchString) {
			return fmt.Errorf("no test matches %s", part)
		}
	}
	return nil
}

// testsOf returns the names of the tests in a folder.
func testsOf(folder string) ([]string, error) {
	if _, err := os.Stat(folder); err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		return nil, err
	}
	var tests []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, found := range testFunction.FindAllStringSubmatch(string(text), -1) {
			tests = append(tests, found[1])
		}
	}
	return tests, nil
}
