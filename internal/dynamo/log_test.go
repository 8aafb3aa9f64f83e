package dynamo_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/rights"
	"example.com/parley/internal/test/storetest"
	"example.com/parley/internal/test/tabletest"
)

func TestLogStore_KeepsTheContract(t *testing.T) {
	endpoint := enginetest.Start(t)
	var tables atomic.Int32
	storetest.RunLog(t, func(t *testing.T) activity.Store {
		client := dynamo.LocalClient(endpoint)
		name := fmt.Sprintf("log-%d", tables.Add(1))
		for range 2 { // the second time it exists
			tabletest.CreateLog(t, client, name)
		}
		client = dynamo.LocalClient(endpoint, recorder.Client(rights.Store))
		return dynamo.NewLog(client, dynamo.Options{Table: name})
	})
}

// TestReadLog_ReadsOnlyTheEntriesReturned checks the units that DynamoDB reports: half a unit for
// each 4 KB, here of entries of about 1 KB.
func TestReadLog_ReadsOnlyTheEntriesReturned(t *testing.T) {
	t.Parallel()
	client := tabletest.StartLog(t, "log")
	var used []dynamo.Usage
	s := dynamo.NewLog(client, dynamo.Options{Table: "log", Observe: func(_ context.Context, u dynamo.Usage) { used = append(used, u) }})
	log, detail := activity.Log{User: "ada", Device: "phone"}, fmt.Sprintf("%0900d", 0)
	begin := time.Unix(1_535_544_000, 0).UTC()
	for n := range 100 {
		e := activity.LogEntry{At: begin.Add(time.Duration(n) * time.Second), ID: fmt.Sprint(n), Type: "error", Detail: detail, Expires: begin.Add(time.Hour)}
		if _, _, err := s.AppendLog(t.Context(), log, e); err != nil {
			t.Fatal(err)
		}
	}
	if want := (dynamo.Usage{Operation: "append to log", Units: 1, Write: true}); len(used) != 100 || used[99] != want {
		t.Errorf("%d writes, the last %+v", len(used), used[99])
	}
	used = nil
	span := activity.LogRange{Log: log, After: begin.Add(39 * time.Second), Before: begin.Add(43 * time.Second), Now: begin, Limit: 50}
	entries, more, err := s.ReadLog(t.Context(), span)
	if err != nil || more || len(entries) != 3 {
		t.Fatalf("%d entries, more %v, %v", len(entries), more, err)
	}
	if diff := cmp.Diff([]dynamo.Usage{{Operation: "read log", Units: 0.5, Items: 3}}, used); diff != "" {
		t.Error(diff)
	}
}

// counter counts the calls of each operation, including failed calls. Further attempts by the SDK,
// as on a busy machine, belong to the same call.
type counter struct {
	next  dynamodb.HTTPClient
	calls map[string]int
	last  string // the SDK's name for the last call
}

func (c *counter) Do(r *http.Request) (*http.Response, error) {
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	if call := r.Header.Get("Amz-Sdk-Invocation-Id"); call != c.last {
		c.calls[operation]++
		c.last = call
	}
	return c.next.Do(r)
}

// TestAppendLog_BusyInstantCostsTwoPuts counts the calls for a taken instant: one query and one
// more put, for any number of entries there. There is no second put if the entry exists or no
// place is left.
func TestAppendLog_BusyInstantCostsTwoPuts(t *testing.T) {
	t.Parallel()
	c := &counter{calls: map[string]int{}}
	client := tabletest.StartLog(t, "log", func(o *dynamodb.Options) {
		c.next, o.HTTPClient = o.HTTPClient, c
	})
	s := dynamo.NewLog(client, dynamo.Options{Table: "log"})
	log, at := activity.Log{User: "ada", Device: "phone"}, time.Unix(1_535_544_000, 0).UTC()
	for n := range 2*activity.MaxPerInstant + 10 {
		clear(c.calls)
		// Each is appended twice. Entries beyond the last place are refused.
		e := activity.LogEntry{At: at, ID: fmt.Sprint(n / 2), Type: "error", Expires: at.Add(time.Hour)}
		kept, created, err := s.AppendLog(t.Context(), log, e)
		full, first, retry := n >= 2*activity.MaxPerInstant, n/2 == 0, n%2 == 1
		puts, looks := 2, 1
		if first {
			looks = 0
		}
		if first || retry || full {
			puts = 1
		}
		if c.calls["PutItem"] != puts || c.calls["Query"] != looks {
			t.Errorf("entry %d: %v, want %d puts and %d looks", n, c.calls, puts, looks)
		}
		switch want := at.Add(time.Duration(n/2) * activity.LogStep); {
		case full && chat.KindOf(err) != chat.Conflict:
			t.Errorf("entry %d: %v, want conflict", n, err)
		case !full && (err != nil || created == retry || !kept.At.Equal(want)):
			t.Errorf("entry %d: at %v, created %v, %v", n, kept.At, created, err)
		}
	}
}
