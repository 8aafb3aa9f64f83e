package archive

import (
	"context"
	"errors"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/digest"
)

const (
	// putAttempts, with pauses that double, last 15 seconds. By then DynamoDB has adapted to most
	// new load.
	putAttempts = 5
	// giveUpAfter is the number of consecutive failures after which the store counts as down. The
	// remaining messages are then only counted, so that the import ends within minutes.
	giveUpAfter = 32
)

// The outcomes of a put that are not skips.
const (
	imported     Reason = "imported"
	alreadyThere Reason = "already there"
	newVersion   Reason = "new versions"
)

// count adds one record to the report.
func (l *loader) count(r Record, outcome Reason) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.Missing {
		if outcome == imported {
			l.report.Missing++
		}
		return
	}
	stored := outcome == imported || outcome == alreadyThere || outcome == newVersion
	if r.Skip != "" || stored {
		for reason, n := range r.LeftOut {
			l.report.LeftOut[reason] += n
		}
	}
	switch outcome {
	case imported:
		l.report.Imported++
	case alreadyThere:
		l.report.AlreadyThere++
	case newVersion:
		l.report.NewVersions++
	default:
		l.report.Skipped[outcome]++
		return
	}
	l.report.Files += r.Files
	l.report.NotFound += r.NotFound
	if to := l.rooms[r.Room]; to != nil {
		for i := range l.report.Rooms {
			if l.report.Rooms[i].Room == to.ID {
				l.report.Rooms[i].Messages++
				break
			}
		}
	}
	l.wrote[r.User]++
	if r.Bot != "" {
		l.bots[r.User] = Person{User: r.User, Name: r.Bot, Bot: true}
	}
}

// attempt is a message of the archive that is put into a room.
type attempt struct {
	Record
	to      *room
	wanted  chat.Message
	stored  chat.Message // once the store has confirmed it
	created bool
}

// put stores one message and returns the outcome.
func (l *loader) put(ctx context.Context, j job) (outcome Reason) {
	p := attempt{Record: j.Record, to: l.rooms[j.Room]}
	defer func() { j.end(p.stored.ID, j.ID()) }()
	switch {
	case p.to == nil || l.storeDown():
		return NotStored
	case p.to.Deleted:
		return DeletedRoom
	}
	p.wanted = j.message(p.to, l.Now)
	err := l.retry(ctx, func() error { return l.putMessage(ctx, &p) })
	l.recordResult(err)
	if err == nil {
		outcome, err = l.outcomeOf(ctx, &p)
	}
	if err != nil {
		if ctx.Err() == nil { // Load returns the context's error
			l.warn(j.Place, "could not be stored: "+err.Error())
		}
		return NotStored
	}
	if outcome == Conflict || j.Missing {
		return outcome
	}
	if err := l.addFiles(ctx, &p); err != nil {
		if ctx.Err() == nil {
			l.warn(j.Place, "its files could not be stored: "+err.Error())
		}
		return NotStored
	}
	if !l.react(ctx, j.Record, p.stored) {
		return NotStored
	}
	return outcome
}

// putMessage stores the message after its files. It stores nothing if the message is there.
func (l *loader) putMessage(ctx context.Context, p *attempt) (err error) {
	var earlier []chat.MessageID
	if !p.to.fresh {
		for _, user := range p.Others {
			earlier = append(earlier, chat.MessageID{UUID: p.wanted.ID.UUID, User: user})
		}
	}
	if len(p.Attached) > 0 {
		earlier = append(earlier, p.wanted.ID)
	}
	for _, id := range earlier {
		if p.stored, err = l.store.Message(ctx, p.to.ID, id); chat.KindOf(err) != chat.NotFound {
			return err
		}
	}
	if p.wanted.Attachments, err = l.putFiles(ctx, p.Record, p.wanted); err != nil {
		return err
	}
	p.wanted.Digest = digest.Sum(p.to.DigestKey, p.wanted.Content())
	p.stored, p.created, err = l.store.PutMessage(ctx, p.wanted)
	return err
}

// outcomeOf returns the outcome of a put that did not fail. If the store had the message, it may
// first become what the archive has: a place that was held for it, or its text before an edit.
func (l *loader) outcomeOf(ctx context.Context, p *attempt) (Reason, error) {
	l.countListed(p.to, p.stored, p.created)
	if p.created {
		return imported, nil
	}
	m, untouched := p.stored, p.stored.Imported == p.stored.Revision // by people here
	held := m.Deleted() && untouched
	if p.Missing {
		return alreadyThere, nil
	}
	mayGrow := m.Revision <= chat.MaxEdits && m.VersionBytes+len(m.Text)+len(p.wanted.Text) <= chat.MaxVersionBytes
	switch edited := p.wanted.EditedAt.After(m.EditedAt); {
	case held:
		return l.become(ctx, p, imported)
	case m.Text == p.wanted.Text || len(m.Attachments) > 0 && !edited:
		return alreadyThere, nil
	case edited && untouched && mayGrow:
		return l.become(ctx, p, newVersion)
	case !p.Exact || !untouched:
		return alreadyThere, nil
	}
	l.warn(p.Place, "the store holds a different text under its id")
	return Conflict, nil
}

// countListed counts a message that the room lists.
func (l *loader) countListed(to *room, m chat.Message, created bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case !m.InRoom() || m.Deleted() && m.Imported == m.Revision: // feeds do not count a held place
	case created:
		to.created++
	default:
		to.there++
	}
}

// become makes a stored message what the archive has, as its next revision. If the message changes
// concurrently, it stays.
func (l *loader) become(ctx context.Context, p *attempt, outcome Reason) (Reason, error) {
	before, revised := p.stored, false
	after := before.Edited(p.wanted.Text, p.wanted.EditedAt)
	after.Metadata, after.Mentions, after.Imported = p.wanted.Metadata, p.wanted.Mentions, after.Revision
	after.DeletedAt, after.DeletedBy = time.Time{}, ""
	err := l.retry(ctx, func() error {
		files, err := l.putFiles(ctx, p.Record, before)
		if err != nil {
			return err
		}
		if len(files) > 0 {
			after.Attachments = files
		}
		p.stored, revised, err = l.store.ReviseMessage(ctx, before, after)
		return err
	})
	if err == nil && !revised {
		outcome = alreadyThere
	}
	return outcome, err
}

// message returns the message of j in a room, without its digest. It waits for the root of a
// thread.
func (j job) message(to *room, now time.Time) chat.Message { return j.messageIn(to, j.root(), now) }

// messageIn returns the message of j, without its digest, in a thread.
func (j job) messageIn(to *room, thread chat.MessageID, now time.Time) chat.Message {
	m := chat.Message{
		Room: to.ID, ID: j.ID(), Text: j.Text, Metadata: j.Metadata, ReceivedAt: j.At, EditedAt: j.EditedAt,
		Revision: 1, Imported: 1,
		Thread: thread, ShowInRoom: j.ShowInRoom, Mentions: chat.Mentions{Users: j.Mentions},
	}
	if j.Missing {
		m.DeletedAt, m.DeletedBy = now, m.ID.User
	}
	return m
}

// recordResult counts consecutive failures.
func (l *loader) recordResult(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil {
		l.failed = 0
		return
	}
	l.failed++
	if l.failed == giveUpAfter {
		l.Log.Error("the store does not respond; the remaining messages are not tried")
	}
}

// storeDown reports whether the store failed so often that no more puts are tried.
func (l *loader) storeDown() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed >= giveUpAfter
}

// retry calls f until it succeeds, fails permanently or has failed putAttempts times.
func (l *loader) retry(ctx context.Context, f func() error) error {
	pause := l.Pause
	for attempt := 1; ; attempt++ {
		err := f()
		if err == nil || chat.KindOf(err) != chat.Unavailable || attempt == putAttempts {
			return err
		}
		var e *chat.Error
		if errors.As(err, &e) {
			pause = max(pause, e.RetryAfter)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return err
		}
		pause *= 2
	}
}

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
