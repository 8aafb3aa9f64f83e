package chat_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/test/chattest"
)

func at(m chat.Message, base int) chat.Revision {
	return chat.Revision{Room: m.Room, ID: m.ID, Base: base}
}

// edited edits a message and fails the test if that is not a new edit.
func edited(t *testing.T, s *app.Services, m chat.Message, text string) chat.Message {
	t.Helper()
	got, replay, err := s.EditMessage(t.Context(), m.ID.User, at(m, m.Revision), chat.MessageEdit{Text: new(text)})
	if err != nil || replay {
		t.Fatalf("edit of revision %d: replay %v, %v", m.Revision, replay, err)
	}
	return got
}

// textsOf returns the texts of all versions of a message, newest first.
func textsOf(t *testing.T, s *app.Services, m chat.Message, limit int) (texts []string) {
	t.Helper()
	q := chat.VersionQuery{Room: m.Room, ID: m.ID, Page: chat.PageRequest{Limit: limit}}
	for {
		page, err := s.MessageVersions(t.Context(), m.ID.User, q)
		if err != nil || len(page.Items) > limit {
			t.Fatalf("%d versions, %v", len(page.Items), err)
		}
		for _, v := range page.Items {
			texts = append(texts, v.Text)
		}
		if q.Page.Cursor = page.Next; page.Next == "" {
			return texts
		}
	}
}

func TestEditMessage_OtherRevisionIsStale(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	m := edited(t, s, edited(t, s, chattest.Post(t, s, "amsg", "one"), "two"), "three")
	for _, base := range []int{0, 1, 4, chat.MaxVersion - 1} {
		_, _, err := s.EditMessage(t.Context(), "amsg", at(m, base), chat.MessageEdit{Text: new("other")})
		chattest.WantKind(t, fmt.Sprintf("an edit based on %d", base), err, chat.Stale)
		_, err = s.DeleteMessage(t.Context(), "amsg", at(m, base))
		chattest.WantKind(t, fmt.Sprintf("a deletion based on %d", base), err, chat.Stale)
		var e *chat.Error
		if !errors.As(err, &e) || e.Field != "If-Match" {
			t.Errorf("based on %d: %v names no field", base, err)
		}
	}
	for name, text := range map[string]string{"empty": "", "one byte too long": strings.Repeat("x", chat.MaxText+1), "not UTF-8": "a\xff"} {
		_, _, err := s.EditMessage(t.Context(), "amsg", at(m, 3), chat.MessageEdit{Text: new(text)})
		chattest.WantKind(t, name, err, chat.Invalid)
	}
	if got := textsOf(t, s, m, 10); !slices.Equal(got, []string{"three", "two", "one"}) {
		t.Errorf("refused edits changed the versions: %q", got)
	}
}

// TestEditMessage_LastEditWinsConcurrently edits one message from several devices without a
// revision. Every edit becomes a version.
func TestEditMessage_LastEditWinsConcurrently(t *testing.T) {
	t.Parallel()
	s, _ := chattest.NewWith(t, func(o *app.Options) { o.SendBurst = 1e6 })
	chattest.CreateRoom(t, s, "seattle", 1)
	first := chattest.Post(t, s, "amsg", "original")
	const devices, edits = 6, 5
	var want []string
	for n := range devices * edits {
		want = append(want, fmt.Sprintf("device %d, edit %d", n/edits, n%edits))
	}
	var all sync.WaitGroup
	for d := range devices {
		all.Go(func() {
			for _, text := range want[d*edits : (d+1)*edits] {
				err := error(&chat.Error{Kind: chat.Unavailable})
				for chat.KindOf(err) == chat.Unavailable { // all tries conflicted with other edits
					_, _, err = s.EditMessage(context.Background(), "amsg", at(first, chat.AnyRevision), chat.MessageEdit{Text: new(text)})
				}
				if err != nil {
					t.Errorf("%s: %v", text, err)
				}
			}
		})
	}
	all.Wait()
	got := textsOf(t, s, first, 9)
	slices.Sort(got)
	if slices.Sort(want); !slices.Equal(got, append(want, "original")) {
		t.Errorf("versions: %q", got)
	}
}

// TestEditMessage_Limits checks that edits are limited in number and in text, and that a deletion
// at the limits succeeds.
func TestEditMessage_Limits(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	many, large := chattest.Post(t, s, "amsg", "0"), chattest.Post(t, s, "bob", strings.Repeat("x", chat.MaxText))
	for i := range chat.MaxEdits {
		many = edited(t, s, many, fmt.Sprint(i+1))
	}
	_, _, err := s.EditMessage(t.Context(), "amsg", at(many, many.Revision), chat.MessageEdit{Text: new("another")})
	chattest.WantKind(t, "one edit too many", err, chat.Conflict)
	if got := textsOf(t, s, many, 20); len(got) != chat.MaxEdits+1 || got[0] != fmt.Sprint(chat.MaxEdits) || got[chat.MaxEdits] != "0" {
		t.Errorf("%d versions", len(got))
	}
	for large.VersionBytes < chat.MaxVersionBytes {
		large = edited(t, s, large, strings.Repeat("x", chat.MaxText))
	}
	_, _, err = s.EditMessage(t.Context(), "bob", at(large, large.Revision), chat.MessageEdit{Text: new("x")})
	chattest.WantKind(t, "one byte too many", err, chat.Conflict)
	for _, m := range []chat.Message{many, large} {
		if _, err := s.DeleteMessage(t.Context(), "maker", at(m, m.Revision)); err != nil {
			t.Errorf("the deletion of %d versions: %v", chat.VersionCount(m), err)
		}
		if got := textsOf(t, s, m, 100); strings.Join(got, "") != "" {
			t.Error("a version still has text")
		}
	}
}

// editUntil edits a message from one of the sender's devices until the given number of edits has
// succeeded, or until the message is deleted. It returns the edited messages.
func editUntil(t *testing.T, s *app.Services, m chat.Message, device, edits int) (done []chat.Message) {
	for len(done) < edits {
		got, replay, err := s.EditMessage(context.Background(), "amsg", at(m, m.Revision), chat.MessageEdit{Text: new(fmt.Sprintf("device %d, edit %d", device, len(done)))})
		switch kind := chat.KindOf(err); {
		case err == nil && !replay:
			done, m = append(done, got), got
		case kind == chat.Stale:
			if m, err = s.Message(context.Background(), "amsg", m.Room, m.ID); err != nil {
				t.Error(err)
				return done
			}
		case kind == chat.Conflict:
			return done
		case kind != chat.Unavailable:
			t.Errorf("device %d: replay %v, %v", device, replay, err)
			return done
		}
	}
	return done
}

// TestEditMessage_Concurrent edits one message from several devices concurrently. One of them
// succeeds each time, and no version is lost.
func TestEditMessage_Concurrent(t *testing.T) {
	t.Parallel()
	s, _ := chattest.NewWith(t, func(o *app.Options) { o.SendBurst = 1e6 })
	chattest.CreateRoom(t, s, "seattle", 1)
	first := chattest.Post(t, s, "amsg", "original")
	const devices, edits = 8, 5
	made := make([][]chat.Message, devices)
	var all sync.WaitGroup
	for d := range devices {
		all.Go(func() { made[d] = editUntil(t, s, first, d, edits) })
	}
	all.Wait()
	texts := textsOf(t, s, first, 7)
	if len(texts) != devices*edits+1 || texts[devices*edits] != "original" {
		t.Fatalf("%d versions are stored, want %d", len(texts), devices*edits+1)
	}
	for _, mine := range made {
		for _, m := range mine {
			if got := texts[len(texts)-m.Revision]; got != m.Text {
				t.Errorf("version %d is %q, but the answer had %q", m.Revision, got, m.Text)
			}
		}
	}
}

// TestDeleteMessage_DuringEdits checks that no text appears after a deletion.
func TestDeleteMessage_DuringEdits(t *testing.T) {
	t.Parallel()
	s, _ := chattest.NewWith(t, func(o *app.Options) { o.SendBurst = 1e6 })
	chattest.CreateRoom(t, s, "seattle", 1)
	for round := range 10 {
		m := chattest.Post(t, s, "amsg", "original")
		var all sync.WaitGroup
		for d := range 4 {
			all.Go(func() { editUntil(t, s, m, d, 10) })
		}
		var gone chat.Message
		all.Go(func() {
			err := error(&chat.Error{Kind: chat.Unavailable})
			for chat.KindOf(err) == chat.Unavailable {
				gone, err = s.DeleteMessage(context.Background(), "maker", at(m, chat.AnyRevision))
			}
			if err != nil {
				t.Errorf("round %d: %v", round, err)
			}
		})
		all.Wait()
		stored, err := s.Message(t.Context(), "amsg", "seattle", m.ID)
		if d := cmp.Diff(gone, stored); d != "" || err != nil || stored.Text != "" {
			t.Errorf("round %d: %v (-deleted +stored):\n%s", round, err, d)
		}
		if texts := textsOf(t, s, m, 50); len(texts) != chat.VersionCount(stored) || strings.Join(texts, "") != "" {
			t.Errorf("round %d: versions %q of %d", round, texts, chat.VersionCount(stored))
		}
	}
}
