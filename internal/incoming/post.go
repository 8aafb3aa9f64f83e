package incoming

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/digest"
)

const (
	// day is the step of the times in ids that are derived from keys. An id's time may be a day
	// old, so one id for each day is enough to find a message by its key.
	day = chat.MaxAge
	// KeyAge is how long a repeated Idempotency-Key finds its message: senders repeat in minutes.
	KeyAge = 24 * time.Hour
	// ThreadAge is how long a key of a thread finds the message that began it: an alert is over
	// within a week, or is worth a new thread. Each day costs half a read unit.
	ThreadAge = 7 * day
	// MaxKey is the longest key in bytes. It only bounds the hashed text; senders use ids.
	MaxKey = 255
)

// Draft is a message that a program posts.
type Draft struct {
	Text string
	// Thread is the sender's key of a thread; empty if there is none. The first message with a key
	// begins the thread.
	Thread string
	// Key identifies the message in repeated requests; empty if it is not repeated.
	Key string
}

// check returns an Invalid error unless the draft can be posted.
func (d Draft) check() error {
	if err := chat.CheckText(d.Text); err != nil {
		return err
	}
	if len(d.Thread) > MaxKey {
		return chat.Invalidf("thread", "must be at most %d bytes", MaxKey)
	}
	if len(d.Key) > MaxKey {
		return chat.Invalidf("Idempotency-Key", "must be at most %d bytes", MaxKey)
	}
	return nil
}

// Webhook returns the webhook with a secret. The error is NotFound if there is none. It costs half
// a read unit, and nothing for a text that has not the form of a secret.
func (s *Service) Webhook(ctx context.Context, secret Secret) (Webhook, error) {
	id, ok := secret.webhook()
	if !ok {
		return Webhook{}, errUnknown()
	}
	w, found, err := s.store.webhook(ctx, id)
	if err == nil && (!found || !w.admits(secret)) {
		err = errUnknown()
	}
	if err != nil {
		return Webhook{}, err
	}
	return w, nil
}

// Post posts a message of a webhook's bot. A repeated Key within KeyAge returns the message in its
// current state, and replay is true. A Thread makes it a reply to the first message of the webhook
// with that key in the last ThreadAge. A first message whose text was deleted takes no replies, so
// later ones are no replies either.
//
// The error is Invalid for an invalid draft, NotFound if the room is deleted, Forbidden if it is
// archived, RateLimited if the webhook posts too fast, and Conflict if the Key was used for another
// message. Slow mode and the room's posting rights do not apply: an owner has let the program in.
//
// It is the room, up to 1.5 read units, and one put of 2 write units for each KB. A Key costs half
// a read unit, and a Thread four. Two first messages of a thread at the same time cost another put.
// Requests within the same second around midnight in UTC do not see each other's keys.
func (s *Service) Post(ctx context.Context, w Webhook, d Draft) (m chat.Message, replay bool, err error) {
	if err := d.check(); err != nil {
		return chat.Message{}, false, err
	}
	if wait := s.rooms.TakeTokens(ctx, w.Bot(), 1); wait > 0 {
		return chat.Message{}, false, &chat.Error{
			Kind: chat.RateLimited, Limit: "messages", Detail: "this webhook posts too fast; " + chat.RetryHint,
			RetryAfter: wait,
		}
	}
	room, err := s.rooms.CurrentRoom(ctx, w.Room)
	switch {
	case chat.KindOf(err) == chat.NotFound:
		return chat.Message{}, false, errUnknown()
	case err != nil:
		return chat.Message{}, false, err
	case room.Archived:
		return chat.Message{}, false, chat.RoomArchived()
	}
	now := chat.ServerTime(s.clock())
	p := posting{Webhook: w, Draft: d, now: now}
	if p.own, err = p.ownID(s.random); err != nil {
		return chat.Message{}, false, err
	}
	m = chat.Message{
		Room: w.Room, ID: p.own, Text: d.Text, ReceivedAt: now, Revision: 1,
		Digest: digest.Sum(room.DigestKey, d.content()),
	}
	return s.post(ctx, p, m)
}

// content returns everything that a repeated request must repeat.
func (d Draft) content() digest.Content {
	more := map[string][]string{}
	for name, value := range map[string]string{"threadKey": d.Thread, "key": d.Key} {
		if value != "" {
			more[name] = []string{value}
		}
	}
	return digest.Content{Text: d.Text, More: more}
}

// posting is one request to post.
type posting struct {
	Webhook
	Draft
	now time.Time
	own chat.MessageID // of the message, unless it begins a thread
}

// post stores m, unless it is stored already, at the place that the keys determine.
func (s *Service) post(ctx context.Context, p posting, m chat.Message) (chat.Message, bool, error) {
	roots := p.roots()
	wanted := roots
	earlier, keyed := p.earlier()
	if keyed {
		wanted = append(wanted[:len(wanted):len(wanted)], earlier)
	}
	stored := map[chat.MessageID]chat.Message{}
	if len(wanted) > 0 {
		var err error
		if stored, err = s.messages.MessagesSoon(ctx, p.Room, wanted); err != nil {
			return chat.Message{}, false, err
		}
	}
	if before, ok := stored[earlier]; keyed && ok && p.now.Sub(before.ReceivedAt) < KeyAge {
		return asReplay(m, before)
	}
	if p.Thread == "" {
		return s.put(ctx, m)
	}
	root, found := p.begun(roots, stored)
	if !found {
		m.ID = roots[0]
		var created bool
		var err error
		if root, created, err = s.messages.PutMessage(ctx, m); err != nil || created {
			return root, false, err
		}
		m.ID = p.own // another request has begun the thread meanwhile
	}
	if p.Key != "" && bytes.Equal(root.Digest, m.Digest) {
		return root, true, nil
	}
	if !root.Deleted() {
		m.Thread = root.ID
	}
	return s.put(ctx, m)
}

func (s *Service) put(ctx context.Context, m chat.Message) (chat.Message, bool, error) {
	stored, created, err := s.messages.PutMessage(ctx, m)
	if err != nil || created {
		return stored, false, err
	}
	return asReplay(m, stored)
}

// asReplay returns the stored message if m repeats it, and Conflict otherwise.
func asReplay(m, stored chat.Message) (chat.Message, bool, error) {
	if !bytes.Equal(m.Digest, stored.Digest) {
		return chat.Message{}, false, &chat.Error{
			Kind: chat.Conflict, Field: "Idempotency-Key",
			Detail: "this key was used for another message; use a new key",
		}
	}
	return stored, true, nil
}

// ownID returns the id of a message that begins no thread.
func (p posting) ownID(random io.Reader) (chat.MessageID, error) {
	if p.Key != "" {
		return p.derived("key", p.Key, 0), nil
	}
	var tail [10]byte
	if _, err := io.ReadFull(random, tail[:]); err != nil {
		return chat.MessageID{}, fmt.Errorf("create a message id: %w", err)
	}
	return p.id(chat.NewUUID(p.now, tail)), nil
}

func (p posting) id(u uuid.UUID) chat.MessageID { return chat.MessageID{UUID: u, User: p.Bot()} }

// earlier returns the id that the message has if it was posted yesterday, in UTC.
func (p posting) earlier() (id chat.MessageID, ok bool) {
	if p.Key == "" {
		return id, false
	}
	return p.derived("key", p.Key, 1), true
}

// roots returns the ids that the first message of the thread may have, the newest first.
func (p posting) roots() []chat.MessageID {
	if p.Thread == "" {
		return nil
	}
	var all []chat.MessageID
	for ago := range int(ThreadAge/day) + 1 {
		all = append(all, p.derived("thread", p.Thread, ago))
	}
	return all
}

// begun returns the newest stored first message of the thread that is not too old.
func (p posting) begun(
	roots []chat.MessageID, stored map[chat.MessageID]chat.Message,
) (root chat.Message, found bool) {
	for _, id := range roots {
		if root, found = stored[id]; found && p.now.Sub(root.ReceivedAt) < ThreadAge {
			return root, true
		}
	}
	return chat.Message{}, false
}

// derived returns the id of a message with a key that was posted some days ago. Its time is the
// beginning of the day.
func (p posting) derived(use, key string, ago int) chat.MessageID {
	at := p.now.Truncate(day).Add(-time.Duration(ago) * day)
	sum := sha256.Sum256([]byte(strings.Join([]string{use, string(p.ID), at.Format(time.DateOnly), key}, "#")))
	return p.id(chat.NewUUID(at, [10]byte(sum[:])))
}
