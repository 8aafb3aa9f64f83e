package history_test

import (
	"testing"

	"github.com/anishathalye/porcupine"

	"example.com/parley/internal/feed"
)

// Other checks find most wrong numbers before the model does. These histories are wrong only in
// time.
func TestLogModel_FindsALogThatGoesBack(t *testing.T) {
	t.Parallel()
	a, b := feed.Change{Type: feed.RoomChanged, Origin: 1}, feed.Change{Type: feed.RoomChanged, Origin: 2}
	at := func(call, until int64, input, output any) porcupine.Operation {
		return porcupine.Operation{Call: call, Return: until, Input: input, Output: output}
	}
	first := at(10, 20, appendInput{1, []feed.Change{a}}, appendOutput{ok: true})
	lost := at(10, never, appendInput{1, []feed.Change{a}}, appendOutput{resent: true, unknown: true})
	for _, tt := range []struct {
		name    string
		history []porcupine.Operation
		want    porcupine.CheckResult
	}{
		{"read during the append", []porcupine.Operation{first, at(11, 12, headInput{}, head(1)), at(13, 14, readInput{0}, entries{a})}, porcupine.Ok},
		{"read before the append", []porcupine.Operation{first, at(5, 9, headInput{}, head(1))}, porcupine.Illegal},
		{"not read after the append", []porcupine.Operation{first, at(21, 22, headInput{}, head(0))}, porcupine.Illegal},
		{"head goes back", []porcupine.Operation{first, at(11, 12, headInput{}, head(1)), at(13, 14, headInput{}, head(0))}, porcupine.Illegal},
		{"different entry under the number", []porcupine.Operation{first, at(21, 22, readInput{0}, entries{b})}, porcupine.Illegal},
		{"two entries under one number", []porcupine.Operation{first, at(21, 22, appendInput{1, []feed.Change{b}}, appendOutput{ok: true})}, porcupine.Illegal},
		{"gap in the numbers", []porcupine.Operation{first, at(21, 22, appendInput{3, []feed.Change{b}}, appendOutput{ok: true})}, porcupine.Illegal},
		{"rejected because of its own write", []porcupine.Operation{
			first, at(21, 22, appendInput{2, []feed.Change{b}}, appendOutput{resent: true, unknown: true}), at(23, 24, headInput{}, head(2)),
		}, porcupine.Ok},
		{"lost response, append visible", []porcupine.Operation{lost, at(30, 31, headInput{}, head(0)), at(32, 33, readInput{0}, entries{a})}, porcupine.Ok},
		{"lost response, append disappears", []porcupine.Operation{lost, at(30, 31, headInput{}, head(1)), at(32, 33, headInput{}, head(0))}, porcupine.Illegal},
	} {
		if got := porcupine.CheckOperationsTimeout(feedLog(), tt.history, checkTime); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}
