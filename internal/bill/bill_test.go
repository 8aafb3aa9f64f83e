package bill

import (
	"math"
	"os"
	"strings"
	"testing"
)

// The guide's copy of the tables is between these two lines.
const (
	guide = "../../docs/deploy.md"
	begin = "<!-- The bill: go run ./cmd/bench bill -->\n"
	end   = "<!-- End of the bill -->\n"
)

func TestMarkdown_MatchesTheGuide(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), begin)
	shown, _, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no lines %q and %q", guide, begin, end)
	}
	if shown != Markdown() {
		t.Errorf("the guide's bill is stale. Replace the lines between its markers by the output of go run ./cmd/bench bill:\n%s", Markdown())
	}
}

// TestLines_AddUpByHand computes one column in another way.
func TestLines_AddUpByHand(t *testing.T) {
	t.Parallel()
	requests := 10_000*30*1.01 + 500*8*3600*30/5.0 + 500*8*60*30 + 2*1000*20*30.0
	got := map[string]Line{}
	for _, l := range Lines(Scale{Messages: 10_000, Online: 500}, 5) {
		got[l.Name] = l
	}
	for name, want := range map[string]float64{
		"API requests":                            requests / 1e6 * 1.00,
		"Lambda requests, the feed's too":         (requests + 300_000 - 1e6) / 1e6 * 0.20,
		"DynamoDB writes: feeds, from the stream": 300_000 * 2 / 1e6 * 0.625,
		"Logs written":                            ((requests*326+300_000*300)/(1<<30) - 5) * 0.50,
		"Cognito, people active in the month":     0,
	} {
		if l, ok := got[name]; !ok || math.Abs(l.Dollar-want) > 0.001 {
			t.Errorf("%s costs %.3f, want %.3f", name, l.Dollar, want)
		}
	}
}

func TestLines_CostNothingButAlarmsAtRest(t *testing.T) {
	t.Parallel()
	for _, l := range Lines(Scale{}, PollSeconds) {
		if l.Dollar != 0 && !strings.HasPrefix(l.Name, "Alarms") {
			t.Errorf("%s cost %.2f a month at rest", l.Name, l.Dollar)
		}
	}
}

func TestTransfer_IsCheaperByTheGigabyte(t *testing.T) {
	t.Parallel()
	for gigabytes, want := range map[float64]float64{
		100: 0, 101: 0.09, 100 + 10_240: 921.6, 100 + 10_241: 921.685, 100 + 51_201: 921.6 + 40_960*0.085 + 0.07,
	} {
		if got := transfer(gigabytes); math.Abs(got-want) > 0.0001 {
			t.Errorf("%.0f GB cost %.4f, want %.4f", gigabytes, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	t.Parallel()
	for f, want := range map[float64]string{0: "0", 10: "10", 0.0184: "0.018", 1.93: "1.9", 95.13: "95.1", 345.6: "346", 3822.2: "3,822", 1_000_000: "1,000,000"} {
		if got := number(f); got != want {
			t.Errorf("number(%v) = %q, want %q", f, got, want)
		}
	}
}
