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
	defer func() { j.end(stored.ID, m.ID) }()
	room, ok := l.rooms[j.Room]
	if !ok || l.storeDown() {
		return NotStored
	}
	m.Digest = digest.Sum(room.DigestKey, m.Content())
	var created bool
	err := l.retry(ctx, func() (err error) {
		if j.Unmapped != "" {
			if stored, err = l.store.Message(ctx, j.Room, j.unmappedID()); chat.KindOf(err) != chat.NotFound {
				return err
			}
		}
		stored, created, err = l.store.PutMessage(ctx, m)
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
	if outcome != Conflict && !l.react(ctx, j.Record, stored) {
		return NotStored
	}
	return outcome
}

// outcomeOf returns the outcome of a put that did not fail. A stored message with the id and the
// text of m, or the text that earlier versions stored, is the same message, even if it has been
// edited or erased since.
func (l *loader) outcomeOf(r Record, m, stored chat.Message, created bool) Reason {
	same := stored.ID != m.ID || // imported without the map of people
		stored.Text == m.Text || stored.Digest == nil || r.Former != "" && stored.Text == r.Former ||
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
	former := m
	former.Text = cmp.Or(r.Former, m.Text)
	for _, m := range []chat.Message{m, former, {Text: former.Text}} {
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
