package docs_test

import (
	"testing"

	"parley/internal/docs"
)

// TestAnswers_NameEveryAccountBlock compares the list with the documentation.
func TestAnswers_NameEveryAccountBlock(t *testing.T) {
	t.Parallel()
	blocks, err := docs.Read("../..")
	if err != nil {
		t.Fatal(err)
	}
	left := docs.Answers()
	for _, b := range blocks {
		if b.Kind != docs.Account {
			continue
		}
		if a, ok := left[b.File][b.Name]; !ok || a.Why == "" || a.Ran != docs.ByCLI && a.Ran != docs.ByStandIn {
			t.Errorf("%s: Answers does not state why only an account can answer it, and how far it is run", b)
		}
		delete(left[b.File], b.Name)
	}
	for file, names := range left {
		for name := range names {
			t.Errorf("Answers has %s of %s, which does not exist", name, file)
		}
	}
}
