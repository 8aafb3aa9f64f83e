package model

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/block"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/mention"
	"example.com/parley/internal/policy"
)

const (
	maxMentions       = 20
	maxUnreadMentions = 100
)

// mentions are whom one text mentions, in a form that can be compared.
type mentions struct {
	users string // in order, between commas
	room  bool
}

// mentionsOf returns mentions as they are stored, and reports whether the service accepts them.
func mentionsOf(users []chat.UserID, room bool) (mentions, bool) {
	all := make([]string, len(users))
	for i, u := range users {
		all[i] = string(u)
	}
	ok := slices.IsSorted(all) && len(slices.Compact(slices.Clone(all))) == len(all) && len(all) <= maxMentions
	return mentions{strings.Join(all, ","), room}, ok
}

// shown returns mentions as clients see them.
func (m mentions) shown() chat.Mentions {
	s := chat.Mentions{Room: m.room}
	if m.users != "" {
		for user := range strings.SplitSeq(m.users, ",") {
			s.Users = append(s.Users, chat.UserID(user))
		}
	}
	return s
}

// targets returns whom mentions are for, Everyone included.
func (m mentions) targets() []chat.UserID {
	all := m.shown().Users
	if m.room {
		all = append(all, mention.Everyone)
	}
	return all
}

// ledger holds what was decided about the mentions of a message: the row of each person whom it
// mentions, without those who got none.
type ledger struct {
	revision int
	rows     map[chat.UserID]mentionRow
	known    []chat.UserID // whom this revision mentions
}

// mentionRow is the mention of a person or of everyone: the number of its change, and its time.
type mentionRow struct {
	seq int64
	at  time.Time
}

// blockList are the people whom each person has blocked.
type blockList map[chat.UserID]map[chat.UserID]bool

// decideMentions does what a change of a message does to its mentions. It is decided once, with the
// roles and blocks of this moment. People who stay mentioned keep what was decided.
func (r *room) decideMentions(c feed.Change) {
	m := r.find(c.Message)
	l := &m.ledger
	if c.Revision <= l.revision {
		return
	}
	l.revision = c.Revision
	var users []chat.UserID
	at := m.receivedAt
	if c.Revision <= len(m.texts) {
		users, at = m.texts[c.Revision-1].mentions.targets(), m.texts[c.Revision-1].at
	}
	rows := map[chat.UserID]mentionRow{}
	for _, user := range users {
		row, has := l.rows[user]
		switch {
		case has:
			rows[user] = row
		case !slices.Contains(l.known, user) && r.mayBeMentioned(user, m.id.User):
			rows[user] = mentionRow{r.seqOf(c), at}
		}
	}
	l.rows, l.known = rows, users
}

// mayBeMentioned reports whether a message of a sender mentions a person: they may read the room,
// have not blocked the sender and are not the sender.
func (r *room) mayBeMentioned(user, sender chat.UserID) bool {
	return user == mention.Everyone ||
		user != sender && !r.blocks[user][sender] && policy.Decide(r.role(user), r.rules(), policy.Read) == policy.Allow
}

// unreadMentions returns the number of messages that mention a member, or everyone since they
// joined, after their marker.
func (r *room) unreadMentions(user chat.UserID, seq int64) (unread int64) {
	if !r.isMember(user) {
		return 0
	}
	for _, m := range r.messages {
		own, named := m.ledger.rows[user]
		all, everyone := m.ledger.rows[mention.Everyone]
		everyone = everyone && all.seq > seq && all.at.After(r.member(user).since)
		if m.id.User != user && !r.blocks[user][m.id.User] && (named && own.seq > seq || everyone) {
			unread++
		}
	}
	return min(unread, maxUnreadMentions)
}

// randomMentions returns whom a message mentions, mostly nobody. A few are invalid.
func (w *world) randomMentions() (users []chat.UserID, room bool) {
	if w.percent(60) {
		return nil, false
	}
	for _, user := range slices.Sorted(slices.Values(people)) {
		if w.percent(40) {
			users = append(users, user)
		}
	}
	if len(users) > 0 && w.percent(3) {
		users = append(users, users[0])
	}
	return users, w.percent(15)
}

// withMentions returns an edit that sometimes changes the mentions too.
func (w *world) withMentions(e chat.MessageEdit) chat.MessageEdit {
	if w.percent(50) {
		return e
	}
	users, room := w.randomMentions()
	e.Mentions = &users
	if w.percent(50) {
		e.MentionRoom = &room
	}
	if w.percent(30) {
		e.Text, e.Metadata = nil, nil
	}
	return e
}

// block blocks a person or ends that. The processes have a list for some time, which passes.
func (w *world) block() error {
	caller, user, on := oneOf(w, people...), oneOf(w, people...), w.percent(60)
	w.note("%s blocks %s: %v", caller, user, on)
	blocks := w.services[0].Blocks
	denied, change := refusal{}, blocks.Unblock
	if on {
		change = blocks.Block
	}
	if on && caller == user {
		denied = refused(chat.Invalid)
	}
	err := change(w.ctx, caller, user)
	if denied == (refusal{}) {
		if w.model.blocks[caller] == nil {
			w.model.blocks[caller] = map[chat.UserID]bool{}
		}
		w.model.blocks[caller][user] = on
	}
	w.clock.advance(cacheAge + time.Second)
	return w.agree(answer{Refusal: denied}, answer{Refusal: refusalOf(err)})
}

// hiddenByBlocks reports whether a member has blocked who added them, or the other person of a direct
// room of two.
func (r *room) hiddenByBlocks(user chat.UserID) bool {
	other := func(u chat.UserID) bool { return r.blocks[user][u] }
	return other(r.member(user).by) || len(r.direct) == 2 && slices.ContainsFunc(r.direct, other)
}

// shownMention is a mention in a person's list.
type shownMention struct {
	Room    chat.RoomID
	Seq     int64
	Message chat.Message
}

// mentioned lists a person's mentions: nothing that is deleted, blocked or no longer mentions them,
// and nothing of a room that they may not read.
func (w *world) mentioned() error { return w.mentionsOf(oneOf(w, people...)) }

func (w *world) mentionsOf(user chat.UserID) error {
	w.note("%s lists their mentions", user)
	var want []shownMention
	for id, r := range w.model.rooms {
		if _, denied := w.model.enter(user, id, policy.Read); denied != (refusal{}) {
			continue
		}
		for _, m := range r.messages {
			row, has := m.ledger.rows[user]
			if has && !m.isDeleted() && !r.blocks[user][m.id.User] && slices.Contains(m.current().mentions.targets(), user) {
				want = append(want, shownMention{id, row.seq, m.shown(id)})
			}
		}
	}
	service := w.service(missingRoom).Mentions
	page, err := paged(1+w.rand.IntN(6), func(p chat.PageRequest) (chat.Page[mention.Mention], error) {
		return service.MentionsOf(w.ctx, user, p)
	})
	var got []shownMention
	for _, m := range page {
		m.Current.Digest = nil
		got = append(got, shownMention{m.Room, m.Seq, m.Current})
	}
	newestFirst := slices.IsSortedFunc(got, func(a, b shownMention) int { return b.Message.ReceivedAt.Compare(a.Message.ReceivedAt) })
	for _, all := range [][]shownMention{want, got} { // mentions of one millisecond are in the order of their ids
		slices.SortFunc(all, func(a, b shownMention) int {
			return strings.Compare(string(a.Room)+a.Message.ID.String(), string(b.Room)+b.Message.ID.String())
		})
	}
	return w.agree(answer{Given: want, Flag: true}, answer{Refusal: refusalOf(err), Given: got, Flag: newestFirst})
}

// compareMentions reads the rows of mentions in a room. After everything is delivered, exactly
// the people who could read the room have rows.
func (w *world) compareMentions(r *room) error {
	rows := dynamo.New(w.client, dynamo.Options{Table: tableName, Clock: w.clock.now})
	for _, user := range append(slices.Clone(people), mention.Everyone) {
		want, got := map[int64]chat.MessageID{}, map[int64]chat.MessageID{}
		for _, m := range r.messages {
			if row, has := m.ledger.rows[user]; has {
				want[row.seq] = m.id
			}
		}
		all, more, err := mention.NewStore(rows.Table()).MentionsAfter(w.ctx, chat.MemberOf{Room: r.id, User: user}, 0, 10_000)
		if err != nil || more {
			return fmt.Errorf("more rows: %v, %w", more, err)
		}
		for _, row := range all {
			if row.Message != (chat.MessageID{}) {
				got[row.Seq] = row.Message
			}
		}
		if !maps.Equal(want, got) {
			return fmt.Errorf("the rows of mentions of %q are %v, and the model's %v", user, got, want)
		}
	}
	return nil
}

// readerBug is a store with a fault in who may be mentioned.
type readerBug interface {
	readers() mention.AccessSource
}

// mentionProjection returns the projection that writes the rows of mentions.
func mentionProjection(s store, clock func() time.Time) *mention.Projection {
	o := mention.ProjectionOptions{Ledgers: mention.NewStore(s.Table()), Access: s, Blocks: block.NewService(s.Table(), clock), Clock: clock}
	if b, ok := s.(mention.Blocks); ok {
		o.Blocks = b
	}
	if b, ok := s.(readerBug); ok {
		o.Access = b.readers()
	}
	return mention.NewProjection(o)
}

// mentionedStrangers is a store whose projection takes every room for a public one.
type mentionedStrangers struct{ store }

func (b mentionedStrangers) readers() mention.AccessSource { return publicReaders{b.store} }

type publicReaders struct{ mention.AccessSource }

func (r publicReaders) Room(ctx context.Context, id chat.RoomID) (chat.Room, error) {
	room, err := r.AccessSource.Room(ctx, id)
	room.Private = false
	return room, err
}

// mentionsOfBlocked is a store in which nobody has blocked anybody when mentions are decided.
type mentionsOfBlocked struct{ store }

func (b mentionsOfBlocked) Blocks(context.Context, chat.UserID) ([]chat.UserID, error) {
	return nil, nil
}

// keepMentions removes no mention.
func keepMentions(input any) any {
	if u, ok := input.(*dynamodb.UpdateItemInput); ok && u.UpdateExpression != nil && strings.HasPrefix(*u.UpdateExpression, "SET #expires = :expires REMOVE #message") {
		return &dynamodb.UpdateItemOutput{}
	}
	return nil
}
