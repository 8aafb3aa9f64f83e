package inbox

import (
	"cmp"
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// Room is a room in its member's list.
type Room struct {
	Room       chat.Room // only the metadata, without its posting rule; Archived is a copy for lists
	Membership chat.Membership
	Reading    Reading
	// Preferences are the person's own; they are zero in a list for somebody else.
	Preferences Preferences
	// Newest is the newest message in its current state: a tombstone if it was deleted. It is nil
	// if there is none.
	Newest *chat.Message
	// ActiveAt is when the newest message was received, or when the person joined a room without
	// messages. If the newest message is not certain, it is when the feed was last written.
	ActiveAt time.Time
}

// reader is a reading person, with the people whom they have blocked.
type reader struct {
	user    chat.UserID
	blocked map[chat.UserID]bool
}

// blocks reports whether direct are the reader and one other person, whom the reader has blocked.
func (r *reader) blocks(direct []chat.UserID) bool {
	return len(direct) == 2 && slices.ContainsFunc(direct, func(user chat.UserID) bool { return r.blocked[user] })
}

// RoomsOf lists the rooms of a person, by newest activity first. A room whose activity changes
// between two pages may be missing from both, and is then at the beginning of the list. Only the
// person and services that act for nobody may list them, because they reveal hidden rooms: for
// others the error is Forbidden. Otherwise it is as for PageRequest.Read. The list leaves out rooms
// to which a blocked person added the user, and direct rooms with one blocked person. A page may
// therefore be shorter. Only the person's own list has their preferences. Of a person in more than
// 5,000 rooms it leaves out the archived ones that they joined first.
//
// RoomsOf reads in three steps: all memberships and markers of the person, the heads of all their
// rooms, and the contents of the rooms of the page. More steps follow only for rooms with many
// unread messages, and for rooms whose newest message is not known.
func (s *Service) RoomsOf(
	ctx context.Context, caller, user chat.UserID, page chat.PageRequest,
) (chat.Page[Room], error) {
	rooms, _, err := s.RoomsAndHeads(ctx, caller, user, page)
	return rooms, err
}

// RoomsAndHeads lists as RoomsOf, and returns the heads of all rooms, as RoomHeads. The heads cost
// nothing more, because each page of the list needs them.
func (s *Service) RoomsAndHeads(
	ctx context.Context, caller, user chat.UserID, page chat.PageRequest,
) (rooms chat.Page[Room], heads []RoomHead, err error) {
	if err := checkReader(ctx, caller, user); err != nil {
		return rooms, nil, err
	}
	scope := chat.NewCursorScope("own rooms").Text(string(user))
	var after roomPosition
	if err := page.Read(scope, &after); err != nil {
		return rooms, nil, err
	}
	all, by, err := s.ownRooms(ctx, user, nil)
	if err != nil {
		return rooms, nil, err
	}
	heads = s.headsOf(all)
	if caller != user {
		for i := range heads {
			heads[i].Preferences = Preferences{}
		}
	}
	all = pageAfter(after, all)
	if len(all) > page.Limit {
		all = all[:page.Limit]
		last := all[page.Limit-1].position()
		rooms.Next = chat.EncodeCursor(scope, &last)
	}
	rooms.Items, err = s.shown(ctx, caller, by, all)
	return rooms, heads, err
}

// RoomsAmong returns the rooms of ids that RoomsOf lists, in its order and with its errors. ids
// must not contain duplicates. It consumes 1½ read units for each id, and then as much as a page
// of the list: at least half a unit for each room, its newest message, its unread messages and
// its unread mentions.
func (s *Service) RoomsAmong(ctx context.Context, caller, user chat.UserID, ids []chat.RoomID) ([]Room, error) {
	if err := checkReader(ctx, caller, user); err != nil {
		return nil, err
	}
	all, by, err := s.ownRooms(ctx, user, ids)
	if err != nil {
		return nil, err
	}
	return s.shown(ctx, caller, by, all)
}

// checkReader returns an error of kind Forbidden unless a caller may list the rooms of a user.
func checkReader(ctx context.Context, caller, user chat.UserID) error {
	if caller != user && chat.ServiceOf(ctx) != caller {
		return &chat.Error{Kind: chat.Forbidden, Detail: "you may list only your own rooms"}
	}
	return nil
}

// shown completes rooms for a caller, who sees only their own preferences.
func (s *Service) shown(ctx context.Context, caller chat.UserID, by *reader, page []ownRoom) ([]Room, error) {
	rooms, err := s.complete(ctx, by, page)
	if caller != by.user {
		for i := range rooms {
			rooms[i].Preferences = Preferences{}
		}
	}
	return rooms, err
}

// Heads returns the heads of the feeds of all rooms of the list that RoomsOf returns, in its order.
// It reads in two steps: all memberships and markers of the person, and the heads. A direct room
// with a blocked person counts, because only its contents show that it is direct. Each head has its
// Room, even before the first change of the room.
func (s *Service) Heads(ctx context.Context, user chat.UserID) ([]feed.Head, error) {
	all, _, err := s.ownRooms(ctx, user, nil)
	if err != nil {
		return nil, err
	}
	heads := make([]feed.Head, len(all))
	for i, r := range all {
		heads[i] = r.head
		heads[i].Room = r.membership.Room
	}
	return heads, nil
}

// Recent returns the rooms of the first heads that Heads returns, at most limit.
func (s *Service) Recent(ctx context.Context, user chat.UserID, limit int) ([]chat.RoomID, error) {
	heads, err := s.Heads(ctx, user)
	if err != nil {
		return nil, err
	}
	rooms := make([]chat.RoomID, 0, limit)
	for _, h := range heads[:min(limit, len(heads))] {
		rooms = append(rooms, h.Room)
	}
	return rooms, nil
}

// ownRoom is a room of a person before its contents are read.
type ownRoom struct {
	membership chat.Membership
	marker     ReadMarker
	head       feed.Head
}

// ownRooms returns the rooms of a person in the order of the list, all of them if among is nil. It
// leaves out rooms whose closed feeds show that they are deleted.
func (s *Service) ownRooms(ctx context.Context, user chat.UserID, among []chat.RoomID) ([]ownRoom, *reader, error) {
	by := &reader{user: user}
	var memberships []chat.Membership
	var markers map[chat.RoomID]ReadMarker
	both, inner := errgroup.WithContext(ctx)
	both.Go(func() (err error) { memberships, markers, err = s.store.OwnRooms(inner, user, among); return err })
	both.Go(func() (err error) { by.blocked, err = s.blocked(inner, user); return err })
	if err := both.Wait(); err != nil {
		return nil, nil, err
	}
	now := s.clock()
	for i, m := range memberships {
		memberships[i] = m.At(now)
	}
	memberships = slices.DeleteFunc(memberships, func(m chat.Membership) bool { return !m.In() || by.blocked[m.By] })
	memberships = listed(memberships)
	ids := make([]chat.RoomID, len(memberships))
	for i, m := range memberships {
		ids[i] = m.Room
	}
	heads, err := s.source.FeedHeads(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	all := make([]ownRoom, 0, len(memberships))
	for _, m := range memberships {
		if head := heads[m.Room]; !head.Closed {
			all = append(all, ownRoom{m, markers[m.Room], head})
		}
	}
	slices.SortFunc(all, func(a, b ownRoom) int { return a.position().compare(b.position()) })
	return all, by, nil
}

// listed returns the memberships whose rooms a list has. If there are more than maxListed, it
// leaves out the oldest memberships in archived rooms.
func listed(all []chat.Membership) []chat.Membership {
	if len(all) <= maxListed {
		return all
	}
	slices.SortStableFunc(all, func(a, b chat.Membership) int {
		switch {
		case a.Closed == b.Closed:
			return b.JoinedAt.Compare(a.JoinedAt)
		case a.Closed:
			return 1
		}
		return -1
	})
	return all[:maxListed]
}

// position returns the room's position in the list.
func (r ownRoom) position() roomPosition {
	p := roomPosition{At: r.membership.JoinedAt, Room: r.membership.Room}
	switch {
	case r.head.Newest.Known():
		p.At = r.head.Newest.ReceivedAt
	case r.head.Count > 0:
		p.At = r.head.WrittenAt
	}
	return p
}

// pageAfter returns the rooms after a position. all is in the order of the list.
func pageAfter(after roomPosition, all []ownRoom) []ownRoom {
	return slices.DeleteFunc(all, func(r ownRoom) bool {
		return after.Room != "" && r.position().compare(after) <= 0
	})
}

// complete reads the contents of the rooms of a page. It leaves out rooms that are gone.
func (s *Service) complete(ctx context.Context, by *reader, page []ownRoom) ([]Room, error) {
	requests := make([]SummaryRequest, len(page))
	unread, mentions := make([]int64, len(page)), make([]int64, len(page))
	var summaries []Summary
	parts, inner := errgroup.WithContext(ctx)
	parts.SetLimit(readsAtOnce)
	for i, r := range page {
		requests[i] = SummaryRequest{Room: r.membership.Room, Newest: r.head.Newest}
		if seen := seenBy(r.marker, r.membership); r.head.Count > seen.count {
			parts.Go(func() (err error) { unread[i], err = s.unread(inner, by, r.head, seen); return err })
		}
		parts.Go(func() (err error) {
			mentions[i], err = s.unreadMentions(inner, r.head, r.marker, r.membership)
			return err
		})
	}
	parts.Go(func() (err error) { summaries, err = s.store.Summaries(inner, requests); return err })
	if err := parts.Wait(); err != nil {
		return nil, err
	}
	if err := s.searchNewest(ctx, page, summaries); err != nil {
		return nil, err
	}
	now := s.clock()
	rooms := make([]Room, 0, len(page))
	for i, r := range page {
		if summaries[i].Room == nil || by.blocks(summaries[i].Room.Direct) {
			continue
		}
		rooms = append(rooms, Room{
			Room: *summaries[i].Room, Membership: r.membership, Newest: summaries[i].Message, ActiveAt: r.position().At,
			Reading:     Reading{Seq: r.marker.Seq, Unread: unread[i], Mentions: mentions[i]},
			Preferences: r.marker.Preferences.at(now),
		})
	}
	return rooms, nil
}

// newestSearched is the number of messages among which searchNewest looks for one that is no system
// message. They may have 32 KB.
const newestSearched = 5

// searchNewest adds the newest messages of rooms whose heads do not name them. It removes rooms
// that are gone.
func (s *Service) searchNewest(ctx context.Context, page []ownRoom, summaries []Summary) error {
	searches, inner := errgroup.WithContext(ctx)
	searches.SetLimit(readsAtOnce)
	for i, r := range page {
		if summaries[i].Room == nil || summaries[i].Message != nil || r.head.Count == 0 {
			continue
		}
		searches.Go(func() error {
			messages, _, err := s.source.Messages(
				inner, chat.MessageRange{Room: r.membership.Room, Order: chat.Newest, Limit: newestSearched},
			)
			messages = slices.DeleteFunc(messages, func(m chat.Message) bool { return m.System != nil })
			switch {
			case chat.KindOf(err) == chat.NotFound:
				summaries[i].Room = nil // the room was deleted meanwhile
				return nil
			case err == nil && len(messages) > 0:
				summaries[i].Message = &messages[0]
			}
			return err
		})
	}
	return searches.Wait()
}

// roomPosition is a position in a person's list of rooms.
type roomPosition struct {
	At   time.Time
	Room chat.RoomID
}

// CursorFields implements chat.CursorPosition.
func (p *roomPosition) CursorFields(f *chat.CursorCodec) {
	f.Time(&p.At)
	f.Text((*string)(&p.Room))
	_, err := chat.ParseRoomID(string(p.Room))
	f.Check(err == nil && p.At.Equal(p.At.Truncate(time.Millisecond)))
}

// compare orders positions: the newest activity first, then by room.
func (p roomPosition) compare(q roomPosition) int {
	return cmp.Or(q.At.Compare(p.At), cmp.Compare(p.Room, q.Room))
}

// previewLength is the number of characters of a message that a list of rooms shows: a few lines.
const previewLength = 200

// Preview returns the first 200 characters of a message's text. It never splits a character.
func Preview(text string) string {
	n := 0
	for at := range text {
		if n == previewLength {
			return text[:at]
		}
		n++
	}
	return text
}
