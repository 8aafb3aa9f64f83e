package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"example.com/parley/client"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/follow"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/outgoing"
	"example.com/parley/internal/wire"
)

const (
	// firstPause is the pause after the first failure of a receiver. It doubles with each failure.
	firstPause = time.Second
	// longestPause bounds the pauses: somebody is waiting for the request.
	longestPause = 30 * time.Second
)

type listenCmd struct {
	following
	Room   []string `sep:"none" required:"" help:"A room to listen to. Repeat the flag for several rooms."`
	To     string   `placeholder:"URL" help:"Forward the changes to this address by POST, as a hook with an address does: http://127.0.0.1 with any port, or https."`
	Secret string   `placeholder:"SECRET" help:"The secret that signs the requests, whsec_ and 24 to 64 bytes in Base64. Default: a new one, which is printed."`
}

// Run prints the rooms' changes from now on, and forwards them, until ctx ends.
func (c *listenCmd) Run(ctx context.Context, s streams) error {
	for _, room := range c.Room {
		if _, err := chat.ParseRoomID(room); err != nil {
			return err
		}
	}
	l := &listener{out: s.Out, notes: s.Err, to: c.To, heads: map[string]int64{}, since: map[string]string{}}
	if err := c.prepare(l); err != nil {
		return err
	}
	api, err := c.client(s)
	if err != nil {
		return err
	}
	if l.client != nil {
		defer l.client.Close()
	}
	if err := c.listen(ctx, api, l); err != nil && ctx.Err() == nil {
		return err
	}
	return nil // the user has ended it
}

// prepare checks the address and the secret of a listener that forwards changes.
func (c *listenCmd) prepare(l *listener) (err error) {
	if c.To == "" {
		if c.Secret != "" {
			return errors.New("--secret needs --to")
		}
		return nil
	}
	options := outgoing.Options{Loopback: true}
	if _, err := outgoing.ParseURL(c.To, options); err != nil {
		return fmt.Errorf("--to %w", err)
	}
	if c.Secret == "" {
		if l.secret, err = outgoing.NewSecret(rand.Reader); err != nil {
			return err
		}
		fmt.Fprintln(l.notes, "chat: the secret of the signatures is", outgoing.FormatSecret(l.secret))
	} else if l.secret, err = outgoing.ParseSecret(c.Secret); err != nil {
		return fmt.Errorf("--secret %w", err)
	}
	l.client = outgoing.New(options)
	return nil
}

// listen follows the rooms from now on.
func (c *listenCmd) listen(ctx context.Context, api *client.Client, l *listener) error {
	at := position(api)
	config := c.config(api, func(e follow.Event) error {
		note(l.notes, e)
		return l.event(ctx, e)
	})
	for _, room := range slices.Compact(slices.Sorted(slices.Values(c.Room))) {
		since, err := at(ctx, room)
		if err == nil {
			// The position may be a few seconds old: changes up to the head are not new.
			l.heads[room], err = head(ctx, api, room)
		}
		if err != nil {
			return err
		}
		l.since[room] = since
		config.Rooms = append(config.Rooms, follow.Room{ID: room, Since: since})
	}
	config.Reload = func(ctx context.Context, room string) (string, error) {
		since, err := at(ctx, room)
		if err == nil {
			err = l.reset(ctx, room, since)
		}
		return since, err
	}
	err := follow.Run(ctx, config)
	if errors.Is(err, follow.ErrNoRooms) {
		return errors.New("no room is open to you any longer")
	}
	return err
}

// listener prints changes of rooms and forwards them.
type listener struct {
	out, notes io.Writer
	to         string           // empty if changes are only printed
	client     *outgoing.Client // nil if changes are only printed
	secret     []byte
	heads      map[string]int64  // by room: changes up to this number are not new
	since      map[string]string // by room: the position after the last changes
}

// event prints the changes of an event and forwards them. It returns when the receiver has accepted
// them. Meanwhile the rooms' feeds keep all later changes, from which the follower catches up.
func (l *listener) event(ctx context.Context, e follow.Event) error {
	switch e.Type {
	case follow.Removed:
		fmt.Fprintf(l.notes, "chat: %s is no longer open to you\n", harmless(e.Room))
		return nil
	case follow.Changes:
	default:
		return nil
	}
	isOld := func(c follow.Change) bool { return c.Seq <= l.heads[e.Room] }
	changes := slices.DeleteFunc(slices.Clone(e.Changes), isOld)
	for len(changes) > 0 {
		part := changes[:min(len(changes), hook.MaxChanges)]
		changes = changes[len(part):]
		if len(changes) == 0 {
			l.since[e.Room] = e.Since
		} // otherwise the last position repeats this part
		if err := l.changes(ctx, e.Room, part); err != nil {
			return err
		}
	}
	return nil
}

// changes prints changes of a room, and forwards them in one request.
func (l *listener) changes(ctx context.Context, room string, changes []follow.Change) error {
	items := wire.HookRoom{ID: room, Since: l.since[room]}
	for _, c := range changes {
		change, err := hookChange(c)
		if err != nil {
			return err
		}
		items.Changes = append(items.Changes, change)
		if err := l.line(room, change); err != nil {
			return err
		}
	}
	first, last := changes[0].Seq, changes[len(changes)-1].Seq
	return l.forward(ctx, deliveryID(room, fmt.Sprintf("%d-%d", first, last)), items)
}

// reset forwards that changes of a room before a position are lost.
func (l *listener) reset(ctx context.Context, room, since string) error {
	fmt.Fprintf(l.notes, "chat: the feed of %s has begun again at a later change\n", harmless(room))
	l.since[room] = since
	delete(l.heads, room)
	items := wire.HookRoom{ID: room, Since: since, Changes: []wire.Change{}, Reset: true}
	return l.forward(ctx, deliveryID(room, since), items)
}

// line prints a change: the time, its room, its number, its type, and the message or person.
func (l *listener) line(room string, c wire.Change) error {
	fields := []string{time.Now().UTC().Format(time.RFC3339), harmless(room), fmt.Sprint(c.Seq), harmless(c.Type)}
	switch {
	case c.ID != "":
		fields = append(fields, harmless(c.ID))
	case c.Member != nil:
		fields = append(fields, harmless(c.Member.User))
	}
	_, err := fmt.Fprintln(l.out, strings.Join(fields, " "))
	return err
}

// hookChange returns a change as programs of hooks receive it, without parts that only its reader
// sees.
func hookChange(c follow.Change) (w wire.Change, err error) {
	if err := json.Unmarshal(c.Raw, &w); err != nil {
		return w, fmt.Errorf("decode change %d: %w", c.Seq, err)
	}
	if m := w.Message; m != nil {
		m.Blocked = false
		if m.Quote != nil {
			m.Quote.Blocked, m.Quote.Text = false, nil
		}
	}
	return w, nil
}

// deliveryID identifies a range of a room's changes. Equal ranges have equal ids.
func deliveryID(room, changes string) string {
	sum := sha256.Sum256([]byte(room + "#" + changes))
	return hex.EncodeToString(sum[:16])
}

// forward sends changes until the receiver accepts them, or ctx ends.
func (l *listener) forward(ctx context.Context, id string, room wire.HookRoom) error {
	if l.client == nil {
		return nil
	}
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		body, header, err := l.request(id, room)
		if err != nil {
			return err
		}
		answer, failure := l.client.Post(ctx, l.to, header, body)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case failure == nil && answer.OK():
			return nil
		case failure == nil:
			failure = fmt.Errorf("%d %s", answer.Status, http.StatusText(answer.Status))
		}
		fmt.Fprintf(l.notes, "chat: the receiver did not accept the request: %v; trying again in %v\n", failure, pause)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// request returns the body and the header of one try.
func (l *listener) request(id string, room wire.HookRoom) ([]byte, http.Header, error) {
	now := time.Now()
	var body bytes.Buffer
	err := wire.Marshal(&body, wire.HookRequest{
		Type: "changes", Timestamp: wire.TimeText(now), Data: wire.HookData{ID: id, Items: []wire.HookRoom{room}},
	})
	return body.Bytes(), outgoing.SignedHeader(id, now, body.Bytes(), l.secret), err
}
