package httpapi_test

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/incoming"
	"example.com/parley/internal/invite"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/nightly"
	"example.com/parley/internal/test/requests"
)

// bystanderNames renames the rooms, people and search terms in the requests of the table, for
// bystanders.
var bystanderNames = strings.NewReplacer(
	"seattle", "portland", "short-lived", "lived-short", "amsg", "bertha", "bob", "rob", "carl", "karl", "eve", "ivy", "mallory", "malory", "e129", "e130",
	"stranger", "outsider", "trudy", "judy", "depot", "yard", "helpdesk", "servicedesk", "Rhianna", "Johanna", "Amsel", "Drossel", `"CA"`, `"OR"`, "state=CA", "state=OR",
	"Director", "Manager", "System%20Architect", "Town%20Architect", "System Architect", "Town Architect", "Seattle", "Portland",
	"USA", "CAN", inviteToken, bystandersToken, string(invite.IDOf(inviteToken)), string(invite.IDOf(bystandersToken)), shownToken, bystandersShown,
	requests.IncomingSecret, "7"+requests.IncomingSecret[1:], requests.IncomingID, "8"+requests.IncomingID[1:],
)

// The tokens of the invitations that the requests of the table and of bystanders use, and of those
// that they read.
const (
	inviteToken     = "mfrggzdfmztwq2lkmfrggzdfmztwq2lk"
	bystandersToken = "nfrggzdfmztwq2lkmfrggzdfmztwq2lk"
	shownToken      = "ofrggzdfmztwq2lkmfrggzdfmztwq2lk"
	bystandersShown = "pfrggzdfmztwq2lkmfrggzdfmztwq2lk"
)

// TestOperations_DoNotDependOnOtherPeople sends the requests of the table twice, with the same
// clock and the same random numbers. The second time, bystanders send the same requests about
// their own rooms and people concurrently, to the same service and store. Every response must be
// the same, byte for byte.
func TestOperations_DoNotDependOnOtherPeople(t *testing.T) {
	t.Parallel()
	want, succeeded := replay(t, false)
	for _, r := range httpapi.Routes() {
		if route := r.Method + " " + r.Path; r.Operation != "" && !succeeded[route] {
			t.Errorf("no request for %s succeeds", route)
		}
	}
	got, _ := replay(t, true)
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("alone:             %s\namong bystanders:  %s", want[i], got[i])
		}
	}
}

// replay sends the requests of the table, and returns the responses and the successful routes.
func replay(t *testing.T, busy bool) (answers []string, succeeded map[string]bool) {
	t.Helper()
	now := start
	random := &lentRandom{}
	var store *dynamo.Store
	a := newAPI(t, func(o *app.Options) {
		o.Clock, o.Random, store = func() time.Time { return now }, random, o.Store.(*dynamo.Store)
		o.SendRate, o.SendBurst = 1, 1 // enough for one person, as a second passes between requests
	})
	names := []*strings.Replacer{strings.NewReplacer()}
	if busy {
		names = append(names, bystanderNames)
	}
	sources := []io.Reader{nightly.Random(1, 2), nightly.Random(3, 4)}
	succeeded = map[string]bool{}
	for _, r := range slices.Concat(requests.All("write"), requests.All("read"), requests.All("search"), requests.All("incoming")) {
		now = now.Add(time.Second) // between requests, so that no one reads it concurrently
		results := make([]answer, len(names))
		var sent sync.WaitGroup
		for i, name := range names {
			sent.Go(func() {
				random.lend(sources[i], func() { results[i] = send(t, a, r, name) })
			})
		}
		sent.Wait()
		got := results[0]
		answers = append(answers, fmt.Sprintf("%s: %d %v %s", r.Name, got.status, got.header, got.text))
		succeeded[r.Route] = succeeded[r.Route] || got.status < 300
		if r.Name == "put-room" {
			for _, name := range names {
				putOld(t, store, name)
			}
		}
	}
	return answers, succeeded
}

// send sends a request of the table with other names.
func send(t *testing.T, a *api, r requests.Request, name *strings.Replacer) answer {
	old := func(n int) string { return name.Replace(oldMessage(n).String()) }
	r = r.Filled(name).Filled(strings.NewReplacer(
		"{{uuid}}", chat.NewUUID(start, [10]byte{1}).String(), "{{upload}}", chat.NewUUID(start, [10]byte{2}).String(), "{{filed}}", chat.NewUUID(start, [10]byte{3}).String(),
		"{{message}}", old(2), "{{noted}}", old(4), "{{poll}}", old(5), "{{edited}}", old(6), "{{deleted}}", old(7),
	))
	method, path, _ := strings.Cut(r.Route, " ")
	headers := []string{userHeader, name.Replace(r.Subject())}
	if r.NoToken {
		headers[1] = ""
	}
	if strings.Contains(fmt.Sprint(r.Claims["scope"], r.Claims["scp"]), "act-as") {
		headers = append(headers, serviceHeader, "yes")
	}
	for k, v := range r.Header {
		if k != "accept-encoding" {
			headers = append(headers, k, name.Replace(v))
		}
	}
	if r.Path != "" {
		path = r.Path
	}
	got := a.do(t, method, path, r.Body, headers...)
	if r.Name == "post-upload" && got.status == 201 {
		a.send(t, got.links(t))
	}
	return got
}

// oldMessage returns the id of one of the messages that the requests of the table are about.
func oldMessage(n int) chat.MessageID {
	return chat.MessageID{UUID: chat.NewUUID(start.Add(time.Duration(n-60)*time.Minute), [10]byte{byte(n)}), User: "amsg"}
}

// putOld writes the messages, the feed and the invitation that the requests of the table are about.
func putOld(t *testing.T, store *dynamo.Store, name *strings.Replacer) {
	t.Helper()
	room, user := chat.RoomID(name.Replace("seattle")), chat.UserID(name.Replace("amsg"))
	segment := feed.Segment{Room: room, First: 1, Generation: "1", WrittenAt: start}
	for n := range 8 {
		m := chat.Message{Room: room, ID: oldMessage(n), Text: fmt.Sprint("old ", n), ReceivedAt: oldMessage(n).SentAt(), Digest: []byte("digest")}
		m.ID.User = user
		if n == 5 {
			m.Poll = &chat.Poll{Options: []string{"Tuesday", "Wednesday"}}
		}
		if _, created, err := store.PutMessage(t.Context(), m); !created || err != nil {
			t.Fatal(created, err)
		}
		segment.Changes = append(segment.Changes, feed.Change{Type: feed.MessageCreated, Message: m.ID, Revision: 1})
	}
	if ok, err := store.AppendSegment(t.Context(), segment); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if err := store.PutFeedHead(t.Context(), segment.Head()); err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{requests.IncomingSecret, requests.IncomingID} {
		secret = name.Replace(secret)
		w := incoming.Webhook{ID: incoming.ID(secret[:32]), Room: room, Name: "Alerts", CreatedBy: user, CreatedAt: start}
		if ok, err := store.Table().PutItem(t.Context(), "put webhook", incoming.Item(w.With(incoming.Secret(secret))), table.Update{}); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	for _, token := range []string{inviteToken, shownToken} {
		i := invite.Invitation{
			ID: invite.IDOf(name.Replace(token)), Room: room, Role: policy.Member, CreatedBy: user, CreatedAt: start, Expires: start.Add(time.Hour), MaxUses: 2,
		}
		if created, err := invite.NewStore(store.Table()).Create(t.Context(), i, invite.MaxLive); !created || err != nil {
			t.Fatal(created, err)
		}
	}
}

// lentRandom gives each sender its own random bytes, however their requests interleave. The
// service reads them on the goroutine of the request, which identifies the sender.
type lentRandom struct{ sources sync.Map } // an io.Reader by goroutine

func goroutine() string {
	b := make([]byte, 64)
	return strings.Fields(string(b[:runtime.Stack(b, false)]))[1]
}

// lend runs act with the random bytes of a sender.
func (l *lentRandom) lend(of io.Reader, act func()) {
	l.sources.Store(goroutine(), of)
	defer l.sources.Delete(goroutine())
	act()
}

func (l *lentRandom) Read(b []byte) (int, error) {
	of, ok := l.sources.Load(goroutine())
	if !ok {
		return 0, errors.New("random bytes are read on a goroutine without a request")
	}
	return of.(io.Reader).Read(b)
}
