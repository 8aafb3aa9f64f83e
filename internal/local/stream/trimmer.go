package stream

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
)

// Trimmer lets several pollers read one stream: it trims the records that all of them have
// delivered. It is safe for concurrent use.
type Trimmer struct {
	trim func(ctx context.Context, sequence string) error

	mu        sync.Mutex
	delivered []string // by each poller; empty until it is known
	trimmed   string
}

// NewTrimmer returns a trimmer with the Trim of a Config.
func NewTrimmer(trim func(ctx context.Context, sequence string) error) *Trimmer {
	return &Trimmer{trim: trim}
}

// Poller returns the Trim of another poller's Config. All pollers must have theirs before one runs.
func (t *Trimmer) Poller() func(ctx context.Context, sequence string) error {
	n := len(t.delivered)
	t.delivered = append(t.delivered, "")
	return func(ctx context.Context, sequence string) error {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.delivered[n] = sequence
		first := slices.MinFunc(t.delivered, compareSequences)
		if first == "" || first == t.trimmed {
			return nil
		}
		if err := t.trim(ctx, first); err != nil {
			return err
		}
		t.trimmed = first
		return nil
	}
}

// compareSequences compares sequence numbers, which are decimal and may begin with zeros.
func compareSequences(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}
