package hook_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/outgoing"
)

// TestDeliver_SendsWhatChanges posts, edits and deletes, and looks at the requests.
func TestDeliver_SendsWhatChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("seattle")
	w.pump()
	r := w.push("all", hook.Wanted{})
	first, second := w.post("seattle"), w.post("seattle")
	w.pump()
	w.revise(first, first.Edited("changed", w.clock.Now()))
	w.revise(second, second.Tombstone("amsg", w.clock.Now()))
	if pause := w.deliver(); pause != 0 {
		t.Errorf("a pause of %v", pause)
	}
	if got := r.taken(); !slices.Equal(got, []string{"seattle: changed", "seattle: "}) {
		t.Errorf("received %q", got)
	}
	if got := w.dueRows(); len(got) > 0 {
		t.Errorf("rows %q", got)
	}
	w.deleteRoom("seattle")
	w.pump()
	w.deliver()
	if got := r.taken(); !slices.Contains(got, "seattle is deleted") {
		t.Errorf("then %q", got)
	}
}

// lostAnswer loses the first answer to an operation, so that the SDK repeats the request.
type lostAnswer struct {
	next      dynamodb.HTTPClient
	operation string // "" afterwards
}

func (l *lostAnswer) Do(r *http.Request) (*http.Response, error) {
	resp, err := l.next.Do(r)
	if err == nil && l.operation != "" && strings.HasSuffix(r.Header.Get("X-Amz-Target"), "."+l.operation) {
		l.operation = ""
		_ = resp.Body.Close()
		return nil, io.ErrUnexpectedEOF
	}
	return resp, err
}

func (l *lostAnswer) options(o *dynamodb.Options) { l.next, o.HTTPClient = o.HTTPClient, l }

// TestDeliver_Signs checks the headers of each try, also while a secret is replaced.
func TestDeliver_Signs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("seattle")
	w.pump()
	r := newReceiver(t)
	_, _, first, err := w.service().Put(t.Context(), bot, "all", hook.Settings{URL: r.url})
	if err != nil {
		t.Fatal(err)
	}
	lost := &lostAnswer{operation: "UpdateItem"}
	second, err := w.service(lost.options).ReplaceSecret(t.Context(), bot, "all")
	if err != nil || second == first || lost.operation != "" {
		t.Fatal(err, lost.operation)
	}
	verified := func(secrets ...string) {
		t.Helper()
		r.mu.Lock()
		defer r.mu.Unlock()
		if len(r.requests) == 0 {
			t.Fatal("there is no request")
		}
		for _, got := range r.requests {
			var seconds int64
			if _, err := fmt.Sscan(got.header.Get(outgoing.HeaderTimestamp), &seconds); err != nil {
				t.Fatal(err)
			}
			var keys [][]byte
			for _, s := range secrets {
				key, err := outgoing.ParseSecret(s)
				if err != nil {
					t.Fatal(err)
				}
				keys = append(keys, key)
			}
			id := got.header.Get(outgoing.HeaderID)
			want := outgoing.Sign(id, time.Unix(seconds, 0), got.text, keys...)
			if id == "" || id != got.Data.ID || got.header.Get(outgoing.HeaderSignature) != want {
				t.Errorf("request %q with %q, want %q", id, got.header.Get(outgoing.HeaderSignature), want)
			}
		}
		r.requests = nil
	}
	w.post("seattle")
	w.pump()
	r.next(http.StatusInternalServerError)
	w.deliver()
	w.clock.advance(time.Minute)
	w.deliver()
	if len(r.requests) != 2 || r.requests[0].Data.ID != r.requests[1].Data.ID || string(r.requests[0].text) == string(r.requests[1].text) {
		t.Errorf("two tries are %+v", r.requests)
	}
	verified(second, first)
	w.clock.advance(25 * time.Hour)
	w.post("seattle")
	w.pump()
	w.deliver()
	verified(second)
}

// TestDeliver_IsBounded delivers more than a request may hold, in one call.
func TestDeliver_IsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("busy")
	w.room("quiet")
	w.pump()
	r := w.push("all", hook.Wanted{})
	w.deliver()
	for range 2*hook.MaxChanges + 10 {
		w.post("busy")
	}
	w.post("quiet")
	w.pump()
	if pause := w.deliver(); pause != 0 || w.queue.len() > 0 {
		t.Errorf("a pause of %v", pause)
	}
	if got := r.taken(); len(got) != 2*hook.MaxChanges+11 || got[2*hook.MaxChanges] != "busy: text 201" && got[2*hook.MaxChanges+1] != "busy: text 201" {
		t.Errorf("received %d texts: %q", len(got), got)
	}
	if n := r.count(); n < 3 || n > 5 {
		t.Errorf("%d requests", n)
	}
}

// TestDeliver_Pauses fails one request after the other, and looks at when the next is sent.
func TestDeliver_Pauses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("seattle")
	w.pump()
	r := w.push("all", hook.Wanted{})
	w.deliver()
	w.post("seattle")
	w.pump()
	r.next(slices.Repeat([]int{http.StatusServiceUnavailable}, 6)...)
	state := func() hook.State {
		_, s, err := w.service().Hook(t.Context(), bot, "all")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for i, want := range []time.Duration{5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 15 * time.Minute, 15 * time.Minute} {
		w.sweep()
		pause := w.deliver()
		if n := r.count(); n != 1 {
			t.Fatalf("%d requests after failure %d", n, i)
		}
		if queued := want < 2*time.Minute; queued != (pause > 0) || queued && pause != want || queued != (w.queue.len() > 0) {
			t.Errorf("pause %d is %v with %d messages, want %v", i, pause, w.queue.len(), want)
		}
		if s := state(); s.Status != hook.Paused || s.Tries != i+1 || len(s.Failures) != min(i+1, 5) {
			t.Errorf("state %+v after failure %d", s, i)
		}
		w.post("seattle")
		w.pump()
		w.clock.advance(want - 2*time.Second)
		w.sweep()
		w.deliver()
		if n := r.count(); n != 0 {
			t.Errorf("%d requests in pause %d", n, i)
		}
		w.clock.advance(2 * time.Second)
	}
	w.sweep()
	w.deliver()
	if got := r.taken(); len(got) != 7 || r.count() != 1 {
		t.Errorf("received %q in the end", got)
	}
	if s := state(); s.Status != hook.Sending || s.Tries != 0 || s.Behind || s.Rooms != 0 {
		t.Errorf("state %+v in the end", s)
	}
	if got := w.dueRows(); len(got) > 0 || w.queue.len() > 0 {
		t.Errorf("%q and %d messages stay", got, w.queue.len())
	}
}

// TestDeliver_Disables lets a receiver fail for days, or answer 410.
func TestDeliver_Disables(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]int{"gone": http.StatusGone, "long": http.StatusNotFound} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.room("seattle")
			w.pump()
			r := w.push("all", hook.Wanted{})
			r.lose, r.refuse = true, func(request) int { return answer }
			w.deliver()
			w.post("seattle")
			w.pump()
			status := func() (hook.State, string) {
				_, s, err := w.service().Hook(t.Context(), bot, "all")
				if err != nil {
					t.Fatal(err)
				}
				return s, s.Status
			}
			began := w.clock.Now()
			for range 1000 {
				if _, is := status(); is == hook.Disabled {
					break
				}
				w.sweep()
				if pause := w.deliver(); pause > 0 {
					w.clock.advance(pause)
				} else {
					w.clock.advance(15 * time.Minute)
				}
			}
			s, is := status()
			took := w.clock.Now().Sub(began)
			if want := map[string]time.Duration{"gone": 15 * time.Minute, "long": 72 * time.Hour}[name]; is != hook.Disabled || took < want || took > want+time.Hour {
				t.Errorf("%s after %v: %+v", is, took, s)
			}
			r.count()
			w.post("seattle")
			w.pump()
			w.clock.advance(time.Hour)
			w.sweep()
			w.deliver()
			if n := r.count(); n != 0 {
				t.Errorf("%d requests while it is disabled", n)
			}
			r.refuse = nil
			if _, created, secret, err := w.service().Put(t.Context(), bot, "all", hook.Settings{URL: r.url}); err != nil || created || secret != "" {
				t.Fatal(created, secret, err)
			}
			w.pump()
			w.deliver()
			if got := r.taken(); len(got) != 2 {
				t.Errorf("enabled, it receives %q", got)
			}
		})
	}
}

// TestDeliver_TimesOut has a receiver that never answers: its next request is minutes away, and what
// waits is in rows.
func TestDeliver_TimesOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("seattle")
	w.pump()
	r := w.push("all", hook.Wanted{})
	w.deliver()
	end := make(chan struct{})
	defer close(end)
	r.mu.Lock()
	r.hang = end
	r.mu.Unlock()
	w.post("seattle")
	w.pump()
	if pause := w.deliver(); pause != 0 || w.queue.len() != 0 {
		t.Errorf("a pause of %v, and %d messages", pause, w.queue.len())
	}
	if _, s, err := w.service().Hook(t.Context(), bot, "all"); err != nil || s.Paused.Sub(w.clock.Now()) < 110*time.Second || s.Rooms != 1 {
		t.Errorf("state %+v, %v", s, err)
	}
}

// TestDeliver_Off switches a hook off and on. A test is sent meanwhile.
func TestDeliver_Off(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("seattle")
	w.pump()
	r := w.push("all", hook.Wanted{})
	w.deliver()
	put := func(off bool) {
		if _, _, _, err := w.service().Put(t.Context(), bot, "all", hook.Settings{URL: r.url, Off: off}); err != nil {
			t.Fatal(err)
		}
		w.pump()
		w.deliver()
	}
	put(true)
	w.post("seattle")
	w.pump()
	w.deliver()
	if got := r.taken(); len(got) > 0 {
		t.Errorf("switched off, it receives %q", got)
	}
	if err := w.service().Test(t.Context(), bot, "all"); err != nil {
		t.Fatal(err)
	}
	w.pump()
	w.deliver()
	if _, s, err := w.service().Hook(t.Context(), bot, "all"); err != nil || s.Test != "204 No Content" || s.Status != hook.Off {
		t.Errorf("the test: %+v, %v", s, err)
	}
	put(false)
	if got := r.taken(); !slices.Equal(got, []string{"seattle: text 1"}) {
		t.Errorf("switched on, it receives %q", got)
	}
}

// TestDeliver_Poison has a receiver that refuses one message. The others arrive, and a day later
// those of its room.
func TestDeliver_Poison(t *testing.T) {
	t.Parallel()
	for name, types := range map[string][]string{"of all types": nil, "among changes of other types": {"message.created"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			poison(t, types)
		})
	}
}

func poison(t *testing.T, types []string) {
	w := newWorld(t)
	rooms := []chat.RoomID{"good", "poisoned", "quiet"}
	for _, room := range rooms {
		w.room(room)
	}
	w.pump()
	r := w.push("all", hook.Wanted{})
	if _, _, _, err := w.service().Put(t.Context(), bot, "all", hook.Settings{URL: r.url, Types: types}); err != nil {
		t.Fatal(err)
	}
	w.pump()
	w.deliver()
	r.refuse = func(got request) int {
		if strings.Contains(string(got.text), `"text":"text 5"`) {
			return http.StatusUnprocessableEntity
		}
		return 0
	}
	for n := range 9 {
		m := w.post(rooms[n%2])
		if types != nil {
			after := m
			after.Revision, after.EditedAt = 2, m.ReceivedAt
			w.revise(m, after)
		}
	}
	w.pump()
	run := func(d time.Duration) {
		for end := w.clock.Now().Add(d); w.clock.Now().Before(end); {
			w.sweep()
			w.clock.advance(max(w.deliver(), time.Minute))
		}
	}
	run(time.Hour)
	if got := r.taken(); len(got) != 6 { // all but "text 5" and what is behind it
		t.Errorf("received in an hour %q", got)
	}
	w.post("quiet")
	w.post("good")
	w.pump()
	run(time.Hour)
	if got := r.taken(); !slices.Contains(got, "quiet: text 10") || slices.Contains(got, "good: text 11") {
		t.Errorf("then %q", got)
	}
	if _, s, err := w.service().Hook(t.Context(), bot, "all"); err != nil || len(s.Held) != 1 || w.clock.Now().Sub(s.Held[0].Since) < time.Hour {
		t.Errorf("state %+v, %v", s, err)
	}
	run(24 * time.Hour)
	if got := r.taken(); !slices.Contains(got, "good: text 11") || slices.Contains(got, "good: text 5") {
		t.Errorf("after a day %q", got)
	}
	_, s, err := w.service().Hook(t.Context(), bot, "all")
	if err != nil || len(s.Held) > 0 || s.Behind || s.Rooms != 0 || !slices.ContainsFunc(s.Failures, func(f hook.Failure) bool { return f.Room == "good" && f.Seq > 0 }) {
		t.Errorf("state %+v, %v", s, err)
	}
}

// TestDeliver_Replay sends everything again since a time.
func TestDeliver_Replay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("seattle")
	w.pump()
	r := w.push("all", hook.Wanted{})
	w.post("seattle")
	w.pump()
	w.deliver()
	w.clock.advance(time.Hour)
	from := w.clock.Now()
	w.post("seattle")
	w.pump()
	w.deliver()
	r.taken()
	if err := w.service().Replay(t.Context(), bot, "all", from); err != nil {
		t.Fatal(err)
	}
	w.pump()
	w.deliver()
	if got := r.taken(); !slices.Contains(got, "seattle: text 2") || w.queue.len() > 0 {
		t.Errorf("received %q again", got)
	}
}
