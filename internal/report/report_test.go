package report_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/chat"
	"parley/internal/report"
	"parley/internal/test/chattest"
)

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
	if _, _, err := report.ParsePlace("seattle#" + id.String()); err != nil {
		t.Error(err)
	}
}

// TestReports_OfARoomInPages follows the cursors of a room's reports.
func TestReports_OfARoomInPages(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	m := chattest.Post(t, s, "bob", "text")
	var want, got []report.Report
	for _, reporter := range []chat.UserID{"amsg", "carl", "dave"} {
		r, _, err := s.Reports.Report(t.Context(), reporter, "seattle", m.ID, "spam")
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, r)
	}
	for page := (chat.PageRequest{Limit: 1}); len(got) <= len(want); {
		p, err := s.Reports.Reports(t.Context(), "maker", "seattle", page)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, p.Items...)
		if page.Cursor = p.Next; page.Cursor == "" {
			break
		}
	}
	if !slices.Equal(want, got) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

// TestReport_NotInAnArchivedRoom checks that an archived room takes no reports and that its owner
// resolves none, while a service still does.
func TestReport_NotInAnArchivedRoom(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	m := chattest.Post(t, s, "bob", "text")
	r, _, err := s.Reports.Report(t.Context(), "amsg", "seattle", m.ID, "spam")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.PutRoom(t.Context(), "maker", "seattle", chat.RoomDraft{Archived: new(true)}); err != nil {
		t.Fatal(err)
	}
	_, _, err = s.Reports.Report(t.Context(), "carl", "seattle", m.ID, "spam")
	chattest.WantKind(t, "a report in an archived room", err, chat.Forbidden)
	_, err = s.Reports.Resolve(t.Context(), "maker", "seattle", r.ID)
	chattest.WantKind(t, "resolved in an archived room", err, chat.Forbidden)
	if got, err := s.Reports.ResolveAny(t.Context(), "desk", "seattle", r.ID); err != nil || got.Open() {
		t.Errorf("resolved by a service: %+v, %v", got, err)
	}
}
