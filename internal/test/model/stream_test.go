package model

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/rights"
)

const (
	// maxBatchRecords bounds the records of one batch, like the event source mapping.
	maxBatchRecords = 1000
	// streamRetention is the time for which a stream keeps its records.
	streamRetention = 24 * time.Hour
)

// deliver delivers some or all of the pending stream records, sometimes with records delivered
// before. One handler or both concurrently get them, and sometimes one gets them twice.
func (w *world) deliver() error {
	from, to := w.delivered, len(w.chunks)
	if w.percent(60) {
		to = from + w.rand.IntN(to-from+1)
	}
	if w.percent(30) {
		from -= w.rand.IntN(min(from, 20) + 1)
	}
	handlers := []*stream.Handler{oneOf(w, w.handlers...)}
	if w.percent(20) {
		handlers = w.handlers
	}
	from, to = w.batchRange(from, to)
	if err := w.invoke(from, to, handlers...); err != nil {
		return err
	}
	if w.percent(30) {
		return w.invoke(from, to, oneOf(w, w.handlers...))
	}
	return nil
}

// batchRange returns the part of a range that can be one batch. The batch comes from one stream,
// has at most maxBatchRecords, and has no redelivered record that the stream no longer holds.
func (w *world) batchRange(from, to int) (int, int) {
	for from < w.delivered && (w.clock.now().Sub(w.chunks[from].at) > streamRetention || w.delivered < to && w.chunks[from].generation != w.chunks[w.delivered].generation) {
		from++
	}
	records := 0
	for i := from; i < to; i++ {
		records += len(w.chunks[i].records)
		if w.chunks[i].generation != w.chunks[from].generation || records > maxBatchRecords {
			return from, i
		}
	}
	return from, to
}

// deliverAll delivers all pending stream records.
func (w *world) deliverAll() error {
	for w.delivered < len(w.chunks) {
		from, to := w.batchRange(w.delivered, len(w.chunks))
		if err := w.invoke(from, to, oneOf(w, w.handlers...)); err != nil {
			return err
		}
	}
	return nil
}

// invoke passes the same chunks to all handlers, concurrently.
func (w *world) invoke(from, to int, handlers ...*stream.Handler) error {
	if from >= to {
		return nil
	}
	w.note("the stream delivers %d to %d of %d, %d handlers", from, to, len(w.chunks), len(handlers))
	w.readStream()
	var batch events.DynamoDBEvent
	var all, newEvents []event
	for i := from; i < to; i++ {
		batch.Records = append(batch.Records, w.chunks[i].records...)
		all = append(all, w.chunks[i].events...)
		if i >= w.delivered {
			newEvents = append(newEvents, w.chunks[i].events...)
		}
	}
	errs := make([]error, len(handlers))
	var group sync.WaitGroup
	for i, h := range handlers {
		group.Go(func() {
			resp, err := h.Handle(rights.As(w.ctx, "feed"), batch)
			if errs[i] = err; err == nil && len(resp.BatchItemFailures) > 0 {
				errs[i] = fmt.Errorf("%d records failed", len(resp.BatchItemFailures))
			}
		})
	}
	group.Wait()
	w.model.deliver(w.chunks[from].generation, newEvents)
	caused := w.model.project(all)
	w.delivered = max(w.delivered, to)
	for _, err := range errs {
		if err != nil {
			return fmt.Errorf("handler: %w", err)
		}
	}
	if n := w.failures.n.Load(); n > 0 {
		return fmt.Errorf("%d records could not be read", n)
	}
	return w.readCaused(caused)
}

// restartStream switches the stream off and on again, without a change in between.
func (w *world) restartStream() error {
	if w.percent(30) {
		w.note("the stream is switched off and on")
		w.restarts++
	}
	return nil
}

// removeExpired removes some of the expired segments in any order, like the table's time to live.
func (w *world) removeExpired() error {
	w.note("expired segments are removed")
	spared := oneOf(w, 0, 50)
	if err := w.expireUploads(spared); err != nil {
		return err
	}
	for _, id := range w.roomIDs() {
		out, err := w.client.Query(w.ctx, &dynamodb.QueryInput{
			TableName: aws.String(tableName), KeyConditionExpression: aws.String("PK = :pk AND SK < :head"), ConsistentRead: aws.Bool(true),
			ExpressionAttributeValues: table.Item{
				":pk": &types.AttributeValueMemberS{Value: table.FeedPK(id)}, ":head": &types.AttributeValueMemberS{Value: "h"},
			},
		})
		if err != nil {
			return err
		}
		for _, item := range out.Items {
			s, err := table.ParseSegment(item)
			if err != nil {
				return err
			}
			if s.Expires.After(w.clock.now()) || w.percent(spared) {
				continue
			}
			b := w.model.rooms[id].batchAt(s.First)
			if b == nil || b.first != s.First || !w.model.expired(b) {
				return fmt.Errorf("the segment %d of %s expires at %s", s.First, id, s.Expires)
			}
			b.removed = true
			if _, err := w.client.DeleteItem(w.ctx, &dynamodb.DeleteItemInput{TableName: aws.String(tableName), Key: table.SegmentKey(id, s.First)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// advance advances the clock.
func (w *world) advance() error {
	d := time.Duration(w.rand.Int64N(int64(5 * time.Millisecond)))
	switch n := w.rand.IntN(100); {
	case n < 40:
	case n < 65:
		d = time.Duration(w.rand.Int64N(int64(8 * time.Second)))
	case n < 75:
		d = oneOf(w, time.Millisecond, time.Second, 5*time.Second, indexLag, indexLag+time.Millisecond, 2*indexLag)
	case n < 92:
		d = time.Duration(w.rand.Int64N(int64(10 * time.Hour)))
	case n < 96:
		d = oneOf(w, maxSendDelay, maxSendDelay-time.Millisecond, maxSendDelay+time.Millisecond)
	default:
		d = time.Duration(w.rand.Int64N(int64(2 * retention)))
	}
	w.note("%s passes", d)
	if d > time.Hour { // the stream keeps its records for only a day
		if err := w.deliverAll(); err != nil {
			return err
		}
	}
	w.clock.advance(d)
	if d > maxSendDelay && w.percent(50) {
		return w.removeExpired()
	}
	return nil
}

// changes reads the changes after a random number of a random generation.
func (w *world) changes() error {
	in := w.randomRoom()
	var since chat.FeedPosition
	if r := w.model.rooms[in]; r != nil && r.head() != nil {
		head := r.head()
		some := oneOf(w, r.feed...)
		if w.percent(50) { // not across generations
			some = oneOf(w, r.feed[slices.IndexFunc(r.feed, func(b *batch) bool { return b.generation == head.generation }):]...)
		}
		since.Seq = oneOf(w, 0, head.last(), head.last()+1, head.first-1, some.first-1, some.last(), some.first+w.rand.Int64N(int64(len(some.changes))), -1, maxSeq, maxSeq+1)
		since.Generation = oneOf(w, "", head.generation, head.generation, some.generation, "other")
	}
	_, err := w.changesSince(w.randomUser(in, policy.Read), in, since, w.randomLimit())
	return err
}

// changesSince reads changes and compares the result. It returns the error of the comparison,
// and nil for a refusal.
func (w *world) changesSince(caller chat.UserID, in chat.RoomID, since chat.FeedPosition, limit int) (*feed.Changes, error) {
	w.note("%s reads the changes of %s after %+v, limit %d", caller, in, since, limit)
	got, refusedBy := w.service(in).Feed.Changes(w.ctx, caller, in, since, limit)
	for i := range got.Entries {
		got.Entries[i].Change.Origin = 0
		if m := got.Entries[i].Message; m != nil {
			m.Digest = nil
		}
	}
	want, denied := w.model.changes(caller, in, since, limit)
	err := w.agree(answer{Refusal: denied, Given: want}, answer{Refusal: refusalOf(refusedBy), Given: got})
	if err != nil || refusedBy != nil {
		return nil, err
	}
	return &got, nil
}
