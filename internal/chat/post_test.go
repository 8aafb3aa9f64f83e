package chat_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/test/chattest"
)

// TestPostMessage_InvalidText checks that an invalid text is refused and nothing is stored.
func TestPostMessage_InvalidText(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	for name, text := range map[string]string{
		"empty": "", "one byte too long": strings.Repeat("x", chat.MaxText+1), "too long in bytes": strings.Repeat("é", chat.MaxText/2+1), "not UTF-8": "a\xff",
	} {
		_, _, err := s.PostMessage(t.Context(), "amsg", "seattle", chat.MessageDraft{Text: text})
		chattest.WantKind(t, name, err, chat.Invalid)
	}
	if l, err := s.Messages(t.Context(), "amsg", chat.MessageQuery{Room: "seattle", Limit: 1}); err != nil || len(l.Items) != 0 {
		t.Errorf("%d messages are stored, %v", len(l.Items), err)
	}
	chattest.Post(t, s, "amsg", strings.Repeat("x", chat.MaxText))
}

// follow returns the texts of all pages of a query.
func follow(t *testing.T, s *app.Services, q chat.MessageQuery) (texts []string) {
	t.Helper()
	for {
		l, err := s.Messages(t.Context(), "amsg", q)
		if err != nil {
			t.Fatalf("%+v: %v", q, err)
		}
		for _, m := range l.Items {
			texts = append(texts, m.Text)
		}
		if l.Next == "" {
			return texts
		}
		q.Cursor, q.Around, q.Before, q.After = l.Next, nil, nil, nil
	}
}

// TestPostMessage_ClockStepRepeatsNoID posts without ids while the clock moves forward and back.
// No id repeats, each id has the time of its receipt, and the room lists every message. A client's
// retry finds its message as long as the clocks agree within MaxAhead.
func TestPostMessage_ClockStepRepeatsNoID(t *testing.T) {
	t.Parallel()
	s, c := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 2)
	ids := map[chat.MessageID]bool{}
	var posted []chat.Message
	for _, step := range []time.Duration{0, 0, -2 * time.Second, 0, 4 * time.Second, -time.Hour, 0, 2 * time.Hour, -24 * time.Hour, 0, 48 * time.Hour} {
		c.Advance(step)
		for range 3 { // at the same millisecond
			m := chattest.Post(t, s, "amsg", "x")
			if ids[m.ID] {
				t.Errorf("after a step of %v: the id %s repeats", step, m.ID)
			}
			if !m.SentAt().Equal(m.ReceivedAt) || !m.ReceivedAt.Equal(chat.ServerTime(c.Now())) {
				t.Errorf("after a step of %v: sent at %v, received at %v", step, m.SentAt(), m.ReceivedAt)
			}
			ids[m.ID] = true
			posted = append(posted, m)
		}
	}
	oldest := chat.Oldest
	page, err := s.Messages(t.Context(), "amsg", chat.MessageQuery{Room: "seattle", Order: &oldest, Limit: 100})
	if err != nil || len(page.Items) != len(posted) {
		t.Fatalf("%d messages of %d, %v", len(page.Items), len(posted), err)
	}
	if !slices.IsSortedFunc(page.Items, func(a, b chat.Message) int { return a.ReceivedAt.Compare(b.ReceivedAt) }) {
		t.Error("the room is not in the order of receipt")
	}
	draft := chat.MessageDraft{UUID: chat.NewUUID(c.Now(), [10]byte{1}), Text: "y"}
	if _, replay, err := s.PostMessage(t.Context(), "amsg", "seattle", draft); replay || err != nil {
		t.Fatal(replay, err)
	}
	c.Advance(-chat.MaxAhead)
	if _, replay, err := s.PostMessage(t.Context(), "amsg", "seattle", draft); !replay || err != nil {
		t.Errorf("a retry within the skew: replay %v, %v", replay, err)
	}
	c.Advance(-time.Hour)
	_, _, err = s.PostMessage(t.Context(), "amsg", "seattle", draft)
	chattest.WantKind(t, "a retry by a clock an hour behind", err, chat.ClockSkew)
	c.Advance(2 * time.Hour)
	if _, replay, err := s.PostMessage(t.Context(), "amsg", "seattle", draft); !replay || err != nil {
		t.Errorf("a retry after the clock is set right: replay %v, %v", replay, err)
	}
}

func TestMain(m *testing.M) { os.Exit(chattest.Main(m)) }
