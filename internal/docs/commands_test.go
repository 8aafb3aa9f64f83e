package docs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/docs"
)

func TestCheckTestCommands_FindsEveryTest(t *testing.T) {
	t.Parallel()
	if err := docs.CheckTestCommands("../.."); err != nil {
		t.Error(err)
	}
}

func TestCheckTestCommands_NamesWhatSelectsNothing(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, makefile, want string }{
		{"a test", "go test ./a -run TestRoom -count=1\n", ""},
		{"a part of a name", "go test ./a -run 'Room|Person/child'\n", ""},
		{"a variable", "BOTH = TestRoom|TestPerson\n\tgo test ./a -run '^($(BOTH)|TestR.*)$$' -v\n", ""},
		{"no pattern", "go test -tags deploy ./a -count=1\n", ""},
		{"two packages", "go test ./b ./a -run TestRoom\n", "b"},
		{"a missing package", "go test ./b -run TestRoom\n", "b"},
		{"a renamed test", "go test ./a -run TestRooms\n", "no test matches TestRooms"},
		{"one of two", "go test ./a -run 'TestRoom|TestGone'\n", "no test matches TestGone"},
		{"one of a variable", "BOTH = TestRoom|TestGone\n\tgo test ./a -run '^($(BOTH))$$'\n", "no test matches TestGone"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			for name, text := range map[string]string{
				"Makefile": tt.makefile, "README.md": "# A\n", "docs/a.md": "# B\n",
				"a/a_test.go": "package a\n\nfunc TestRoom(t *testing.T) {}\n\nfunc TestPerson(t *testing.T) {}\n",
			} {
				file := filepath.Join(root, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			err := docs.CheckTestCommands(root)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("CheckTestCommands = %v, want %q", err, tt.want)
			}
		})
	}
}
