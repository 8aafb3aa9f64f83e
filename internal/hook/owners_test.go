package hook_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/parley/internal/account"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
)

// owned returns the right of the maker of the room seattle to its hooks.
func (w *world) owned() hook.Access {
	w.t.Helper()
	a, err := w.service().ForRoom(w.t.Context(), "maker", "seattle")
	if err != nil {
		w.t.Fatal(err)
	}
	return a
}

// echo is a receiver that answers challenges, once it is told to, and takes everything else.
type echo struct {
	url string

	mu     sync.Mutex
	answer func(challenge string) string
	types  []string // of its requests
	texts  []string // of their messages
}

func newEcho(t *testing.T) *echo {
	t.Helper()
	e := &echo{answer: func(string) string { return "hello" }}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Type string
			Data struct {
				Challenge string
				Items     []struct {
					Changes []struct{ Message struct{ Text string } }
				}
			}
		}
		if json.NewDecoder(r.Body).Decode(&in) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		e.types = append(e.types, in.Type)
		for _, room := range in.Data.Items {
			for _, c := range room.Changes {
				if c.Message.Text != "" {
					e.texts = append(e.texts, c.Message.Text)
				}
			}
		}
		if in.Type == "challenge" {
			_, _ = fmt.Fprint(w, e.answer(in.Data.Challenge))
		}
	}))
	t.Cleanup(server.Close)
	e.url = server.URL + "/hook"
	return e
}

// answers sets the answer to challenges.
func (e *echo) answers(answer func(string) string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answer = answer
}

func (e *echo) wantTexts(t *testing.T, want ...string) {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	if !slices.Equal(e.texts, want) {
		t.Errorf("the receiver has %q, want %q, of %q", e.texts, want, e.types)
	}
}

func (w *world) wantStatus(a hook.Access, id hook.ID, want string) hook.State {
	w.t.Helper()
	_, s, err := w.service().Hook(w.t.Context(), a, id)
	if err != nil || s.Status != want {
		w.t.Errorf("the hook is %+v, %v, want %s", s, err, want)
	}
	return s
}

// putRoom puts a hook of the room seattle, and delivers what that wakes.
func (w *world) putRoom(want hook.Settings) {
	w.t.Helper()
	if _, _, _, err := w.service().Put(w.t.Context(), w.owned(), "ours", want); err != nil {
		w.t.Fatal(err)
	}
	w.turn()
}

// turn lets the outbox and the deliverer do everything.
func (w *world) turn() {
	w.t.Helper()
	w.pump()
	w.deliver()
}

// TestRoom_Challenge sends nothing to a receiver that does not ask for it, and then everything.
func TestRoom_Challenge(t *testing.T) {
	t.Parallel()
	w, e := newWorld(t), newEcho(t)
	w.room("seattle")
	w.room("tacoma")
	w.putRoom(hook.Settings{URL: e.url})
	w.post("seattle")
	w.post("tacoma")
	w.turn()
	if s := w.wantStatus(w.owned(), "ours", hook.Unverified); !strings.HasSuffix(s.Test, "without the challenge") {
		t.Errorf("the test is %q", s.Test)
	}
	for _, answer := range []func(string) string{
		func(string) string { return `{"challenge": ""}` },
		func(c string) string { return `{"data": {"challenge": "` + c + `"}}` }, // what an echo of the request has
		func(c string) string { return c + c },
	} {
		e.answers(answer)
		if err := w.service().Test(t.Context(), w.owned(), "ours"); err != nil {
			t.Fatal(err)
		}
		w.turn()
		w.wantStatus(w.owned(), "ours", hook.Unverified)
	}
	if want := slices.Repeat([]string{"challenge"}, 4); !slices.Equal(e.types, want) {
		t.Errorf("the receiver has %q, want %q: one for the hook, and one for each test", e.types, want)
	}
	e.wantTexts(t)
	e.answers(func(c string) string { return `{"challenge": "` + c + `"}` })
	if err := w.service().Test(t.Context(), w.owned(), "ours"); err != nil {
		t.Fatal(err)
	}
	w.turn()
	e.wantTexts(t, "text 1")
	w.wantStatus(w.owned(), "ours", hook.Sending)

	other := newEcho(t)
	other.answers(func(c string) string { return c + "\n" })
	w.putRoom(hook.Settings{URL: other.url})
	w.post("seattle")
	w.turn()
	other.wantTexts(t, "text 3")
	w.putRoom(hook.Settings{URL: newEcho(t).url})
	w.wantStatus(w.owned(), "ours", hook.Unverified)
	var actions []string
	for _, line := range w.audit {
		actions = append(actions, string(line.By)+" "+line.Action+" "+line.Detail)
	}
	if want := []string{"maker hook.created ours", "maker hook.changed ours", "maker hook.changed ours"}; !slices.Equal(actions, want) {
		t.Errorf("the audit log has %q, want %q", actions, want)
	}
}

// TestRoom_EndsWithItsPerson sends nothing for a person who may no longer have it.
func TestRoom_EndsWithItsPerson(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		end  func(*world)
		ends bool // the hook is deleted
	}{
		{"demoted", func(w *world) { w.change("maker", policy.Moderator) }, true},
		{"left", func(w *world) { w.leave("maker") }, true},
		{"suspended", func(w *world) {
			_, err := account.NewStore(w.store.Table()).Suspend(w.t.Context(), "maker", account.Suspension{At: w.clock.Now(), By: "desk"})
			if err != nil {
				w.t.Fatal(err)
			}
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w, e := newWorld(t), newEcho(t)
			e.answers(func(c string) string { return c })
			w.room("seattle")
			access := w.owned()
			w.putRoom(hook.Settings{URL: e.url})
			w.post("seattle")
			w.turn()
			tt.end(w)
			w.turn()
			if tt.ends && len(w.rows("hook")) > 0 {
				t.Errorf("before another change %q are left", w.rows("hook"))
			}
			w.post("seattle")
			w.turn()
			e.wantTexts(t, "text 1")
			_, _, err := w.service().Hook(t.Context(), access, "ours")
			if ended := chat.KindOf(err) == chat.NotFound; ended != tt.ends || !ended && err != nil {
				t.Errorf("the hook: %v, want its end %v", err, tt.ends)
			}
			if rows := w.rows("hook"); tt.ends && len(rows) > 0 {
				t.Errorf("rows are left: %q", rows)
			}
		})
	}
}

// member returns a person's membership of the room seattle.
func (w *world) member(user chat.UserID) chat.Membership {
	w.t.Helper()
	m, err := w.store.Membership(w.t.Context(), "seattle", user)
	if err != nil {
		w.t.Fatal(err)
	}
	return m
}

// leave ends a person's membership of the room seattle.
func (w *world) leave(user chat.UserID) {
	w.t.Helper()
	if ok, err := w.store.EndMembership(w.t.Context(), w.member(user), chat.Membership{}); err != nil || !ok {
		w.t.Fatal(ok, err)
	}
}

// change changes a person's role in the room seattle.
func (w *world) change(user chat.UserID, role policy.Role) {
	w.t.Helper()
	before := w.member(user)
	after := before
	after.Role = role
	w.changeMember(membership.Change{Before: before, After: after})
}

func (w *world) changeMember(c membership.Change) {
	w.t.Helper()
	if ok, err := w.store.ChangeMembership(w.t.Context(), c); err != nil || !ok {
		w.t.Fatal(ok, err)
	}
}

// TestRoom_Limits puts as many hooks as a person and a room may have, and one more of each.
func TestRoom_Limits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, ctx := w.service(), t.Context()
	want := hook.Settings{URL: "https://example.com/hook"}
	for n := range hook.MaxOfPerson + 1 {
		id := chat.RoomID(fmt.Sprint("room-", n))
		w.room(id)
		a, err := s.ForRoom(ctx, "maker", id)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, _, err := s.Put(ctx, a, "ours", want); (n == hook.MaxOfPerson) != (chat.KindOf(err) == chat.Conflict) {
			t.Errorf("hook %d of a person: %v", n+1, err)
		}
	}
	a, err := s.ForRoom(ctx, "maker", "room-0")
	if err != nil {
		t.Fatal(err)
	}
	w.own("room-0", "second")
	second, err := s.ForRoom(ctx, "second", "room-0")
	if err != nil {
		t.Fatal(err)
	}
	for n := range hook.MaxOfRoom { // with the one of the maker
		_, _, _, err := s.Put(ctx, second, hook.ID(fmt.Sprint("theirs-", n)), want)
		if (n == hook.MaxOfRoom-1) != (chat.KindOf(err) == chat.Conflict) {
			t.Errorf("hook %d of a room: %v", n+2, err)
		}
	}
	if h, created, _, err := s.Put(ctx, second, "ours", want); err != nil || created || h.By != "second" {
		t.Errorf("another owner takes over %+v, %v, %v", h, created, err)
	}
	if _, _, _, err := s.Put(ctx, a, "ours", hook.Settings{}); chat.KindOf(err) != chat.Invalid {
		t.Errorf("without a URL: %v", err)
	}
	if all, err := s.Hooks(ctx, a); err != nil || len(all) != hook.MaxOfRoom {
		t.Errorf("the room has %v, %v", all, err)
	}
	if _, err := s.ForRoom(ctx, "amsg", "room-0"); chat.KindOf(err) != chat.Forbidden {
		t.Errorf("a member: %v", err)
	}
	if _, created, _, err := s.Put(ctx, bot, "ours", hook.Settings{}); err != nil || !created {
		t.Errorf("a service: %v, %v", created, err)
	}
	w.room("p-secret")
	if _, err := s.ForRoom(ctx, "maker", "p-secret"); chat.KindOf(err) != chat.Forbidden {
		t.Errorf("a private room: %v", err)
	}
}

// TestRoom_OwnersOff sends nothing of a room's hook after the deployment has forbidden it.
func TestRoom_OwnersOff(t *testing.T) {
	t.Parallel()
	w, e := newWorld(t), newEcho(t)
	e.answers(func(c string) string { return c })
	w.room("seattle")
	access := w.owned()
	w.putRoom(hook.Settings{URL: e.url})
	w.post("seattle")
	w.pump()
	w.rules.Owners = false
	w.deliver()
	if _, err := w.service().ForRoom(t.Context(), "maker", "seattle"); chat.KindOf(err) != chat.NotFound {
		t.Errorf("the hooks of the room: %v", err)
	}
	w.outbox = w.newOutbox()
	w.post("seattle")
	w.pump()
	if n := w.queue.len(); n > 0 {
		t.Errorf("the outbox sends %d wake-ups", n)
	}
	e.wantTexts(t)
	w.rules.Owners = true
	w.outbox = w.newOutbox()
	w.post("seattle")
	w.turn()
	e.wantTexts(t, "text 1", "text 2", "text 3")
	w.wantStatus(access, "ours", hook.Sending)
}

// own makes a person another owner of a room.
func (w *world) own(room chat.RoomID, user chat.UserID) {
	w.t.Helper()
	after := chat.Membership{Room: room, User: user, Name: string(user), Role: policy.Owner, JoinedAt: w.clock.Now().Truncate(time.Millisecond)}
	w.changeMember(membership.Change{After: after})
}

// TestTypes sends only the changes of some types, and fetches them.
func TestTypes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("seattle")
	w.pump()
	w.make("fetched", hook.Wanted{})
	r := w.push("sent", hook.Wanted{})
	types := []string{"message.edited"}
	for id, url := range map[hook.ID]string{"fetched": "", "sent": r.url} {
		if _, _, _, err := w.service().Put(t.Context(), bot, id, hook.Settings{Types: types, URL: url}); err != nil {
			t.Fatal(err)
		}
	}
	m := w.post("seattle")
	w.turn()
	if a, err := w.service().Fetch(t.Context(), bot, "fetched", nil); err != nil || len(a.Rooms) > 0 || a.ID == "" {
		t.Errorf("a change of another type: %+v, %v", a, err)
	}
	if len(r.requests) > 0 || len(w.dueRows()) > 0 && !strings.Contains(w.dueRows()[0], "fetched") {
		t.Errorf("the receiver has %+v, and %q waits", r.requests, w.dueRows())
	}
	after := m
	after.Text, after.Revision, after.EditedAt = "edited", 2, w.clock.Now().Truncate(time.Millisecond)
	w.revise(m, after)
	w.post("seattle")
	w.turn()
	if got := w.texts("fetched"); !slices.Equal(got, []string{"seattle: edited"}) {
		t.Errorf("fetched %q", got)
	}
	if len(r.requests) != 1 || len(r.requests[0].Data.Items[0].Changes) != 1 || r.requests[0].Data.Items[0].Changes[0].Message.Text != "edited" {
		t.Errorf("sent %+v", r.requests)
	}
}
