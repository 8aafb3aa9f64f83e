package style

import (
	"slices"
	"strings"
	"testing"
)

// parsed returns a source of one file.
func parsed(t *testing.T, name, text string) source {
	t.Helper()
	s, err := parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestBadPhrases_AreFoundOverLines(t *testing.T) {
	t.Parallel()
	for comment, want := range map[string]int{
		"// It keeps what is there.":        1,
		"// It keeps what\n// is there.":    1,
		"// Whoever asks.":                  1,
		"// It tells whether, says whether": 2,
		"// It reports whether a room is.":  0,
		"// Tell whether it's what isn't.":  0,
		"var s = \"what is\"":               0,
		"//go:generate what is":             0,
	} {
		if got := badPhrases(parsed(t, "x.go", "package x\n\n"+comment+"\n")); len(got) != want {
			t.Errorf("%s: %q, want %d", comment, got, want)
		}
	}
	got := badPhrases(parsed(t, "x.go", "package x\n\n// One.\n// And what is\n// three.\n"))
	if len(got) != 1 || got[0] != `x.go:4: "what is"` {
		t.Errorf("%q", got)
	}
}

func TestBadOpenings(t *testing.T) {
	t.Parallel()
	for comment, want := range map[string]int{
		"// What it says.":      1,
		"// Of all rooms.":      1,
		"// Where it is.":       1,
		"// There are rooms.":   1,
		"// Whoever.":           1,
		"// Offset is a number": 0,
		"// A room.\n// There":  0,
	} {
		if got := badOpenings(parsed(t, "x.go", "package x\n\n"+comment+"\n")); len(got) != want {
			t.Errorf("%s: %q, want %d", comment, got, want)
		}
	}
}

func TestBadPredicates(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"// F is true of rooms.\nfunc F() bool":                   1,
		"// F reports whether.\nfunc F() bool":                    0,
		"// F reports\n// whether.\nfunc F() bool":                0,
		"// F returns a room, and whether.\nfunc F() (int, bool)": 0,
		"func F() bool": 0,
		"type I interface {\n// M is true.\nM() bool\n}":             1,
		"type I interface {\n// M reports whether.\nM() bool\n}":     0,
		"type r int\n// M says.\nfunc (r) M(a, b int) (ok bool)":     1,
		"// F looks for one that holds.\nfunc F(f func() bool) bool": 1,
	} {
		if got := badPredicates(parsed(t, "x.go", "package x\n\n"+text+"\n")); len(got) != want {
			t.Errorf("%s: %q, want %d", text, got, want)
		}
	}
}

func TestWideLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", maxWidth-len("// "))
	for text, want := range map[string][2]int{
		"// " + long:                                   {0, 1},
		"// " + long + "x":                             {1, 1},
		"// " + long + "x\n// y":                       {1, 2},
		"func f() {\n\t// " + long + "\n}":             {1, 1},
		"var x = 1 // " + long + "x":                   {0, 0},
		"//nolint:x // " + long:                        {0, 0},
		"/* " + long + "xx\n" + long + "wide */":       {2, 2},
		"var x = `// " + long + long + "`\n\n// Short": {0, 1},
	} {
		wide, all := wideLines(parsed(t, "x.go", "package x\n\n"+text+"\n"))
		if len(wide) != want[0] || all != want[1] {
			t.Errorf("%s: %q of %d, want %d", text, wide, all, want)
		}
	}
}

func TestFunctionsOf_CountsLines(t *testing.T) {
	t.Parallel()
	got := functionsOf(parsed(t, "x.go", "package x\n\n// F is documented.\nfunc F() {\n\tg()\n}\n\nfunc g() {}\n\nfunc h()\n"))
	want := []function{{"x.go:4", "F", 3}, {"x.go:8", "g", 1}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestP90(t *testing.T) {
	t.Parallel()
	for want, values := range map[int][]int{
		0: nil, 7: {7}, 9: {10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, 2: {1, 2}, 10: {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1},
	} {
		if got := p90(values); got != want {
			t.Errorf("of %v: %d, want %d", values, got, want)
		}
	}
}

func TestSubjects(t *testing.T) {
	t.Parallel()
	module := map[string][]source{
		"a": {
			parsed(t, "a/a.go", "package a\ntype Room struct{ Name, x int }\ntype store interface{ PutRoom() }\nconst a = 1\nfunc (Room) merge() {}"),
			parsed(t, "a/a_test.go", "package a\nfunc helper() {}\nfunc TestHelper(t *testing.T) {}"),
		},
		"b":     {parsed(t, "b/b_test.go", "package b\nimport \"parley/a\"\ntype bookcase int\nfunc TestBookcase(t *testing.T) {}")},
		"b/cmd": {parsed(t, "b/cmd/main.go", "package main\nfunc main() {}")},
	}
	for dir, want := range map[string]string{
		"a": "Merge Name PutRoom Room Store",
		"b": "A Bookcase Cmd Main Merge Name PutRoom Room Store",
	} {
		if got := sorted(subjects(dir, module)); strings.Join(got, " ") != want {
			t.Errorf("of %s: %q, want %q", dir, got, want)
		}
	}
}

func sorted(all symbols) []string {
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func TestLead(t *testing.T) {
	t.Parallel()
	all := symbols{"Room": true, "PutRoom": true, "A": true}
	for name, want := range map[string]bool{
		"Room":                true,
		"Room_IsPut":          true,
		"RoomIsPut":           true,
		"Room2":               true,
		"PutRoom_Twice":       true,
		"Roommate":            false,
		"Rooms_Are":           false,
		"TheRoom":             false,
		"PutMessage_Room":     false,
		"APage_IsCut":         false,
		"EveryRoomHasARefuge": false,
	} {
		if got := all.lead(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestUnnamedTests(t *testing.T) {
	t.Parallel()
	s := parsed(t, "a/a_test.go", `package a
func TestMain(m *testing.M) {}
func TestRoom_IsPut(t *testing.T) {}
func TestNothingElse(t *testing.T) {}
func Testing(t *testing.T) {}
func FuzzRoom(f *testing.F) {}
func (x) TestMethod(t *testing.T) {}`)
	unnamed, count := unnamedTests([]source{s}, symbols{"Room": true})
	if count != 2 || !slices.Equal(unnamed, []string{"a/a_test.go:4: TestNothingElse"}) {
		t.Errorf("%q of %d", unnamed, count)
	}
}

// TestMeasurePackage breaks every measure once.
func TestMeasurePackage_SeesEachFault(t *testing.T) {
	t.Parallel()
	const clean = "package a\n\n// Room is one.\ntype Room int\n"
	const named = "package a\nfunc TestRoom(t *testing.T) {}\n"
	for measure, text := range map[string]string{
		phrases:    clean + "\n// G is what is.\nfunc G() {}\n",
		openings:   clean + "\n// Where it is.\nfunc G() {}\n",
		predicates: clean + "\n// G is true.\nfunc G() bool { return true }\n",
		width:      clean + "\n// G is " + strings.Repeat("x", maxWidth) + "\nfunc G() {}\n",
		functions:  clean + "\nfunc g() {" + strings.Repeat("\n", maxFunction) + "}\n",
		tests:      strings.ReplaceAll(clean, "Room", "Message"),
		"":         clean + "\nfunc g() {" + strings.Repeat("\n", maxFunction-1) + "}\n",
	} {
		module := map[string][]source{"a": {parsed(t, "a/a.go", text), parsed(t, "a/a_test.go", named)}}
		results, _ := measurePackage("a", module)
		for name, r := range results {
			if r.holds != (name != measure) {
				t.Errorf("%q is broken: %s holds: %v\n%s", measure, name, r.holds, shown(r.findings))
			}
		}
	}
}
