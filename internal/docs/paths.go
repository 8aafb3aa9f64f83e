package docs

import (
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
	return checkSpans(root, []string{file}, codeSpan, func(_, span string) error {
		name := strings.TrimPrefix(span, "./")
		if !pathLike.MatchString(name) {
			return nil
		}
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(name))); err != nil {
			return fmt.Errorf("%s does not exist", name)
		}
		return nil
	})
}
