package archive

import (
	"cmp"
	"context"
	"crypto/hmac"
	"errors"
	"example.com/parley/internal/digest"
	"slices"
	"time"

	"example.com/parley/internal/chat"
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
)

// count adds one record to the report.
func (l *loader) count(r Record, outcome Reason) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.Skip != "" || outcome == imported || outcome == alreadyThere {
		for reason, n := range r.LeftOut {
			l.report.LeftOut[reason] += n
		}
	}
	switch outcome {
	case imported:
		l.report.Imported++
	case alreadyThere:
		l.report.AlreadyThere++
	default:
		l.report.Skipped[outcome]++
		return
	}
	l.report.Files += r.Files
	l.report.NotFound += r.NotFound
	for i := range l.report.Rooms {
		if room := &l.report.Rooms[i]; room.Room == r.Room {
			room.Messages++
		}
	}
	if r.Bot != "" {
		l.bots[r.User] = Person{User: r.User, Name: r.Bot, Bot: true}
	}
}

// put stores one message and returns the outcome.
func (l *loader) put(ctx context.Context, j job) (outcome Reason) {
	m := j.message()
	var stored chat.Message
	var created bool
	defer func() { j.end(stored.ID, m.ID) }()
	room, ok := l.rooms[j.Room]
	if !ok || l.storeDown() {
		return NotStored
	}
	err := l.retry(ctx, func() (err error) {
		stored, created, err = l.putMessage(ctx, j, &m, room)
		return err
	})
	l.recordResult(err)
	if err != nil {
		if ctx.Err() == nil { // Load returns the context's error
			l.warn(j.Place, "could not be stored: "+err.Error())
		}
		return NotStored
	}
	outcome = l.outcomeOf(j.Record, m, stored, created)
	if outcome == Conflict {
		return outcome
	}
	if err := l.addFiles(ctx, j.Record, stored, created); err != nil {
		if ctx.Err() == nil {
			l.warn(j.Place, "its files could not be stored: "+err.Error())
		}
		return NotStored
	}
	if !l.react(ctx, j.Record, stored) {
		return NotStored
	}
	return outcome
}

// putMessage stores m, the message of j, after its files, and sets the rest of m. It stores nothing
// if the message is there.
func (l *loader) putMessage(ctx context.Context, j job, m *chat.Message, room chat.Room) (stored chat.Message, created bool, err error) {
	var earlier []chat.MessageID
	if j.Unmapped != "" {
		earlier = append(earlier, j.unmappedID())
	}
	if len(j.Attached) > 0 {
		earlier = append(earlier, m.ID)
	}
	for _, id := range earlier {
		if stored, err = l.store.Message(ctx, j.Room, id); chat.KindOf(err) != chat.NotFound {
			return stored, false, err
		}
	}
	if m.Attachments, err = l.putFiles(ctx, j.Record, m.ID); err != nil {
		return chat.Message{}, false, err
	}
	m.Digest = digest.Sum(room.DigestKey, m.Content())
	return l.store.PutMessage(ctx, *m)
}

// outcomeOf returns the outcome of a put that did not fail. A stored message with the id and the
// text of m, or the text that earlier versions stored, is the same message, even if it has been
// edited or erased since. So is one with files, which replace links in its text.
func (l *loader) outcomeOf(r Record, m, stored chat.Message, created bool) Reason {
	same := stored.ID != m.ID || // imported without the map of people
		stored.Text == m.Text || stored.Digest == nil || len(stored.Attachments) > 0 || r.Former != "" && stored.Text == r.Former ||
		slices.ContainsFunc(r.digests(l.rooms[r.Room], m), func(d []byte) bool { return hmac.Equal(stored.Digest, d) })
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case created && m.InRoom():
		l.created[r.Room]++
	case !created && stored.InRoom():
		l.there[r.Room]++
	}
	if !created && m.IsReply() && !stored.IsReply() {
		l.report.LeftOut[OutsideThread]++
	}
	switch {
	case created:
		return imported
	case same:
		return alreadyThere
	}
	l.warn(r.Place, "the store holds a different text under its id")
	return Conflict
}

// message returns the message of j, without its digest. It waits for the root of a thread.
func (j job) message() chat.Message { return j.messageIn(j.root()) }

// messageIn returns the message of j, without its digest, in a thread.
func (j job) messageIn(thread chat.MessageID) chat.Message {
	return chat.Message{
		Room: j.Room, ID: j.ID(), Text: j.Text, Metadata: j.Metadata, ReceivedAt: j.At, EditedAt: j.EditedAt, Revision: 1,
		Thread: thread, ShowInRoom: j.ShowInRoom,
	}
}

// digests returns the digests under which this version and earlier ones stored m, which is the
// message of r. The first ones stored only its former text.
func (r Record) digests(room chat.Room, m chat.Message) (all [][]byte) {
	former, linked := m, m
	former.Text = cmp.Or(r.Former, m.Text)
	linked.Text, linked.Metadata, linked.Attachments = r.Linked.Text, r.Linked.Metadata, nil
	for _, m := range []chat.Message{m, former, {Text: former.Text}, linked} {
		all = append(all, digest.Sum(room.DigestKey, m.Content()))
	}
	return all
}

// unmappedID returns the id that the message has in an import without a map of people.
func (r Record) unmappedID() chat.MessageID {
	return chat.MessageID{UUID: r.ID().UUID, User: r.Unmapped}
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
