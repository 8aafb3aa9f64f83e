package model

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/table"
)

// mark is a read marker: the last number read and the count of messages up to it.
type mark struct{ seq, count int64 }

// maxReceipts is the largest number of members whose receipts are shown.
const maxReceipts = 50

func (w *world) markRead() error {
	in := w.randomRoom()
	caller := w.randomUser(in, policy.Read)
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
		seq = oneOf(w, before.seq, before.seq+1, head+1, 0, -1, maxSeq, maxSeq+1)
	}
	w.note("%s marks %s read up to %d of %d", caller, in, seq, head)
	want, denied := w.model.markRead(caller, in, seq)
	got, err := w.service(in).Inbox.MarkRead(w.ctx, caller, in, seq)
	return w.agree(answer{Refusal: denied, Given: want}, answer{Refusal: refusalOf(err), Given: got})
}

// markMessage marks a message as read, or it and those after it as unread.
func (w *world) markMessage() error {
	in := w.randomRoom()
	caller := w.randomUser(in, policy.Read)
	id := chat.MessageID{User: caller}
	if r := w.model.rooms[in]; r != nil && len(r.messages) > 0 {
		id = oneOf(w, r.messages...).id
		switch newest := r.newest(); {
		case w.percent(30) && newest != nil:
			id = newest.id
		case w.percent(30):
			id = r.messages[len(r.messages)-1].id
		}
	}
	if w.percent(3) {
		id.User = "nobody"
	}
	service := w.service(in).Inbox
	if w.percent(60) {
		w.note("%s marks %s read up to %s", caller, in, id)
		want, denied := w.model.markMessage(caller, in, id)
		got, err := service.MarkMessage(w.ctx, caller, in, id)
		return w.agree(answer{Refusal: denied, Given: want}, answer{Refusal: refusalOf(err), Given: got})
	}
	w.note("%s marks %s unread from %s", caller, in, id)
	want, denied := w.model.markUnread(caller, in, id)
	got, err := service.MarkUnread(w.ctx, caller, in, id)
	return w.agree(answer{Refusal: denied, Given: want}, answer{Refusal: refusalOf(err), Given: got})
}

// markRead moves a read marker, but never back.
func (m *model) markRead(caller chat.UserID, in chat.RoomID, seq int64) (inbox.Reading, refusal) {
	if seq < 0 || seq > maxSeq {
		return inbox.Reading{}, refused(chat.Invalid)
	}
	r, denied := m.enter(caller, in, policy.Read)
	if denied != (refusal{}) {
		return inbox.Reading{}, denied
	}
	if seq > 0 && (r.head() == nil || seq > r.head().last()) {
		return inbox.Reading{}, refused(chat.Invalid)
	}
	m.forward(r, caller, mark{seq, r.countAt(seq)}, r.lastUpTo(seq))
	return r.reading(caller), refusal{}
}

// countAt returns the number of creations up to a number, as far as the feed still knows it. For a
// removed number, the remaining batches give the count before them.
func (r *room) countAt(seq int64) int64 {
	if head := r.head(); head != nil && seq == head.last() {
		return r.createdCount()
	}
	var n int64
	for _, b := range r.feed {
		switch {
		case seq == 0 || b.removed:
		case b.first > seq:
			return r.createdUpTo(b.first - 1)
		case seq <= b.last():
			return r.createdUpTo(seq)
		default:
			n = r.createdUpTo(b.last())
		}
	}
	return n
}

// markMessage moves a read marker to a message, but never back.
func (m *model) markMessage(caller chat.UserID, in chat.RoomID, id chat.MessageID) (inbox.Reading, refusal) {
	r, denied := m.enter(caller, in, policy.Read)
	if denied != (refusal{}) {
		return inbox.Reading{}, denied
	}
	_, after, denied := r.locate(id)
	if denied != (refusal{}) {
		return inbox.Reading{}, denied
	}
	m.forward(r, caller, after, id)
	return r.reading(caller), refusal{}
}

// forward moves a read marker forward, and the receipt to a message unless that is not known.
func (m *model) forward(r *room, caller chat.UserID, to mark, last chat.MessageID) {
	if current, ok := r.marks[caller]; ok && to.seq <= current.seq {
		return
	}
	r.marks[caller] = to
	if last != (chat.MessageID{}) && to.seq >= r.receipts[caller].Seq {
		r.receipts[caller] = inbox.Receipt{Message: last, At: m.now(), Seq: to.seq}
	}
}

// lastUpTo returns the last message that the batch of a number created up to there. For the last
// number of a feed without any, it is the newest message.
func (r *room) lastUpTo(seq int64) (last chat.MessageID) {
	if b := r.batchAt(seq); b != nil {
		for i, c := range b.changes {
			if c.CreatesInRoom() && b.first+int64(i) <= seq {
				last = c.Message
			}
		}
	}
	if head := r.head(); last == (chat.MessageID{}) && head != nil && seq == head.last() {
		if newest := r.newest(); newest != nil {
			last = newest.id
		}
	}
	return last
}

// shownReceipts returns the receipts that a person sees in the list of members.
func (r *room) shownReceipts(caller chat.UserID) map[chat.UserID]inbox.Receipt {
	members := r.shownMembers()
	if !r.isMember(caller) || r.direct == nil && (r.settings.NoReceipts || len(members) > maxReceipts) {
		return nil
	}
	shown := map[chat.UserID]inbox.Receipt{}
	for _, m := range members {
		if receipt, ok := r.receipts[m.User]; ok {
			shown[m.User] = receipt
		}
	}
	return shown
}

// receiptsIn reads the receipts of a room's members, as the API does.
func (w *world) receiptsIn(service *app.Services, caller chat.UserID, in chat.RoomID, members []chat.Membership) (map[chat.UserID]inbox.Receipt, error) {
	_, shows, err := service.Members.MembersAndReceipts(w.ctx, caller, in, chat.PageRequest{Limit: 1 + w.rand.IntN(maxPage)})
	if err != nil || !shows {
		return nil, err
	}
	var users []chat.UserID
	for _, m := range members {
		users = append(users, m.User)
	}
	return service.Inbox.Receipts(w.ctx, in, users)
}

// markUnread moves a read marker before a message, forward or back.
func (m *model) markUnread(caller chat.UserID, in chat.RoomID, id chat.MessageID) (inbox.Reading, refusal) {
	r, denied := m.enter(caller, in, policy.Read)
	if denied != (refusal{}) {
		return inbox.Reading{}, denied
	}
	before, _, denied := r.locate(id)
	if denied != (refusal{}) {
		return inbox.Reading{}, denied
	}
	r.marks[caller] = before
	return r.reading(caller), refusal{}
}

// locate returns the marks directly before and after a message. A message that is not in the feed
// yet is at its end. One in a removed batch is unknown, unless it is the newest of the room.
func (r *room) locate(id chat.MessageID) (before, after mark, denied refusal) {
	if r.find(id) == nil {
		return mark{}, mark{}, refused(chat.NotFound)
	}
	end := mark{}
	if head := r.head(); head != nil {
		end = mark{head.last(), r.createdCount()}
	}
	for _, b := range r.feed {
		for i, c := range b.changes {
			if c.Type != feed.MessageCreated && c.Type != feed.ReplyCreated || c.Message != id {
				continue
			}
			seq := b.first + int64(i)
			switch {
			case !b.removed:
				return mark{seq - 1, r.createdUpTo(seq - 1)}, mark{seq, r.createdUpTo(seq)}, refusal{}
			case r.newest().id == id:
				return mark{end.seq - 1, end.count - 1}, end, refusal{}
			}
			return mark{}, mark{}, refused(chat.Invalid)
		}
	}
	return end, end, refusal{}
}

// markerUpdate returns the input of a call that changes a read marker, or nil. forward reports
// whether it can only move the marker forward.
func markerUpdate(input any) (in *dynamodb.UpdateItemInput, forward bool) {
	in, ok := input.(*dynamodb.UpdateItemInput)
	if !ok || !strings.HasPrefix(table.KeyPart(in.Key, table.SK), table.ReadSK("")) {
		return nil, false
	}
	return in, in.ConditionExpression != nil
}

// movesMarker is part of each update that moves a marker, and onlyForward of its condition if it
// moves only forward.
const movesMarker, onlyForward = "#seq = :seq,", "attribute_not_exists(PK) OR #seq < :seq"

// backwardReceipts move when messages are marked as unread.
func backwardReceipts(input any) any {
	in, forward := markerUpdate(input)
	if in == nil || forward || !strings.Contains(*in.UpdateExpression, movesMarker) {
		return nil
	}
	*in.UpdateExpression += ", message = :message, readAt = :readAt, readSeq = :seq"
	in.ExpressionAttributeValues[":message"] = table.Text(chat.MessageID{User: "amsg"}.String())
	in.ExpressionAttributeValues[":readAt"] = table.Number(start.UnixMilli())
	return nil
}

func backwardMarkers(input any) any {
	if in, forward := markerUpdate(input); forward {
		in.ConditionExpression = nil
	}
	return nil
}

// stuckMarkers never move back.
func stuckMarkers(input any) any {
	in, forward := markerUpdate(input)
	if in != nil && !forward && strings.Contains(*in.UpdateExpression, movesMarker) {
		in.ConditionExpression = aws.String(onlyForward)
	}
	return nil
}

// lateSegments lie about when they were written, so that messages seem to be after them.
type lateSegments struct{ store }

func (b lateSegments) SegmentsBack(ctx context.Context, r feed.SegmentRange) ([]feed.Segment, bool, error) {
	segments, more, err := b.store.SegmentsBack(ctx, r)
	for i := range segments {
		segments[i].WrittenAt = segments[i].WrittenAt.Add(-maxSendDelay)
	}
	return segments, more, err
}
