package archive

import (
	"context"
	"crypto/hmac"
	"errors"
	"time"

	"parley/internal/chat"
)

const (
	// putAttempts, with pauses that double, last 15 seconds. DynamoDB has adapted to most new
	// load by then.
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
	switch outcome {
	case imported:
		l.report.Imported++
	case alreadyThere:
		l.report.AlreadyThere++
	default:
		l.report.Skipped[outcome]++
		return
	}
	for i := range l.report.Rooms {
		if room := &l.report.Rooms[i]; room.Room == r.Room {
			room.Messages++
		}
	}
}

// put stores one message and returns the outcome.
func (l *loader) put(ctx context.Context, r Record) Reason {
	room, ok := l.rooms[r.Room]
	if !ok || l.storeDown() {
		return NotStored
	}
	m := chat.Message{
		Room:       r.Room,
		ID:         r.ID(),
		Text:       r.Text,
		ReceivedAt: r.At,
		Digest:     chat.ContentDigest(room.DigestKey, chat.Content{Text: r.Text}),
	}
	var stored chat.Message
	var created bool
	err := l.retry(ctx, func() (err error) {
		stored, created, err = l.store.PutMessage(ctx, m)
		return err
	})
	l.recordResult(err)
	switch {
	case err != nil && ctx.Err() == nil:
		l.warn(r.Place, "could not be stored: "+err.Error())
		return NotStored
	case err != nil:
		return NotStored // Load returns the context's error
	case created:
		return imported
	case stored.Digest != nil && !hmac.Equal(stored.Digest, m.Digest):
		l.warn(r.Place, "the store holds a different text under its id")
		return Conflict
	}
	return alreadyThere // even if it has been edited or erased since
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

// storeDown reports whether the store failed so often that it is no longer tried.
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
