package bill

import (
	"fmt"
	"math"
	"testing"

	"example.com/parley/internal/measure"
	"example.com/parley/internal/test/tabletest"
)

// tolerance is the accepted difference between two counts. Sizes depend on the digits of the time.
const tolerance = 0.03

// Operations of the guide's first table that no code prices.
var (
	posting = operation{reads: 2.5, writes: 2, answerBytes: 344, itemBytes: 366}
	opening = operation{reads: 6, answerBytes: 17_386}
	marking = operation{reads: 7.4, writes: 1, answerBytes: 51}
	feeding = operation{writes: 2, itemBytes: 143}
)

// TestOperation_MatchesTheBill counts the consumption of the bill's operations on the real engine.
func TestOperation_MatchesTheBill(t *testing.T) {
	t.Parallel()
	states(t, guide, fmt.Sprintf("The engine counts DynamoDB's units, with empty caches: a post %g writes and %g reads, its change in the feed %g writes, a page %g reads, "+
		"a poll %g, a poll that returns a message %g, the list of rooms %g, a read marker %g write and %g reads.", posting.writes, posting.reads, feeding.writes,
		opening.reads, pollingNone.reads, pollingOne.reads, listing.reads, marking.writes, marking.reads),
		fmt.Sprintf("Their answers have %.0f, %s, %.0f, %.0f, %s and %.0f bytes", posting.answerBytes, number(opening.answerBytes),
			pollingNone.answerBytes, pollingOne.answerBytes, number(listing.answerBytes), marking.answerBytes),
		fmt.Sprintf("A message has 100 bytes, its item %.0f, its change in a quiet room's feed %.0f.", posting.itemBytes, feeding.itemBytes))
	db := tabletest.Start(t, "bill")
	counted, err := measure.New(db, "bill", measure.Full).Operations(t.Context())
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

// TestWarmOperation_MatchesThePage counts the consumption of a warm process on the real engine.
func TestWarmOperation_MatchesThePage(t *testing.T) {
	t.Parallel()
	db := tabletest.Start(t, "bill")
	counted, err := measure.New(db, "bill", measure.Full).Depths(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	post, page, poll := operation{reads: 1.5, writes: 2}, operation{reads: 4}, operation{reads: 2}
	states(t, "performance.md", fmt.Sprintf("in a warm process: a post %g reads and %g writes, a page %g reads, a poll %g.", post.reads, post.writes, page.reads, poll.reads))
	billed := map[string]operation{"post a message": post, "open a page of 50": page, "ask for changes, none": poll}
	for _, c := range counted {
		if want, ok := billed[c.Name]; ok && (!near(c.Warm.Reads, want.reads) || !near(c.Warm.Writes, want.writes)) {
			t.Errorf("%s consumes %v and %v units, but the page states %+v", c.Name, c.Warm.Reads, c.Warm.Writes, want)
		}
		delete(billed, c.Name)
	}
	for name := range billed {
		t.Errorf("nothing counts %q", name)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= tolerance*math.Max(a, b) }

// TestSearching_MatchesTheBill counts the consumption of searches and of a sweep on the real engine.
// Rooms are opened concurrently and share what they read, so two counts differ by some units.
func TestSearching_MatchesTheBill(t *testing.T) {
	t.Parallel()
	const rooms, results, cold, warm, indexed, swept = 10, 20, 64, 53, 0.0625, 3.5
	states(t, guide, fmt.Sprintf("The engine counts DynamoDB's units: a request in %d rooms %d reads in a new process and then %d, with %d results that are read again; "+
		"the first search of a room %g for each of its messages; a sweep %g for each room.", rooms, cold, warm, results, indexed, swept))
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
		"the first search":     {counted.First, cold + rooms*measure.SearchMessages*indexed, rooms, rooms},
		"one in a new process": {counted.Cold, cold, rooms, 0},
		"another one":          {counted.Warm, warm, 0, 0},
		"a sweep":              {counted.Sweep, swept, 1, 1},
	} {
		if math.Abs(c.got.Reads-c.want) > 0.1*c.want || c.got.Writes != 0 || c.got.Gets != c.gets || c.got.Puts != c.puts {
			t.Errorf("%s consumes %g reads and %g writes, %d GETs and %d PUTs, but the bill states %g, none, %d and %d",
				name, c.got.Reads, c.got.Writes, c.got.Gets, c.got.Puts, c.want, c.gets, c.puts)
		}
	}
	const answerBytes = 8_364
	states(t, guide, "An answer has 8,364 bytes")
	if !near(counted.Cold.AnswerBytes, answerBytes) {
		t.Errorf("an answer has %g bytes, but the bill states %d", counted.Cold.AnswerBytes, answerBytes)
	}
}
