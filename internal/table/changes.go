package table

import (
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// The stream's consumer also receives role items that ban: those with AttrRole RoleBanned.
const (
	AttrRole   = attrRole
	RoleBanned = "banned"
)

// AttrType is the attribute that holds an item's type.
const AttrType = attrType

// AttrFeed is the attribute by which an item of a later version reaches a feed, although this
// version does not know its type. It is a string: the room whose feed the item enters. Items of
// FeedStream do not need it, and no other current item has it.
const AttrFeed = "feed"

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
	Erasure Erasure
}

// ParseChange returns the change between two images of an item. before is nil for a new item, and
// after for a removed one. An item of another type is an unknown change of the feed if it has
// AttrFeed. The error wraps chat.ErrUnreadable. The change then belongs to a Row or a feed, and
// RoomOf may still find its room. An unreadable item for individual people has no change: their
// lists show what they have missed.
func ParseChange(before, after Item) (ItemChange, error) {
	c, err := parseChange(before, after)
	c.Join = announced(before, c.Item.Member)
	if err != nil {
		err = fmt.Errorf("%w: %w", chat.ErrUnreadable, err)
	}
	return c, err
}

func parseChange(before, after Item) (c ItemChange, err error) {
	present := after
	if present == nil {
		present = before
	}
	switch KindOf(present) {
	case FeedKind, FeedHeadKind:
		return c, nil // the feed would enter its own changes forever
	case MessageKind:
		c.RoomChange, c.InFeed, err = messageChange(before, after)
		return c, err
	case MemberKind:
		c.Personal = roomsChange(before, after)
		c.RoomChange, c.InFeed, err = memberChange(before, after)
		return c, err
	case PinsKind:
		c.RoomChange, c.InFeed, err = pinChange(before, after)
		return c, err
	case RoomKind:
		c.Deleted = deletedRoom(after)
		c.RoomChange, c.InFeed, err = roomChange(present, after)
		return c, err
	case ReactionKind:
		c.Room, c.Row, err = reactionRow(present, after)
		c.Personal = reactionChange(before, after)
		return c, err
	case VoteKind:
		c.Room, c.Row, err = voteRow(present, after)
		c.Personal = voteChange(present, after)
		return c, err
	case UploadKind:
		return uploadChange(present, after)
	case ReadKind, FollowKind, BlocksKind, NotifyKind, MentionKind:
		c.Personal = personalChanges(before, after)
	case RoleKind:
		c.Banned = bannedMember(after)
	case AccountKind:
		c.Suspended = suspendedPerson(after)
		c.Erasure = requestedErasure(before, after)
	}
	c.RoomChange, c.InFeed, err = laterChange(after)
	return c, err
}

// laterChange returns the change of an item whose type a later version introduced, if the item asks
// for one.
func laterChange(after Item) (RoomChange, bool, error) {
	if _, ok := after[AttrFeed].(*types.AttributeValueMemberS); !ok {
		return RoomChange{}, false, nil
	}
	room, err := chat.ParseRoomID(keyPart(after, AttrFeed))
	if err != nil {
		return RoomChange{}, false, err
	}
	return RoomChange{Room: room, Change: feed.Change{Type: feed.UnknownChange, Key: SortKeyOf(after)}}, true, nil
}

// messageChange returns a change for each new revision, and for another tally of the same
// revision. Removing the whole item is not a change: no user deleted the message.
func messageChange(before, after Item) (RoomChange, bool, error) {
	if after == nil {
		return RoomChange{}, false, nil
	}
	m, err := ParseMessage(after)
	if err != nil {
		return RoomChange{}, false, err
	}
	if m.Revision < 1 || m.Revision > chat.MaxVersion {
		return RoomChange{}, false, fmt.Errorf("revision %d cannot be", m.Revision) // no segment could hold it
	}
	change, mentioned := feed.ChangeOf(m), chat.Mentions{}
	if before != nil {
		mentioned = (&Reader{Item: before}).mentions()
		r := Reader{Item: before}
		was, counted := max(1, int(r.OptionalNumber(attrRevision))), int(r.OptionalNumber(attrTallyVersion))
		if r.Err == nil && was == m.Revision {
			if counted == m.Tally.Version || m.Tally.Version < 1 {
				return RoomChange{}, false, nil
			}
			change = feed.CountsChangeOf(m)
		}
	}
	_, shard, err := ParseShardPK(keyPart(after, PK))
	return RoomChange{Room: m.Room, Change: change, Item: feed.ChangedItem{Message: &m, Shard: shard + 1, Mentioned: mentioned}}, true, err
}

// roomChange returns the change of a room that is new or has new settings. A deletion is not a
// change: it closes the feed.
func roomChange(present, after Item) (RoomChange, bool, error) {
	c := RoomChange{Change: feed.Change{Type: feed.RoomChanged}}
	var err error
	if c.Room, err = chat.ParseRoomID(strings.TrimPrefix(keyPart(present, PK), RoomPK(""))); err != nil {
		return RoomChange{}, false, err
	}
	if room, err := ParseMetadata(after); err == nil {
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
func memberChange(before, after Item) (RoomChange, bool, error) {
	present := after
	if present == nil {
		present = before
	}
	room, err := chat.ParseRoomID(strings.TrimPrefix(keyPart(present, SK), memberPrefix))
	if err != nil {
		return RoomChange{}, false, err
	}
	user, err := chat.StoredUserID(strings.TrimPrefix(keyPart(present, PK), PersonPK("")))
	if err != nil {
		return RoomChange{}, false, err
	}
	c := RoomChange{Room: room, Change: feed.Change{Type: feed.MemberChanged, User: user}}
	member, err := ParseMember(after)
	if err != nil {
		return c, true, nil //nolint:nilerr // it is gone, or readers look it up
	}
	was, err := ParseMember(before)
	counted := err == nil && was.Closed != member.Closed
	was.Closed, member.Closed = false, false
	c.Item.Member = &member
	return c, !counted || was != member, nil
}

// announced returns the join that a system message reports, or nil. An item keeps the attribute
// while other parts of it change.
func announced(before Item, member *chat.Membership) *feed.Join {
	if member == nil || member.Announce == "" || before[attrAnnounce] != nil {
		return nil
	}
	return &feed.Join{User: member.User, By: member.Announce, Added: member.By != ""}
}

// RoomOf returns the room whose feed an item with the given keys enters. It also reports whether
// the keys are of such an item.
func RoomOf(keys Item) (chat.RoomID, bool) {
	pk, sk := keyPart(keys, PK), keyPart(keys, SK)
	var room chat.RoomID
	var err error
	switch {
	case strings.HasPrefix(pk, RoomPK("")):
		room, err = chat.ParseRoomID(strings.TrimPrefix(pk, RoomPK("")))
	case sk == skPins:
		room, err = chat.ParseRoomID(strings.TrimPrefix(pk, RoomItemsPK("")))
	case strings.HasPrefix(sk, memberPrefix):
		room, err = chat.ParseRoomID(strings.TrimPrefix(sk, memberPrefix))
	default:
		room, _, err = ParseShardPK(pk)
	}
	return room, err == nil
}

// SortKeyOf returns the sort key of an item, cut to the length that a change may hold.
func SortKeyOf(keys Item) string {
	sk := keyPart(keys, SK)
	return strings.ToValidUTF8(sk[:min(len(sk), feed.MaxChangeKey)], "")
}

func keyPart(item Item, name string) string {
	s, _ := item[name].(*types.AttributeValueMemberS)
	if s == nil {
		return ""
	}
	return s.Value
}
