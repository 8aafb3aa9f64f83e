package model

import (
	"context"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/table"
	"example.com/parley/internal/thread"
)

// threadOf identifies a person's row of a thread.
type threadOf struct {
	user chat.UserID
	root chat.MessageID
}

// threadRow is what a person has to do with a thread. seq is -1 without a marker.
type threadRow struct {
	decided   bool // whether to follow the thread
	following bool
	seq       int64
}

func (m *message) isReply() bool { return m.thread != (chat.MessageID{}) }

func (m *message) inRoom() bool { return !m.isReply() || m.showInRoom }

// created returns the change of a new message.
func (m *message) created() feed.Change {
	c := feed.Change{Type: feed.MessageCreated, Message: m.id, Revision: 1}
	if m.isReply() {
		c.Type, c.Thread, c.ShowInRoom = feed.ReplyCreated, m.thread, m.showInRoom
	}
	return c
}

// mayReply returns the refusal of a reply by its root. A retry is not refused because the root was
// deleted since.
func (r *room) mayReply(draft chat.MessageDraft, retry bool) refusal {
	if draft.Thread == (chat.MessageID{}) {
		return refusal{}
	}
	root := r.find(draft.Thread)
	switch {
	case root == nil, root.isReply():
		return refused(chat.Invalid)
	case root.isDeleted() && !retry:
		return refused(chat.Conflict)
	}
	return refusal{}
}

// randomThread returns the thread of a reply now and then, usually a busy one, and rarely a reply
// or an unknown message.
func (w *world) randomThread(in chat.RoomID) (root chat.MessageID, showInRoom bool) {
	showInRoom = w.percent(30)
	m := w.randomMessage(in)
	switch {
	case !w.percent(40):
		return chat.MessageID{}, w.percent(1)
	case m == nil || w.percent(3):
		return chat.MessageID{UUID: chat.NewUUID(w.model.now(), [10]byte{2}), User: oneOf(w, people...)}, showInRoom
	case m.isReply() && !w.percent(5):
		return m.thread, showInRoom
	}
	return m.id, showInRoom
}

// row returns a person's row of a thread.
func (r *room) row(of threadOf) *threadRow {
	if r.threads == nil {
		r.threads = map[threadOf]*threadRow{}
	}
	if r.threads[of] == nil {
		r.threads[of] = &threadRow{seq: -1}
	}
	return r.threads[of]
}

// unreadReplies returns the number of replies to a root after a number, without deleted replies
// and replies by a user and by people whom they have blocked. Replies in removed batches count
// as read.
func (r *room) unreadReplies(user chat.UserID, root chat.MessageID, seq int64) (unread int64) {
	deleted := map[chat.MessageID]bool{}
	for _, b := range slices.Backward(r.feed) {
		for i, c := range slices.Backward(b.changes) {
			switch {
			case b.removed:
			case c.Type == feed.MessageDeleted:
				deleted[c.Message] = true
			case c.Type == feed.ReplyCreated && c.Thread == root && b.first+int64(i) > seq && c.Message.User != user && !r.blocks[user][c.Message.User] && !deleted[c.Message]:
				unread++
			}
		}
	}
	return min(unread, maxUnread)
}

// enterThread returns the room of a thread if the caller may read it.
func (m *model) enterThread(caller chat.UserID, in chat.RoomID, root chat.MessageID) (*room, refusal) {
	r, denied := m.enter(caller, in, policy.Read)
	if denied != (refusal{}) {
		return nil, denied
	}
	switch m := r.find(root); {
	case m == nil:
		return nil, refused(chat.NotFound)
	case m.isReply():
		return nil, refused(chat.Invalid)
	}
	return r, refusal{}
}

// randomRoot returns a room and a message, which is usually the root of a thread.
func (w *world) randomRoot() (chat.RoomID, chat.MessageID) {
	in, id, m := w.randomTarget()
	if m != nil && m.isReply() && !w.percent(5) {
		return in, m.thread
	}
	return in, id
}

func headOf(r *room) int64 {
	if head := r.head(); head != nil {
		return head.last()
	}
	return 0
}

// threadReading is a marker in a thread and the replies after it.
type threadReading struct{ Seq, Unread int64 }

// readThread moves a marker in a thread, forward or back.
func (w *world) readThread() error {
	in, root := w.randomRoot()
	caller := w.randomUser(in, policy.Read)
	var seq int64
	if r := w.model.rooms[in]; r != nil {
		seq = oneOf(w, 0, headOf(r), headOf(r)+1, -1, w.rand.Int64N(headOf(r)+1), max(0, headOf(r)-w.rand.Int64N(8)))
	}
	w.note("%s reads the thread %s of %s up to %d", caller, root, in, seq)
	want := threadReading{}
	denied := refused(chat.Invalid)
	if seq >= 0 {
		var r *room
		if r, denied = w.model.enterThread(caller, in, root); denied == (refusal{}) && seq > headOf(r) {
			denied = refused(chat.Invalid)
		}
		if denied == (refusal{}) {
			row := r.row(threadOf{caller, root})
			row.seq = max(row.seq, seq)
			want = threadReading{row.seq, r.unreadReplies(caller, root, row.seq)}
		}
	}
	got, err := w.service(in).Threads.MarkRead(w.ctx, caller, thread.Root{Room: in, ID: root}, seq)
	return w.agree(answer{Refusal: denied, Given: want}, answer{Refusal: refusalOf(err), Given: threadReading{got.Seq, got.Unread}})
}

// followThread makes a person follow a thread or not.
func (w *world) followThread() error {
	in, root := w.randomRoot()
	caller, following := w.randomUser(in, policy.Read), w.percent(75)
	w.note("%s follows the thread %s of %s: %v", caller, root, in, following)
	r, denied := w.model.enterThread(caller, in, root)
	if denied == (refusal{}) {
		row := r.row(threadOf{caller, root})
		if row.decided, row.following = true, following; row.seq < 0 {
			row.seq = headOf(r)
		}
	}
	err := w.service(in).Threads.Follow(w.ctx, caller, thread.Root{Room: in, ID: root}, following)
	return w.agree(answer{Refusal: denied}, answer{Refusal: refusalOf(err)})
}

// ownThreads lists the threads that a person follows, each with its number of unread replies.
func (w *world) ownThreads() error {
	user := oneOf(w, people...)
	w.note("%s lists their threads", user)
	want := map[thread.Root]threadReading{}
	for id, r := range w.model.rooms {
		for of, row := range r.threads {
			if _, denied := w.model.enter(user, id, policy.Read); denied == (refusal{}) && of.user == user && row.following {
				want[thread.Root{Room: id, ID: of.root}] = threadReading{row.seq, r.unreadReplies(user, of.root, row.seq)}
			}
		}
	}
	service := w.service(missingRoom)
	all, err := paged(1+w.rand.IntN(4), func(p chat.PageRequest) (chat.Page[thread.Thread], error) {
		return service.Threads.ThreadsOf(w.ctx, user, p)
	})
	got := map[thread.Root]threadReading{}
	order := true
	for i, t := range all {
		got[thread.Root{Room: t.Root.Room, ID: t.Root.ID}] = threadReading{t.Seq, t.Unread}
		order = order && (i == 0 || !t.Root.SentAt().After(all[i-1].Root.SentAt()))
	}
	return w.agree(answer{Given: want, Flag: true}, answer{Refusal: refusalOf(err), Given: got, Flag: order && len(got) == len(all)})
}

// backwardThreads let markers in threads move back.
func backwardThreads(input any) any {
	in, ok := input.(*dynamodb.UpdateItemInput)
	if ok && aws.ToString(in.ConditionExpression) == "attribute_not_exists(#seq) OR #seq < :seq" &&
		strings.HasPrefix(table.KeyPart(in.Key, table.SK), table.FollowPrefix("")) {
		in.ConditionExpression = nil
	}
	return nil
}

// countedReplies appends every reply as one that the room lists.
type countedReplies struct{ store }

func (b countedReplies) AppendSegment(ctx context.Context, s feed.Segment) (bool, error) {
	s.Changes = slices.Clone(s.Changes)
	for i, c := range s.Changes {
		s.Changes[i].ShowInRoom = c.Type == feed.ReplyCreated
	}
	return b.store.AppendSegment(ctx, s)
}
