package stream_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"example.com/parley/internal/local/stream"
)

// TestTrimmer_WaitsForTheSlowest lets two pollers report, one of which is behind.
func TestTrimmer_WaitsForTheSlowest(t *testing.T) {
	t.Parallel()
	var trims []string
	var fail error
	trimmer := stream.NewTrimmer(func(_ context.Context, sequence string) error {
		trims = append(trims, sequence)
		return fail
	})
	first, second := trimmer.Poller(), trimmer.Poller()
	for _, step := range []struct {
		report   func(context.Context, string) error
		sequence string
		want     []string
	}{
		{first, "0009", nil}, // where the second is, is unknown
		{second, "0007", []string{"0007"}},
		{first, "0010", nil},
		{second, "0009", []string{"0009"}},
		{second, "00012", []string{"0010"}},
	} {
		trims = nil
		if err := step.report(t.Context(), step.sequence); err != nil || !slices.Equal(trims, step.want) {
			t.Errorf("at %s it trims %q, want %q: %v", step.sequence, trims, step.want, err)
		}
	}
	fail = errors.New("no disk")
	if err := first(t.Context(), "0011"); !errors.Is(err, fail) {
		t.Errorf("the failed trim: %v", err)
	}
	fail, trims = nil, nil
	if err := first(t.Context(), "0011"); err != nil || !slices.Equal(trims, []string{"0011"}) {
		t.Errorf("after a failure it trims %q: %v", trims, err)
	}
}
