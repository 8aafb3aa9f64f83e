package docs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// codeSpan matches text in single backticks.
var codeSpan = regexp.MustCompile("`([^`]+)`")

// pathLike matches a code span that names a file or a folder of the repository. Such a span has
// slashes or a known ending, and none of the blanks and signs of a command, a key or a route.
var pathLike = regexp.MustCompile(`^[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)+/?$|^[A-Za-z0-9_.-]+\.(go|md|json|txt)$`)

// CheckPaths returns an error that names every path in backticks on a page that does not exist in
// the repository.
func CheckPaths(root, file string) error {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return fmt.Errorf("check paths: %w", err)
	}
	var errs []error
	for i, line := range prose(string(text)) {
		for _, found := range codeSpan.FindAllStringSubmatch(line, -1) {
			name := strings.TrimPrefix(found[1], "./")
			if !pathLike.MatchString(name) {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(name))); err != nil {
				errs = append(errs, fmt.Errorf("%s:%d: %s does not exist", file, i+1, name))
			}
		}
	}
	return errors.Join(errs...)
}
