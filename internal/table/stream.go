package table

import (
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

// The attributes by which the reader of the stream tells changes of an item apart.
const (
	AttrRevision     = attrRevision
	AttrTallyVersion = attrTallyVersion
	AttrAnnounce     = attrAnnounce
	AttrChanged      = attrChanged
	AttrPinned       = attrPinned
)

// RoomOf returns the room whose feed an item with the given keys enters. It also reports whether
// the keys are of such an item.
func RoomOf(keys Item) (chat.RoomID, bool) {
	pk, sk := KeyPart(keys, PK), KeyPart(keys, SK)
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
	sk := KeyPart(keys, SK)
	return strings.ToValidUTF8(sk[:min(len(sk), feed.MaxChangeKey)], "")
}

// KeyPart returns an attribute of an item that is a string, or "".
func KeyPart(item Item, name string) string {
	s, _ := item[name].(*types.AttributeValueMemberS)
	if s == nil {
		return ""
	}
	return s.Value
}

// personOf returns the person in whose partition an item is.
func personOf(item Item) string {
	pk, prefix := KeyPart(item, PK), PersonPK("")
	if len(pk) < len(prefix) || pk[:len(prefix)] != prefix {
		return ""
	}
	return pk[len(prefix):]
}
