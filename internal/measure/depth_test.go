package measure_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/measure"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
)

// TestDepths_AreExact counts the calls that wait for one another. One call more makes an operation
// slower for everyone, so the numbers rise only on purpose. When one falls, it is written down here.
func TestDepths_AreExact(t *testing.T) {
	t.Parallel()
	want := map[string][3]int{ // cold, 3 s later, warm
		"post a message":                {2, 2, 2},
		"open a page of 50":             {2, 1, 1},
		"open a page of a private room": {2, 2, 2},
		"ask for changes, none":         {1, 1, 1},
		"ask for changes, 50":           {4, 3, 3},
		"ask for changes, 200":          {4, 3, 3},
		"list my rooms, 50":             {3, 3, 3},
		"list my rooms, 132":            {3, 3, 3},
		"mark as read":                  {2, 2, 2},
		"join a room":                   {2, 2, 2},
	}
	comparePage(t, want)
	endpoint := enginetest.Start(t)
	synctest.Test(t, func(t *testing.T) {
		if diff := cmp.Diff(want, depthsOf(t, endpoint)); diff != "" {
			t.Errorf("steps cold, 3 s later and warm (-want +got):\n%s", diff)
		}
	})
}

// comparePage compares the numbers with the table of the documentation.
func comparePage(t *testing.T, want map[string][3]int) {
	t.Helper()
	text, err := os.ReadFile("../../docs/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, steps := range want {
		if row := fmt.Sprintf("| %s | %d | %d | %d |", name, steps[0], steps[1], steps[2]); !strings.Contains(string(text), row) {
			t.Errorf("docs/performance.md has no row %q", row)
		}
	}
}

// mostUnits are the read units that the page of changes of a warm process may consume.
var mostUnits = map[string]float64{"ask for changes, none": 2, "ask for changes, 50": 10, "ask for changes, 200": 20}

// depthsOf returns the steps of each operation in each state. It runs in a bubble of synctest, whose
// clock stands still until every call of a step waits for the end of the step. A connection that is
// kept alive would stop the clock, so there is none.
func depthsOf(t *testing.T, endpoint string) map[string][3]int {
	t.Helper()
	unkept := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	db := dynamo.LocalClient(endpoint, func(o *dynamodb.Options) { o.HTTPClient = unkept })
	if err := dynamo.CreateTable(t.Context(), db, chattest.Table); err != nil {
		t.Fatal(err)
	}
	all, err := measure.New(db, chattest.Table, measure.Full).Depths(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	steps := make(map[string][3]int, len(all))
	for _, d := range all {
		if most, bounded := mostUnits[d.Name]; bounded && d.Warm.Reads > most {
			t.Errorf("%s: %.1f read units, want at most %.1f", d.Name, d.Warm.Reads, most)
		}
		steps[d.Name] = [3]int{d.Cold.Steps, d.Later.Steps, d.Warm.Steps}
	}
	return steps
}
