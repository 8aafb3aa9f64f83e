package mention

import (
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/policy"
)

const (
	// messagesAtOnce bounds the concurrently processed messages of one batch, and decidedAtOnce
	// the people of each.
	messagesAtOnce = 8
	decidedAtOnce  = 5
)

// ProjectionOptions are the settings of a Projection. All are required.
type ProjectionOptions struct {
	Ledgers Ledgers
	Access  AccessSource
	Blocks  Blocks
	Clock   func() time.Time
}

// Projection writes the rows of mentions. It decides each mention once, on first handling the
// change that made it. It stores the decision in the message's ledger before the row. So changes
// may arrive again, in any order, and in several processes.
type Projection struct{ o ProjectionOptions }

// NewProjection returns a projection.
func NewProjection(o ProjectionOptions) *Projection { return &Projection{o} }

// change is a change of the mentions of a message.
type change struct {
	seq    int64
	after  chat.Message
	before chat.Mentions
}

// Project implements stream.Projection. Messages that mention nobody, edits that do not change
// mentions, and counts cost nothing. A message with n mentions costs 2 read and 1 write units for
// its ledger, and 2 write units and 1 to 2 read units for each mention. An imported message needs
// no read units for each.
func (d *Projection) Project(ctx context.Context, w feed.RoomChanges) error {
	byMessage := map[chat.MessageID][]change{}
	for _, e := range w.Entries {
		if m := e.Item.Message; m != nil && e.Type != feed.CountsChanged && !m.Mentions.Equal(e.Item.Mentioned) {
			byMessage[m.ID] = append(byMessage[m.ID], change{seq: e.Seq, after: *m, before: e.Item.Mentioned})
		}
	}
	var all errgroup.Group // a failure does not stop other messages
	all.SetLimit(messagesAtOnce)
	for _, changes := range byMessage {
		all.Go(func() error {
			for _, c := range changes {
				if err := d.apply(ctx, c); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return all.Wait()
}

// apply performs one change.
func (d *Projection) apply(ctx context.Context, c change) error {
	ledger, err := d.settle(ctx, c)
	if err != nil {
		return err
	}
	put, err := d.write(ctx, c, ledger)
	if err != nil {
		return err
	}
	for _, e := range ledger.Removed {
		if err := d.o.Ledgers.RemoveMention(ctx, rowOf(c, e)); err != nil {
			return err
		}
	}
	if err := d.verify(ctx, c, put); err != nil || len(ledger.Removed) == 0 {
		return err
	}
	return d.o.Ledgers.ForgetRemoved(ctx, ledger)
}

// settle returns the ledger after the change, or after a later one of the message.
func (d *Projection) settle(ctx context.Context, c change) (Ledger, error) {
	l := Ledger{Room: c.after.Room, Message: c.after.ID}
	if c.after.Revision > 1 { // a new message has no ledger yet, unless the change is a retry
		var err error
		if l, err = d.o.Ledgers.MentionLedger(ctx, l.Room, l.Message); err != nil {
			return Ledger{}, err
		}
	}
	for range chat.MaxChangeTries {
		if l.Revision >= c.after.Revision {
			return l, nil
		}
		next, err := d.decide(ctx, c, l)
		if err != nil {
			return Ledger{}, err
		}
		stored, ok, err := d.o.Ledgers.PutMentionLedger(ctx, l.Revision, next)
		if err != nil || ok {
			return stored, err
		}
		l = stored
	}
	return Ledger{}, chat.TooBusy()
}

// decide returns the ledger after the change. Mentions in the ledger stay as decided.
func (d *Projection) decide(ctx context.Context, c change, l Ledger) (Ledger, error) {
	next := Ledger{Room: l.Room, Message: l.Message, Revision: c.after.Revision, Removed: slices.Clone(l.Removed)}
	users := targets(c.after.Mentions)
	for _, e := range l.Current {
		switch {
		case slices.Contains(users, e.User):
			next.Current = append(next.Current, e)
		case e.Seq > 0:
			next.Removed = append(next.Removed, e)
		}
	}
	fresh := slices.DeleteFunc(users, func(user chat.UserID) bool { _, known := l.entry(user); return known })
	if len(fresh) == 0 {
		return next, nil
	}
	room, err := d.o.Access.Room(ctx, l.Room)
	if chat.KindOf(err) == chat.NotFound {
		room, fresh, err = chat.Room{}, nil, nil // it is deleted, and nobody may read it
	}
	if err != nil {
		return Ledger{}, err
	}
	decided := make([]Entry, len(fresh))
	var all errgroup.Group
	all.SetLimit(decidedAtOnce)
	for i, user := range fresh {
		all.Go(func() error {
			decided[i] = Entry{User: user}
			may, err := d.mentions(ctx, c.after, room, user)
			if may {
				decided[i].Seq = c.seq
			}
			return err
		})
	}
	err = all.Wait()
	next.Current = append(next.Current, decided...)
	return next, err
}

// mentions reports whether a message mentions a person: they may read the room, have not blocked
// the sender, and are not the sender. The policy decided about Everyone before the message was
// stored. An import mentions people whose memberships it may write later, so their list decides.
func (d *Projection) mentions(ctx context.Context, m chat.Message, room chat.Room, user chat.UserID) (bool, error) {
	if user == Everyone || user == m.ID.User {
		return user == Everyone, nil
	}
	if imported(m) {
		return true, nil
	}
	member, err := d.o.Access.Membership(ctx, room.ID, user)
	if err != nil || policy.Decide(member.RoleIn(room, d.o.Clock()), room.Policy(), policy.Read) != policy.Allow {
		return false, err
	}
	blocked, err := d.o.Blocks.Blocks(ctx, user)
	return err == nil && !slices.Contains(blocked, m.ID.User), err
}

// imported reports whether an import wrote the current revision of a message.
func imported(m chat.Message) bool { return m.Imported == m.Revision }

// write writes the rows that the change made, as decided, and returns them. It removes rows that
// a process may have written before another one removed their mentions.
func (d *Projection) write(ctx context.Context, c change, l Ledger) (put []Row, err error) {
	old := targets(c.before)
	for _, user := range targets(c.after.Mentions) {
		if slices.Contains(old, user) {
			continue
		}
		row := rowOf(c, Entry{user, c.seq})
		switch e, known := l.entry(user); {
		case known && e.Seq == 0:
		case known && e.Seq == c.seq:
			err = d.o.Ledgers.PutMention(ctx, row)
			put = append(put, row)
		default:
			err = d.o.Ledgers.RemoveMention(ctx, row)
		}
		if err != nil {
			return nil, err
		}
	}
	return put, nil
}

// verify removes the rows just written whose mentions another process has meanwhile removed.
func (d *Projection) verify(ctx context.Context, c change, put []Row) error {
	if len(put) == 0 {
		return nil
	}
	l, err := d.o.Ledgers.MentionLedger(ctx, c.after.Room, c.after.ID)
	for _, row := range put {
		if e, known := l.entry(row.User); err == nil && (!known || e.Seq != row.Seq) {
			err = d.o.Ledgers.RemoveMention(ctx, row)
		}
	}
	return err
}

// rowOf returns the row of a decision.
func rowOf(c change, e Entry) Row {
	m := c.after
	r := Row{Room: m.Room, User: e.User, Seq: e.Seq, Message: m.ID, At: m.ReceivedAt, Imported: imported(m)}
	if !m.EditedAt.IsZero() {
		r.At = m.EditedAt
	}
	if e.User != Everyone {
		r.ReceivedAt = m.ReceivedAt
	}
	return r
}
