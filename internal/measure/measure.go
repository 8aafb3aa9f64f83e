// Package measure counts the consumption of Parley's operations on the real engine. make bench
// prints it. Units are as the engine reports them, never computed.
package measure

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
)

// Figure is one line of the table.
type Figure struct {
	Name  string
	Value string
	Goal  string
	Other string // another way's figure, measured in the same run
}

// Scale divides the amounts and the durations of a measurement.
type Scale int

const (
	// Full is the scale that the figures of docs/performance.md are for.
	Full Scale = 1
	// Small is enough to see that a measurement works.
	Small Scale = 50
)

func (s Scale) of(n int) int { return max(1, n/int(s)) }

func (s Scale) during(d time.Duration) time.Duration { return d / time.Duration(s) }

// Bench measures on one table.
type Bench struct {
	db    *dynamodb.Client
	table string
	scale Scale
	mu    sync.Mutex
	sum   total
}

// total is the consumption of the calls since the last reset.
type total struct {
	units float64
	calls int
	items int
}

// New returns a bench on an existing, empty table.
func New(db *dynamodb.Client, table string, scale Scale) *Bench {
	return &Bench{db: db, table: table, scale: scale}
}

func (b *Bench) observe(_ context.Context, u dynamo.Usage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sum.units += u.Units
	b.sum.calls++
	b.sum.items += u.Items
}

// reset returns the consumption since the last reset.
func (b *Bench) reset() total {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.sum
	b.sum = total{}
	return t
}

func (b *Bench) store() *dynamo.Store {
	return dynamo.New(b.db, dynamo.Options{Table: b.table, Clock: time.Now, Observe: b.observe})
}

const (
	conversation = 6000 // messages in a measured room
	talkers      = 400  // people in it
	itemText     = 75   // bytes; an item is then about 300
	loaders      = 8
)

var start = time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)

// fill creates a room of n shards with a conversation. As in real rooms, a few people write most
// messages.
func (b *Bench) fill(ctx context.Context, store app.Stores, room chat.RoomID, n int) error {
	made := chat.Room{ID: room, Name: "bench", CreatedBy: "bench", CreatedAt: start, Shards: n, DigestKey: []byte("k")}
	_, err := store.CreateRoom(ctx, made, chat.OwnerOf(made, "bench"))
	if err != nil {
		return err
	}
	messages := b.talk(room)
	errs := make(chan error, loaders)
	for w := range loaders {
		go func() {
			for i := w; i < len(messages); i += loaders {
				if _, _, err := store.PutMessage(ctx, messages[i]); err != nil {
					errs <- err
					return
				}
			}
			errs <- nil
		}()
	}
	for range loaders {
		if e := <-errs; e != nil {
			err = e
		}
	}
	return err
}

// talk returns the conversation: bursts, about a second between messages, and a Zipf distribution
// over people. It is the same in every run.
func (b *Bench) talk(room chat.RoomID) []chat.Message {
	random := rand.New(rand.NewPCG(1, 2))
	who := rand.NewZipf(random, 1.2, 8, talkers-1)
	messages := make([]chat.Message, b.scale.of(conversation))
	at := start
	for i := range messages {
		at = at.Add(time.Duration(random.ExpFloat64() * float64(time.Second)).Truncate(time.Millisecond))
		id := chat.MessageID{
			UUID: chat.NewUUID(at, [10]byte{byte(i >> 8), 0, byte(i)}),
			User: chat.UserID(fmt.Sprintf("user-%d", who.Uint64())),
		}
		text := make([]byte, itemText/2+random.IntN(itemText))
		for j := range text {
			text[j] = 'a' + byte(random.IntN(26))
		}
		messages[i] = chat.Message{Room: room, ID: id, Text: string(text), ReceivedAt: at, Digest: make([]byte, 16)}
	}
	return messages
}

// atMost returns a figure of a time with its goal, and by how much it misses the goal.
func atMost(name string, value, goal time.Duration) Figure {
	return Figure{
		Name: name, Goal: fmt.Sprintf("≤ %.4g ms", ms(goal)),
		Value: fmt.Sprintf("%.1f ms%s", ms(value), over(ms(value), ms(goal))),
	}
}

// atLeast returns a figure of a rate with its goal, and by how much it misses the goal.
func atLeast(name string, value, goal float64) Figure {
	return Figure{
		Name: name, Goal: fmt.Sprintf("≥ %.0f", goal), Value: fmt.Sprintf("%.0f%s", value, under(value, goal)),
	}
}

// under returns by how much a value falls short of its goal.
func under(value, goal float64) string {
	if value >= goal {
		return ""
	}
	return fmt.Sprintf(", %.0f %% short", 100*(1-value/goal))
}

// over returns by how much a value misses its goal.
func over(value, goal float64) string {
	if value <= goal {
		return ""
	}
	return fmt.Sprintf(", %.0f %% over", 100*(value/goal-1))
}

// rate returns the number per second.
func rate(n int, took time.Duration) float64 { return float64(n) / took.Seconds() }
