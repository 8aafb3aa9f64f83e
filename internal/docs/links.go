package docs

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// link matches a Markdown link. Its first group is the target.
var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// linkInTitle matches a link in a heading. Its first group is the link's text.
var linkInTitle = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// CheckLinks returns an error that names every broken link of the documentation to a file or a
// heading. It does not check addresses on the network.
func CheckLinks(root string) error {
	files, err := Files(root)
	if err != nil {
		return err
	}
	return checkSpans(root, files, link, func(file, target string) error { return checkLink(root, file, target) })
}

// checkSpans calls check with the first group of each match of span in the prose of the files, and
// joins the errors, with their places.
func checkSpans(root string, files []string, span *regexp.Regexp, check func(file, text string) error) error {
	var errs []error
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			return fmt.Errorf("check the documentation: %w", err)
		}
		for i, line := range prose(string(text)) {
			for _, found := range span.FindAllStringSubmatch(line, -1) {
				if err := check(file, found[1]); err != nil {
					errs = append(errs, fmt.Errorf("%s:%d: %w", file, i+1, err))
				}
			}
		}
	}
	return errors.Join(errs...)
}

// checkLink returns an error unless the target of a link in file exists.
func checkLink(root, file, target string) error {
	if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
		return nil
	}
	name, anchor, hasAnchor := strings.Cut(target, "#")
	to := file
	if name != "" {
		to = path.Join(path.Dir(file), name)
	}
	local := filepath.Join(root, filepath.FromSlash(to))
	if _, err := os.Stat(local); err != nil {
		return fmt.Errorf("%s: %s does not exist", target, to)
	}
	if !hasAnchor || !strings.HasSuffix(to, ".md") {
		return nil
	}
	text, err := os.ReadFile(local)
	if err != nil {
		return err
	}
	if !anchors(string(text))[anchor] {
		return fmt.Errorf("%s: %s has no heading #%s", target, to, anchor)
	}
	return nil
}

// prose returns the lines of a file, with those of fenced blocks empty.
func prose(text string) []string {
	lines := strings.Split(text, "\n")
	inside := false
	for i, line := range lines {
		isFence := strings.HasPrefix(line, fence)
		if inside || isFence {
			lines[i] = ""
		}
		if isFence {
			inside = !inside
		}
	}
	return lines
}

// anchors returns the names by which links reach a page's headings, as GitHub generates them.
func anchors(text string) map[string]bool {
	all, counts := map[string]bool{}, map[string]int{}
	for _, line := range prose(text) {
		title := strings.TrimLeft(line, "#")
		if title == line || !strings.HasPrefix(title, " ") {
			continue
		}
		name := anchor(strings.TrimSpace(title))
		if n := counts[name]; n > 0 {
			all[fmt.Sprintf("%s-%d", name, n)] = true
		}
		all[name] = true
		counts[name]++
	}
	return all
}

func anchor(title string) string {
	title = linkInTitle.ReplaceAllString(title, "$1")
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, title)
}

// Unreachable returns the pages that no chain of links from README.md reaches.
func Unreachable(root string) ([]string, error) {
	files, err := Files(root)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for next := []string{"README.md"}; len(next) > 0; {
		file := next[0]
		next = next[1:]
		if seen[file] || !slices.Contains(files, file) {
			continue
		}
		seen[file] = true
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			return nil, fmt.Errorf("follow links: %w", err)
		}
		for _, found := range link.FindAllStringSubmatch(strings.Join(prose(string(text)), "\n"), -1) {
			name, _, _ := strings.Cut(found[1], "#")
			next = append(next, path.Join(path.Dir(file), name))
		}
	}
	return slices.DeleteFunc(files, func(file string) bool { return seen[file] }), nil
}
