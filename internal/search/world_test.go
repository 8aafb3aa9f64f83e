package search_test

import (
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/app"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/search"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/tally"
	"example.com/parley/internal/test/buckettest"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/feedtest"
	"example.com/parley/internal/thread"
)

func TestMain(m *testing.M) { os.Exit(chattest.Main(m)) }

// world has a small team, and services with small indexes.
type world struct {
	*app.Services
	t      testing.TB
	rand   *rand.Rand
	clock  *chattest.Clock
	store  *dynamo.Store
	bucket *bucket.Client
	stream *feedtest.Stream
	feed   *stream.Handler

	log      io.Writer // of the services
	rooms    []chat.RoomID
	messages map[chat.RoomID][]chat.MessageID
	pending  bool // the feed lacks what no listing shows
}

var team = []chat.UserID{"ann", "bob", "eve"}

func newWorld(t *testing.T, seed uint64) *world {
	t.Helper()
	w := &world{t: t, log: io.Discard, rand: rand.New(rand.NewPCG(seed, 0)), messages: map[chat.RoomID][]chat.MessageID{}}
	endpoint := enginetest.Start(t)
	w.Services, w.clock = chattest.NewOn(t, endpoint, func(o *app.Options) { o.SendRate, o.SendBurst = 1000, 1000 })
	w.bucket = buckettest.New(t, w.clock.Now).Client
	w.store = dynamo.New(dynamo.LocalClient(endpoint), dynamo.Options{Table: chattest.Table, Clock: w.clock.Now})
	w.stream = feedtest.Open(t, endpoint, chattest.Table)
	w.feed = stream.NewHandler(stream.Options{
		Store: w.store, Clock: w.clock.Now, Log: slog.New(slog.DiscardHandler),
		Projections: []stream.Projection{thread.NewProjection(w.store.Table()), tally.NewCounter(w.store)},
	})
	w.restart()
	for _, room := range []chat.RoomID{"seattle", "tacoma"} {
		chattest.CreateRoom(t, w.Services, room, 1+w.rand.IntN(2))
		for _, user := range team {
			if err := chattest.SetRole(t, w.Services, user, room, user, policy.Member); err != nil {
				t.Fatal(err)
			}
		}
		w.rooms = append(w.rooms, room)
	}
	return w
}

// restart begins another process, which has nothing in memory.
func (w *world) restart() { w.Search = w.service(w.bucket) }

// service returns a service with small indexes.
func (w *world) service(b *bucket.Client) *search.Service {
	s := w.plain(b)
	s.Shrink()
	return s
}

// plain returns a service with indexes of the usual size.
func (w *world) plain(b *bucket.Client) *search.Service {
	return search.New(search.Options{
		Store: w.store, Rooms: w.Inbox, Access: w.Services, Blocks: w.Blocks, Bucket: b, Clock: w.clock.Now,
		Log: slog.New(slog.NewTextHandler(w.log, nil)),
	})
}

// deliver passes all changes to the feed.
func (w *world) deliver() {
	w.t.Helper()
	for {
		records := w.stream.Next(w.t)
		if len(records) == 0 {
			w.pending = false
			return
		}
		if out, err := w.feed.Handle(w.t.Context(), events.DynamoDBEvent{Records: records}); err != nil || len(out.BatchItemFailures) > 0 {
			w.t.Fatal(out, err)
		}
	}
}

var vocabulary = []string{"ham", "Hamster", "HAM", "café", "cafe\u0301", "lake", "union", "lake union", "西雅图", "雅图", "图书馆", "ラーメン", "สวัสดี", "naïve", "x-ray", "https://a.example/x", "ＦＵＬＬ", "don't", "42", "émigré", "👍", "Straße"}

func (w *world) words() string {
	var text string
	for range 1 + w.rand.IntN(5) {
		text += vocabulary[w.rand.IntN(len(vocabulary))]
		if w.rand.IntN(4) > 0 {
			text += []string{" ", "  ", ", ", "\n"}[w.rand.IntN(4)]
		}
	}
	return text
}

func (w *world) room() chat.RoomID { return w.rooms[w.rand.IntN(len(w.rooms))] }

func (w *world) user() chat.UserID { return team[w.rand.IntN(len(team))] }

// some returns one of a room's messages.
func (w *world) some(room chat.RoomID) (m chat.Message, ok bool) {
	w.t.Helper()
	if len(w.messages[room]) == 0 {
		return m, false
	}
	m, err := w.store.Message(w.t.Context(), room, w.messages[room][w.rand.IntN(len(w.messages[room]))])
	if err != nil {
		w.t.Fatal(err)
	}
	return m, true
}

func (w *world) post(user chat.UserID, room chat.RoomID, draft chat.MessageDraft) chat.Message {
	w.t.Helper()
	m, _, err := w.PostMessage(w.t.Context(), user, room, draft)
	if err != nil {
		w.t.Fatal(err)
	}
	w.messages[room] = append(w.messages[room], m.ID)
	return m
}

// act does something at random.
func (w *world) act() {
	w.t.Helper()
	ctx, room := w.t.Context(), w.room()
	m, ok := w.some(room)
	switch n := w.rand.IntN(20); {
	case n < 8 || !ok:
		draft := chat.MessageDraft{Text: w.words()}
		if w.rand.IntN(5) == 0 {
			draft.Mentions.Users = []chat.UserID{w.user()}
		}
		w.post(w.user(), room, draft)
	case n < 11 && !m.Deleted() && !m.IsReply():
		listed := w.rand.IntN(3) == 0
		w.post(w.user(), room, chat.MessageDraft{Text: w.words(), Thread: m.ID, ShowInRoom: listed})
		w.pending = true
	case n < 13 && !m.Deleted():
		text := w.words()
		if _, _, err := w.EditMessage(ctx, m.ID.User, chat.Revision{Room: room, ID: m.ID, Base: m.Revision}, chat.MessageEdit{Text: &text}); err != nil {
			w.t.Fatal(err)
		}
		w.pending = true
	case n < 14 && !m.Deleted():
		if _, err := w.DeleteMessage(ctx, m.ID.User, chat.Revision{Room: room, ID: m.ID, Base: m.Revision}); err != nil {
			w.t.Fatal(err)
		}
	case n < 15 && !m.Deleted():
		if _, err := w.Reactions.React(ctx, w.user(), room, m.ID, "👍"); err != nil {
			w.t.Fatal(err)
		}
		w.pending = true
	case n < 17:
		w.deliver()
	case n < 18:
		w.clock.Advance(time.Duration(w.rand.IntN(100)) * time.Hour / 10)
	case n < 19:
		w.restart()
	default:
		w.deliver() // a sweep of a room that is far behind removes its index
		if _, err := w.Search.Sweep(ctx); err != nil {
			w.t.Fatal(err)
		}
	}
	w.clock.Advance(time.Duration(w.rand.IntN(3)) * time.Millisecond)
}

// query draws a query.
func (w *world) query() string {
	word := func() string { return vocabulary[w.rand.IntN(len(vocabulary))] }
	var q string
	for range 1 + w.rand.IntN(2) {
		switch w.rand.IntN(14) {
		case 0:
			q += "from:" + string(w.user())
		case 1:
			q += "in:" + string(w.room())
		case 2:
			q += "-" + word()
		case 3:
			q += fmt.Sprintf(`"%s %s"`, word(), word())
		case 4:
			q += fmt.Sprintf(`"%s"`, word())
		case 5:
			q += []string{"has:link", "has:reaction", "is:thread", "mentions:me", "from:me"}[w.rand.IntN(5)]
		case 6:
			q += []string{"before:", "after:", "on:"}[w.rand.IntN(3)] + w.clock.Now().UTC().AddDate(0, 0, -w.rand.IntN(3)).Format(time.DateOnly)
		default:
			q += word()
		}
		q += " "
	}
	return q
}

// scan returns what a query must find: the current messages of all rooms that match.
func (w *world) scan(q search.Query) []chat.Message {
	w.t.Helper()
	var all []chat.Message
	for room, ids := range w.messages {
		if q.Room != "" && q.Room != room {
			continue
		}
		for part := range slices.Chunk(ids, 100) {
			found, err := w.store.MessagesByID(w.t.Context(), room, part)
			if err != nil {
				w.t.Fatal(err)
			}
			for _, m := range found {
				if q.Match(m) {
					all = append(all, m)
				}
			}
		}
	}
	return all
}

// found returns everything that a search finds, page by page.
func (w *world) found(s *search.Service, caller chat.UserID, q search.Query, limit int) (all []chat.Message) {
	w.t.Helper()
	page := chat.PageRequest{Limit: limit}
	for n := 0; ; n++ {
		got, err := s.Search(w.t.Context(), caller, search.Request{Query: q, Page: page})
		if err != nil || n > 1000 {
			w.t.Fatalf("page %d: %v", n, err)
		}
		for _, r := range got.Items {
			all = append(all, r.Message)
		}
		if (got.Next == "") != got.SearchedTo.IsZero() || len(got.Items) > limit {
			w.t.Fatalf("a page of %d, until %v, next %q", len(got.Items), got.SearchedTo, got.Next)
		}
		if page.Cursor = got.Next; got.Next == "" {
			return all
		}
	}
}

// check compares a search with a plain scan.
func (w *world) check(s *search.Service, text string) {
	w.t.Helper()
	if w.pending {
		w.deliver()
	}
	caller := w.user()
	q, err := search.Parse(text, caller, time.UTC)
	if chat.KindOf(err) == chat.Invalid {
		return // such as two times from
	}
	if err != nil {
		w.t.Fatal(err)
	}
	got := w.found(s, caller, q, 1+w.rand.IntN(8))
	if !slices.IsSortedFunc(got, func(a, b chat.Message) int { return b.ReceivedAt.Compare(a.ReceivedAt) }) {
		w.t.Errorf("%q: the results are not newest first", text)
	}
	ids := func(messages []chat.Message) (all []string) {
		for _, m := range messages {
			all = append(all, fmt.Sprintf("%s %s %q rev %d", m.Room, m.ID, m.Text, m.Revision))
		}
		slices.Sort(all)
		return all
	}
	if got, want := ids(got), ids(w.scan(q)); !slices.Equal(got, want) {
		w.t.Fatalf("%q finds\n%q, want\n%q", text, got, want)
	}
}

// stored returns all texts that are stored for searches, each on a line.
func (w *world) stored() string {
	w.t.Helper()
	objects, more, err := w.bucket.List(w.t.Context(), search.Folder, "")
	if err != nil || more {
		w.t.Fatal(more, err)
	}
	var all []string
	for _, o := range objects {
		body, _, err := w.bucket.Read(w.t.Context(), o.Key)
		if err != nil {
			w.t.Fatal(err)
		}
		texts, err := search.Texts(o.Key, body)
		if err != nil {
			w.t.Fatal(o.Key, err)
		}
		all = append(all, texts...)
	}
	return strings.Join(all, "\n")
}
