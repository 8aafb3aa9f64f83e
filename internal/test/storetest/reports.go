package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/internal/app"
	"parley/internal/chat"
	"parley/internal/report"
)

func reportsAreListedAndResolved(t *testing.T, s app.Store) {
	var all []report.Report
	for n := range 7 {
		room := chat.RoomID([]string{"seattle", "sea"}[n%2])
		m := message(room, similarIDs[n%len(similarIDs)], start, start, n)
		r := report.Report{
			Room: room, ID: report.ID{Message: m.ID, Reporter: chat.UserID(fmt.Sprintf("user-%d", n))},
			Reason: fmt.Sprintf("reason %d", n), CreatedAt: start.Add(time.Duration(n/2) * time.Second), // some at once
		}
		stored, created, err := s.PutReport(t.Context(), r)
		if err != nil || !created || stored != r {
			t.Fatalf("%+v, %v, %v", stored, created, err)
		}
		other := r
		other.Reason = "other"
		if stored, created, err := s.PutReport(t.Context(), other); err != nil || created || stored != r {
			t.Errorf("once more: %+v, %v, %v", stored, created, err)
		}
		all = append(all, r)
	}
	wantOpen(t, s, all)
	done := all[3]
	done.ResolvedAt, done.ResolvedBy = start.Add(time.Minute), "boss"
	for _, by := range []chat.UserID{"boss", "late"} {
		r := done
		r.ResolvedBy = by
		stored, resolved, err := s.ResolveReport(t.Context(), r)
		if d := cmp.Diff(done, stored); d != "" || resolved != (by == "boss") || err != nil {
			t.Errorf("resolved by %s: %v, %v (-want +got):\n%s", by, resolved, err, d)
		}
	}
	unknown := done
	unknown.ID.Reporter = "nobody"
	_, _, err := s.ResolveReport(t.Context(), unknown)
	wantNotFound(t, err)
	all[3] = done
	wantOpen(t, s, slices.Delete(slices.Clone(all), 3, 4))
	wantReports(t, s, "sea", []report.Report{all[1], done, all[5]})
	wantReports(t, s, "nowhere", nil)
}

// wantOpen reads the open reports of all rooms in pages of every size, newest first.
func wantOpen(t *testing.T, s app.Store, want []report.Report) {
	t.Helper()
	for limit := 1; limit <= len(want)+1; limit++ {
		var got []report.Report
		var after chat.ListPosition
		for {
			page, next, err := s.OpenReports(t.Context(), after, limit)
			if err != nil || len(page) > limit {
				t.Fatalf("%d reports, %v", len(page), err)
			}
			got = append(got, page...)
			if after = next; next == (chat.ListPosition{}) {
				break
			}
		}
		if !slices.IsSortedFunc(got, func(a, b report.Report) int { return b.CreatedAt.Compare(a.CreatedAt) }) {
			t.Errorf("in pages of %d the order is %v", limit, got)
		}
		byReporter := func(a, b report.Report) int { return strings.Compare(string(a.ID.Reporter), string(b.ID.Reporter)) }
		if d := cmp.Diff(slices.SortedFunc(slices.Values(want), byReporter), slices.SortedFunc(slices.Values(got), byReporter)); d != "" {
			t.Errorf("in pages of %d (-want +got):\n%s", limit, d)
		}
	}
}

// wantReports reads a room's reports in pages of every size.
func wantReports(t *testing.T, s app.Store, room chat.RoomID, want []report.Report) {
	t.Helper()
	byMessage := func(a, b report.Report) int { return strings.Compare(a.ID.String(), b.ID.String()) }
	for limit := 1; limit <= len(want)+1; limit++ {
		var got []report.Report
		var after chat.ListPosition
		for {
			page, next, err := s.ReportsOf(t.Context(), room, after, limit)
			if err != nil || len(page) > limit {
				t.Fatalf("%d reports, %v", len(page), err)
			}
			got = append(got, page...)
			if after = next; next == (chat.ListPosition{}) {
				break
			}
		}
		if d := cmp.Diff(slices.SortedFunc(slices.Values(want), byMessage), got); d != "" && len(want)+len(got) > 0 {
			t.Errorf("in pages of %d (-want +got):\n%s", limit, d)
		}
	}
}
