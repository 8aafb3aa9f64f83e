package nightly_test

import (
	"testing"

	"parley/internal/test/nightly"
)

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
