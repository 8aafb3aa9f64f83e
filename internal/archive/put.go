package archive

import (
	"context"
	"crypto/hmac"
	"errors"
	"time"

	"parley/internal/chat"
)

const (
	// putAttempts, with pauses that double, go on for a quarter of a minute:
	// DynamoDB has adapted to most new load by then.
	putAttempts = 5
	// giveUpAfter messages in a row that could not be stored, the store is
	// gone: the rest is only counted, so that an import ends within minutes.
	giveUpAfter = 32
)

// The outcomes of a put that are not skips.
const (
	imported     Reason = "imported"
	alreadyThere Reason = "already there"
)

func (l *loader) count(outcome Reason) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch outcome {
	case imported:
		l.report.Imported++
	case alreadyThere:
		l.report.AlreadyThere++
	default:
		l.report.Skipped[outcome]++
	}
}

// put stores one message and says what became of it.
func (l *loader) put(ctx context.Context, r Record) Reason {
	room, made := l.rooms[r.Room]
	if !made || l.gone() {
		return NotStored
	}
	m := chat.Message{
		Room:       r.Room,
		ID:         r.ID(),
		Text:       r.Text,
		ReceivedAt: r.At,
		Digest:     chat.ContentDigest(room.DigestKey, chat.Content{Text: r.Text}),
	}
	var kept chat.Message
	var created bool
	err := l.retry(ctx, func() (err error) {
		kept, created, err = l.store.PutMessage(ctx, m)
		return err
	})
	l.remember(err)
	switch {
	case err != nil && ctx.Err() == nil:
		l.warn(r.Place, "could not be stored: "+err.Error())
		return NotStored
	case err != nil:
		return NotStored // the error of the load says why
	case created:
		return imported
	case kept.Digest != nil && !hmac.Equal(kept.Digest, m.Digest):
		l.warn(r.Place, "another text was stored under its id before")
		return Conflict
	}
	return alreadyThere // also where it was edited or erased since
}

// remember counts failures in a row.
func (l *loader) remember(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil {
		l.failed = 0
		return
	}
	l.failed++
	if l.failed == giveUpAfter {
		l.Log.Error("the store does not answer: the rest is not tried")
	}
}

// gone tells whether the store failed so often that it is not tried again.
func (l *loader) gone() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed >= giveUpAfter
}

// retry calls f until it succeeds or fails for good.
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
