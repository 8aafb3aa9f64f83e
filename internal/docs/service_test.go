package docs_test

import (
	"strings"
	"testing"

	"parley/internal/docs"
)

// kinder lists what the emulator does and AWS does not. A block that has every part of when needs
// the line in want.
var kinder = []struct {
	what string
	when []string
	want string
}{
	{
		"a restore takes longer than one wait: 25 tries, 20 seconds apart",
		[]string{"aws dynamodb restore-table-"}, "until aws dynamodb wait table-exists",
	},
	{
		"a table is busy for a while after its protection was taken off",
		[]string{"--no-deletion-protection-enabled", "delete-table"}, "wait table-exists",
	},
	{
		"an invitation is a text message unless it says that it is a mail",
		[]string{"admin-create-user", "Name=email_verified,Value=true"}, "--desired-delivery-mediums EMAIL",
	},
}

// missed says what a block leaves to the kindness of the emulator.
func missed(text string) []string {
	var found []string
	for _, k := range kinder {
		asked := true
		for _, part := range k.when {
			asked = asked && strings.Contains(text, part)
		}
		if asked && !strings.Contains(text, k.want) {
			found = append(found, k.what)
		}
	}
	return found
}

// TestBlocks_WorkOnTheRealService: the emulator runs these blocks either way.
func TestBlocks_WorkOnTheRealService(t *testing.T) {
	blocks, err := docs.Read("../..")
	if err != nil {
		t.Fatal(err)
	}
	bites := map[string]bool{}
	for _, b := range blocks {
		for _, what := range missed(b.Text) {
			t.Errorf("%s: %s", b, what)
		}
		for _, k := range kinder {
			for _, what := range missed(strings.ReplaceAll(b.Text, k.want, "")) {
				bites[what] = true
			}
		}
	}
	for _, k := range kinder {
		if !bites[k.what] {
			t.Errorf("no block is about this any more: %s", k.what)
		}
	}
}
