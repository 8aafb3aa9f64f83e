package rights

import (
	"os"
	"path/filepath"
	"testing"
)

// repository is the folder of the repository. It is set before any test changes the working folder.
var repository, _ = filepath.Abs("../../..")

// repositoryStack calls RepositoryStack, independently of the working folder.
func repositoryStack(t *testing.T) *Stack {
	t.Helper()
	s, err := ReadStack(filepath.Join(repository, template))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// writeRecording writes a recording into the working folder.
func writeRecording(t *testing.T, calls Calls) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(Recording), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(Recording, []byte(calls.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}
