package hook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/outgoing"
	"example.com/parley/internal/wire"
)

// outcome is the result of a request, and zero if none was sent.
type outcome struct {
	reason     string // the status, or why there is no answer
	ok         bool
	gone       bool // the receiver wants no more
	refused    bool // the receiver does not take the changes themselves
	timeout    bool
	retryAfter time.Duration
}

func dataOf(a Answer) wire.HookData {
	d := wire.HookData{ID: a.ID}
	for _, r := range a.Rooms {
		d.Items = append(d.Items, r.Wire())
	}
	return d
}

// post sends a request. If it is a challenge, ok needs an answer with it. The error is not the
// receiver's: it ends the call.
func (c *call) post(ctx context.Context, kind string, of wire.HookData) (outcome, error) {
	now := c.now()
	text, err := json.Marshal(wire.HookRequest{Type: kind, Timestamp: wire.TimeText(now), Data: of})
	if err != nil {
		return outcome{}, fmt.Errorf("encode a request to a hook: %w", err)
	}
	header := outgoing.SignedHeader(of.ID, now, text, c.state.secrets(now)...)
	answer, err := c.Client.Post(ctx, c.h.URL, header, text)
	o := outcome{
		reason: answer.Reason(), ok: answer.OK(), gone: answer.Gone(), refused: answer.Refused(),
		retryAfter: answer.RetryAfter,
	}
	switch {
	case ctx.Err() != nil:
		return outcome{}, fmt.Errorf("request to a hook: %w", ctx.Err())
	case err != nil:
		o = outcome{reason: err.Error(), timeout: errors.Is(err, outgoing.ErrTimeout)}
	case o.ok && of.Challenge != "" && !answers(answer, of.Challenge):
		o.reason, o.ok = o.reason+", without the challenge", false
	}
	c.tried(now, kind, of, o)
	return o, nil
}

// test sends the request without changes that was asked for, if any. If the receiver accepts it, a
// pause ends. It is a challenge for a hook that is not verified.
func (c *call) test(ctx context.Context) error {
	asked, kind, of := c.h.TestAt, "test", wire.HookData{}
	challenge := !c.state.verified(c.h)
	if challenge {
		asked, kind, of.Challenge = c.h.asked(), "challenge", challengeOf(c.h, c.state.secret)
	}
	if !asked.After(c.state.TestedAt) {
		return nil
	}
	of.ID = hash(c.h.rowsPK(), kind, strconv.FormatInt(asked.UnixMilli(), 10))
	outcome, err := c.post(ctx, kind, of)
	if err != nil {
		return err
	}
	c.state.TestedAt, c.state.Test = asked, outcome.reason
	if outcome.ok {
		c.state.Tries, c.state.Paused = 0, time.Time{}
	}
	if outcome.ok && challenge {
		c.state.Verified = c.h.URL
	}
	return c.keep(ctx)
}

// tried reports a request, which took until now.
func (c *call) tried(began time.Time, kind string, of wire.HookData, o outcome) {
	if c.Tried == nil {
		return
	}
	t := Try{
		Access: Access{c.h.Holder, c.h.By}, Hook: c.h.ID, At: began, Took: c.now().Sub(began), Type: kind,
		Number: c.state.Tries + 1, Reason: o.reason, OK: o.ok,
	}
	for _, r := range of.Items {
		t.Rooms, t.Changes = append(t.Rooms, chat.RoomID(r.ID)), t.Changes+len(r.Changes)
	}
	c.Tried(t)
}

// waitingOf returns the rooms of wake-ups in the order of their ids, each once.
func waitingOf(wakes []Wake) (all []due) {
	at := map[chat.RoomID]int{}
	for _, w := range wakes {
		for _, n := range w.Rooms {
			i, found := at[n.Room]
			if !found {
				at[n.Room] = len(all)
				all = append(all, due{
					room: n.Room, seq: n.Seq, first: chat.FeedPosition{Seq: n.Before, Generation: n.Generation},
				})
				continue
			}
			all[i].seq = max(all[i].seq, n.Seq)
		}
	}
	slices.SortFunc(all, func(a, b due) int { return cmp.Compare(a.room, b.room) })
	return all
}
