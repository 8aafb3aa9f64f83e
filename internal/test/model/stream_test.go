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

	"parley/internal/chat"
	"parley/internal/feed"
	"parley/internal/feedwriter"
	"parley/internal/policy"
	"parley/internal/table"
	"parley/internal/test/rights"
)

const (
	// atOnce bounds the records of one batch, as the event source mapping does.
	atOnce = 1000
	// streamed is how long a stream keeps its records.
	streamed = 24 * time.Hour
)

// deliver hands over some of what the stream holds: all of it or a piece, with or without what was
// handed over before, to one of the handlers or to both at once, and sometimes twice.
func (w *world) deliver() error {
	from, to := w.told, len(w.chunks)
	if w.percent(60) {
		to = from + w.rand.IntN(to-from+1)
	}
	if w.percent(30) {
		from -= w.rand.IntN(min(from, 20) + 1)
	}
	handlers := []*feedwriter.Handler{oneOf(w, w.handlers...)}
	if w.percent(20) {
		handlers = w.handlers
	}
	from, to = w.piece(from, to)
	if err := w.handOver(from, to, handlers...); err != nil {
		return err
	}
	if w.percent(30) {
		return w.handOver(from, to, oneOf(w, w.handlers...))
	}
	return nil
}

// piece is what of a range can be one batch: of one stream, not too large, and not so old that the
// stream would hold it no more. What was not handed over yet is always held.
func (w *world) piece(from, to int) (int, int) {
	for from < w.told && (w.clock.now().Sub(w.chunks[from].at) > streamed || w.told < to && w.chunks[from].generation != w.chunks[w.told].generation) {
		from++
	}
	records := 0
	for i := from; i < to; i++ {
		records += len(w.chunks[i].records)
		if w.chunks[i].generation != w.chunks[from].generation || records > atOnce {
			return from, i
		}
	}
	return from, to
}

// deliverAll hands over everything that the stream holds.
func (w *world) deliverAll() error {
	for w.told < len(w.chunks) {
		from, to := w.piece(w.told, len(w.chunks))
		if err := w.handOver(from, to, oneOf(w, w.handlers...)); err != nil {
			return err
		}
	}
	return nil
}

// handOver gives the same chunks to some handlers, at once where they are several.
func (w *world) handOver(from, to int, handlers ...*feedwriter.Handler) error {
	if from >= to {
		return nil
	}
	w.note("the stream tells %d to %d of %d, %d handlers", from, to, len(w.chunks), len(handlers))
	var batch events.DynamoDBEvent
	var news []event
	for i := from; i < to; i++ {
		batch.Records = append(batch.Records, w.chunks[i].records...)
		if i >= w.told {
			news = append(news, w.chunks[i].events...)
		}
	}
	errs := make([]error, len(handlers))
	var group sync.WaitGroup
	for i, h := range handlers {
		group.Go(func() {
			resp, err := h.Handle(rights.As(w.ctx, "feed"), batch)
			if errs[i] = err; err == nil && len(resp.BatchItemFailures) > 0 {
				errs[i] = fmt.Errorf("%d records are to come again", len(resp.BatchItemFailures))
			}
		})
	}
	group.Wait()
	w.model.deliver(w.chunks[from].generation, news)
	w.told = max(w.told, to)
	for _, err := range errs {
		if err != nil {
			return fmt.Errorf("the handler: %w", err)
		}
	}
	if n := w.failures.n.Load(); n > 0 {
		return fmt.Errorf("%d records could not be read", n)
	}
	return nil
}

// rebirth is the stream switched off and on again, with nothing done in between.
func (w *world) rebirth() error {
	if w.percent(30) {
		w.note("the stream begins anew")
		w.born++
	}
	return nil
}

// sweep removes some of what has expired, in any order, as the table does in its own time.
func (w *world) sweep() error {
	w.note("what has expired is removed")
	spared := oneOf(w, 0, 50)
	for _, id := range w.ids() {
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
			b := w.model.rooms[id].holding(s.First)
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

// advance lets time go by.
func (w *world) advance() error {
	d := time.Duration(w.rand.Int64N(int64(5 * time.Millisecond)))
	switch n := w.rand.IntN(100); {
	case n < 40:
	case n < 65:
		d = time.Duration(w.rand.Int64N(int64(8 * time.Second)))
	case n < 75:
		d = oneOf(w, time.Millisecond, time.Second, 5*time.Second, lag, lag+time.Millisecond, 2*lag)
	case n < 92:
		d = time.Duration(w.rand.Int64N(int64(10 * time.Hour)))
	case n < 96:
		d = oneOf(w, oldest, oldest-time.Millisecond, oldest+time.Millisecond)
	default:
		d = time.Duration(w.rand.Int64N(int64(2 * life)))
	}
	w.note("%s goes by", d)
	if d > time.Hour { // nothing waits that long: a stream keeps its records for a day
		if err := w.deliverAll(); err != nil {
			return err
		}
	}
	w.clock.advance(d)
	if d > oldest && w.percent(50) {
		return w.sweep()
	}
	return nil
}

func (w *world) markRead() error {
	in := w.somewhere()
	caller := w.someone(in, policy.Read)
	var head int64
	var before mark
	if r := w.model.rooms[in]; r != nil {
		before = r.marks[caller]
		if b := r.head(); b != nil {
			head = b.last()
		}
	}
	seq := head
	switch n := w.rand.IntN(100); {
	case n < 35:
	case n < 55 && before.seq > 0:
		seq = max(0, before.seq-w.rand.Int64N(10))
	case n < 75 && head > 0:
		seq = head - w.rand.Int64N(min(head, 20))
	case n < 80:
		seq = 1 + w.rand.Int64N(head+1)
	default:
		seq = oneOf(w, before.seq, before.seq+1, head+1, 0, -1, lastNumber, lastNumber+1)
	}
	w.note("%s has read %s up to %d of %d", caller, in, seq, head)
	want, no := w.model.markRead(caller, in, seq)
	got, err := w.service(in).Feed.MarkRead(w.ctx, caller, in, seq)
	return w.agree(answer{Refusal: no, Given: want}, answer{Refusal: refusalOf(err), Given: got})
}

// changes asks for changes behind any number of any generation.
func (w *world) changes() error {
	in := w.somewhere()
	var since chat.FeedPosition
	if r := w.model.rooms[in]; r != nil && r.head() != nil {
		head := r.head()
		some := oneOf(w, r.feed...)
		if w.percent(50) { // not across generations
			some = oneOf(w, r.feed[slices.IndexFunc(r.feed, func(b *batch) bool { return b.generation == head.generation }):]...)
		}
		since.Seq = oneOf(w, 0, head.last(), head.last()+1, head.first-1, some.first-1, some.last(), some.first+w.rand.Int64N(int64(len(some.changes))), -1, lastNumber, lastNumber+1)
		since.Generation = oneOf(w, "", head.generation, head.generation, some.generation, "other")
	}
	_, err := w.changesSince(w.someone(in, policy.Read), in, since, w.limit())
	return err
}

// changesSince compares one answer. err is of the comparison; a refusal is a nil answer.
func (w *world) changesSince(caller chat.UserID, in chat.RoomID, since chat.FeedPosition, limit int) (*feed.Changes, error) {
	w.note("%s asks for changes of %s behind %+v, %d", caller, in, since, limit)
	got, refusedBy := w.service(in).Feed.Changes(w.ctx, caller, in, since, limit)
	for i := range got.Entries {
		got.Entries[i].Change.Origin = 0
		if m := got.Entries[i].Message; m != nil {
			m.Digest = nil
		}
	}
	want, no := w.model.changes(caller, in, since, limit)
	err := w.agree(answer{Refusal: no, Given: want}, answer{Refusal: refusalOf(refusedBy), Given: got})
	if err != nil || refusedBy != nil {
		return nil, err
	}
	return &got, nil
}
