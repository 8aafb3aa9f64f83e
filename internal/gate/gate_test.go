package gate_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"example.com/parley/internal/gate"
)

// TestWait_ReturnsTheOutcomeOfTheCheck waits, for an outcome, once it is known and before.
func TestWait_ReturnsTheOutcomeOfTheCheck(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	for _, want := range []error{nil, refused} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			gated, wait := gate.Start(t.Context(), func(context.Context) error {
				time.Sleep(time.Second)
				return want
			})
			if time.Since(began) != 0 {
				t.Error("Start waits for the check")
			}
			for range 2 {
				if err := gate.Wait(gated); !errors.Is(err, want) || time.Since(began) != time.Second {
					t.Errorf("%v after %v, want %v after a second", err, time.Since(began), want)
				}
			}
			if err := wait(); !errors.Is(err, want) {
				t.Errorf("the edge gets %v, want %v", err, want)
			}
		})
	}
}

func TestWait_WithoutACheck(t *testing.T) {
	t.Parallel()
	if err := gate.Wait(t.Context()); err != nil {
		t.Error(err)
	}
}
