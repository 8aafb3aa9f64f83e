package bill

import (
	"math"
	"testing"

	"parley/internal/measure"
	"parley/internal/test/tabletest"
)

// tolerance is the accepted difference between two counts. Sizes depend on the digits of the time.
const tolerance = 0.03

// TestOperation_MatchesTheBill counts the consumption of the bill's operations on the real engine.
func TestOperation_MatchesTheBill(t *testing.T) {
	t.Parallel()
	db := tabletest.Start(t, "bill")
	counted, err := measure.New(db, "bill").Operations(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	billed := map[string]operation{
		"post a message": posting, "open a page of 50": opening, "ask for changes, none": pollingNone,
		"ask for changes, one": pollingOne, "list my rooms, 10": listing, "mark as read": marking,
		"a change in a feed, 1 at once": feeding,
	}
	for _, c := range counted {
		want, ok := billed[c.Name]
		if !ok {
			continue // not in the bill
		}
		delete(billed, c.Name)
		got := operation{c.Reads, c.Writes, c.AnswerBytes, c.ItemBytes}
		if !near(got.reads, want.reads) || !near(got.writes, want.writes) || !near(got.answerBytes, want.answerBytes) || !near(got.itemBytes, want.itemBytes) {
			t.Errorf("%s consumes %+v, but the bill states %+v", c.Name, got, want)
		}
	}
	for name := range billed {
		t.Errorf("nothing counts %q", name)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= tolerance*math.Max(a, b) }
