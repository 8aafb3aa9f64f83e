package table

import (
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
	"parley/internal/feed"
)

// FeedTypes are the types of items whose changes a feed tells of. All others, the feed's
// own segments among them, are kept away from it.
func FeedTypes() []string { return []string{typeMessage, typeMember, typeRoom} }

// FeedRemovedTypes are those of them whose removal is a change too: who is removed from a room has left it.
// A room is never removed, and a message that was removed altogether is no news.
func FeedRemovedTypes() []string { return []string{typeMember} }

// AttrType is the attribute that holds an item's type.
const AttrType = attrType

// AttrFeed is the attribute by which an item of a later version reaches a feed that does not know
// its type. It is a string, the room whose feed is to tell of the item. An item of one of the
// FeedTypes needs none. No other item of today has it.
const AttrFeed = "feed"

// RoomChange is a change of an item, as the feed of its room tells it.
type RoomChange struct {
	Room   chat.RoomID
	Change feed.Change // without its Origin
	// Item is the item after the change. It is empty where the item is gone or cannot be read beyond
	// the key.
	Item feed.ChangedItem
}

// ParseChange reads what happened to an item: from its image before, nil when it is new, to the one after,
// nil when it is gone. ok is false when that is nothing for a feed. An item of a type that this
// version does not know is an unknown change where it has AttrFeed. The error wraps
// chat.ErrUnreadable; RoomOf may then still tell the room.
func ParseChange(before, after Item) (c RoomChange, ok bool, err error) {
	present := after
	if present == nil {
		present = before
	}
	switch KindOf(present) {
	case MessageKind:
		c, ok, err = messageChange(before, after)
	case MemberKind:
		c, ok, err = memberChange(before, after)
	case FeedKind, FeedHeadKind:
		return RoomChange{}, false, nil // or the feed would tell of itself for ever
	case RoomKind:
		c, ok, err = roomChange(present, after)
	default:
		c, ok, err = laterChange(after)
	}
	if err != nil {
		return RoomChange{}, false, fmt.Errorf("%w: %w", chat.ErrUnreadable, err)
	}
	return c, ok, nil
}

// laterChange enters an item of a later version's type, where that version wants it.
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

// messageChange tells of each new revision. A message that was removed altogether is
// no news: nobody deleted it.
func messageChange(before, after Item) (RoomChange, bool, error) {
	if after == nil {
		return RoomChange{}, false, nil
	}
	m, err := ParseMessage(after)
	if err != nil {
		return RoomChange{}, false, err
	}
	if m.Revision < 1 || m.Revision > chat.MaxVersion {
		return RoomChange{}, false, fmt.Errorf("revision %d cannot be", m.Revision) // nor could a segment hold it
	}
	if before != nil {
		r := reader{item: before}
		if was := max(1, int(r.optionalNumber(attrRevision))); r.err == nil && was == m.Revision {
			return RoomChange{}, false, nil
		}
	}
	return RoomChange{Room: m.Room, Change: feed.ChangeOf(m), Item: feed.ChangedItem{Message: &m}}, true, nil
}

// roomChange enters a room that is new or whose settings changed.
func roomChange(present, after Item) (RoomChange, bool, error) {
	c := RoomChange{Change: feed.Change{Type: feed.RoomChanged}}
	var err error
	if c.Room, err = chat.ParseRoomID(strings.TrimPrefix(keyPart(present, PK), RoomPK(""))); err != nil {
		return RoomChange{}, false, err
	}
	if room, err := ParseMetadata(after); err == nil {
		room.DigestKey = nil
		c.Item.Room = &room
	}
	return c, after != nil, nil
}

// memberChange tells of those whom the room's list of members shows, before or after: a
// membership is there only while it does.
func memberChange(before, after Item) (RoomChange, bool, error) {
	present := after
	if present == nil {
		present = before
	}
	room, err := chat.ParseRoomID(strings.TrimPrefix(keyPart(present, SK), memberPrefix))
	if err != nil {
		return RoomChange{}, false, err
	}
	user, err := chat.ParseUserID(strings.TrimPrefix(keyPart(present, PK), PersonPK("")))
	if err != nil {
		return RoomChange{}, false, err
	}
	c := RoomChange{Room: room, Change: feed.Change{Type: feed.MemberChanged, User: user}}
	if member, err := ParseMember(after); err == nil {
		c.Item.Member = &member
	}
	return c, true, nil
}

// RoomOf is the room whose feed would tell of the item with the given keys, if they are of
// such an item.
func RoomOf(keys Item) (chat.RoomID, bool) {
	pk, sk := keyPart(keys, PK), keyPart(keys, SK)
	var room chat.RoomID
	var err error
	switch {
	case strings.HasPrefix(pk, RoomPK("")):
		room, err = chat.ParseRoomID(strings.TrimPrefix(pk, RoomPK("")))
	case strings.HasPrefix(sk, memberPrefix):
		room, err = chat.ParseRoomID(strings.TrimPrefix(sk, memberPrefix))
	default:
		room, _, err = ParseShardPK(pk)
	}
	return room, err == nil
}

// SortKeyOf is the sort key of an item, cut to what a change may hold of it.
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
