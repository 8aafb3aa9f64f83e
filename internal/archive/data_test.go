package archive_test

import (
	"bytes"
	"cmp"
	crand "crypto/rand"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"example.com/parley/internal/app"
	"example.com/parley/internal/archive"
	"example.com/parley/internal/archive/irc"
	"example.com/parley/internal/archive/slack"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/test/nightly"
)

// dataFolder is the environment variable that names a folder of real archives. They are not part of
// the project, so the tests of this file may be skipped.
const dataFolder = "CHAT_DATA"

// queries is the number of random queries to each store.
const queries = 40

func realData(t *testing.T) string {
	t.Helper()
	dir := os.Getenv(dataFolder)
	if dir == "" && os.Getenv("CI") != "" {
		t.Fatalf("%s must name a folder with real archives in CI", dataFolder)
	}
	if dir == "" {
		t.Skipf("%s does not name a folder with real archives", dataFolder)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		t.Fatalf("%s names %s, which is not a folder: %v", dataFolder, dir, err)
	}
	return dir
}

// Stores answer queries about real archives like a scan of the files.
func TestLoad_RealArchives(t *testing.T) {
	t.Parallel()
	dir := realData(t)
	slackDir, ircDir := filepath.Join(dir, "slack-houston"), filepath.Join(dir, "irc-ubuntu")
	slackScan, ircScan := scanSlack(t, slackDir), scanIRC(t, ircDir, "ubuntu")
	all := newScan()
	for _, s := range []*scan{slackScan, ircScan} {
		for room, messages := range s.rooms {
			all.rooms[room] = messages
		}
	}
	all.sort(t)
	seed := nightly.Seed(t)
	for _, shards := range nightly.Share([]int{8, 1, 3}, 1) { // most shards merge most
		t.Run(fmt.Sprintf("with %d shards", shards), func(t *testing.T) {
			t.Parallel()
			store := newStore(t)
			load := func() (fromSlack, fromIRC archive.Report) {
				a, err := slack.Open(slackDir, slack.Options{})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() {
					if err := a.Close(); err != nil {
						t.Error(err)
					}
				})
				b, err := irc.Open(irc.Options{Room: "ubuntu", Paths: ircFiles(t, ircDir)})
				if err != nil {
					t.Fatal(err)
				}
				return loadReal(t, store, a, shards), loadReal(t, store, b, shards)
			}
			fromSlack, fromIRC := load()
			checkCounts(t, fromSlack, slackScan.size(), 0, slackScan.skipped)
			checkCounts(t, fromIRC, ircScan.size(), 0, ircScan.skipped)
			fromSlack, fromIRC = load()
			checkCounts(t, fromSlack, 0, slackScan.size(), slackScan.skipped)
			checkCounts(t, fromIRC, 0, ircScan.size(), ircScan.skipped)

			service := app.New(app.Options{Store: store, Clock: time.Now, Random: crand.Reader})
			checkRooms(t, service, all)
			random := rand.New(rand.NewPCG(seed, uint64(shards)))
			for range queries {
				compareRandom(t, service, all, random)
			}
		})
	}
}

func loadReal(t *testing.T, store *dynamo.Store, a *archive.Archive, shards int) archive.Report {
	t.Helper()
	var log bytes.Buffer
	o := options(&log)
	o.Shards = shards
	r, err := archive.Load(t.Context(), store, a, o)
	if err != nil {
		t.Fatalf("%v\n%s", err, &log)
	}
	if log.Len() > 0 {
		t.Errorf("a real archive has defects:\n%s", &log)
	}
	return r
}

func (s *scan) size() int {
	n := 0
	for _, messages := range s.rooms {
		n += len(messages)
	}
	return n
}

// sort sorts each room by its keys. No user has two messages in one millisecond, so the order is total
// without ids.
func (s *scan) sort(t *testing.T) {
	t.Helper()
	for room, messages := range s.rooms {
		slices.SortFunc(messages, func(a, b scanned) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.user, b.user))
		})
		for i := 1; i < len(messages); i++ {
			if a, b := messages[i-1], messages[i]; a.at == b.at && a.user == b.user {
				t.Fatalf("%s: %s has two messages at %d", room, a.user, a.at)
			}
		}
	}
}

// checkRooms compares all messages of each room.
func checkRooms(t *testing.T, service *app.Services, all *scan) {
	t.Helper()
	for room, want := range all.rooms {
		got := pages(t, service, chat.MessageQuery{Room: chat.RoomID(room), Limit: chat.MaxLimit}, chat.Oldest)
		if diff := gocmp.Diff(perUser(want), perUser(got)); diff != "" {
			t.Errorf("%s: messages by user (-files +room):\n%s", room, diff)
		}
		if !slices.Equal(want, got) {
			t.Errorf("%s: the messages differ from the files' messages", room)
		}
	}
}

func perUser(messages []scanned) map[string]int {
	n := map[string]int{}
	for _, m := range messages {
		n[m.user]++
	}
	return n
}

// compareRandom compares the results of one random query, in both orders, with the scan's results.
func compareRandom(t *testing.T, service *app.Services, all *scan, random *rand.Rand) {
	t.Helper()
	q, want := randomQuery(all, random)
	// The page size grows with the result: a large result in small pages would take thousands.
	least := min(1+len(want)/50, chat.MaxLimit)
	q.Limit = least + random.IntN(chat.MaxLimit-least+1)
	for _, order := range []chat.Order{chat.Oldest, chat.Newest} {
		if got := pages(t, service, q, order); !slices.Equal(want, got) {
			t.Errorf("query %+v, order %d: %d messages, the files have %d", q, order, len(got), len(want))
		}
		slices.Reverse(want)
	}
}

// randomQuery returns a query about a random message, and its result.
func randomQuery(all *scan, random *rand.Rand) (chat.MessageQuery, []scanned) {
	rooms := make([]string, 0, len(all.rooms))
	for room := range all.rooms {
		rooms = append(rooms, room)
	}
	slices.Sort(rooms)
	messages := all.rooms[rooms[random.IntN(len(rooms))]]
	if random.IntN(3) == 0 {
		messages = all.rooms["ubuntu"] // the largest room by far: it fills pages
	}
	m := messages[random.IntN(len(messages))]
	q := chat.MessageQuery{Room: chat.RoomID(m.room)}
	if random.IntN(2) == 0 {
		q.User = chat.UserID(m.user)
	}
	at := time.UnixMilli(m.at).UTC()
	const keyTime = "2006-01-02:15:04:05"
	switch random.IntN(4) {
	case 0: // no time
	case 1, 2:
		q.At = at.Format(keyTime)[:[]int{4, 7, 10, 13, 16, 19}[random.IntN(6)]]
	case 3:
		span := []time.Duration{time.Second, time.Minute, time.Hour, 24 * time.Hour, 365 * 24 * time.Hour}[random.IntN(5)]
		q.From = at.Add(-time.Duration(random.Int64N(int64(span)))).Truncate(time.Millisecond)
		if random.IntN(4) > 0 {
			q.To = at.Add(time.Duration(random.Int64N(int64(span)))).Truncate(time.Millisecond)
		}
	}
	var want []scanned
	for _, m := range messages {
		at := time.UnixMilli(m.at).UTC()
		if (q.User == "" || m.user == string(q.User)) && at.Format(keyTime)[:len(q.At)] == q.At &&
			!at.Before(q.From) && (q.To.IsZero() || at.Before(q.To)) {
			want = append(want, m)
		}
	}
	return q, want
}

// pages returns the messages of all pages.
func pages(t *testing.T, service *app.Services, q chat.MessageQuery, order chat.Order) []scanned {
	t.Helper()
	q.Order = &order
	var got []scanned
	for {
		page, err := service.Messages(t.Context(), "reader", q)
		if err != nil {
			t.Fatalf("query %+v: %v", q, err)
		}
		for _, m := range page.Items {
			if !m.SentAt().Equal(m.ReceivedAt) {
				t.Errorf("%s was sent at %v and received at %v", m.ID, m.SentAt(), m.ReceivedAt)
			}
			got = append(got, scanned{string(m.Room), string(m.ID.User), m.Text, m.ReceivedAt.UnixMilli()})
		}
		if page.Next == "" {
			return got
		}
		if len(page.Items) == 0 {
			t.Fatalf("query %+v: an empty page has a next page", q)
		}
		q.Cursor = page.Next
	}
}
