package storetest

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
)

// revise stores a revision, which must succeed.
func revise(t *testing.T, s app.Stores, before, after chat.Message) chat.Message {
	t.Helper()
	stored, revised, err := s.ReviseMessage(t.Context(), before, after)
	if err != nil || !revised {
		t.Fatalf("revision %d: revised %v, %v", after.Revision, revised, err)
	}
	if d := cmp.Diff(after, stored); d != "" {
		t.Fatalf("revision %d (-want +got):\n%s", after.Revision, d)
	}
	return stored
}

// edit returns m with its next text.
func edit(m chat.Message) chat.Message {
	n := m.Revision + 1
	return m.Edited(fmt.Sprintf("text %d", n), start.Add(time.Duration(n)*time.Minute))
}

func wantCurrent(t *testing.T, s app.Stores, want chat.Message) {
	t.Helper()
	got, err := s.Message(t.Context(), want.Room, want.ID)
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Fatalf("message: %v (-want +got):\n%s", err, d)
	}
}

// versionsOf returns all versions of an edited message, newest first.
func versionsOf(t *testing.T, s app.Stores, m chat.Message) []chat.Version {
	t.Helper()
	newest := chat.Version{Room: m.Room, ID: m.ID, Number: chat.VersionCount(m)}
	got, err := s.MessageVersions(t.Context(), newest, chat.MaxLimit)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func editKeepsVersions(t *testing.T, s app.Stores) {
	newRoom(t, s, "seattle", 3)
	m := message("seattle", "amsg", start, start.Add(5*time.Millisecond), 1)
	other := message("seattle", "amsg", start, start, 2)
	put(t, s, m)
	put(t, s, other)
	want := []chat.Version{chat.NewestVersion(m)}
	for range 11 {
		m = revise(t, s, m, edit(m))
		want = append([]chat.Version{chat.NewestVersion(m)}, want...)
	}
	revise(t, s, other, edit(other))
	wantCurrent(t, s, m)
	for limit := 1; limit <= 13; limit++ {
		got, err := s.MessageVersions(t.Context(), chat.NewestVersion(m), limit)
		if d := cmp.Diff(want[:min(limit, 12)], got); d != "" || err != nil {
			t.Errorf("%d versions: %v (-want +got):\n%s", limit, err, d)
		}
	}
	got, err := s.MessageVersions(t.Context(), want[9], 2)
	if d := cmp.Diff(want[9:11], got); d != "" || err != nil {
		t.Errorf("versions from 3: %v (-want +got):\n%s", err, d)
	}
}

// versionsHaveTheirFields writes each content by another service, or by none, and gives it other
// metadata and mentions, or none.
func versionsHaveTheirFields(t *testing.T, s app.Stores) {
	newRoom(t, s, "seattle", 1)
	metadata := []string{"", `{"a":1}`, `{"a":1.50}`, "{}", "", `{"\u0041":"é"}`, ""}
	mentions := []chat.Mentions{{}, {Users: []chat.UserID{"bob", "eve"}}, {Room: true}, {Users: []chat.UserID{"eve"}, Room: true}, {}, {Users: []chat.UserID{"x"}}, {}}
	for n, services := range [][]chat.UserID{{"desk", "", "desk", "cron", "", ""}, {"", "desk", "", "", "cron", ""}} {
		m := message("seattle", "amsg", start, start, n)
		m.Via, m.Metadata, m.Mentions = services[0], metadata[n], mentions[n]
		put(t, s, m)
		wantCurrent(t, s, m)
		want := []chat.Version{chat.NewestVersion(m)}
		for i, service := range services[1:] {
			after := edit(m)
			after.Via, after.Metadata, after.Mentions = service, metadata[n+1+i], mentions[n+1+i]
			m = revise(t, s, m, after)
			wantCurrent(t, s, m)
			want = append([]chat.Version{chat.NewestVersion(m)}, want...)
		}
		if d := cmp.Diff(want, versionsOf(t, s, m)); d != "" {
			t.Errorf("versions (-want +got):\n%s", d)
		}
		gone := revise(t, s, m, m.Tombstone("amsg", start.Add(time.Hour)))
		wantCurrent(t, s, gone)
		for i, v := range versionsOf(t, s, gone) {
			if v.Via != want[i].Via || v.Text != "" || v.Metadata != "" {
				t.Errorf("version %d of a deleted message is by %q, with %q and %q", v.Number, v.Via, v.Text, v.Metadata)
			}
		}
	}
}

func revisionIsConditional(t *testing.T, s app.Stores) {
	newRoom(t, s, "seattle", 1)
	first := message("seattle", "amsg", start, start, 1)
	_, _, err := s.ReviseMessage(t.Context(), first, edit(first))
	wantNotFound(t, err)
	put(t, s, first)
	second := revise(t, s, first, edit(first))
	third := revise(t, s, second, edit(second))
	for _, before := range []chat.Message{first, second, edit(third)} {
		for _, after := range []chat.Message{edit(before), before.Tombstone("bob", start)} {
			stored, revised, err := s.ReviseMessage(t.Context(), before, after)
			if d := cmp.Diff(third, stored); d != "" || revised || err != nil {
				t.Errorf("revising revision %d: revised %v, %v (-want +got):\n%s", before.Revision, revised, err, d)
			}
		}
	}
	wantCurrent(t, s, third)
	want := []chat.Version{chat.NewestVersion(third), chat.NewestVersion(second), chat.NewestVersion(first)}
	if d := cmp.Diff(want, versionsOf(t, s, third)); d != "" {
		t.Errorf("versions (-want +got):\n%s", d)
	}
}

func deletionLeavesATombstone(t *testing.T, s app.Stores) {
	newRoom(t, s, "seattle", 2)
	for edits := range 3 {
		sent := message("seattle", "amsg", start, start, edits)
		put(t, s, sent)
		m := sent
		want := []chat.Version{chat.NewestVersion(m)}
		for range edits {
			m = revise(t, s, m, edit(m))
			want = append([]chat.Version{chat.NewestVersion(m)}, want...)
		}
		gone := revise(t, s, m, m.Tombstone("bob", start.Add(time.Hour)))
		wantCurrent(t, s, gone)
		if edits > 0 {
			for i := range want {
				want[i].Text, want[i].Metadata = "", ""
			}
			if d := cmp.Diff(want, versionsOf(t, s, gone)); d != "" {
				t.Errorf("versions after %d edits (-want +got):\n%s", edits, d)
			}
		}
		stored, created, err := s.PutMessage(t.Context(), sent)
		if d := cmp.Diff(gone, stored); d != "" || created || err != nil {
			t.Errorf("retried post: created %v, %v (-want +got):\n%s", created, err, d)
		}
		if stored, revised, err := s.ReviseMessage(t.Context(), m, edit(m)); revised || err != nil || !stored.Deleted() {
			t.Errorf("edit of the deleted message: revised %v, %+v, %v", revised, stored, err)
		}
	}
}

func revisionsKeepPositions(t *testing.T, s app.Stores) {
	newRoom(t, s, "seattle", 3)
	var all []chat.Message
	for n := range 20 {
		at := start.Add(time.Duration(n) * time.Second)
		all = append(all, message("seattle", SimilarIDs[n%5], at, at, n))
	}
	putAll(t, s, all)
	for i, m := range all {
		if i%3 != 0 {
			all[i] = revise(t, s, m, edit(m))
		}
		if i%3 == 2 {
			all[i] = revise(t, s, all[i], all[i].Tombstone("bob", start))
		}
	}
	for _, span := range []chat.MessageRange{
		{Room: "seattle", Limit: 3},
		{Room: "seattle", Limit: 4, Order: chat.Oldest},
		{Room: "seattle", User: SimilarIDs[1], Limit: 1},
	} {
		wantMessages(t, fmt.Sprintf("%+v", span), readAll(t, s, span), expected(span, all))
	}
}

// longHistoryIsDeleted deletes a message with the most edits, and one with the most text.
func longHistoryIsDeleted(t *testing.T, s app.Stores) {
	newRoom(t, s, "seattle", 1)
	for n, history := range []struct{ edits, size int }{{chat.MaxEdits, 10}, {chat.MaxVersionBytes/chat.MaxText - 1, chat.MaxText}} {
		m := message("seattle", "amsg", start, start, n)
		m.Text = strings.Repeat("x", history.size)
		put(t, s, m)
		for range history.edits {
			m = revise(t, s, m, m.Edited(strings.Repeat("x", history.size), start))
		}
		gone := revise(t, s, m, m.Tombstone("amsg", start))
		versions := versionsOf(t, s, gone)
		if len(versions) != history.edits+1 {
			t.Errorf("%d versions, want %d", len(versions), history.edits+1)
		}
		wantNoText(t, versions)
	}
}

func wantNoText(t *testing.T, versions []chat.Version) {
	t.Helper()
	for _, v := range versions {
		if v.Text != "" {
			t.Errorf("version %d still has text", v.Number)
		}
	}
}

// raceRevisions applies changes to one revision concurrently. It returns the one that succeeded.
func raceRevisions(t *testing.T, s app.Stores, before chat.Message, changes []chat.Message) chat.Message {
	t.Helper()
	var succeeded atomic.Int32
	race(len(changes), func(i int) {
		_, revised, err := s.ReviseMessage(t.Context(), before, changes[i])
		if err != nil && chat.KindOf(err) != chat.Unavailable { // the transaction may be rejected
			t.Error(err)
		}
		if revised {
			succeeded.Add(1)
		}
	})
	if succeeded.Load() != 1 {
		t.Fatalf("%d changes of revision %d succeeded, want 1", succeeded.Load(), before.Revision)
	}
	stored, err := s.Message(t.Context(), before.Room, before.ID)
	if err != nil || stored.Revision != before.Revision+1 {
		t.Fatalf("message after the race: %+v, %v", stored, err)
	}
	return stored
}

func concurrentEdits(t *testing.T, s app.Stores) {
	newRoom(t, s, "seattle", 1)
	m := message("seattle", "amsg", start, start, 1)
	put(t, s, m)
	want := []chat.Version{chat.NewestVersion(m)}
	for range 5 {
		changes := make([]chat.Message, 8)
		for i := range changes {
			changes[i] = m.Edited(fmt.Sprintf("%d by %d", m.Revision, i), start.Add(time.Minute))
		}
		m = raceRevisions(t, s, m, changes)
		want = append([]chat.Version{chat.NewestVersion(m)}, want...)
	}
	if d := cmp.Diff(want, versionsOf(t, s, m)); d != "" {
		t.Errorf("versions (-want +got):\n%s", d)
	}
}

func concurrentEditAndDeletion(t *testing.T, s app.Stores) {
	newRoom(t, s, "seattle", 1)
	for round := range 10 {
		m := message("seattle", "amsg", start, start, round)
		put(t, s, m)
		for range round % 3 {
			m = revise(t, s, m, edit(m))
		}
		stored := raceRevisions(t, s, m, []chat.Message{edit(m), m.Tombstone("amsg", start), edit(m), m.Tombstone("bob", start)})
		if !stored.Deleted() {
			stored = revise(t, s, stored, stored.Tombstone("bob", start))
		}
		if stored.Text != "" {
			t.Error("the deleted message has text")
		}
		if chat.VersionCount(stored) > 1 {
			wantNoText(t, versionsOf(t, s, stored))
		}
	}
}
