package live

import (
	"context"
	"slices"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/emoji"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/wire"
)

// personBatch is a batch's part for one person.
type personBatch struct {
	user   chat.UserID
	events []feed.PersonalChange
	checks []chat.RoomID // the rooms that the person may have lost
	err    error

	connections []Connection
	lost        []chat.RoomID // the rooms that the person may no longer read
}

// personalFrame is the frame of a personal change.
type personalFrame struct {
	Type  string        `json:"type"`
	Event personalEvent `json:"event"`
}

type personalEvent struct {
	Type      feed.PersonalType `json:"type"`
	Room      chat.RoomID       `json:"room,omitzero"`
	ID        string            `json:"id,omitzero"`
	Following *bool             `json:"following,omitzero"`
	Read      *int64            `json:"read,omitzero"`
	Seq       int64             `json:"seq,omitzero"`
	User      chat.UserID       `json:"user,omitzero"`
	Blocked   *bool             `json:"blocked,omitzero"`
	Emoji     string            `json:"emoji,omitzero"`
	Me        *bool             `json:"me,omitzero"`
	Choices   *[]int            `json:"choices,omitzero"`
	Favorite  *bool             `json:"favorite,omitzero"`
	Muted     *bool             `json:"muted,omitzero"`
	Level     string            `json:"level,omitzero"`
	Until     string            `json:"levelUntil,omitzero"`
}

func personalEventOf(p feed.PersonalChange) personalEvent {
	e := personalEvent{Type: p.Type, Room: p.Room, User: p.Other}
	switch p.Type {
	case feed.ReadChanged:
		e.Read = &p.Read
	case feed.ThreadChanged:
		e.ID, e.Following, e.Read = p.Message.String(), &p.Following, &p.Read
	case feed.MentionAdded, feed.MessageAdded:
		e.ID, e.Seq = p.Message.String(), p.Seq
	case feed.BlockChanged:
		e.Blocked = &p.Blocked
	case feed.ReactionChanged:
		e.ID, e.Emoji, e.Me = p.Message.String(), emoji.Text(p.Emoji), &p.Mine
	case feed.PollChanged:
		choices := p.Choices.Positions() // [] for a withdrawn vote
		e.ID, e.Choices = p.Message.String(), &choices
	case feed.PreferencesChanged:
		e.Favorite, e.Muted, e.Level = &p.Favorite, &p.Muted, p.Level
		e.Until = wire.OptionalTimeText(p.Until)
	case feed.RoomAdded, feed.RoomRemoved, feed.NotificationsChanged:
	}
	return e
}

// addPersonal adds personal changes to a batch.
func (b *batch) addPersonal(changes []feed.PersonalChange) {
	for _, c := range changes {
		p := b.person(c.User)
		p.events = append(p.events, c)
		if c.Type == feed.RoomRemoved {
			p.checks = append(p.checks, c.Room)
		}
	}
}

func (b *batch) person(user chat.UserID) *personBatch {
	for _, p := range b.people {
		if p.user == user {
			return p
		}
	}
	p := &personBatch{user: user}
	b.people = append(b.people, p)
	return p
}

// find reads the connections of a person, and which rooms they have lost. Leaving a public room
// takes nothing from a connection that is subscribed to it.
func (d *Delivery) find(ctx context.Context, p *personBatch, now time.Time) {
	all, err := d.o.Connections.Connections(ctx, p.user)
	p.err = err
	for _, o := range all {
		if now.Before(o.Until) {
			p.connections = append(p.connections, o.Connection)
		}
	}
	if len(p.connections) == 0 {
		return
	}
	d.decide(ctx, p)
	slices.Sort(p.checks)
	for _, room := range slices.Compact(p.checks) {
		_, err := d.o.Rooms.Authorize(ctx, p.user, room, policy.Read)
		if kind := chat.KindOf(err); kind == chat.NotFound || kind == chat.Forbidden {
			p.lost = append(p.lost, room)
		}
	}
}

// personalNotice is a frame for each of a person's connections, except connections that are
// subscribed to the room unless, which learn of it anyway.
type personalNotice struct {
	data   []byte
	unless chat.RoomID
}

// notices returns the frames for the person's connections.
func (p *personBatch) notices() []personalNotice {
	var all []personalNotice
	for _, room := range p.lost {
		all = append(all, personalNotice{data: notice("unsubscribed", "room", string(room))})
	}
	for _, e := range p.events {
		text, err := encode(personalFrame{Type: "personal", Event: personalEventOf(e)})
		if err != nil {
			continue // neither ids nor numbers fail
		}
		n := personalNotice{data: text}
		if e.Type == feed.MessageAdded {
			n.unless = e.Room
		}
		all = append(all, n)
	}
	return all
}
