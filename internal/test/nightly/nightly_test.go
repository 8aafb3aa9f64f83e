package nightly_test

import (
	"slices"
	"testing"

	"example.com/parley/internal/test/nightly"
)

func TestSeed(t *testing.T) {
	t.Setenv("NIGHTLY", "")
	t.Setenv("SEED", "")
	if a, b := nightly.Seed(t), nightly.Seed(t); a != b {
		t.Errorf("seeds of the gate are %d and %d, want one", a, b)
	}
	t.Setenv("NIGHTLY", "1")
	if a, b := nightly.Seed(t), nightly.Seed(t); a == b {
		t.Errorf("seed of the night is always %d", a)
	}
	t.Setenv("SEED", "7")
	if got := nightly.Seed(t); got != 7 {
		t.Errorf("Seed() = %d with SEED=7", got)
	}
}

func TestShare(t *testing.T) {
	all := []int{1, 2, 3}
	t.Setenv("NIGHTLY", "")
	if got := nightly.Share(all, 2); !slices.Equal(got, all[:2]) {
		t.Errorf("Share(%v, 2) = %v", all, got)
	}
	if got := nightly.Times(2, 9); got != 2 {
		t.Errorf("Times(2, 9) = %d", got)
	}
	t.Setenv("NIGHTLY", "1")
	if got := nightly.Share(all, 2); !slices.Equal(got, all) {
		t.Errorf("Share(%v, 2) = %v at night", all, got)
	}
	if got := nightly.Times(2, 9); got != 9 {
		t.Errorf("Times(2, 9) = %d at night", got)
	}
}

func TestOne(t *testing.T) {
	t.Setenv("NIGHTLY", "")
	if !nightly.One(0, 3) || nightly.One(1, 3) || nightly.One(2, 3) || !nightly.One(3, 3) {
		t.Error("One does not select one case in 3")
	}
	t.Setenv("NIGHTLY", "1")
	if !nightly.One(1, 3) {
		t.Error("One leaves out a case at night")
	}
}
