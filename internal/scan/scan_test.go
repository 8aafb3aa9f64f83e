package scan_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/scan"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/tabletest"
)

// newSource returns a table of several pages. A page ends at a megabyte.
func newSource(t *testing.T, items, size int) scan.Source {
	t.Helper()
	db := tabletest.Start(t, "big")
	for n := range items {
		item := table.Key(fmt.Sprintf("u#%d", n), "root")
		item["text"] = &types.AttributeValueMemberS{Value: strings.Repeat("x", size)}
		if _, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: new("big"), Item: item}); err != nil {
			t.Fatal(err)
		}
	}
	return scan.Source{DB: db, Table: "big"}
}

// TestScan_ReadsEveryItemOnce interrupts a scan after each page and resumes it from the saved
// progress.
func TestScan_ReadsEveryItemOnce(t *testing.T) {
	t.Parallel()
	const items = 60
	source := newSource(t, items, 300_000) // 18 MB: two pages and more of each of 8 segments
	seen := map[string]int{}
	var saved []byte
	var used float64
	runs := 0
	for done := false; !done; runs++ {
		var p scan.Progress
		if saved != nil {
			if err := json.Unmarshal(saved, &p); err != nil {
				t.Fatal(err)
			}
		}
		ctx, interrupt := context.WithCancel(t.Context())
		s := scan.Scan{Source: source, Limiter: scan.NewRateLimiter(1e9, time.Now), Moved: func() (err error) {
			saved, err = json.Marshal(p)
			interrupt()
			return err
		}}
		err := s.Run(ctx, &p, func(_ context.Context, page []table.Item) error {
			for _, item := range page {
				seen[table.KeyText(item)]++
			}
			return nil
		})
		interrupt()
		done, used = err == nil && p.Done(), p.Units
	}
	if runs < 17 || len(seen) != items {
		t.Errorf("%d runs read %d items, want %d in at least 17 runs", runs, len(seen), items)
	}
	for key, n := range seen {
		if n != 1 {
			t.Errorf("%s was read %d times", key, n)
		}
	}
	if want := items * 300_000.0 / 4096 / 2; used < want || used > want*1.05 {
		t.Errorf("it used %.0f units, want %.0f", used, want)
	}
}

// tableDescription is a service that answers every request with one description of a table.
type tableDescription string

func (d tableDescription) Do(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Request: r, Body: io.NopCloser(strings.NewReader(string(d))),
		Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
	}, nil
}

func TestCost_CoversTheTableOrItsIndex(t *testing.T) {
	t.Parallel()
	db := dynamo.LocalClient("http://127.0.0.1:1", func(o *dynamodb.Options) {
		o.HTTPClient = tableDescription(`{"Table":{"ItemCount":3000000,"TableSizeBytes":8192000000,
			"GlobalSecondaryIndexes":[{"IndexName":"GSI1","ItemCount":1000000,"IndexSizeBytes":4096000000}]}}`)
	})
	for index, want := range map[string]scan.Cost{
		"":     {Items: 3_000_000, Bytes: 8_192_000_000, Units: 1_000_000.5},
		"GSI1": {Items: 1_000_000, Bytes: 4_096_000_000, Units: 500_000.5},
	} {
		got, err := scan.Source{DB: db, Table: "t", Index: index}.Cost(t.Context())
		if err != nil || got != want {
			t.Errorf("cost of index %q = %+v, %v, want %+v", index, got, err, want)
		}
		if took := got.Takes(500); index == "" && took != 2000*time.Second {
			t.Errorf("it takes %v, want 2000 s", took)
		}
	}
	if d := scan.Dollars(8e6); d != 1 {
		t.Errorf("8 million read units cost $%v", d)
	}
	if d := scan.WriteDollars(8e6); d != 5 {
		t.Errorf("8 million write units cost $%v", d)
	}
}

func TestPace_HoldsToItsRate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := scan.NewRateLimiter(100, time.Now)
		begun := time.Now()
		for range 10 {
			if err := limiter.Take(t.Context(), 50); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(begun); took != 5*time.Second || limiter.Used() != 500 {
			t.Errorf("%.0f units at 100 a second took %v", limiter.Used(), took)
		}
		time.Sleep(time.Hour) // units that an idle hour did not use are not saved up
		begun = time.Now()
		if err := limiter.Take(t.Context(), 100); err != nil || time.Since(begun) != time.Second {
			t.Errorf("after a rest: %v, %v", time.Since(begun), err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := limiter.Take(ctx, 1e6); err == nil {
			t.Error("Take waits on after its context has ended")
		}
	})
}
