package report_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/report"
	"example.com/parley/internal/test/chattest"
)

func TestMain(m *testing.M) { os.Exit(chattest.Main(m)) }

func TestReport_OncePerPersonAndBounded(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	m := chattest.Post(t, s, "bob", "text")
	first, created, err := s.Reports.Report(t.Context(), "amsg", "seattle", m.ID, "spam\nagain and again")
	if err != nil || !created || !first.Open() || first.Reason != "spam\nagain and again" {
		t.Fatalf("%+v, %v, %v", first, created, err)
	}
	clock.Advance(time.Minute)
	if again, created, err := s.Reports.Report(t.Context(), "amsg", "seattle", m.ID, "other"); err != nil || created || again != first {
		t.Errorf("once more: %+v, %v, %v", again, created, err)
	}
	for _, reason := range []string{"", " \n ", "a\x00", "a\xff", "a\tb", strings.Repeat("r", report.MaxReason+1)} {
		_, _, err := s.Reports.Report(t.Context(), "carl", "seattle", m.ID, reason)
		chattest.WantKind(t, "an invalid reason", err, chat.Invalid)
	}
	_, _, err = s.Reports.Report(t.Context(), "carl", "seattle", chat.MessageID{UUID: m.ID.UUID, User: "nobody"}, "x")
	chattest.WantKind(t, "an unknown message", err, chat.NotFound)
	if _, err := s.DeleteMessage(t.Context(), "bob", chat.Revision{Room: "seattle", ID: m.ID, Base: chat.AnyRevision}); err != nil {
		t.Fatal(err)
	}
	if _, created, err := s.Reports.Report(t.Context(), "carl", "seattle", m.ID, "x"); err != nil || !created {
		t.Errorf("a deleted message: %v, %v", created, err)
	}
	page, err := s.Reports.Reports(t.Context(), "maker", "seattle", chat.PageRequest{Limit: 9})
	if err != nil || len(page.Items) != 2 || page.Items[0] != first {
		t.Errorf("%+v, %v", page, err)
	}
}

func TestParseID_RefusesAllButItsString(t *testing.T) {
	t.Parallel()
	id := report.ID{Message: chat.MessageID{UUID: chat.NewUUID(chattest.Start, [10]byte{1}), User: "bob"}, Reporter: "amsg"}
	if got, err := report.ParseID(id.String()); err != nil || got != id {
		t.Errorf("%v, %v", got, err)
	}
	for _, s := range []string{"", "~", "a~b", id.Message.String(), id.String() + "~x", id.String() + "#", id.Message.String() + "~"} {
		if got, err := report.ParseID(s); err == nil {
			t.Errorf("%q is parsed as %v", s, got)
		}
	}
}

// TestReports_AreListedAndResolved reports messages of two rooms, whose senders have similar ids.
// Two reports at a time have the same time.
func TestReports_AreListedAndResolved(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	rooms := []chat.RoomID{"seattle", "sea"}
	for _, room := range rooms {
		chattest.CreateRoom(t, s, room, 1)
	}
	var all []report.Report
	for n := range 8 {
		room := rooms[n%2]
		m, _, err := s.PostMessage(t.Context(), []chat.UserID{"amsg", "amsg-2", "am", "a"}[n%4], room, chat.MessageDraft{Text: "text"})
		if err != nil {
			t.Fatal(err)
		}
		if n == 7 { // a second report of a message
			m.ID = all[5].ID.Message
		}
		reporter := chat.UserID(fmt.Sprintf("user-%d", n))
		want := report.Report{Room: room, ID: report.ID{Message: m.ID, Reporter: reporter}, Reason: fmt.Sprintf("reason %d", n), CreatedAt: clock.Now().UTC()}
		r, created, err := s.Reports.Report(t.Context(), reporter, room, m.ID, want.Reason)
		if err != nil || !created || r != want {
			t.Fatalf("%+v, %v, %v", r, created, err)
		}
		if all = append(all, r); n%2 == 1 {
			clock.Advance(time.Second)
		}
	}
	wantOpen(t, s, all)
	clock.Advance(time.Minute)
	done := all[3]
	done.ResolvedAt, done.ResolvedBy = clock.Now().UTC(), "boss"
	for _, by := range []chat.UserID{"boss", "late"} {
		if got, err := s.Reports.ResolveAny(t.Context(), by, done.Room, done.ID); err != nil || got != done {
			t.Errorf("resolved by %s: %+v, %v, want %+v", by, got, err, done)
		}
		clock.Advance(time.Minute)
	}
	unknown := done.ID
	unknown.Reporter = "nobody"
	_, err := s.Reports.ResolveAny(t.Context(), "boss", done.Room, unknown)
	chattest.WantKind(t, "an unknown report", err, chat.NotFound)
	all[3] = done
	wantOpen(t, s, slices.Delete(slices.Clone(all), 3, 4))
	wantReports(t, s, "sea", all[1], done, all[5], all[7])
	wantReports(t, s, "seattle", all[0], all[2], all[4], all[6])
}

// inPages calls each with the reports of a list in pages of every size up to one more than size.
func inPages(t *testing.T, size int, list func(chat.PageRequest) (chat.Page[report.Report], error), each func(limit int, got []report.Report)) {
	t.Helper()
	for limit := 1; limit <= size+1; limit++ {
		var got []report.Report
		for page := (chat.PageRequest{Limit: limit}); len(got) <= size; {
			p, err := list(page)
			if err != nil || len(p.Items) > limit {
				t.Fatalf("%d reports, %v", len(p.Items), err)
			}
			got = append(got, p.Items...)
			if page.Cursor = p.Next; p.Next == "" {
				break
			}
		}
		each(limit, got)
	}
}

// wantOpen reads the open reports of all rooms, the newest first.
func wantOpen(t *testing.T, s *app.Services, want []report.Report) {
	t.Helper()
	byReporter := func(a, b report.Report) int { return strings.Compare(string(a.ID.Reporter), string(b.ID.Reporter)) }
	list := func(p chat.PageRequest) (chat.Page[report.Report], error) { return s.Reports.Open(t.Context(), p) }
	inPages(t, len(want), list, func(limit int, got []report.Report) {
		if !slices.IsSortedFunc(got, func(a, b report.Report) int { return b.CreatedAt.Compare(a.CreatedAt) }) {
			t.Errorf("in pages of %d the order is %v", limit, got)
		}
		if slices.SortFunc(got, byReporter); !slices.Equal(want, got) {
			t.Errorf("in pages of %d: %+v, want %+v", limit, got, want)
		}
	})
}

// wantReports reads the reports of a room, by message.
func wantReports(t *testing.T, s *app.Services, room chat.RoomID, want ...report.Report) {
	t.Helper()
	slices.SortFunc(want, func(a, b report.Report) int { return strings.Compare(a.ID.String(), b.ID.String()) })
	list := func(p chat.PageRequest) (chat.Page[report.Report], error) {
		return s.Reports.Reports(t.Context(), "maker", room, p)
	}
	inPages(t, len(want), list, func(limit int, got []report.Report) {
		if !slices.Equal(want, got) {
			t.Errorf("%s, in pages of %d: %+v, want %+v", room, limit, got, want)
		}
	})
}
