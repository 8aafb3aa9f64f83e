package stream

import (
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/account"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/poll"
	"example.com/parley/internal/reaction"
	"example.com/parley/internal/table"
)

// RoomChange is a change of an item, as it enters the feed of its room.
type RoomChange struct {
	Room   chat.RoomID
	Change feed.Change // without its Origin
	// Item is the item after the change. It is empty if the item is gone or only its key can be
	// read.
	Item feed.ChangedItem
}

// ItemChange is what a change of an item means to all readers of the table's stream.
type ItemChange struct {
	// RoomChange enters the feed of its room if InFeed is set.
	RoomChange
	InFeed bool
	// Row is set for a row that enters no feed, and is for projections. It belongs to Room.
	Row *feed.RowChange
	// Join is set for a membership that a system message reports, without its time.
	Join *feed.Join
	// Personal are the changes for the connections of individual people.
	Personal []feed.PersonalChange
	// Deleted is the room that was deleted, Banned the person banned from a room, and Suspended a
	// person who was or still is suspended. They are zero for other items.
	Deleted   chat.RoomID
	Banned    chat.MemberOf
	Suspended chat.UserID
	// Erasure is the step that an account requests; zero for other items.
	Erasure account.ErasureStep
}

// ParseChange returns the change between two images of an item. before is nil for a new item, and
// after for a removed one. An item of another type is an unknown change of the feed if it has
// AttrFeed. The error wraps chat.ErrUnreadable. The change then belongs to a Row or a feed, and
// RoomOf may still find its room. An unreadable item for individual people has no change: their
// lists show what they have missed.
func ParseChange(before, after table.Item) (ItemChange, error) {
	c, err := parseChange(before, after)
	c.Join = announced(before, c.Item.Member)
	if err != nil {
		err = fmt.Errorf("%w: %w", chat.ErrUnreadable, err)
	}
	return c, err
}

func parseChange(before, after table.Item) (c ItemChange, err error) {
	present := after
	if present == nil {
		present = before
	}
	switch table.KindOf(present) {
	case table.FeedKind, table.FeedHeadKind:
		return c, nil // the feed would enter its own changes forever
	case table.MessageKind:
		c.RoomChange, c.InFeed, err = messageChange(before, after)
		return c, err
	case table.MemberKind:
		c.Personal = roomsChange(before, after)
		c.RoomChange, c.InFeed, err = memberChange(before, after)
		return c, err
	case table.PinsKind:
		c.RoomChange, c.InFeed, err = pinChange(before, after)
		return c, err
	case table.RoomKind:
		c.Deleted = deletedRoom(after)
		c.RoomChange, c.InFeed, err = roomChange(present, after)
		return c, err
	case table.ReactionKind:
		c.Room, c.Row, err = reactionRow(present, after)
		c.Personal = reactionChange(before, after)
		return c, err
	case table.VoteKind:
		c.Room, c.Row, err = voteRow(present, after)
		c.Personal = voteChange(present, after)
		return c, err
	case table.UploadKind:
		return uploadChange(present, after)
	case table.ReadKind, table.FollowKind, table.BlocksKind, table.NotifyKind, table.MentionKind:
		c.Personal = personalChanges(before, after)
	case table.RoleKind:
		c.Banned = bannedMember(after)
	case table.AccountKind:
		c.Suspended = suspendedPerson(after)
		c.Erasure = requestedErasure(before, after)
	}
	c.RoomChange, c.InFeed, err = laterChange(after)
	return c, err
}

// laterChange returns the change of an item whose type a later version introduced, if the item asks
// for one.
func laterChange(after table.Item) (RoomChange, bool, error) {
	if _, ok := after[table.AttrFeed].(*types.AttributeValueMemberS); !ok {
		return RoomChange{}, false, nil
	}
	room, err := chat.ParseRoomID(table.KeyPart(after, table.AttrFeed))
	if err != nil {
		return RoomChange{}, false, err
	}
	return RoomChange{Room: room, Change: feed.Change{Type: feed.UnknownChange, Key: table.SortKeyOf(after)}}, true, nil
}

// messageChange returns a change for each new revision, and for another tally of the same
// revision. Removing the whole item is not a change: no user deleted the message.
func messageChange(before, after table.Item) (RoomChange, bool, error) {
	if after == nil {
		return RoomChange{}, false, nil
	}
	m, err := table.ParseMessage(after)
	if err != nil {
		return RoomChange{}, false, err
	}
	if m.Revision < 1 || m.Revision > chat.MaxVersion {
		return RoomChange{}, false, fmt.Errorf("revision %d cannot be", m.Revision) // no segment could hold it
	}
	change, mentioned := feed.ChangeOf(m), chat.Mentions{}
	if before != nil {
		mentioned = (&table.Reader{Item: before}).Mentions()
		r := table.Reader{Item: before}
		was, counted := max(1, int(r.OptionalNumber(table.AttrRevision))), int(r.OptionalNumber(table.AttrTallyVersion))
		if r.Err == nil && was == m.Revision {
			if counted == m.Tally.Version || m.Tally.Version < 1 {
				return RoomChange{}, false, nil
			}
			change = feed.CountsChangeOf(m)
		}
	}
	_, shard, err := table.ParseShardPK(table.KeyPart(after, table.PK))
	return RoomChange{
		Room: m.Room, Change: change, Item: feed.ChangedItem{Message: &m, Shard: shard + 1, Mentioned: mentioned},
	}, true, err
}

// roomChange returns the change of a room that is new or has new settings. A deletion is not a
// change: it closes the feed.
func roomChange(present, after table.Item) (RoomChange, bool, error) {
	c := RoomChange{Change: feed.Change{Type: feed.RoomChanged}}
	var err error
	if c.Room, err = chat.ParseRoomID(strings.TrimPrefix(
		table.KeyPart(present, table.PK), table.RoomPK(""),
	)); err != nil {
		return RoomChange{}, false, err
	}
	if room, err := table.ParseMetadata(after); err == nil {
		if room.Deleted {
			return c, false, nil // nobody may read it
		}
		room.DigestKey = nil
		c.Item.Room = &room
	}
	return c, after != nil, nil
}

// memberChange returns the change of a membership. The item exists only while the list of members
// shows it. Whether it counts toward the limit of rooms is no change.
func memberChange(before, after table.Item) (RoomChange, bool, error) {
	present := after
	if present == nil {
		present = before
	}
	room, err := chat.ParseRoomID(string(table.MemberRoom(present)))
	if err != nil {
		return RoomChange{}, false, err
	}
	user, err := chat.StoredUserID(strings.TrimPrefix(table.KeyPart(present, table.PK), table.PersonPK("")))
	if err != nil {
		return RoomChange{}, false, err
	}
	c := RoomChange{Room: room, Change: feed.Change{Type: feed.MemberChanged, User: user}}
	member, err := table.ParseMember(after)
	if err != nil {
		return c, true, nil //nolint:nilerr // it is gone, or readers look it up
	}
	was, err := table.ParseMember(before)
	counted := err == nil && was.Closed != member.Closed
	was.Closed, member.Closed = false, false
	c.Item.Member = &member
	return c, !counted || was != member, nil
}

// announced returns the join that a system message reports, or nil. An item keeps the attribute
// while other parts of it change.
func announced(before table.Item, member *chat.Membership) *feed.Join {
	if member == nil || member.Announce == "" || before[table.AttrAnnounce] != nil {
		return nil
	}
	return &feed.Join{User: member.User, By: member.Announce, Added: member.By != ""}
}

// pinChange returns the change that the last update of a room's pins made. Each update makes one.
func pinChange(before, after table.Item) (RoomChange, bool, error) {
	if after == nil {
		return RoomChange{}, false, nil // a purge
	}
	r, was := table.Reader{Item: after}, table.Reader{Item: before}
	r.Expect(table.PinsKind)
	rev := int(r.Number(table.AttrRevision))
	if before != nil && int(was.OptionalNumber(table.AttrRevision)) == rev {
		return RoomChange{}, false, nil
	}
	room, err := chat.ParseRoomID(strings.TrimPrefix(r.Text(table.PK), table.RoomItemsPK("")))
	r.Keep(err)
	id, err := chat.ParseMessageID(r.Text(table.AttrChanged))
	r.Keep(err)
	if rev < 1 || rev > chat.MaxVersion {
		r.Keep(fmt.Errorf("change %d cannot be", rev))
	}
	c := RoomChange{
		Room: room,
		Change: feed.Change{
			Type: feed.PinsChanged, Message: id, Revision: rev, Pinned: r.OptionalText(table.AttrPinned) == "yes",
		},
	}
	return c, r.Err == nil, r.Err
}

// reactionRow returns the row of a reaction with its room. after is nil for one that was removed.
func reactionRow(present, after table.Item) (chat.RoomID, *feed.RowChange, error) {
	r, err := reaction.ParseKey(present)
	return r.Room, &feed.RowChange{Message: r.Message, User: r.User, Emoji: r.Emoji, Removed: after == nil}, err
}

// voteRow returns the row of a vote with its room. after is nil for a withdrawn vote.
func voteRow(present, after table.Item) (chat.RoomID, *feed.RowChange, error) {
	v, err := poll.ParseKey(present)
	return v.Room, &feed.RowChange{Message: v.Message, User: v.User, Vote: true, Removed: after == nil}, err
}

// uploadChange returns the row of an upload in its room.
func uploadChange(present, after table.Item) (c ItemChange, err error) {
	c.Row = &feed.RowChange{Removed: after == nil}
	if c.Row.Upload, c.Row.User, err = table.ParseUploadKey(present); err != nil {
		return c, err
	}
	if text := table.KeyPart(present, table.AttrUploadMessage); text != "" {
		if c.Row.Message, err = chat.ParseMessageID(text); err != nil {
			return c, err
		}
	}
	r := table.Reader{Item: present}
	if until := r.OptionalNumber(table.AttrUploadLinks); until > 0 {
		c.Row.Links = time.Unix(until, 0).UTC()
	}
	c.Room, err = chat.ParseRoomID(strings.TrimPrefix(table.KeyPart(present, table.PK), table.RoomItemsPK("")))
	return c, err
}

// requestedErasure returns the step that a change of an account requests, or the zero Erasure.
func requestedErasure(before, after table.Item) account.ErasureStep {
	a, err := account.Parse(after)
	user := suspendedPerson(after)
	if err != nil || user == "" || !a.Erasure.InProgress() {
		return account.ErasureStep{}
	}
	if was, err := account.Parse(before); err == nil && was.Erasure == a.Erasure {
		return account.ErasureStep{}
	}
	return account.ErasureStep{User: user, Step: a.Erasure.Step}
}
