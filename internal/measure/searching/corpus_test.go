package searching

import (
	"os"
	"testing"
)

// dataFolder is the variable that names the folder with real archives.
const dataFolder = "CHAT_DATA"

func newCorpus(t testing.TB, n int) *Corpus {
	t.Helper()
	dir := os.Getenv(dataFolder)
	if dir == "" && os.Getenv("CI") != "" {
		t.Fatalf("%s must name a folder with real archives in CI", dataFolder)
	}
	if dir == "" {
		t.Skip(dataFolder + " does not name a folder with real archives")
	}
	c, err := Read(dir, n)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCorpus_FindsItsMessages(t *testing.T) {
	t.Parallel()
	const n = 100_000
	c := newCorpus(t, n)
	sum := 0
	for r, of := range c.of {
		sum += len(of)
		for at, i := range of {
			if m := c.Message(int(i)); m.Room != roomName(r) || at > 0 && !m.ReceivedAt.After(c.Message(int(of[at-1])).ReceivedAt) {
				t.Fatalf("message %d of %s is %+v", at, roomName(r), m)
			}
		}
	}
	if sum != n || c.Len() != n {
		t.Errorf("the rooms have %d messages, the corpus %d, want %d", sum, c.Len(), n)
	}
	for i := range n {
		id := c.Message(i).ID
		if got, ok := c.number(id); got != i || !ok {
			t.Fatalf("message %d is number %d, %t", i, got, ok)
		}
		id.UUID[15]++
		if _, ok := c.number(id); ok {
			t.Fatalf("message %d has another id", i)
		}
	}
}

// TestQueries_FindTheirMessage checks that each query finds the message that it was drawn from.
func TestQueries_FindTheirMessage(t *testing.T) {
	t.Parallel()
	c := newCorpus(t, 20_000)
	for _, q := range c.Queries(900) {
		if !q.matches(c.Message(q.from)) {
			t.Errorf("%s: %s does not find %q", kinds[q.Kind], q.Text, c.text(q.from))
		}
	}
}
