package stream_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/table"
	"example.com/parley/internal/tally"
	"example.com/parley/internal/thread"
)

// repair repairs a room's feed as another process would, with a clock that is off by a duration.
func (w *fixture) repair(room chat.RoomID, off time.Duration) (stream.RepairReport, error) {
	return w.repairWith(room, off, stream.Repair{})
}

// repairWith is repair with the projections of r.
func (w *fixture) repairWith(room chat.RoomID, off time.Duration, r stream.Repair) (stream.RepairReport, error) {
	clock := func() time.Time { return time.Now().Add(off) }
	store := dynamo.New(dynamo.LocalClient(w.endpoint), dynamo.Options{Table: w.table, Clock: time.Now})
	arn, err := dynamo.EnableStream(context.Background(), dynamo.LocalClient(w.endpoint), w.table)
	if err != nil {
		return stream.RepairReport{}, err
	}
	r.Room, r.History, r.Stream = room, store, arn
	r.Appender = stream.NewAppender(stream.Options{Store: store, Clock: clock, Log: slog.New(slog.DiscardHandler)})
	return r.Run(context.Background())
}

func (w *fixture) wantRepair(room chat.RoomID, want stream.RepairReport) {
	w.t.Helper()
	if got, err := w.repair(room, 0); err != nil || got != want {
		w.t.Errorf("repair = %+v, %v, want %+v", got, err, want)
	}
}

// postAndRevise posts n messages. It edits every third, edits every sixth again, and deletes every
// fourth. It returns the changes, in no order.
func (w *fixture) postAndRevise(room chat.RoomID, n int) []feed.Change {
	w.t.Helper()
	var changes []feed.Change
	for i := range n {
		m := w.post(room, chat.UserID(fmt.Sprintf("u%d", i%5)), i)
		changes = append(changes, feed.ChangeOf(m))
		revise := func(after chat.Message) {
			m = w.revise(m, after)
			changes = append(changes, feed.ChangeOf(m))
		}
		if i%3 == 0 {
			revise(m.Edited("other", m.ReceivedAt.Add(time.Millisecond)))
		}
		if i%6 == 0 {
			revise(m.Edited("third", m.ReceivedAt.Add(2*time.Millisecond)))
		}
		if i%4 == 0 {
			revise(m.Tombstone(m.ID.User, m.ReceivedAt.Add(3*time.Millisecond)))
		}
	}
	return changes
}

// messagesOf returns the changes of messages in a feed. Each must be there once, and the revisions
// of a message must be in order.
func (w *fixture) messagesOf(room chat.RoomID) []feed.Change {
	w.t.Helper()
	var all []feed.Change
	revisions := map[chat.MessageID]int{}
	for _, c := range w.feedOf(room) {
		if !c.Type.OfMessage() {
			continue
		}
		if c.Revision != revisions[c.Message]+1 {
			w.t.Errorf("revision %d of %v follows %d", c.Revision, c.Message, revisions[c.Message])
		}
		revisions[c.Message] = c.Revision
		all = append(all, c)
	}
	return all
}

// wantChanges compares feeds as sets, types included.
func wantChanges(t *testing.T, got, want []feed.Change) {
	t.Helper()
	sorted := func(changes []feed.Change) []string {
		var words []string
		for _, c := range changes {
			words = append(words, fmt.Sprint(c.Type, c.Message, c.Revision))
		}
		slices.Sort(words)
		return words
	}
	if g, w := sorted(got), sorted(want); !slices.Equal(g, w) {
		t.Errorf("the feed has %d changes, want %d:\n%q\n%q", len(g), len(w), g, w)
	}
}

func TestRepair_AppendsChangesThatWereNeverDelivered(t *testing.T) {
	t.Parallel()
	for name, lost := range map[string]func(i int) bool{
		"all of it":      func(int) bool { return true },
		"nothing":        func(int) bool { return false },
		"the end":        func(i int) bool { return i > 40 },
		"the room's own": func(i int) bool { return i < 2 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newFixture(t)
			w.room("seattle", 3)
			want := w.postAndRevise("seattle", 48)
			records := slices.Collect(wantedOnly(w.stream.Next(t)))
			var delivered []events.DynamoDBEventRecord
			for i, r := range records {
				if !lost(i) {
					delivered = append(delivered, r)
				}
			}
			w.deliver(w.handler(), delivered)
			before := 0
			if len(delivered) > 0 {
				before = len(w.messagesOf("seattle"))
			}
			w.wantRepair("seattle", stream.RepairReport{Messages: 48, Present: before, Appended: len(want) - before})
			wantChanges(t, w.messagesOf("seattle"), want)
			w.wantRepair("seattle", stream.RepairReport{Messages: 48, Present: len(want)})
			w.deliver(w.handler(), records) // late
			wantChanges(t, w.messagesOf("seattle"), want)
		})
	}
}

// wantedOnly returns the records that pass the filter of the mapping.
func wantedOnly(records []events.DynamoDBEventRecord) func(yield func(events.DynamoDBEventRecord) bool) {
	return func(yield func(events.DynamoDBEventRecord) bool) {
		for _, r := range records {
			if kind, ok := r.Change.NewImage[table.AttrType]; ok && slices.Contains(table.StreamKinds(table.FeedStream), kind.String()) && !yield(r) {
				return
			}
		}
	}
}

func TestRepair_ConcurrentWithTheStreamAppendsEachChangeOnce(t *testing.T) {
	t.Parallel()
	for name, off := range map[string]time.Duration{"the same clock": 0, "a clock ahead": 4 * time.Second, "a clock behind": -4 * time.Second} {
		for seed := range 3 {
			t.Run(fmt.Sprintf("%s %d", name, seed), func(t *testing.T) {
				t.Parallel()
				w := newFixture(t)
				w.room("seattle", 3)
				want := w.postAndRevise("seattle", 40)
				records := w.stream.Next(t)
				h := w.handler()
				w.deliver(h, records[:len(records)/2*(seed%2)])
				concurrently(
					func() {
						for batch := range slices.Chunk(records, 7+9*seed) {
							w.deliver(h, batch)
						}
					},
					func() {
						for range 3 {
							if _, err := w.repair("seattle", off); err != nil {
								t.Error(err)
							}
						}
					},
				)
				w.deliver(w.handler(), records)
				wantChanges(t, w.messagesOf("seattle"), want)
			})
		}
	}
}

// TestRepair_FindsMessagesOutsideTheListing hides messages from the room's listing by another index
// key, as replies will have.
func TestRepair_FindsMessagesOutsideTheListing(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 3)
	want := w.postAndRevise("seattle", 12)
	w.stream.Next(t) // discard the records
	for _, c := range want {
		if c.Type != feed.MessageCreated {
			continue
		}
		for shard := range 3 {
			_, err := dynamo.LocalClient(w.endpoint).UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
				TableName: &w.table, Key: table.MessageKey("seattle", shard, c.Message),
				UpdateExpression: aws.String("SET GSI1PK = :hidden"), ConditionExpression: aws.String("attribute_exists(PK)"),
				ExpressionAttributeValues: table.Item{":hidden": &types.AttributeValueMemberS{Value: "t#seattle#root"}},
			})
			var other *types.ConditionalCheckFailedException
			if err != nil && !errors.As(err, &other) {
				t.Fatal(err)
			}
		}
	}
	if page, _, err := w.store.Messages(t.Context(), chat.MessageRange{Room: "seattle", Limit: 50}); err != nil || len(page) > 0 {
		t.Fatalf("the listing has %d messages, %v", len(page), err)
	}
	w.wantRepair("seattle", stream.RepairReport{Messages: 12, Appended: len(want)})
	wantChanges(t, w.tail("seattle"), want)
	w.wantRepair("seattle", stream.RepairReport{Messages: 12, Present: len(want)})
}

func TestRepair_RoomThatDoesNotExistIsNotFound(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	var e *chat.Error
	if _, err := w.repair("nowhere", 0); !errors.As(err, &e) || e.Kind != chat.NotFound {
		t.Errorf("%v, want NotFound", err)
	}
}

// TestRepair_PerformsTheProjectionsOfWhatItAppends loses the records of replies and of a reaction. A
// repair appends the replies and counts them. Only a recount finds the reaction.
func TestRepair_PerformsTheProjectionsOfWhatItAppends(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 2)
	h := w.counting()
	root, other := w.post("seattle", "amsg", 1), w.post("seattle", "amsg", 2)
	first := w.replyBy(root, "bob", 1)
	w.settle(h)
	second, third := w.replyBy(root, "cy", 2), w.replyBy(root, "dan", 3)
	w.revise(second, second.Tombstone("cy", second.ReceivedAt))
	w.react(other, "bob", "👍")
	for len(w.stream.Next(t)) > 0 { // nobody handles these records
	}
	w.wantReplies(root, 1, first, "bob")
	w.wantRepairWith(stream.Repair{}, stream.RepairReport{Messages: 5, Present: 3, Appended: 3, Counted: 2})
	w.wantReplies(root, 2, third, "dan", "bob")
	if got := w.tallyOf(other); len(got.Reactions) != 0 {
		t.Errorf("a repair counted %+v", got.Reactions)
	}
	for range 2 {
		w.wantRepairWith(stream.Repair{Recount: true}, stream.RepairReport{Messages: 5, Present: 6, Counted: 5})
		w.wantReplies(root, 2, third, "dan", "bob")
		if got := w.tallyOf(other); len(got.Reactions) != 1 || got.Reactions[0] != (chat.ReactionCount{Emoji: "👍", Count: 1}) || got.Version != 1 {
			t.Errorf("a recount wrote %+v", got)
		}
	}
	w.settle(h)
	if page, err := thread.NewStore(w.store.Table()).FollowsOf(t.Context(), "dan"); err != nil || len(page) != 1 || page[0].Seq != w.seqOf(third.ID) {
		t.Errorf("dan follows %+v, %v", page, err)
	}
}

// wantRepairWith repairs the room with the projections of the feed function.
func (w *fixture) wantRepairWith(r stream.Repair, want stream.RepairReport) {
	w.t.Helper()
	r.Projections = []stream.Projection{thread.NewProjection(w.store.Table()), tally.NewCounter(w.store)}
	if got, err := w.repairWith("seattle", 0, r); err != nil || got != want {
		w.t.Errorf("repair = %+v, %v, want %+v", got, err, want)
	}
}

// seqOf returns the number of a message's creation in the feed.
func (w *fixture) seqOf(id chat.MessageID) int64 {
	w.t.Helper()
	for i, c := range w.feedOf("seattle") {
		if c.Message == id && c.Revision == 1 {
			return int64(i) + 1
		}
	}
	w.t.Errorf("the feed has no %v", id)
	return 0
}
