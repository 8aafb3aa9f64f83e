package report_test

import (
	"os"
	"strings"
	"testing"
	"time"

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
