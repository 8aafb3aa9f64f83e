package search_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/search"
	"example.com/parley/internal/test/nightly"
)

// hostile is a query with 17 excluded words that occur at each byte of hostileText, and begin no
// word of it.
var (
	hostileText = "x b" + strings.Repeat("a", chat.MaxText-3)
	hostile     = func() string {
		q := "x -zzz"
		for i := range 18 {
			q += " -" + strings.Repeat("a", 22-i%10)
		}
		return q
	}()
)

// TestTerm_StepsAreLinear looks for terms in texts that have much of them, but not at the beginning
// of a word.
func TestTerm_StepsAreLinear(t *testing.T) {
	t.Parallel()
	a := strings.Repeat("a", 300)
	for _, tt := range []struct {
		name, text, term string
		phrase           bool
		most             float64 // steps for each byte
	}{
		{"a letter in a long word", "b" + strings.Repeat("a", 100_000), "a", false, 2},
		{"a long term in a long word", "b" + strings.Repeat("a", 100_000), a, false, 2},
		{"a term with another end", strings.Repeat("a", 100_000), a + "b", false, 2},
		{"a phrase that begins every word", strings.Repeat("a", 100_000), "a", true, 2},
		{"a letter in each word", strings.Repeat("ba ", 30_000), "a", false, 9},
		{"a phrase in each word", strings.Repeat("aa ", 30_000), "a", true, 9},
		{"Cyrillic", "б" + strings.Repeat("а", 50_000), strings.Repeat("а", 12), false, 2},
		{"Chinese", strings.Repeat("明", 30_000), strings.Repeat("明", 160) + "天", false, 17},
		{"a ligature of 18 letters", search.Fold(strings.Repeat("\ufdfa", 10_000)), search.Fold(strings.Repeat("\ufdfa", 160)) + "b", false, 17},
	} {
		term := search.Term{Text: tt.term, Phrase: tt.phrase}
		if term.In(tt.text) {
			t.Errorf("%s: found", tt.name)
		}
		if each := float64(term.Steps(tt.text)) / float64(len(tt.text)); each > tt.most {
			t.Errorf("%s: %.1f steps for each byte, want at most %.1f", tt.name, each, tt.most)
		}
	}
}

// TestFind_EndsWithItsContext ends the context while a text is searched: no other one is searched.
func TestFind_EndsWithItsContext(t *testing.T) {
	t.Parallel()
	var docs []search.Doc
	for range 100 {
		docs = append(docs, search.Doc{ReceivedAt: start, Text: "a lake"})
	}
	b := search.NewBlock("seattle", docs)
	for _, q := range []search.Query{{}, {Terms: []search.Term{word("lake")}}} {
		ctx, cancel := context.WithCancel(t.Context())
		found := 0
		_, err := b.Find(ctx, q, 0, len(docs), func(search.Doc) {
			found++
			cancel()
		})
		if found != 1 || !errors.Is(err, context.Canceled) {
			t.Errorf("%d of %d texts were searched, %v", found, len(docs), err)
		}
	}
}

// TestSearch_PagesOfAnyBudget compares searches of small budgets with plain scans: nothing is left
// out and nothing repeated, while indexes are begun, extended, followed and read again.
func TestSearch_PagesOfAnyBudget(t *testing.T) {
	t.Parallel()
	for i, steps := range []int64{1, 3000, 30_000, 300_000} {
		t.Run(fmt.Sprint(steps), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, uint64(10+i))
			w.tighten(steps)
			root := w.post("bob", "seattle", chat.MessageDraft{Text: "ham root"})
			for n := range 120 { // more replies than a read has
				w.post("ann", "seattle", chat.MessageDraft{Text: fmt.Sprint("ham reply ", n), Thread: root.ID})
				w.clock.Advance(time.Millisecond)
			}
			w.deliver()
			w.clock.Advance(time.Hour)
			w.check(w.Search, "ham")
			for range nightly.Times(10, 25) {
				for range w.rand.IntN(12) {
					w.act()
				}
				w.tighten(steps)
				w.check(w.Search, w.query())
			}
		})
	}
}

// tighten sets the budget of each request.
func (w *world) tighten(steps int64) { w.Search.Tighten(steps, max(1, steps/10)) }

// large returns a world with texts in one block and in the recent documents.
func large(t *testing.T, n int, text string) *world {
	t.Helper()
	w := newWorld(t, 1)
	for range n {
		w.post("ann", "seattle", chat.MessageDraft{Text: text})
		w.clock.Advance(time.Second)
	}
	w.deliver()
	w.clock.Advance(time.Hour)
	w.Search = w.plain(w.bucket)
	return w
}

// TestSearch_EndsWithinItsBudget searches texts of the largest size with a hostile query. The steps
// of each page are bounded, also when the blocks are in memory, and all pages have the same results
// as one without a bound.
func TestSearch_EndsWithinItsBudget(t *testing.T) {
	t.Parallel()
	const budget = 5_000_000
	w := large(t, 40, hostileText)
	ask := func() (pages, most, found int) {
		q, err := search.Parse(hostile, "ann", time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		for page := (chat.PageRequest{Limit: 50}); ; pages++ {
			got, err := w.Search.Search(t.Context(), "ann", search.Request{Query: q, Page: page})
			if err != nil || pages > 1000 {
				t.Fatal(pages, err)
			}
			most, found = max(most, got.Steps), found+len(got.Items)
			if page.Cursor = got.Next; got.Next == "" {
				return pages + 1, most, found
			}
		}
	}
	if _, _, found := ask(); found != 40 { // which builds the index
		t.Errorf("%d texts are found", found)
	}
	w.Search.Tighten(budget, budget)
	for range 2 { // from memory
		if pages, most, found := ask(); pages < 4 || most > budget+20_000_000 || found != 40 {
			t.Errorf("%d pages, the largest of %d steps, find %d texts", pages, most, found)
		}
	}
}

// TestSearch_PaysForItsWork pays for each part of the work but the first. If somebody cannot pay, the
// page ends with the results that it has; without any, the search is refused.
func TestSearch_PaysForItsWork(t *testing.T) {
	t.Parallel()
	w := large(t, 20, hostileText)
	const part = 1_000_000
	w.Search.Tighten(1<<40, part)
	refused := &chat.Error{Kind: chat.RateLimited, RetryAfter: time.Second}
	ask := func(text string, limit, purse int) (search.Results, int, error) {
		q, err := search.Parse(text, "ann", time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		paid := 0
		got, err := w.Search.Search(t.Context(), "ann", search.Request{Query: q, Page: chat.PageRequest{Limit: limit}, Pay: func(_ context.Context, steps int) error {
			if paid+steps > purse {
				return refused
			}
			paid += steps
			return nil
		}})
		return got, paid, err
	}
	got, paid, err := ask(hostile, 50, 1<<40)
	if left := got.Steps - paid; err != nil || len(got.Items) != 20 || left < 0 || left > part {
		t.Errorf("%d results of %d steps, of which %d are paid: %v", len(got.Items), got.Steps, paid, err)
	}
	if got, _, err = ask(hostile, 5, 50*part); err != nil || len(got.Items) == 0 || got.Next == "" {
		t.Errorf("%d results for what is paid, next %q: %v", len(got.Items), got.Next, err)
	}
	if _, _, err = ask(strings.Replace(hostile, "x -zzz", "b -x", 1), 50, part); chat.KindOf(err) != chat.RateLimited {
		t.Errorf("a search that cannot pay, and has no result: %v", err)
	}
}

// countedBlocks counts the searches that have begun: each reads first whom its caller has blocked.
type countedBlocks struct {
	chat.Blocks
	n atomic.Int64
}

func (b *countedBlocks) Blocked(ctx context.Context, user chat.UserID) (map[chat.UserID]bool, error) {
	b.n.Add(1)
	return b.Blocks.Blocked(ctx, user)
}

// TestSearch_RunsAsManyAsProcessors holds as many searches as there are processors: another one waits
// until its time is over.
func TestSearch_RunsAsManyAsProcessors(t *testing.T) {
	t.Parallel()
	w := large(t, 1, "a lake")
	w.Search.Tighten(1<<40, 1)
	begun := &countedBlocks{Blocks: w.Search.Blocks}
	w.Search.Blocks = begun
	q, err := search.Parse("lake", "ann", time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	paying, pay := make(chan struct{}), make(chan struct{})
	n := runtime.GOMAXPROCS(0)
	ended := make(chan error, n)
	for range n {
		go func() {
			_, err := w.Search.Search(t.Context(), "ann", search.Request{Query: q, Page: chat.PageRequest{Limit: 5}, Pay: func(context.Context, int) error {
				select {
				case paying <- struct{}{}:
				case <-pay:
				}
				<-pay
				return nil
			}})
			ended <- err
		}()
	}
	for range n {
		<-paying
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := w.Search.Search(ctx, "ann", search.Request{Query: q, Page: chat.PageRequest{Limit: 5}}); chat.KindOf(err) != chat.Unavailable {
		t.Errorf("while %d searches run: %v", n, err)
	}
	if all := begun.n.Load(); all != int64(n) {
		t.Errorf("%d searches have begun, want %d", all, n)
	}
	close(pay)
	for range n {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// TestCodec_RefusesABlockThatIsTooLarge decodes small blocks that have much text, many people or
// much of both.
func TestCodec_RefusesABlockThatIsTooLarge(t *testing.T) {
	t.Parallel()
	c := search.NewCodec()
	large := make([]byte, 60<<20)
	people := append([]byte("\x07seattle\x80\x80\x80\x1e"), large...) // 63 million without a name
	for name, columns := range map[string][][]byte{
		"people": {people, nil, nil, nil, nil, nil, nil, nil, nil},
		"text":   {[]byte("\x07seattle\x00\x00"), nil, nil, large, nil, nil, nil, nil, nil},
		"all":    slices.Repeat([][]byte{large[:15<<20]}, 9),
	} {
		encoded := c.Pack(columns)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := c.Decode(encoded)
		runtime.ReadMemStats(&after)
		if allocated := (after.TotalAlloc - before.TotalAlloc) >> 20; err == nil || allocated > 200 {
			t.Errorf("%s: %d bytes take %d MB: %v", name, len(encoded), allocated, err)
		}
	}
}

// TestFold_IsWhatUnicodeSays compares the kept forms of random characters with computed ones.
func TestFold_IsWhatUnicodeSays(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		c := rune(r.IntN(0x110000))
		if want, got := search.Folded(c), search.Fold(string(c)); got != want {
			t.Errorf("%U is %q, want %q", c, got, want)
		}
	}
}
