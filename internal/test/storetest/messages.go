package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
)

func messageIsStoredOnce(t *testing.T, s app.Stores) {
	newRoom(t, s, "seattle", 2)
	want := message("seattle", "amsg", start, start.Add(5*time.Millisecond), 1)
	want.EditedAt = start.Add(time.Minute) // before it was imported
	put(t, s, want)

	again := want
	again.Text, again.ReceivedAt, again.Digest = "other", start.Add(time.Hour), []byte("other")
	stored, created, err := s.PutMessage(t.Context(), again)
	if err != nil || created {
		t.Fatalf("second put: created %v, %v", created, err)
	}
	if d := cmp.Diff(want, stored); d != "" {
		t.Errorf("stored message (-want +got):\n%s", d)
	}
	got, err := s.Message(t.Context(), "seattle", want.ID)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("message (-want +got):\n%s", d)
	}
}

func concurrentPosts(t *testing.T, s app.Stores) {
	newRoom(t, s, "seattle", 3)
	for round := range 5 {
		var created atomic.Int32
		sent := start.Add(time.Duration(round) * time.Second)
		race(8, func(i int) {
			m := message("seattle", "amsg", sent, sent.Add(time.Duration(i)*time.Millisecond), 7)
			stored, ok, err := s.PutMessage(t.Context(), m)
			if err != nil || stored.ID != m.ID || stored.Text != m.Text {
				t.Errorf("post %d: stored %v, %v", i, stored.ID, err)
			}
			if ok {
				created.Add(1)
			}
		})
		if created.Load() != 1 {
			t.Errorf("round %d: %d posts created the message, want 1", round, created.Load())
		}
	}
	if all := readAll(t, s, chat.MessageRange{Room: "seattle", Limit: 2}); len(all) != 5 {
		t.Errorf("the room has %d messages, want 5", len(all))
	}
}

func missingMessage(t *testing.T, s app.Stores) {
	newRoom(t, s, "seattle", 1)
	m := message("seattle", "amsg", start, start, 1)
	_, err := s.Message(t.Context(), "seattle", m.ID)
	wantNotFound(t, err)
	put(t, s, m)
	_, err = s.Message(t.Context(), "seattle", chat.MessageID{UUID: m.ID.UUID, User: "ams"})
	wantNotFound(t, err)
}

func messagesOfMissingRoom(t *testing.T, s app.Stores) {
	m := message("nowhere", "amsg", start, start, 1)
	_, _, err := s.PutMessage(t.Context(), m)
	wantNotFound(t, err)
	_, err = s.Message(t.Context(), "nowhere", m.ID)
	wantNotFound(t, err)
	_, _, err = s.Messages(t.Context(), chat.MessageRange{Room: "nowhere", Limit: 2})
	wantNotFound(t, err)
}

func textIsStoredUnchanged(t *testing.T, s app.Stores) {
	newRoom(t, s, "seattle", 1)
	texts := []string{
		" ", "\x00", "a\u0000b", "line\nline\r\n\ttab", "#", "seattle-1#v0_", "\"\\/", "<b>&amp;</b>",
		"Grüße, Ærøskøbing", "日本語のテキスト", "👩‍👩‍👧‍👦 🏳️‍🌈", "e\u0301 é", "\ufeffmark", "\u202eright to left", strings.Repeat("x", chat.MaxText),
	}
	for i, text := range texts {
		m := message("seattle", "amsg", start, start, i)
		m.Text = text
		put(t, s, m)
		got, err := s.Message(t.Context(), "seattle", m.ID)
		if err != nil || got.Text != text {
			t.Errorf("text %d of %d bytes was read as %d bytes, %v", i, len(text), len(got.Text), err)
		}
	}
}

// SimilarIDs are user ids that differ only in case, are prefixes of one another, or contain
// characters that sort next to the separator.
var SimilarIDs = []chat.UserID{"al", "Al", "AL", "al.", "al+", "al-", "al:", "al=", "al@", "al_", "al|", "alice", "al-1", "1", "a", "z|z"}

func similarUsers(t *testing.T, s app.Stores) {
	newRoom(t, s, "seattle", 4)
	for i, user := range SimilarIDs {
		for n := range 3 {
			put(t, s, message("seattle", user, start.Add(time.Duration(n)*time.Second), start, 10*i+n))
		}
	}
	for _, user := range SimilarIDs {
		got := readAll(t, s, chat.MessageRange{Room: "seattle", User: user, Limit: 2})
		for _, m := range got {
			if m.ID.User != user {
				t.Errorf("messages of %s include one of %s", user, m.ID.User)
			}
		}
		if len(got) != 3 {
			t.Errorf("%s has %d messages, want 3", user, len(got))
		}
	}
}

func similarRooms(t *testing.T, s app.Stores) {
	rooms := []chat.RoomID{"seattle", "seattle-1", "seattle-1-1", "s", "seattle1"}
	for i, room := range rooms {
		newRoom(t, s, room, 3)
		for n := range 4 {
			put(t, s, message(room, SimilarIDs[n], start, start, 10*i+n))
		}
	}
	for _, room := range rooms {
		got := readAll(t, s, chat.MessageRange{Room: room, Limit: 2})
		for _, m := range got {
			if m.Room != room {
				t.Errorf("room %s has a message of %s", room, m.Room)
			}
		}
		if len(got) != 4 {
			t.Errorf("room %s has %d messages, want 4", room, len(got))
		}
	}
}

func burstOfMessages(t *testing.T, s app.Stores) {
	newRoom(t, s, "seattle", 4)
	var all []chat.Message
	for n := range 500 {
		sent := start.Add(time.Duration(n%100) * 10 * time.Millisecond)
		all = append(all, message("seattle", "amsg", sent, sent, n))
	}
	putAll(t, s, all)
	for _, span := range []chat.MessageRange{
		{Room: "seattle", Limit: 200},
		{Room: "seattle", Limit: 7, Order: chat.Oldest},
		{Room: "seattle", User: "amsg", Limit: 33},
	} {
		wantMessages(t, fmt.Sprintf("%+v", span), readAll(t, s, span), expected(span, all))
	}
}

func messagePageIsLimitedBySize(t *testing.T, s app.Stores) {
	newRoom(t, s, "seattle", 2)
	var all []chat.Message
	for n := range 80 {
		m := message("seattle", SimilarIDs[n%4], start.Add(time.Duration(n)*time.Second), start.Add(time.Duration(n)*time.Second), n)
		m.Text = strings.Repeat("\x01", chat.MaxText/4) + m.Text
		all = append(all, m)
	}
	putAll(t, s, all)
	span := chat.MessageRange{Room: "seattle", Limit: 100}
	page, more, err := s.Messages(t.Context(), span)
	if err != nil {
		t.Fatal(err)
	}
	weight := 0
	for _, m := range page {
		weight += m.PageBytes()
	}
	if !more || weight > chat.MaxPageBytes || weight < chat.MaxPageBytes/2 {
		t.Errorf("page of %d bytes, more %v", weight, more)
	}
	wantMessages(t, "all pages", readAll(t, s, span), expected(span, all))
}

func boundsAreHalfOpen(t *testing.T, s app.Stores) {
	newRoom(t, s, "seattle", 2)
	var all []chat.Message
	for n := range 10 {
		at := start.Add(time.Duration(n) * time.Millisecond)
		all = append(all, message("seattle", SimilarIDs[n%2], at, at, n))
	}
	putAll(t, s, all)
	for _, offset := range []time.Duration{0, 1, time.Microsecond, time.Millisecond - 1, time.Millisecond} {
		for _, user := range []chat.UserID{"", SimilarIDs[0], SimilarIDs[1]} {
			span := chat.MessageRange{Room: "seattle", User: user, From: start.Add(2*time.Millisecond + offset), To: start.Add(6*time.Millisecond + offset), Limit: 3}
			wantMessages(t, fmt.Sprintf("%+v", span), readAll(t, s, span), expected(span, all))
		}
	}
	empty := chat.MessageRange{Room: "seattle", From: start, To: start, Limit: 3}
	wantMessages(t, "an empty range", readAll(t, s, empty), nil)
}

// expected returns the messages of a range by filtering and sorting all of them.
func expected(span chat.MessageRange, all []chat.Message) []chat.Message {
	var out []chat.Message
	for _, m := range all {
		at := span.PositionOf(m).At
		switch {
		case m.Room != span.Room, span.User != "" && m.ID.User != span.User:
		case span.User == "" && !m.InRoom():
		case !span.From.IsZero() && at.Before(span.From), !span.To.IsZero() && !at.Before(span.To):
		default:
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b chat.Message) int {
		c := span.PositionOf(a).Compare(span.PositionOf(b))
		if span.Order == chat.Newest {
			return -c
		}
		return c
	})
	return out
}

func messagesByID(t *testing.T, s FeedStore) {
	newRoom(t, s, "seattle", 3)
	var ids []chat.MessageID
	want := map[chat.MessageID]chat.Message{}
	for n := range 120 { // more than one batch
		m := message("seattle", SimilarIDs[n%len(SimilarIDs)], start, start, n)
		if ids = append(ids, m.ID); n%10 == 3 {
			continue // not stored
		}
		want[m.ID] = m
	}
	var there []chat.Message
	for _, m := range want {
		there = append(there, m)
	}
	putAll(t, s, there)
	for _, read := range []func(context.Context, chat.RoomID, []chat.MessageID) (map[chat.MessageID]chat.Message, error){s.MessagesByID, s.MessagesSoon} {
		got, err := read(t.Context(), "seattle", ids)
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Errorf("%v (-want +got):\n%s", err, d)
		}
		if got, err := read(t.Context(), "seattle", nil); err != nil || len(got) != 0 {
			t.Errorf("messages of no ids: %v, %v", got, err)
		}
		_, err = read(t.Context(), "nowhere", ids)
		wantNotFound(t, err)
	}
}
