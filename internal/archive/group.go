package archive

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/digest"
)

// putGroup stores jobs and counts them.
func (l *loader) putGroup(ctx context.Context, jobs []job) {
	for _, j := range l.putTogether(ctx, jobs) {
		l.count(j.Record, l.put(ctx, j))
	}
}

// putTogether puts the messages of new rooms in one transaction, and counts them. It returns the
// jobs that are left, in order: all if the transaction fails.
func (l *loader) putTogether(ctx context.Context, jobs []job) (left []job) {
	if len(jobs) < 2 || ctx.Err() != nil || l.storeDown() {
		return jobs
	}
	var put []job
	var messages []chat.Message
	ids := map[chat.MessageID]bool{}
	for _, j := range jobs {
		thread, known := j.rootAmong(ids)
		to := l.rooms[j.Room]
		// a record that occurs twice is put once
		if !known || to == nil || !to.fresh || ids[j.ID()] || len(j.Attached) > 0 {
			left = append(left, j)
			continue
		}
		m := j.messageIn(to, thread, l.Now)
		m.Digest = digest.Sum(to.DigestKey, m.Content())
		put, messages, ids[m.ID] = append(put, j), append(messages, m), true
	}
	if len(put) < 2 {
		return jobs
	}
	ok, err := l.store.PutMessages(ctx, messages)
	if !ok || err != nil {
		return jobs
	}
	l.recordResult(nil)
	for i, j := range put {
		j.end(messages[i].ID, messages[i].ID)
	}
	reacted := l.reactToNew(ctx, put, messages)
	for i, j := range put {
		l.countListed(l.rooms[j.Room], messages[i], true)
		outcome := imported
		if len(j.Reactions) > 0 && !reacted {
			outcome = NotStored
		}
		l.count(j.Record, outcome)
	}
	return left
}
