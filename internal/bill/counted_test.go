package bill

import (
	"math"
	"testing"

	"example.com/parley/internal/measure"
	"example.com/parley/internal/test/tabletest"
)

// tolerance is the accepted difference between two counts. Sizes depend on the digits of the time.
const tolerance = 0.03

// TestOperation_MatchesTheBill counts the consumption of the bill's operations on the real engine.
func TestOperation_MatchesTheBill(t *testing.T) {
	t.Parallel()
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

// TestMillions_MatchTheCount counts the consumption of a warm process on the real engine.
func TestMillions_MatchTheCount(t *testing.T) {
	t.Parallel()
	db := tabletest.Start(t, "bill")
	counted, err := measure.New(db, "bill", measure.Full).Depths(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	billed := map[string]operation{"post a message": warmPost, "open a page of 50": warmPage, "ask for changes, none": warmPoll}
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

func TestMillionsMarkdown_MatchesThePage(t *testing.T) {
	t.Parallel()
	const begin, end = "<!-- A million: go run ./cmd/bench millions -->\n", "<!-- End of a million -->\n"
	if between(t, "../../docs/performance.md", begin, end) != MillionsMarkdown() {
		t.Errorf("the page is stale. Replace the lines between its markers by the output of go run ./cmd/bench millions:\n%s", MillionsMarkdown())
	}
}

// TestMillions_AddUpByHand computes some prices in another way.
func TestMillions_AddUpByHand(t *testing.T) {
	t.Parallel()
	want := map[string]float64{
		"messages in":                         1.01 * (1.20 + 0.0075*13.3334 + 1.5*0.125 + 2*0.625 + 326e6/(1<<30)*0.50 + 694e6/(1<<30)*0.09),
		"pages of 50 of a public room":        1.20 + 0.015*13.3334 + 4*0.125 + 326e6/(1<<30)*0.50 + 4150e6/(1<<30)*0.09,
		"messages with their feed, busy room": 0, // below
	}
	feed := (0.20+0.0125*13.3334+300e6/(1<<30)*0.50)/100 + 0.04*0.625
	want["messages with their feed, busy room"] = want["messages in"] + feed
	for _, p := range millions() {
		if dollars, ok := want[p.Name]; ok && math.Abs(p.total()-dollars) > 0.001 {
			t.Errorf("a million %s cost %.3f, want %.3f", p.Name, p.total(), dollars)
		}
		delete(want, p.Name)
	}
	if len(want) > 0 {
		t.Errorf("not computed: %v", want)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= tolerance*math.Max(a, b) }
