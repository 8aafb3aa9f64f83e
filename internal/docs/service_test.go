package docs_test

import (
	"strings"
	"testing"

	"parley/internal/docs"
)

// lenient lists differences in which the emulator accepts more than AWS. A block that contains
// every part of when needs the line in want.
var lenient = []struct {
	what string
	when []string
	want string
}{
	{
		"a restore takes longer than one wait: 25 tries, 20 seconds apart",
		[]string{"aws dynamodb restore-table-"}, "until aws dynamodb wait table-exists",
	},
	{
		"a table is busy for a while after its protection is removed",
		[]string{"--no-deletion-protection-enabled", "delete-table"}, "wait table-exists",
	},
	{
		"an invitation is a text message unless the command asks for a mail",
		[]string{"admin-create-user", "Name=email_verified,Value=true"}, "--desired-delivery-mediums EMAIL",
	},
}

// missed returns the differences that a block ignores.
func missed(text string) []string {
	var found []string
	for _, k := range lenient {
		applies := true
		for _, part := range k.when {
			applies = applies && strings.Contains(text, part)
		}
		if applies && !strings.Contains(text, k.want) {
			found = append(found, k.what)
		}
	}
	return found
}

// TestBlock_WorksOnTheRealService checks what running a block on the emulator cannot show.
func TestBlock_WorksOnTheRealService(t *testing.T) {
	blocks, err := docs.Read("../..")
	if err != nil {
		t.Fatal(err)
	}
	bites := map[string]bool{}
	for _, b := range blocks {
		for _, what := range missed(b.Text) {
			t.Errorf("%s: %s", b, what)
		}
		for _, k := range lenient {
			for _, what := range missed(strings.ReplaceAll(b.Text, k.want, "")) {
				bites[what] = true
			}
		}
	}
	for _, k := range lenient {
		if !bites[k.what] {
			t.Errorf("no block needs this check any more: %s", k.what)
		}
	}
}
