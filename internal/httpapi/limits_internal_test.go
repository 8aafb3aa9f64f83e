package httpapi

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"parley/internal/chat"
)

// TestDocuments_StateTheBoundsOfAMessagesTime: a reader of the documents is told the bounds that the
// service holds, so that a change of one is a change of both.
func TestDocuments_StateTheBoundsOfAMessagesTime(t *testing.T) {
	t.Parallel()
	old := fmt.Sprintf("%g hours old", chat.MaxAge.Hours())
	ahead := fmt.Sprintf("%g seconds ahead", chat.MaxAhead.Seconds())
	for _, path := range []string{"testdata/openapi.json", "../../docs/problems.md"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{old, ahead} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s does not say %q", path, want)
			}
		}
	}
}
