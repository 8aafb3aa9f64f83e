package httpapi_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/outgoing"
	"example.com/parley/internal/table"
)

// delegatedWorld is a private room of amsg's, in which holder gives or holds a right.
type delegatedWorld struct {
	*api
	t    *testing.T
	room string // its path
	now  time.Time

	hooks *hook.Service
}

// sends asks for a test of a hook and delivers to it. It returns 200 if the receiver gets a request.
func (w *delegatedWorld) sends(path string, h hook.Wake, requests *atomic.Int64) int {
	w.t.Helper()
	before := requests.Load()
	w.now = w.now.Add(time.Second) // two tests differ
	w.must("amsg", "POST", path+"/test", "")
	d := hook.NewDeliverer(hook.DelivererOptions{
		Service: w.hooks, Client: outgoing.New(outgoing.Options{Loopback: true}), Random: func() float64 { return 0 },
		Sleep: func(context.Context, time.Duration) {}, Log: slog.New(slog.DiscardHandler),
	})
	if _, err := d.Deliver(w.t.Context(), []hook.Wake{h}); err != nil {
		w.t.Error(err)
	}
	if requests.Load() > before {
		return 200
	}
	return 403
}

// as sends a request as a user and returns the status.
func (w *delegatedWorld) as(user, method, path, body string) int {
	w.t.Helper()
	return w.do(w.t, method, path, body, userHeader, user).status
}

// must sends a request as a user, which must succeed.
func (w *delegatedWorld) must(user, method, path, body string) answer {
	w.t.Helper()
	got := w.do(w.t, method, path, body, userHeader, user)
	if got.status >= 300 {
		w.t.Fatalf("%s %s as %s: %d %s", method, path, user, got.status, got.text)
	}
	return got
}

const mute = `{"role":"muted","until":"2018-08-29T13:00:00Z"}`

// delegated lists the rights that depend on somebody who gave or holds them, each with the kinds
// of items that store it. Use returns the statuses of using the right before and after its holder
// was suspended, demoted to a member, banned, or left.
var delegated = []struct {
	name  string
	kinds []table.Kind
	give  func(w *delegatedWorld) (use func() int)

	before, suspended, demoted, banned, left int
}{
	{
		"an invitation admits somebody", []table.Kind{table.InviteKind, table.InvitesKind},
		func(w *delegatedWorld) func() int {
			path := "/invites/" + w.must("holder", "POST", w.room+"/invites", `{"maxUses":9}`).body["token"].(string)
			guests := []string{"first", "second"}
			return func() int {
				guest := guests[0]
				guests = guests[1:]
				return w.as(guest, "POST", path, "")
			}
		}, 201, 404, 404, 404, 404,
	},
	{
		"a webhook posts for its room", []table.Kind{table.IncomingKind, table.IncomingListKind},
		func(w *delegatedWorld) func() int {
			w.must("amsg", "PUT", w.room+"/members/holder", `{"role":"owner"}`)
			path := "/in/" + w.must("holder", "POST", w.room+"/incoming", `{"name":"Alerts"}`).body["secret"].(string)
			return func() int { return w.as("guest", "POST", path, `{"text":"x"}`) }
		}, 200, 200, 200, 200, 200, // it is the room's, and every owner may remove it
	},
	{
		"a hook sends the changes of its room", []table.Kind{table.RoomHookKind},
		func(w *delegatedWorld) func() int {
			w.must("amsg", "PUT", w.room+"/members/holder", `{"role":"owner"}`)
			var requests atomic.Int64
			receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
			w.t.Cleanup(receiver.Close)
			path := w.room + "/hooks/ours"
			w.must("holder", "PUT", path, `{"url":"`+receiver.URL+`"}`)
			_, room, _ := strings.Cut(w.room, "/rooms/")
			wake := hook.Wake{Holder: hook.OfRoom(chat.RoomID(room)), Hook: "ours", Created: w.now.UnixMilli(), Once: 1}
			return func() int { return w.sends(path, wake, &requests) }
		}, 200, 403, 403, 403, 403,
	},
	{
		"an owner configures the room", []table.Kind{table.RoleKind, table.MemberKind},
		func(w *delegatedWorld) func() int {
			w.must("amsg", "PUT", w.room+"/members/holder", `{"role":"owner"}`)
			return func() int { return w.as("holder", "PUT", w.room, `{"topic":"mine"}`) }
		}, 200, 403, 403, 404, 404,
	},
	{
		"the room keeps an owner", []table.Kind{table.RoomKind, table.PermissionsKind},
		func(w *delegatedWorld) func() int {
			return func() int { return w.as("amsg", "PUT", w.room, `{"topic":"ours"}`) }
		}, 200, 200, 200, 200, 200,
	},
	{
		"a report is resolved", []table.Kind{table.ReportKind},
		func(w *delegatedWorld) func() int {
			message := w.room + "/messages/" + w.must("amsg", "POST", w.room+"/messages", `{"text":"x"}`).body["id"].(string)
			report := w.must("holder", "POST", message+"/reports", `{"reason":"spam"}`).body["id"].(string)
			return func() int { return w.as("amsg", "PATCH", w.room+"/reports/"+report, `{"resolved":true}`) }
		}, 200, 200, 200, 200, 200,
	},
	{
		"a service acts for somebody", []table.Kind{table.AccountKind},
		func(w *delegatedWorld) func() int {
			return func() int { return w.do(w.t, "POST", w.room+"/messages", `{"text":"x"}`, via("holder")...).status }
		}, 201, 403, 201, 404, 404,
	},
	{
		"a mute ends when its moderator said", nil,
		func(w *delegatedWorld) func() int {
			w.must("holder", "PUT", w.room+"/members/loud", mute)
			return func() int {
				if got := w.as("loud", "POST", w.room+"/messages", `{"text":"x"}`); got != 403 {
					w.t.Errorf("during the mute: %d", got)
				}
				w.now = w.now.Add(time.Hour)
				status := w.as("loud", "POST", w.room+"/messages", `{"text":"x"}`)
				w.now = w.now.Add(-time.Hour)
				return status
			}
		}, 201, 201, 201, 201, 201,
	},
}

// TestDelegated_RightsEndWithTheirHolders uses every right before and after its holder has lost
// theirs.
func TestDelegated_RightsEndWithTheirHolders(t *testing.T) {
	t.Parallel()
	for _, right := range delegated {
		for name, loss := range map[string]struct {
			want int
			lose func(w *delegatedWorld)
		}{
			"suspended": {right.suspended, func(w *delegatedWorld) {
				w.want(w.t, 200, "PUT", "/people/holder/suspension", `{}`, userHeader, "desk", serviceHeader, "yes")
			}},
			"demoted": {right.demoted, func(w *delegatedWorld) { w.must("amsg", "PUT", w.room+"/members/holder", `{"role":"member"}`) }},
			"banned":  {right.banned, func(w *delegatedWorld) { w.must("amsg", "PUT", w.room+"/members/holder", `{"role":"banned"}`) }},
			"left":    {right.left, func(w *delegatedWorld) { w.must("holder", "DELETE", w.room+"/members/me", "") }},
		} {
			t.Run(right.name+", "+name, func(t *testing.T) {
				t.Parallel()
				w := newDelegatedWorld(t)
				use := right.give(w)
				if got := use(); got != right.before {
					t.Errorf("before: %d, want %d", got, right.before)
				}
				loss.lose(w)
				if got := use(); got != loss.want {
					t.Errorf("after the holder was %s: %d, want %d", name, got, loss.want)
				}
			})
		}
	}
}

func newDelegatedWorld(t *testing.T) *delegatedWorld {
	t.Helper()
	w := &delegatedWorld{t: t, now: start}
	w.api = newAPI(t, func(o *app.Options) {
		o.Clock = func() time.Time { return w.now }
		o.Hooks.Private, o.HookAddresses.Loopback = true, true
		w.hooks = app.New(*o).Hooks
	})
	w.room = "/rooms/" + w.must("amsg", "POST", "/rooms", `{"visibility":"private","name":"x"}`).body["id"].(string)
	for _, user := range []string{"holder", "loud"} {
		w.must("amsg", "PUT", w.room+"/members/"+user, `{"role":"member"}`)
	}
	w.must("amsg", "PUT", w.room+"/members/holder", `{"role":"moderator"}`)
	return w
}

// TestDelegated_CoversEveryKind fails for a kind of item that is not in the table of rights: enter
// the right that it stores, or state in internal/table/kinds.go that it is Own.
func TestDelegated_CoversEveryKind(t *testing.T) {
	t.Parallel()
	var known []table.Kind
	for _, right := range delegated {
		known = append(known, right.kinds...)
	}
	for _, k := range table.Kinds() {
		if k.Own == slices.Contains(known, k.Kind) {
			t.Errorf("%q must either be in the table, or be Own in internal/table/kinds.go: does it store a right that somebody gave?", k.Kind)
		}
	}
}
