package arrows

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDrawing_AgreesWithTheList compares the drawing in CONTRIBUTING.md with the list: each package
// is in it once, and what a package may import is on a line below it, or behind an arrow on its own.
func TestDrawing_AgreesWithTheList(t *testing.T) {
	text, err := os.ReadFile("../../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	floors := drawing(string(text))
	all := packages(t)
	for _, pkg := range all {
		if n := count(floors, pkg); n != 1 && !strings.HasPrefix(pkg, "internal/test/") {
			t.Errorf("%s is in the drawing of CONTRIBUTING.md %d times, want once", pkg, n)
		}
	}
	for _, floor := range floors {
		for _, name := range floor {
			if !slices.ContainsFunc(all, func(pkg string) bool { return matches(name, pkg) }) {
				t.Errorf("the drawing of CONTRIBUTING.md has %s, and there is no such package", name)
			}
		}
	}
	for _, fault := range wrongArrows(floors, all) {
		t.Error(fault)
	}
}

// TestDrawing_NoticesAWrongFloor swaps two lines of a drawing.
func TestDrawing_NoticesAWrongFloor(t *testing.T) {
	all := []string{"internal/chat", "internal/policy"}
	for _, c := range []struct {
		text string
		want int
	}{
		{"```text\nchat # a\npolicy # b\n```\n", 0},
		{"```text\nchat → policy\n```\n", 0},
		{"```text\npolicy\nchat\n```\n", 1},
		{"```text\nchat policy\n```\n", 1},
	} {
		if got := wrongArrows(drawing(c.text), all); len(got) != c.want {
			t.Errorf("%q: %q, want %d", c.text, got, c.want)
		}
	}
}

var drawn = regexp.MustCompile("(?s)```text\n(.*?)```")

// drawing returns the floors of the first drawing in a text, from the top: the names on a line, or
// on a part of it that ends with an arrow. A name ending in /... stands for a folder, and capabilities
// for those in ownCalls that no line names.
func drawing(text string) (floors [][]string) {
	found := drawn.FindStringSubmatch(text)
	if found == nil {
		return nil
	}
	for line := range strings.SplitSeq(found[1], "\n") {
		line, _, _ = strings.Cut(line, "#")
		for part := range strings.SplitSeq(line, "→") {
			var floor []string
			for name := range strings.FieldsSeq(part) {
				if first, _, _ := strings.Cut(name, "/"); !slices.Contains(sources, first) && first != "client" && first != "examples" {
					name = "internal/" + name
				}
				floor = append(floor, name)
			}
			if floor != nil {
				floors = append(floors, floor)
			}
		}
	}
	for i, floor := range floors {
		if slices.Contains(floor, "internal/capabilities") {
			floors[i] = slices.DeleteFunc(slices.Clone(ownCalls), func(pkg string) bool { return count(floors, pkg) > 0 })
		}
	}
	return floors
}

// wrongArrows returns the imports in the list that do not point to a lower floor.
func wrongArrows(floors [][]string, all []string) (faults []string) {
	for _, pkg := range all {
		at := floorOf(floors, pkg)
		for _, name := range allowed[pattern(pkg)] {
			for _, imported := range all {
				if !matches(name, imported) || floorOf(floors, imported) > at || at < 0 || sameFolder(floors, pkg, imported) {
					continue
				}
				if pkg != imported && !strings.HasPrefix(imported, "internal/test/") {
					faults = append(faults, pkg+" may import "+imported+", which is not below it in the drawing of CONTRIBUTING.md")
				}
			}
		}
	}
	return faults
}

// sameFolder reports whether two packages are drawn as one folder.
func sameFolder(floors [][]string, a, b string) bool {
	for _, floor := range floors {
		for _, name := range floor {
			if matches(name, a) && matches(name, b) {
				return true
			}
		}
	}
	return false
}

// floorOf returns the number of a package's floor, or -1.
func floorOf(floors [][]string, pkg string) int {
	return slices.IndexFunc(floors, func(floor []string) bool {
		return slices.ContainsFunc(floor, func(name string) bool { return matches(name, pkg) })
	})
}

// count returns how often a package is drawn.
func count(floors [][]string, pkg string) (n int) {
	for _, floor := range floors {
		for _, name := range floor {
			if matches(name, pkg) {
				n++
			}
		}
	}
	return n
}

// packages returns the packages of the module.
func packages(t *testing.T) (all []string) {
	t.Helper()
	for _, line := range list(t, "{{.ImportPath}}", "./...") {
		if pkg, ours := strings.CutPrefix(line, "example.com/parley/"); ours {
			all = append(all, pkg)
		}
	}
	return all
}
