package stream_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"example.com/parley/internal/account"
	"example.com/parley/internal/block"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/erase"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/people"
	"example.com/parley/internal/picture"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/buckettest"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/faults"
	"example.com/parley/internal/test/feedtest"
	"example.com/parley/internal/test/nightly"
	"example.com/parley/internal/test/race"
)

// erasure is a table in which a person is to be erased.
type erasure struct {
	*play
	stream   *feedtest.Stream
	pictures *buckettest.Bucket
	links    []bucket.Link // by which bob sends pictures
}

// erasureOf returns a table of its own in which bob has a profile with pictures and blocks, is
// the only owner of portland, owns seattle with another person, is banned from dallas, and is in
// a direct room.
func (s *scenario) erasureOf(t *testing.T) *erasure {
	t.Helper()
	e := &erasure{play: s.play(t), pictures: buckettest.New(t, time.Now)}
	now := time.UnixMilli(1535544000000).UTC()
	add := func(m chat.Membership) {
		m.JoinedAt, m.Name = now, "Bob of Boston"
		if ok, err := e.store.ChangeMembership(t.Context(), membership.Change{After: m}); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	direct := chat.Room{ID: "p-01234567890123456789", Private: true, Direct: []chat.UserID{"amsg", "bob"}, CreatedBy: "amsg", CreatedAt: now, Shards: 1, DigestKey: make([]byte, 32)}
	for id, owner := range map[chat.RoomID]chat.UserID{"seattle": "amsg", "portland": "bob", "dallas": "amsg", direct.ID: "amsg"} {
		room := chat.Room{ID: id, Name: string(id), CreatedBy: owner, CreatedAt: now, Shards: 1, DigestKey: make([]byte, 32), Posting: policy.Everyone}
		if id == direct.ID {
			room = direct
		}
		if ok, err := e.store.CreateRoom(t.Context(), room, chat.OwnerOf(room, string(owner))); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	add(chat.Membership{Room: "seattle", User: "bob", Role: policy.Owner})
	add(chat.Membership{Room: "dallas", User: "bob", Role: policy.Banned, Until: now.Add(time.Hour), Restore: policy.Member})
	add(chat.Membership{Room: direct.ID, User: "bob", Role: policy.Member})
	bob := people.Person{User: "bob", Name: "Bob of Boston", Title: "Chief", State: "CA", Metadata: "{}", Picture: "of bob", PictureID: uuid.UUID{1}, Revision: 1}
	if ok, err := people.NewStore(e.store.Table()).PutPerson(t.Context(), people.Person{}, bob); !ok || err != nil {
		t.Fatal(ok, err)
	}
	e.sendPictures()
	if _, _, err := e.store.Table().UpdateItem(t.Context(), "block", table.BlocksKey("bob"), block.Addition("amsg", 9)); err != nil {
		t.Fatal(err)
	}
	if _, err := account.NewStore(e.store.Table()).Suspend(t.Context(), "bob", account.Suspension{At: now, By: "desk", Reason: "deleted"}); err != nil {
		t.Fatal(err)
	}
	e.stream = feedtest.Open(t, e.endpoint, e.table)
	if asked, err := account.NewStore(e.store.Table()).Erase(t.Context(), "bob", account.Erasure{At: now, By: "desk", Step: 1}); !asked.InProgress() || err != nil {
		t.Fatal(asked, err)
	}
	return e
}

// sendPictures gives bob a picture that is set, one that was only sent, and one to which there is a
// link. Somebody whose id begins with bob's has one too.
func (e *erasure) sendPictures() {
	e.t.Helper()
	f := bucket.File{Type: "image/webp", Bytes: 6, SHA256: sha256.Sum256([]byte("of bob"))}
	for i, sent := range []bool{true, true, false} {
		id := chat.NewUUID(time.Now(), [10]byte{byte(i)})
		link, err := e.pictures.Put(e.t.Context(), picture.Key("bob", id), f, time.Minute)
		if err != nil {
			e.t.Fatal(err)
		}
		e.links = append(e.links, link)
		if _, err := e.store.Table().PutItem(e.t.Context(), "test", table.PictureItem("bob", id), table.Update{}); err != nil {
			e.t.Fatal(err)
		}
		if sent && e.pictures.Send(e.t, link, []byte("of bob")) != http.StatusOK {
			e.t.Fatal("a picture was not sent")
		}
	}
	if err := e.pictures.Store(e.t.Context(), picture.Key("bobby", uuid.UUID{}), f, strings.NewReader("of bob")); err != nil {
		e.t.Fatal(err)
	}
}

// eraser returns a new process with an eraser.
func (e *erasure) eraser(options ...func(*dynamodb.Options)) *stream.Handler {
	client := dynamo.NewClient(dynamo.ClientConfig{
		Region: "us-east-1", Endpoint: e.endpoint, Credentials: dynamo.StaticCredentials("local", "local", ""),
		Jitter: func() float64 { return 0 }, Options: recorded(options),
	})
	store := dynamo.New(client, dynamo.Options{Table: e.table, Clock: time.Now, Jitter: func() float64 { return 0 }})
	members := membership.NewService(membership.Options{
		Store: store, Rooms: chat.NewService(chat.Options{Store: store, Clock: time.Now}), Clock: time.Now,
	})
	return stream.NewHandler(stream.Options{
		Store: store, Failures: e.failures, Clock: time.Now, Log: slog.New(slog.DiscardHandler),
		Eraser: erase.New(erase.Options{Table: store.Table(), Bucket: e.pictures.Client, Members: members, Clock: time.Now}),
	})
}

// run handles the stream until it brings nothing more. The given process begins; another follows
// when it fails.
func (e *erasure) run(process *stream.Handler) {
	e.t.Helper()
	for range 20 {
		records := e.stream.Next(e.t)
		if len(records) == 0 {
			return
		}
		e.deliverAll(records, func(again int) *stream.Handler {
			if again > 0 {
				process = e.eraser()
			}
			return process
		})
	}
	e.t.Error("the erasure does not end")
}

// state returns all items but the feeds', and the changes of the feeds, as texts.
func (e *erasure) state() (all []string) {
	e.t.Helper()
	out, err := e.client().Scan(e.t.Context(), &dynamodb.ScanInput{TableName: &e.table})
	if err != nil {
		e.t.Fatal(err)
	}
	for _, item := range out.Items {
		if kind := table.KindOf(item); kind != table.FeedKind && kind != table.FeedHeadKind {
			text, err := json.Marshal(item)
			if err != nil {
				e.t.Fatal(err)
			}
			all = append(all, string(text))
		}
	}
	for _, room := range []chat.RoomID{"seattle", "portland", "dallas", "p-01234567890123456789"} {
		var changes []string
		for _, c := range e.feedOf(room) {
			changes = append(changes, fmt.Sprint(room, " ", c.Type, " ", c.User))
		}
		slices.Sort(changes)
		all = append(all, changes...)
	}
	slices.Sort(all)
	return all
}

func (e *erasure) client() *dynamodb.Client { return dynamo.LocalClient(e.endpoint) }

// calm erases bob without a fault, and checks the end.
func (s *scenario) calm(t *testing.T, options func(*dynamodb.Options)) []string {
	t.Helper()
	e := s.erasureOf(t)
	e.run(e.eraser(options))
	end := e.state()
	var own []string
	for _, line := range end {
		if strings.Contains(line, `"u#bob"`) {
			own = append(own, line)
		}
		if strings.Contains(line, "Boston") {
			t.Errorf("their name is left: %s", line)
		}
	}
	if len(own) != 1 || strings.Contains(own[0], "eraseStep") || !strings.Contains(own[0], "erasedAt") {
		t.Errorf("they have the items %q", own)
	}
	for _, link := range e.links {
		if status := e.pictures.Send(t, link, []byte("of bob")); status != http.StatusPreconditionFailed {
			t.Errorf("a late picture is answered with %d", status)
		}
	}
	if left := e.pictures.Keys(t); !slices.Equal(left, []string{picture.Key("bobby", uuid.UUID{})}) {
		t.Errorf("the bucket has %q", left)
	}
	for _, want := range []string{"seattle member.changed bob", "portland member.changed bob", "portland room.changed ", "dallas member.changed bob", "p-01234567890123456789 member.changed bob"} {
		if !slices.Contains(end, want) {
			t.Errorf("there is no %q in %q", want, end)
		}
	}
	if room, err := e.store.Room(t.Context(), "portland"); err != nil || room.Service != "desk" {
		t.Errorf("the room without an owner: %+v, %v", room, err)
	}
	if room, err := e.store.Room(t.Context(), "seattle"); err != nil || room.Service != "" {
		t.Errorf("the room with another owner: %+v, %v", room, err)
	}
	return end
}

// failing is an eraser whose steps fail.
type failing struct {
	err   error
	steps []account.ErasureStep
}

func (f *failing) Step(_ context.Context, e account.ErasureStep) error {
	f.steps = append(f.steps, e)
	if f.err == nil {
		panic("no error")
	}
	return f.err
}

// TestErase_FailureDoesNotBlock fails a step in a batch with changes of rooms, which are appended
// and delivered. The step is retried only if that may help.
func TestErase_FailureDoesNotBlock(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 1)
	now := time.Now().UTC().Truncate(time.Millisecond)
	if _, err := account.NewStore(w.store.Table()).Suspend(t.Context(), "bob", account.Suspension{At: now, By: "desk"}); err != nil {
		t.Fatal(err)
	}
	if _, err := account.NewStore(w.store.Table()).Erase(t.Context(), "bob", account.Erasure{At: now, By: "desk", Step: 1}); err != nil {
		t.Fatal(err)
	}
	records := w.stream.Next(t)
	for name, tt := range map[string]struct {
		err           error
		kept          error
		retried, lost int
	}{
		"a passing error":            {err: &chat.Error{Kind: chat.Unavailable}, retried: 1},
		"an error that stays":        {err: errors.New("no role"), lost: 1},
		"a panic":                    {lost: 1},
		"a failure that is not kept": {err: errors.New("no role"), kept: errors.New("no queue"), retried: 1},
	} {
		failures, eraser := &memoryFailures{fail: tt.kept}, &failing{err: tt.err}
		h := stream.NewHandler(stream.Options{Store: w.store, Failures: failures, Clock: time.Now, Log: slog.New(slog.DiscardHandler), Eraser: eraser})
		resp, err := h.Handle(t.Context(), events.DynamoDBEvent{Records: records})
		if err != nil || len(resp.BatchItemFailures) != tt.retried || len(failures.all) != tt.lost {
			t.Errorf("%s: %+v, %v, %+v", name, resp, err, failures.all)
		}
		if tt.lost > 0 && failures.all[0].Key != "u#bob" {
			t.Errorf("%s: %+v", name, failures.all)
		}
		if !slices.Equal(eraser.steps, []account.ErasureStep{{User: "bob", Step: 1}}) {
			t.Errorf("%s: steps %+v", name, eraser.steps)
		}
		if n := len(w.feedOf("seattle")); n != 2 {
			t.Errorf("%s: the feed has %d changes", name, n)
		}
	}
}

// TestErase_ProcessEndsAtEachRequest ends the eraser's process at each of its requests, before or
// after it takes effect. Another process must come to the same end.
func TestErase_ProcessEndsAtEachRequest(t *testing.T) {
	t.Parallel()
	s := &scenario{endpoint: enginetest.Start(t)}
	const never = 1 << 30
	counted := &crash{at: never}
	want := s.calm(t, counted.options)
	steps := counted.count.Load()
	if steps < 30 {
		t.Fatalf("only %d requests", steps)
	}
	for at := range steps {
		for _, after := range []bool{false, true} {
			if !nightly.One(int(at), race.Times(crashShare, 4*crashShare)) {
				continue
			}
			e := s.erasureOf(t)
			e.run(e.eraser((&crash{at: at + 1, after: after}).options))
			if diff := cmp.Diff(want, e.state()); diff != "" || len(e.failures.all) > 0 || t.Failed() {
				t.Fatalf("request %d of %d failed, took effect: %v (-want +got):\n%s\n%+v", at+1, steps, after, diff, e.failures.all)
			}
		}
	}
}

// crashShare is the number of requests of which every run of the tests ends the process at one.
const crashShare = 3

// TestErase_EachCallFails fails each call of an erasure in each way that fits, in all its attempts.
func TestErase_EachCallFails(t *testing.T) {
	t.Parallel()
	s := &scenario{endpoint: enginetest.Start(t)}
	injector := &faults.Injector{}
	want := s.calm(t, injector.Options)
	calls, cells := injector.Calls(), 0
	for _, call := range calls {
		for _, fault := range faults.All() {
			if !fault.Fits(call.Operation) {
				continue
			}
			if cells++; !nightly.One(cells, race.Times(callShare, 4*callShare)) {
				continue
			}
			e := s.erasureOf(t)
			injector := &faults.Injector{}
			injector.Plan(faults.Rule{Fault: fault, Operation: call.Operation, N: call.N})
			e.run(e.eraser(injector.Options))
			if diff := cmp.Diff(want, e.state()); diff != "" || len(e.failures.all) > 0 || t.Failed() {
				t.Fatalf("%v at %v (-want +got):\n%s\n%+v", fault, call, diff, e.failures.all)
			}
		}
	}
	if cells < 300 {
		t.Errorf("only %d cells", cells)
	}
}

// callShare is the number of cells of which every run of the tests tries one. It is prime, so that the
// calls are tried with different faults.
const callShare = 13
