package live_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/live"
	"example.com/parley/internal/policy"
)

// hall has connections in rooms, in memory, and receives the frames that are sent to them.
type hall struct {
	live.ConnectionRows // of which a delivery uses the methods below

	mu     sync.Mutex
	rows   map[chat.RoomID][]live.Subscription
	opened map[chat.UserID][]live.Opened
	denied map[chat.UserID]error
	// readTime is how long the reading of an audience takes.
	readTime time.Duration
	// renewed are the ends of connections that were renewed; nil means that they cannot be read.
	renewed map[live.ConnectionID]time.Time
	// post is how a connection answers to a post; nil answers immediately.
	post   func(ctx context.Context, id live.ConnectionID) error
	posts  []posted
	tries  map[live.ConnectionID]int
	closed []live.ConnectionID
	ended  map[live.ConnectionID]time.Time // when it was closed
	log    bytes.Buffer
	seq    int64
	// endReads counts the reads of ends.
	endReads int
	// missed are the rooms that connections missed, as other processes see them, and looks counts
	// their reads.
	missed map[string]live.Missed
	looks  int
}

// posted is a frame that arrived.
type posted struct {
	to    live.ConnectionID
	frame []byte
	at    time.Time
}

func newHall() *hall {
	return &hall{
		rows: map[chat.RoomID][]live.Subscription{}, opened: map[chat.UserID][]live.Opened{}, denied: map[chat.UserID]error{},
		tries: map[live.ConnectionID]int{}, ended: map[live.ConnectionID]time.Time{}, missed: map[string]live.Missed{},
	}
}

func (h *hall) delivery() *live.Delivery {
	return live.NewDelivery(live.DeliveryOptions{
		Rows: h, Connections: h, Rooms: h, Poster: h, Missed: h, Clock: time.Now, Log: slog.New(slog.NewTextHandler(&h.log, nil)),
	})
}

// join subscribes connections to a room. A connection's person has the same id.
func (h *hall) join(room chat.RoomID, mode live.Mode, ids ...string) {
	for _, id := range ids {
		c := live.Connection{ID: live.ConnectionID(id), User: chat.UserID(id), Until: time.Now().Add(time.Hour)}
		h.rows[room] = append(h.rows[room], live.Subscription{Room: room, Connection: c, Mode: mode, Attempt: "1", Active: true})
		h.opened[c.User] = []live.Opened{{Connection: c, Rooms: []chat.RoomID{room}}}
	}
}

func connections(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf("c%04d", i)
	}
	return ids
}

func (h *hall) PutPending(context.Context, live.Subscription) error { panic("not called") }

func (h *hall) Activate(context.Context, live.Subscription) (bool, error) { panic("not called") }

func (h *hall) Delete(_ context.Context, all []live.Subscription) (bool, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range all {
		h.rows[s.Room] = slices.DeleteFunc(h.rows[s.Room], func(row live.Subscription) bool { return row.Connection.ID == s.Connection.ID })
	}
	return true, nil
}

func (h *hall) End(_ context.Context, all []live.Subscription) (bool, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range all {
		for i, row := range h.rows[s.Room] {
			if row.Connection.ID == s.Connection.ID {
				h.rows[s.Room][i].Active, h.rows[s.Room][i].Ended = false, true
			}
		}
	}
	return true, nil
}

func (h *hall) Leave(_ context.Context, c live.Connection, rooms []chat.RoomID) (left []chat.RoomID, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, room := range rooms {
		h.rows[room] = slices.DeleteFunc(h.rows[room], func(row live.Subscription) bool {
			if row.Connection.ID != c.ID {
				return false
			}
			if row.Active {
				left = append(left, room)
			}
			return true
		})
	}
	return left, nil
}

func (h *hall) Subscriptions(ctx context.Context, room chat.RoomID) ([]live.Subscription, error) {
	select {
	case <-time.After(h.readTime):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.rows[room]), ctx.Err()
}

func (h *hall) Connections(_ context.Context, user chat.UserID) ([]live.Opened, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.opened[user]), nil
}

func (h *hall) ConnectionEnds(context.Context, []live.Connection) (map[live.ConnectionID]time.Time, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.endReads++
	if h.renewed == nil {
		return nil, &chat.Error{Kind: chat.Unavailable}
	}
	return maps.Clone(h.renewed), nil
}

func (h *hall) DeleteConnection(_ context.Context, c live.Connection) (live.Opened, bool, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	found := len(h.opened[c.User]) > 0
	delete(h.opened, c.User)
	return live.Opened{Connection: c}, found, nil
}

func (h *hall) PutMissed(_ context.Context, all []live.Missed, _ time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range all {
		h.missed[string(m.Connection.ID)+" "+string(m.Room)] = m
	}
	return nil
}

func (h *hall) SomeMissed(context.Context) ([]live.Missed, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.looks++
	return slices.Collect(maps.Values(h.missed)), nil
}

func (h *hall) DeleteMissed(_ context.Context, all []live.Missed) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range all {
		delete(h.missed, string(m.Connection.ID)+" "+string(m.Room))
	}
	return nil
}

func (h *hall) Authorize(_ context.Context, caller chat.UserID, _ chat.RoomID, _ policy.Action) (chat.Access, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return chat.Access{}, h.denied[caller]
}

func (h *hall) Post(ctx context.Context, to live.ConnectionID, frame []byte) error {
	h.mu.Lock()
	h.tries[to]++
	h.mu.Unlock()
	if h.post != nil {
		if err := h.post(ctx, to); err != nil {
			return err
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.posts = append(h.posts, posted{to, frame, time.Now()})
	return nil
}

func (h *hall) Close(_ context.Context, id live.ConnectionID) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = append(h.closed, id)
	h.ended[id] = time.Now()
	return nil
}

// message returns a batch with the next message of a room.
func (h *hall) message(room chat.RoomID, text string) feed.Batch {
	h.seq++
	id := chat.MessageID{User: "amsg", UUID: chat.NewUUID(time.Now(), [10]byte{9: byte(h.seq)})}
	m := chat.Message{Room: room, ID: id, Text: text, ReceivedAt: time.Now(), Revision: 1}
	return h.batch(room, feed.StreamChange{Change: feed.ChangeOf(m), Created: time.Now(), Item: feed.ChangedItem{Message: &m}})
}

// batch returns a batch with changes that follow the newest one.
func (h *hall) batch(room chat.RoomID, changes ...feed.StreamChange) feed.Batch {
	a := feed.Appended{Room: room, Head: feed.Head{Room: room, Last: h.seq, Count: h.seq, Generation: "g"}}
	for i, c := range changes {
		a.Entries = append(a.Entries, feed.AppendedEntry{Seq: h.seq - int64(len(changes)-1-i), StreamChange: c})
	}
	return feed.Batch{Rooms: []feed.Appended{a}}
}

// received returns the frames that a connection has received, without the parts that differ in
// each run.
func (h *hall) received(id string) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []string
	for _, p := range h.posts {
		if p.to == live.ConnectionID(id) {
			all = append(all, string(p.frame))
		}
	}
	return all
}

// seqs returns the numbers of the changes that a connection has received.
func (h *hall) seqs(id string) []int64 {
	var all []int64
	for _, frame := range h.received(id) {
		if strings.HasPrefix(frame, `{"type":"changes"`) {
			all = append(all, seqsOf([]byte(frame))...)
		}
	}
	return all
}
