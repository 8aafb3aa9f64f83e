package history_test

import (
	"testing"

	"github.com/anishathalye/porcupine"

	"parley/internal/feed"
)

// The feed's other checks find most of what goes wrong with numbers before the model does; these histories are wrong in
// time alone.
func TestLogModel_FindsALogThatGoesBack(t *testing.T) {
	t.Parallel()
	a, b := feed.Change{Type: feed.RoomChanged, Origin: 1}, feed.Change{Type: feed.RoomChanged, Origin: 2}
	at := func(call, until int64, input, output any) porcupine.Operation {
		return porcupine.Operation{Call: call, Return: until, Input: input, Output: output}
	}
	first := at(10, 20, appending{1, []feed.Change{a}}, appended{ok: true})
	lost := at(10, never, appending{1, []feed.Change{a}}, appended{again: true, unknown: true})
	for _, tt := range []struct {
		name    string
		history []porcupine.Operation
		want    porcupine.CheckResult
	}{
		{"read while it is appended", []porcupine.Operation{first, at(11, 12, heading{}, head(1)), at(13, 14, reading{0}, entries{a})}, porcupine.Ok},
		{"read before it is appended", []porcupine.Operation{first, at(5, 9, heading{}, head(1))}, porcupine.Illegal},
		{"not read after it was appended", []porcupine.Operation{first, at(21, 22, heading{}, head(0))}, porcupine.Illegal},
		{"a head that goes back", []porcupine.Operation{first, at(11, 12, heading{}, head(1)), at(13, 14, heading{}, head(0))}, porcupine.Illegal},
		{"another entry under the number", []porcupine.Operation{first, at(21, 22, reading{0}, entries{b})}, porcupine.Illegal},
		{"two under one number", []porcupine.Operation{first, at(21, 22, appending{1, []feed.Change{b}}, appended{ok: true})}, porcupine.Illegal},
		{"a number left out", []porcupine.Operation{first, at(21, 22, appending{3, []feed.Change{b}}, appended{ok: true})}, porcupine.Illegal},
		{"refused by its own traces", []porcupine.Operation{
			first, at(21, 22, appending{2, []feed.Change{b}}, appended{again: true, unknown: true}), at(23, 24, heading{}, head(2)),
		}, porcupine.Ok},
		{"lost, and there", []porcupine.Operation{lost, at(30, 31, heading{}, head(0)), at(32, 33, reading{0}, entries{a})}, porcupine.Ok},
		{"lost, and gone again", []porcupine.Operation{lost, at(30, 31, heading{}, head(1)), at(32, 33, heading{}, head(0))}, porcupine.Illegal},
	} {
		if got := porcupine.CheckOperationsTimeout(feedLog(), tt.history, checkTime); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
