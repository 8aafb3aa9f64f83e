package bill

import (
	"math"
	"testing"

	"example.com/parley/internal/measure"
	"example.com/parley/internal/test/tabletest"
)

// TestSearching_MatchesTheBill counts the consumption of searches and of a sweep on the real engine.
// Rooms are opened concurrently and share what they read, so two counts differ by some units.
func TestSearching_MatchesTheBill(t *testing.T) {
	t.Parallel()
	db := tabletest.Start(t, "bill")
	counted, err := measure.New(db, "bill", measure.Full).Searches(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		got        measure.SearchOperation
		want       float64
		gets, puts int
	}{
		"the first search":     {counted.First, searching.reads + roomsAPerson*measure.SearchMessages*indexing.reads, roomsAPerson, roomsAPerson},
		"one in a new process": {counted.Cold, searching.reads, roomsAPerson, 0},
		"another one":          {counted.Warm, searchingAgain.reads, 0, 0},
		"a sweep":              {counted.Sweep, sweeping.reads, 1, 1},
	} {
		if math.Abs(c.got.Reads-c.want) > 0.1*c.want || c.got.Writes != 0 || c.got.Gets != c.gets || c.got.Puts != c.puts {
			t.Errorf("%s consumes %g reads and %g writes, %d GETs and %d PUTs, but the bill states %g, none, %d and %d",
				name, c.got.Reads, c.got.Writes, c.got.Gets, c.got.Puts, c.want, c.gets, c.puts)
		}
	}
	if !near(counted.Cold.AnswerBytes, searching.answerBytes) {
		t.Errorf("an answer has %g bytes, but the bill states %g", counted.Cold.AnswerBytes, searching.answerBytes)
	}
}

// TestSearchLines_AddUpByHand computes a column in another way, and holds two to their goals.
func TestSearchLines_AddUpByHand(t *testing.T) {
	t.Parallel()
	const searches, swept = 5_000 * 30.0, 5_000 * 30.0
	want := searches*(64+4*53)*0.125e-6 + searches*5*(1.20e-6+326.0/(1<<30)*0.5+8714.0/(1<<30)*0.09) + searches*(4*0.1+0.6)*0.0000133334 + searches*10*0.4e-6 +
		swept*(3.5*0.125e-6+0.06*0.0000133334+5.4e-6) + 10e6*(0.0625*0.125e-6+40.0/(1<<30)*0.023)
	if got := Total(searchLines(searchColumns[1])); !near(got, want) {
		t.Errorf("searches of 5,000 people cost %.3f, want %.3f", got, want)
	}
	for column, goal := range []float64{1, 25} {
		if got := Total(searchLines(searchColumns[column])); got > goal {
			t.Errorf("column %d costs %.2f, more than its goal", column, got)
		}
	}
}
