package quote_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/quote"
	"example.com/parley/internal/test/chattest"
)

// quoteReads records the messages requested from a store.
type quoteReads struct {
	app.Stores
	ids [][]chat.MessageID
}

func (r *quoteReads) MessagesSoon(ctx context.Context, room chat.RoomID, ids []chat.MessageID) (map[chat.MessageID]chat.Message, error) {
	r.ids = append(r.ids, ids)
	return r.Stores.MessagesSoon(ctx, room, ids)
}

// newQuotes returns services with two rooms, and a service of quotes whose reads are recorded.
func newQuotes(t *testing.T) (*app.Services, *quote.Service, *quoteReads) {
	t.Helper()
	r := &quoteReads{}
	s, _ := chattest.NewWith(t, func(o *app.Options) { r.Stores = o.Store })
	chattest.CreateRoom(t, s, "seattle", 2)
	chattest.CreateRoom(t, s, "tacoma", 1)
	return s, quote.New(r), r
}

func post(t *testing.T, s *app.Services, room chat.RoomID, text string, quoted chat.MessageID) chat.Message {
	t.Helper()
	m, _, err := s.PostMessage(t.Context(), "bob", room, chat.MessageDraft{Text: text, Quote: quoted})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTexts_AreCurrentAndCut(t *testing.T) {
	t.Parallel()
	s, quotes, _ := newQuotes(t)
	long := strings.Repeat("é👍", quote.MaxText)
	for _, tt := range []struct{ text, want string }{
		{"hello", "hello"}, {long, strings.Repeat("é👍", quote.MaxText/2)}, {strings.Repeat("x", quote.MaxText), strings.Repeat("x", quote.MaxText)},
	} {
		quoted := post(t, s, "seattle", tt.text, chat.MessageID{})
		m := post(t, s, "seattle", "indeed", quoted.ID)
		wantText := func(want string) {
			t.Helper()
			texts, err := quotes.Texts(t.Context(), []chat.Message{m})
			if got := texts.Text("seattle", quoted.ID); err != nil || got != want {
				t.Errorf("%q, %v, want %q", got, err, want)
			}
		}
		wantText(tt.want)
		if _, _, err := s.EditMessage(t.Context(), "bob", chat.Revision{Room: "seattle", ID: quoted.ID, Base: 1}, chat.MessageEdit{Text: new("other")}); err != nil {
			t.Fatal(err)
		}
		wantText("other")
		if _, err := s.DeleteMessage(t.Context(), "bob", chat.Revision{Room: "seattle", ID: quoted.ID, Base: 2}); err != nil {
			t.Fatal(err)
		}
		wantText("")
	}
}

// TestTexts_ReadsEachQuotedMessageOnce quotes messages of the page and others, in two rooms.
func TestTexts_ReadsEachQuotedMessageOnce(t *testing.T) {
	t.Parallel()
	s, quotes, r := newQuotes(t)
	absent, given := post(t, s, "seattle", "absent", chat.MessageID{}), post(t, s, "seattle", "given", chat.MessageID{})
	elsewhere := post(t, s, "tacoma", "elsewhere", chat.MessageID{})
	page := []chat.Message{
		given, post(t, s, "seattle", "1", absent.ID), post(t, s, "seattle", "2", given.ID), post(t, s, "tacoma", "3", elsewhere.ID), post(t, s, "seattle", "4", absent.ID),
	}
	texts, err := quotes.Texts(t.Context(), page)
	if err != nil || texts.Text("seattle", absent.ID) != "absent" || texts.Text("seattle", given.ID) != "given" || texts.Text("tacoma", elsewhere.ID) != "elsewhere" {
		t.Errorf("%v, %v", texts, err)
	}
	if got := slices.Concat(r.ids...); len(got) != 2 || len(r.ids) != 2 || !slices.Contains(got, absent.ID) || !slices.Contains(got, elsewhere.ID) {
		t.Errorf("reads %v, want each absent message once", r.ids)
	}
	r.ids = nil
	if texts, err := quotes.Texts(t.Context(), []chat.Message{given, absent}); err != nil || len(texts) != 0 || len(r.ids) != 0 {
		t.Errorf("without quotes: %v, %v, reads %v", texts, err, r.ids)
	}
}

// TestPostMessage_QuotesWhatTheRoomHas checks the errors, and that a retry must repeat the quote.
func TestPostMessage_QuotesWhatTheRoomHas(t *testing.T) {
	t.Parallel()
	s, _, _ := newQuotes(t)
	here, there := post(t, s, "seattle", "here", chat.MessageID{}), post(t, s, "tacoma", "there", chat.MessageID{})
	send := func(user chat.UserID, room chat.RoomID, draft chat.MessageDraft) error {
		_, _, err := s.PostMessage(t.Context(), user, room, draft)
		return err
	}
	chattest.WantKind(t, "of another room", send("bob", "seattle", chat.MessageDraft{Text: "x", Quote: there.ID}), chat.Invalid)
	hidden := chattest.CreatePrivateRoom(t, s, "maker")
	chattest.WantKind(t, "in a hidden room", send("bob", hidden, chat.MessageDraft{Text: "x", Quote: there.ID}), chat.NotFound)
	if err := chattest.SetRole(t, s, "maker", "seattle", "mallory", policy.Muted); err != nil {
		t.Fatal(err)
	}
	chattest.WantKind(t, "of a muted person", send("mallory", "seattle", chat.MessageDraft{Text: "x", Quote: there.ID}), chat.Forbidden)

	draft := chat.MessageDraft{UUID: chat.NewUUID(chattest.Start, [10]byte{7}), Text: "x", Quote: here.ID}
	for range 2 {
		if err := send("bob", "seattle", draft); err != nil {
			t.Fatal(err)
		}
	}
	for name, quoted := range map[string]chat.MessageID{"without the quote": {}, "with another quote": {UUID: draft.UUID, User: "bob"}} {
		draft.Quote = quoted
		chattest.WantKind(t, name, send("bob", "seattle", draft), chat.Conflict)
	}
	m, err := s.DeleteMessage(t.Context(), "bob", chat.Revision{Room: "seattle", ID: chat.MessageID{UUID: draft.UUID, User: "bob"}, Base: 1})
	if err != nil || m.Quote != (chat.MessageID{}) {
		t.Errorf("a tombstone quotes %v, %v", m.Quote, err)
	}
}

func TestMain(m *testing.M) { os.Exit(chattest.Main(m)) }
