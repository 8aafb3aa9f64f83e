package hook_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/hook"
)

func TestParseID(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"a": true, "moderator-2": true, strings.Repeat("a", 40): true,
		"": false, strings.Repeat("a", 41): false, "A": false, "a b": false, "a#b": false, "é": false,
	} {
		id, err := hook.ParseID(text)
		if (err == nil) != want || want && string(id) != text || !want && chat.KindOf(err) != chat.Invalid {
			t.Errorf("%q: %q, %v", text, id, err)
		}
	}
}

// TestFetch_SendsTheCurrentState edits and deletes messages before they are fetched.
func TestFetch_SendsTheCurrentState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("seattle")
	w.make("all", hook.Wanted{})
	first, second := w.post("seattle"), w.post("seattle")
	w.pump()
	w.revise(first, first.Edited("changed", w.clock.Now()))
	w.revise(second, second.Tombstone("amsg", w.clock.Now()))
	if diff := cmp.Diff([]string{"seattle: changed", "seattle: "}, w.texts("all")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestFetch_Received fetches with each value of received.
func TestFetch_Received(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("seattle")
	w.make("all", hook.Wanted{})
	w.pump()
	w.texts("all") // the room's own changes
	w.post("seattle")
	w.pump()
	first := w.fetch("all", "none")
	if again := w.fetch("all", "none"); first.ID == "" || !cmp.Equal(first.ID, again.ID) {
		t.Errorf("the answer %q is repeated as %q", first.ID, again.ID)
	}
	w.post("seattle")
	w.pump()
	longer := w.fetch("all", "none")
	if longer.ID == first.ID || len(longer.Rooms[0].Entries) != 2 {
		t.Errorf("%q has %d changes", longer.ID, len(longer.Rooms[0].Entries))
	}
	if older := w.fetch("all", first.ID); older.ID != longer.ID { // it has not processed the second change
		t.Errorf("%q follows %q, want %q", older.ID, first.ID, longer.ID)
	}
	if a, err := w.service().Fetch(t.Context(), bot, "all", nil); err != nil || a.ID != "" {
		t.Errorf("without received: %+v, %v", a, err)
	}
}

// TestFetch_IsOfItsRooms has hooks for each kind of selection, and a private room.
func TestFetch_IsOfItsRooms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, room := range []chat.RoomID{"seattle", "seattle-1", "portland", "p-secret"} {
		w.room(room)
	}
	w.pump()
	wanted := map[hook.ID]hook.Wanted{"all": {}, "prefix": {Prefix: "sea"}, "list": {Rooms: []chat.RoomID{"portland", "p-secret"}}}
	for id, of := range wanted {
		w.make(id, of)
	}
	for _, room := range []chat.RoomID{"seattle", "seattle-1", "portland", "p-secret"} {
		w.post(room)
	}
	w.pump()
	for id, want := range map[hook.ID][]string{
		"all": {"portland: text 3", "seattle: text 1", "seattle-1: text 2"}, "prefix": {"seattle: text 1", "seattle-1: text 2"}, "list": {"portland: text 3"},
	} {
		if diff := cmp.Diff(want, w.texts(id)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
	// A room that a hook gets later begins with its next change.
	if _, created, _, err := w.service().Put(t.Context(), bot, "list", hook.Settings{Wanted: hook.Wanted{Rooms: []chat.RoomID{"seattle"}}}); err != nil || created {
		t.Fatal(created, err)
	}
	w.post("seattle")
	w.pump()
	if got := w.texts("list"); !slices.Equal(got, []string{"seattle: text 5"}) {
		t.Errorf("after the change %q", got)
	}
}

// TestFetch_IsBounded fetches more than an answer may hold, from a busy room and a quiet one.
func TestFetch_IsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("busy")
	w.room("quiet")
	w.pump()
	w.make("all", hook.Wanted{})
	for range 2*hook.MaxChanges + 10 {
		w.post("busy")
	}
	w.post("quiet")
	w.pump()
	var counts []string
	for last := "none"; ; {
		a := w.fetch("all", last)
		if last = a.ID; last == "" {
			break
		}
		var line []string
		for _, r := range a.Rooms {
			line = append(line, fmt.Sprintf("%s %d", r.Room, len(r.Entries)))
		}
		counts = append(counts, fmt.Sprint(strings.Join(line, ", "), " ", a.More))
	}
	want := []string{"busy 100 true", "quiet 1 true", "busy 100 true", "busy 10 false"}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestFetch_TellsOfDeletedRooms deletes a room with a change that was not fetched, and one without.
func TestFetch_TellsOfDeletedRooms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, id := range []chat.RoomID{"seattle", "portland"} {
		w.room(id)
	}
	w.make("all", hook.Wanted{})
	w.pump()
	w.texts("all")
	w.post("seattle")
	w.pump()
	for _, id := range []chat.RoomID{"seattle", "portland"} {
		w.deleteRoom(id)
	}
	w.pump()
	if got := w.texts("all"); !slices.Equal(got, []string{"portland is deleted", "seattle is deleted"}) {
		t.Errorf("%q", got)
	}
	if got := w.texts("all"); len(got) > 0 {
		t.Errorf("again %q", got)
	}
}

// TestReplay_BeginsAtATime replays the second of three messages, and after it the first.
func TestReplay_BeginsAtATime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("seattle")
	w.pump()
	w.make("all", hook.Wanted{})
	var times []time.Time
	for range 3 {
		w.clock.advance(time.Hour)
		times = append(times, w.clock.Now())
		w.post("seattle")
		w.pump()
	}
	if got := w.texts("all"); len(got) != 3 {
		t.Fatalf("%q", got)
	}
	s := w.service()
	for n, want := range [][]string{{"seattle: text 1", "seattle: text 2", "seattle: text 3"}, {"seattle: text 2", "seattle: text 3"}} {
		if err := s.Replay(t.Context(), bot, "all", times[n]); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, w.texts("all")); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if err := s.Replay(t.Context(), bot, "all", times[0]); err != nil {
		t.Fatal(err)
	}
	if err := s.Replay(t.Context(), bot, "all", times[2]); err != nil { // the first has not ended
		t.Fatal(err)
	}
	if got := w.texts("all"); len(got) != 3 {
		t.Errorf("after two replays %q", got)
	}
	if err := s.Replay(t.Context(), bot, "all", times[0].Add(-24*time.Hour)); err != nil {
		t.Error(err)
	}
	if got := w.texts("all"); len(got) != 3 {
		t.Errorf("from before the hook was created %q", got)
	}
	if err := s.Replay(t.Context(), bot, "all", w.clock.Now().Add(time.Hour)); chat.KindOf(err) != chat.Invalid {
		t.Errorf("from the future: %v", err)
	}
}

// TestFetch_ResetsWhenChangesAreGone removes segments, as DynamoDB does after their time.
func TestFetch_ResetsWhenChangesAreGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("seattle")
	w.make("all", hook.Wanted{})
	w.pump()
	w.texts("all")
	w.post("seattle")
	w.pump()
	w.post("seattle")
	w.pump()
	tail, _, err := w.store.FeedTail(t.Context(), "seattle", 0, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range tail[:len(tail)-1] {
		w.remove("feed#seattle", fmt.Sprintf("%019d", s.First))
	}
	if got := w.texts("all"); !slices.Equal(got, []string{"seattle is reset"}) {
		t.Errorf("%q", got)
	}
	w.post("seattle")
	w.pump()
	if got := w.texts("all"); !slices.Equal(got, []string{"seattle: text 3"}) {
		t.Errorf("then %q", got)
	}
}

// TestOutbox_WakesNobodyForOldMessages imports a message, and posts one after it.
func TestOutbox_WakesNobodyForOldMessages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("seattle")
	w.pump()
	w.make("all", hook.Wanted{})
	w.posts++
	w.put("seattle", w.clock.Now().Add(-30*24*time.Hour).Truncate(time.Millisecond))
	w.pump()
	if got := w.texts("all"); len(got) > 0 {
		t.Errorf("%q", got)
	}
	w.post("seattle")
	w.pump()
	if got := w.texts("all"); !slices.Equal(got, []string{"seattle: text 2"}) {
		t.Errorf("then %q", got)
	}
}

// TestPut_Refuses makes requests that break a rule or exceed a limit.
func TestPut_Refuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.make("all", hook.Wanted{})
	s, ctx, other := w.service(), t.Context(), hook.ForService("other")
	for _, tt := range []struct {
		want hook.Settings
		kind chat.Kind
	}{
		{hook.Settings{Wanted: hook.Wanted{Prefix: "Sea"}}, chat.Invalid},
		{hook.Settings{Wanted: hook.Wanted{Prefix: "sea", Rooms: []chat.RoomID{"seattle"}}}, chat.Invalid},
		{hook.Settings{Wanted: hook.Wanted{Rooms: make([]chat.RoomID, hook.MaxRooms+1)}}, chat.Invalid},
		{hook.Settings{Types: []string{"message.read"}}, chat.Invalid},
		{hook.Settings{URL: "http://example.com"}, chat.Invalid},
		{hook.Settings{URL: "https://10.0.0.1"}, chat.Invalid},
		{hook.Settings{URL: "https://example.com"}, chat.Conflict}, // its program fetches
	} {
		if _, _, _, err := s.Put(ctx, bot, "all", tt.want); chat.KindOf(err) != tt.kind {
			t.Errorf("%+v: %v, want %v", tt, err, tt.kind)
		}
	}
	for what, err := range map[string]error{
		"read":   fails(func() error { _, _, err := s.Hook(ctx, other, "all"); return err }),
		"fetch":  fails(func() error { _, err := s.Fetch(ctx, other, "all", nil); return err }),
		"replay": fails(func() error { return s.Replay(ctx, other, "all", w.clock.Now()) }),
		"delete": fails(func() error { return s.Delete(ctx, other, "all") }),
		"absent": fails(func() error { return s.Delete(ctx, bot, "none") }),
	} {
		if chat.KindOf(err) != chat.NotFound {
			t.Errorf("%s: %v", what, err)
		}
	}
	if all, err := s.Hooks(ctx, other); err != nil || len(all) > 0 {
		t.Errorf("another service lists %v, %v", all, err)
	}
	for n := 1; n < hook.MaxHooks; n++ {
		w.make(hook.ID(fmt.Sprint("hook-", n)), hook.Wanted{})
	}
	if _, _, _, err := s.Put(ctx, bot, "one-more", hook.Settings{}); chat.KindOf(err) != chat.Conflict {
		t.Errorf("one more: %v", err)
	}
}

func fails(f func() error) error { return f() }

// TestDelete_BeginsAnew deletes a hook and creates one with its id.
func TestDelete_BeginsAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("seattle")
	w.make("all", hook.Wanted{})
	w.post("seattle")
	w.pump()
	w.fetch("all", "none")
	if err := w.service().Delete(t.Context(), bot, "all"); err != nil {
		t.Fatal(err)
	}
	if rows := w.rows("hook"); len(rows) > 0 {
		t.Errorf("it left %q", rows)
	}
	w.make("all", hook.Wanted{})
	if got := w.texts("all"); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

// TestUnits counts what the calls consume for a room with a message.
func TestUnits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("seattle")
	w.make("all", hook.Wanted{})
	w.pump()
	w.texts("all")
	w.post("seattle")
	w.append(w.stream.Next(t))
	records := w.stream.Next(t)
	units := func(what string, reads, writes float64, call func()) {
		t.Helper()
		w.usage.Take()
		call()
		var r, wr float64
		for _, u := range w.usage.Take() {
			if u.Write {
				wr += u.Units
			} else {
				r += u.Units
			}
		}
		if r != reads || wr != writes {
			t.Errorf("%s costs %v read and %v write units, want %v and %v", what, r, wr, reads, writes)
		}
	}
	units("a wake-up", 1, 1, func() {
		if err := w.note(w.outbox, records); err != nil {
			t.Fatal(err)
		}
	})
	last := ""
	units("an answer", 6.5, 1, func() { last = w.fetch("all", "none").ID })
	units("a receipt", 2.5, 3, func() { w.fetch("all", last) })
	units("no news", 2.5, 0, func() { w.fetch("all", "none") })
	if err := w.service().Delete(t.Context(), bot, "all"); err != nil {
		t.Fatal(err)
	}
	r := w.push("sent", hook.Wanted{})
	w.post("seattle")
	w.pump()
	w.deliver() // it has a cursor
	w.post("seattle")
	w.append(w.stream.Next(t))
	records = w.stream.Next(t)
	r.count()
	units("a wake-up of an address", 1, 0, func() {
		if err := w.note(w.outbox, records); err != nil {
			t.Fatal(err)
		}
	})
	units("a delivery", 6, 1, func() { w.deliver() })
	if n := r.count(); n != 1 {
		t.Errorf("%d requests", n)
	}
}

// remove deletes an item.
func (w *world) remove(pk, sk string) {
	w.t.Helper()
	_, err := dynamo.LocalClient(w.endpoint).DeleteItem(w.t.Context(), &dynamodb.DeleteItemInput{TableName: new("chat"), Key: map[string]types.AttributeValue{
		"PK": &types.AttributeValueMemberS{Value: pk}, "SK": &types.AttributeValueMemberS{Value: sk},
	}})
	if err != nil {
		w.t.Fatal(err)
	}
}

// rows returns the keys of the items whose partitions begin with a prefix.
func (w *world) rows(prefix string) (keys []string) {
	w.t.Helper()
	out, err := dynamo.LocalClient(w.endpoint).Scan(context.WithoutCancel(w.t.Context()), &dynamodb.ScanInput{TableName: new("chat")})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, item := range out.Items {
		if pk := item["PK"].(*types.AttributeValueMemberS).Value; strings.HasPrefix(pk, prefix) {
			keys = append(keys, pk+" "+item["SK"].(*types.AttributeValueMemberS).Value)
		}
	}
	return keys
}
