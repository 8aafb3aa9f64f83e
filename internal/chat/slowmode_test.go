package chat_test

import (
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/document"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

// interval is the slow room's interval.
const interval = 10 * time.Second

// slowRoom creates a room in slow mode.
func slowRoom(t *testing.T) (*app.Services, *chattest.Clock) {
	t.Helper()
	s, c := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	slow := interval
	if _, _, err := s.PutRoom(t.Context(), "maker", "seattle", chat.RoomDraft{SlowMode: &slow}); err != nil {
		t.Fatal(err)
	}
	return s, c
}

// step is a contribution of a person, some time after the previous one.
type step struct {
	what  string
	after time.Duration
	do    func() (replay bool, err error)

	replay bool
	want   chat.Kind
}

// run performs the steps one after another.
func run(t *testing.T, c *chattest.Clock, steps []step) {
	t.Helper()
	for _, s := range steps {
		c.Advance(s.after)
		if replay, err := s.do(); chat.KindOf(err) != s.want || replay != s.replay {
			t.Errorf("%s: replay %v, %v; want replay %v, %v", s.what, replay, err, s.replay, s.want)
		}
	}
}

// TestAdmit_EditsKeepThePaceOfMessages edits in the intervals of a slow room. Messages and edits
// share one interval. A retry of a stored edit succeeds, and an edit whose time has come is
// admitted.
func TestAdmit_EditsKeepThePaceOfMessages(t *testing.T) {
	t.Parallel()
	s, c := slowRoom(t)
	id := chat.MessageID{UUID: chat.NewUUID(chattest.Start, [10]byte{1}), User: "amsg"}
	post := func(n byte) func() (bool, error) {
		return func() (bool, error) {
			_, replay, err := s.PostMessage(t.Context(), "amsg", "seattle", chat.MessageDraft{UUID: chat.NewUUID(chattest.Start, [10]byte{n}), Text: "x"})
			return replay, err
		}
	}
	edit := func(base int, text string) func() (bool, error) {
		return func() (bool, error) {
			_, replay, err := s.EditMessage(t.Context(), "amsg", chat.Revision{Room: "seattle", ID: id, Base: base}, chat.MessageEdit{Text: &text})
			return replay, err
		}
	}
	run(t, c, []step{
		{what: "a message", do: post(1)},
		{what: "an edit too soon", after: interval - time.Millisecond, do: edit(1, "two"), want: chat.RateLimited},
		{what: "the same in time", after: time.Millisecond, do: edit(1, "two")},
		{what: "its retry", do: edit(1, "two"), replay: true},
		{what: "the next edit too soon", do: edit(2, "three"), want: chat.RateLimited},
		{what: "any edit that wins, too soon", do: edit(chat.AnyRevision, "three"), want: chat.RateLimited},
		{what: "an edit of an old revision, which changes nothing", do: edit(1, "three"), want: chat.Stale},
		{what: "a message too soon after an edit", do: post(2), want: chat.RateLimited},
		{what: "the next edit in time", after: interval, do: edit(2, "three")},
		{what: "a late retry of it", after: interval, do: edit(2, "three"), replay: true},
		{what: "a message, since a retry takes no turn", do: post(2)},
	})
	text := "by a moderator"
	own := chattest.Post(t, s, "maker", "x")
	for base := 1; base < 4; base++ {
		text += "!"
		if _, _, err := s.EditMessage(t.Context(), "maker", chat.Revision{Room: "seattle", ID: own.ID, Base: base}, chat.MessageEdit{Text: &text}); err != nil {
			t.Errorf("an owner's edit %d: %v", base, err)
		}
	}
}

// TestAdmit_DocumentsKeepThePaceOfMessages creates and saves documents in a slow room.
func TestAdmit_DocumentsKeepThePaceOfMessages(t *testing.T) {
	t.Parallel()
	s, c := slowRoom(t)
	create := func(id document.ID) func() (bool, error) {
		return func() (bool, error) {
			_, _, err := s.Documents.PutDocument(t.Context(), "amsg", "seattle", id, document.Draft{})
			return false, err
		}
	}
	save := func(base int, text string) func() (bool, error) {
		return func() (bool, error) {
			_, replay, err := s.Documents.SavePart(t.Context(), "amsg", document.PartDraft{Room: "seattle", Document: "charter", Part: "one", Text: text, Base: base})
			return replay, err
		}
	}
	run(t, c, []step{
		{what: "a document", do: create("charter")},
		{what: "its retry", do: create("charter")},
		{what: "another too soon", do: create("rules"), want: chat.RateLimited},
		{what: "a part too soon", do: save(0, "one"), want: chat.RateLimited},
		{what: "a part in time", after: interval, do: save(0, "one")},
		{what: "its retry", do: save(0, "one"), replay: true},
		{what: "a version too soon", do: save(1, "two"), want: chat.RateLimited},
		{what: "a version of an old base", do: save(0, "two"), want: chat.PreconditionRequired},
		{what: "a version in time", after: interval, do: save(1, "two")},
		{what: "its retry", do: save(1, "two"), replay: true},
		{what: "another document in time", after: interval, do: create("rules")},
	})
	if role := policy.Moderator; chattest.SetRole(t, s, "maker", "seattle", "bob", policy.Member) != nil || chattest.SetRole(t, s, "maker", "seattle", "bob", role) != nil {
		t.Fatal("bob is no moderator")
	}
	for base := range 3 {
		if _, _, err := s.Documents.SavePart(t.Context(), "bob", document.PartDraft{Room: "seattle", Document: "plan", Part: "one", Text: "x", Base: base}); err != nil {
			t.Errorf("a moderator's version %d: %v", base+1, err)
		}
	}
}
