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

// replyDraft returns a draft of a reply, whose id depends on n.
func replyDraft(root chat.MessageID, n byte) chat.MessageDraft {
	return chat.MessageDraft{UUID: chat.NewUUID(chattest.Start, [10]byte{n}), Text: "reply", Thread: root}
}

// TestPostMessage_ReplyIsPartOfItsContent checks that a retry of a reply must name the same thread
// and show it in the room as before.
func TestPostMessage_ReplyIsPartOfItsContent(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 2)
	root, other := chattest.Post(t, s, "amsg", "root"), chattest.Post(t, s, "amsg", "other")
	draft := replyDraft(root.ID, 7)
	for _, wantReplay := range []bool{false, true} {
		m, replay, err := s.PostMessage(t.Context(), "bob", "seattle", draft)
		if err != nil || replay != wantReplay || m.Thread != root.ID || m.ShowInRoom {
			t.Fatalf("%+v, replay %v, %v", m, replay, err)
		}
	}
	for name, change := range map[string]func(*chat.MessageDraft){
		"another root": func(d *chat.MessageDraft) { d.Thread = other.ID },
		"in the room":  func(d *chat.MessageDraft) { d.ShowInRoom = true },
		"no reply":     func(d *chat.MessageDraft) { d.Thread = chat.MessageID{} },
		"metadata":     func(d *chat.MessageDraft) { d.Metadata = "{}" },
	} {
		again := draft
		change(&again)
		_, _, err := s.PostMessage(t.Context(), "bob", "seattle", again)
		chattest.WantKind(t, name, err, chat.Conflict)
	}
}

// TestPostMessage_ReplyNeedsARoot checks the refusals of replies, and that a retry succeeds after
// the root was deleted.
func TestPostMessage_ReplyNeedsARoot(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 2)
	root := chattest.Post(t, s, "amsg", "root")
	first, _, err := s.PostMessage(t.Context(), "bob", "seattle", replyDraft(root.ID, 1))
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = s.PostMessage(t.Context(), "bob", "seattle", replyDraft(chat.MessageID{UUID: root.ID.UUID, User: "bob"}, 2))
	chattest.WantKind(t, "an unknown root", err, chat.Invalid)
	_, _, err = s.PostMessage(t.Context(), "bob", "seattle", replyDraft(first.ID, 2))
	if chattest.WantKind(t, "a reply to a reply", err, chat.Invalid); !strings.Contains(err.Error(), root.ID.String()) {
		t.Errorf("%v does not name the root %v", err, root.ID)
	}
	_, _, err = s.PostMessage(t.Context(), "bob", "seattle", chat.MessageDraft{Text: "x", ShowInRoom: true})
	chattest.WantKind(t, "in the room without a thread", err, chat.Invalid)

	if _, err := s.DeleteMessage(t.Context(), "amsg", chat.Revision{Room: "seattle", ID: root.ID, Base: chat.AnyRevision}); err != nil {
		t.Fatal(err)
	}
	_, _, err = s.PostMessage(t.Context(), "bob", "seattle", replyDraft(root.ID, 2))
	chattest.WantKind(t, "a deleted root", err, chat.Conflict)
	if m, replay, err := s.PostMessage(t.Context(), "bob", "seattle", replyDraft(root.ID, 1)); err != nil || !replay || m.ID != first.ID {
		t.Errorf("a retry after the root was deleted: %+v, replay %v, %v", m, replay, err)
	}
	_, _, err = s.PostMessage(t.Context(), "bob", "seattle", chat.MessageDraft{UUID: first.ID.UUID, Text: "other", Thread: root.ID})
	chattest.WantKind(t, "the id of the reply for another text", err, chat.Conflict)
}

// TestPostMessage_RoomRulesHoldForReplies checks that slow mode and archived rooms apply to replies,
// and that moderators delete them.
func TestPostMessage_RoomRulesHoldForReplies(t *testing.T) {
	t.Parallel()
	s, c := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	root := chattest.Post(t, s, "amsg", "root")
	slow := 10 * time.Second
	if _, _, err := s.PutRoom(t.Context(), "maker", "seattle", chat.RoomDraft{SlowMode: &slow}); err != nil {
		t.Fatal(err)
	}
	reply, _, err := s.PostMessage(t.Context(), "bob", "seattle", replyDraft(root.ID, 1))
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = s.PostMessage(t.Context(), "bob", "seattle", replyDraft(root.ID, 2))
	chattest.WantKind(t, "a reply too soon", err, chat.RateLimited)
	_, _, err = s.PostMessage(t.Context(), "eve", "seattle", replyDraft(chat.MessageID{UUID: root.ID.UUID, User: "eve"}, 3))
	chattest.WantKind(t, "a refused reply", err, chat.Invalid)
	if _, _, err = s.PostMessage(t.Context(), "eve", "seattle", replyDraft(root.ID, 4)); err != nil {
		t.Errorf("a refused reply took the turn of the next one: %v", err)
	}
	wantDeletedBy(t, s, reply, "maker")
	c.Advance(time.Minute)
	archived := true
	if _, _, err := s.PutRoom(t.Context(), "maker", "seattle", chat.RoomDraft{Archived: &archived}); err != nil {
		t.Fatal(err)
	}
	_, _, err = s.PostMessage(t.Context(), "bob", "seattle", replyDraft(root.ID, 5))
	chattest.WantKind(t, "a reply in an archived room", err, chat.Forbidden)
}

// wantDeletedBy deletes a stranger's message as somebody who may.
func wantDeletedBy(t *testing.T, s *app.Services, m chat.Message, by chat.UserID) {
	t.Helper()
	got, err := s.DeleteMessage(t.Context(), by, chat.Revision{Room: m.Room, ID: m.ID, Base: chat.AnyRevision})
	if err != nil || got.DeletedBy != by || got.Thread != m.Thread {
		t.Errorf("%+v, %v", got, err)
	}
}
