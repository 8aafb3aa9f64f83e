package table

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/chat"
)

// PinsKey returns the primary key of the pinned messages of a room.
func PinsKey(room chat.RoomID) Item { return Key(RoomItemsPK(room), skPins) }

// InvitePrefix begins the partition keys of invitations.
const InvitePrefix = "invite#"

// The sort keys of an invitation, and of a room's count of live invitations.
const (
	skInvite  = "root"
	skInvites = "invites"
)

// InviteKey returns the primary key of an invitation.
func InviteKey(id string) Item { return Key(InvitePrefix+id, skInvite) }

// InvitesIndex returns the index partition of a room's invitations.
func InvitesIndex(room chat.RoomID) string { return "invites#" + string(room) }

// InviteRoom returns the room of an invitation.
func InviteRoom(item Item) (chat.RoomID, error) { return chat.ParseRoomID(KeyPart(item, AttrRoom)) }

// InvitesKey returns the primary key of a room's count of live invitations.
func InvitesKey(room chat.RoomID) Item { return Key(RoomItemsPK(room), skInvites) }

// IncomingPrefix begins the partition keys of incoming webhooks.
const IncomingPrefix = "in#"

// The sort keys of an incoming webhook, and of the list of a room's.
const (
	skIncoming     = "root"
	skIncomingList = "incoming"
)

// IncomingKey returns the primary key of an incoming webhook.
func IncomingKey(id string) Item { return Key(IncomingPrefix+id, skIncoming) }

// BotPK returns the partition key of the bot of an incoming webhook.
func BotPK(webhook string) string { return PersonPK(chat.BotID(webhook)) }

// IncomingListKey returns the primary key of the list of a room's incoming webhooks.
func IncomingListKey(room chat.RoomID) Item { return Key(RoomItemsPK(room), skIncomingList) }

// AttrIncoming is the attribute with the ids in the list of a room's incoming webhooks.
const AttrIncoming = "hooks"

// PicturePrefix is the prefix of the sort keys of the pictures that a person may have sent.
const PicturePrefix = "picture#"

// PictureItem returns the item of a picture, which has only its key.
func PictureItem(user chat.UserID, id uuid.UUID) Item {
	item := Key(PersonPK(user), PicturePrefix+id.String())
	Stamp(item, PictureKind)
	return item
}

// ParsePictureID reads the id in the key of a picture.
func ParsePictureID(item Item) (uuid.UUID, error) {
	id, err := uuid.Parse(strings.TrimPrefix(KeyPart(item, SK), PicturePrefix))
	if err != nil {
		return id, fmt.Errorf("%w: %w: picture %q", chat.ErrUnreadable, errKey, KeyPart(item, SK))
	}
	return id, nil
}

// NotSuspended is the condition that an account is not suspended. A person may have no account.
func NotSuspended() Update {
	return Update{Condition: "attribute_not_exists(#at)", Names: map[string]string{"#at": AttrSuspendedAt}}
}

// The prefixes of the sort keys of uploads in a room, and of a person's count of a day's uploads.
const (
	UploadPrefix   = "upload#"
	uploadsPrefix  = "uploads#"
	uploadsDayForm = time.DateOnly
)

// UploadKey returns the primary key of an upload of a person in a room.
func UploadKey(room chat.RoomID, user chat.UserID, id uuid.UUID) Item {
	return Key(RoomItemsPK(room), UploadPrefix+chat.MessageID{UUID: id, User: user}.String())
}

// ParseUploadKey reads the sort key of an upload: its id and who uploaded it.
func ParseUploadKey(item Item) (id uuid.UUID, user chat.UserID, err error) {
	text, ok := strings.CutPrefix(KeyPart(item, SK), UploadPrefix)
	of, err := chat.ParseMessageID(text)
	if !ok || err != nil {
		return id, "", fmt.Errorf("%w: %w: upload %q", chat.ErrUnreadable, errKey, KeyPart(item, SK))
	}
	return of.UUID, of.User, nil
}

// UploadsKey returns the primary key of a person's count of the uploads of a day in UTC.
func UploadsKey(user chat.UserID, day time.Time) Item {
	return Key(PersonPK(user), uploadsPrefix+day.UTC().Format(uploadsDayForm))
}

// AttrUploadMessage is the attribute with the message that has an upload. It is absent until a
// message takes the upload.
const AttrUploadMessage = attrMessage

// AttrUploadLinks is the attribute with the time at which the links to send an upload expire, in
// Unix seconds.
const AttrUploadLinks = "linksUntil"

// reactPrefix begins the sort keys of reactions, and their index partitions.
const reactPrefix = "react#"

// ReactionKey returns the primary key of a person's reaction to a message.
func ReactionKey(room chat.RoomID, id chat.MessageID, emoji string, user chat.UserID) Item {
	return Key(MessageVersionsPK(room, id), reactPrefix+emoji+"#"+string(user))
}

// ReactionsIndex returns the index partition of a person's reactions.
func ReactionsIndex(user chat.UserID) string { return reactPrefix + string(user) }

// ReactionsRange returns the range of the reactions to a message: all of them for "", and
// otherwise the reactions with one emoji.
func ReactionsRange(emoji string) Range {
	if emoji == "" {
		return PrefixRange(reactPrefix)
	}
	return PrefixRange(reactPrefix + emoji + "#")
}

// ParseReactionSK reads the emoji and the person from the sort key of a reaction. An emoji may
// contain "#", but a user id never does.
func ParseReactionSK(item Item) (emoji string, user chat.UserID, err error) {
	rest, ok := strings.CutPrefix(KeyPart(item, SK), reactPrefix)
	last := strings.LastIndexByte(rest, '#')
	if ok = ok && last > 0; ok {
		emoji = rest[:last]
		user, err = chat.StoredUserID(rest[last+1:])
	}
	if !ok || err != nil {
		return "", "", fmt.Errorf("reaction: %w: %w: sort key %q", chat.ErrUnreadable, errKey, KeyPart(item, SK))
	}
	return emoji, user, nil
}

// importedPrefix begins the sort keys of the lists of people whom imports made members of a room.
// There are 16 lists, by the first digit of the hash of the user, so that each stays below
// DynamoDB's limit of 400 KB in a room of 400,000 people.
const importedPrefix = "imported#"

// reactedPrefix begins the sort keys of the sets of reactions that imports have put.
const reactedPrefix = "reacted#"

// The primary key of the key of imports.
const (
	importPK    = "import"
	skImportKey = "key"
)

// ImportedMembers returns the partition and the sort keys of the lists of people whom imports
// made members of a room.
func ImportedMembers(room chat.RoomID) (partition string, keys Range) {
	return RoomItemsPK(room), PrefixRange(importedPrefix)
}

// ImportedKey returns the primary key of the list to which a user belongs.
func ImportedKey(of chat.MemberOf) Item {
	sum := sha256.Sum256([]byte(of.User))
	return Key(RoomItemsPK(of.Room), importedPrefix+hex.EncodeToString(sum[:1])[:1])
}

// ReactedKey returns the primary key of the set of reactions that imports have put to messages of
// a room in a month, such as 2018-08.
func ReactedKey(room chat.RoomID, month string) Item {
	return Key(RoomItemsPK(room), reactedPrefix+month)
}

// ImportKeyKey returns the primary key of the key of imports.
func ImportKeyKey() Item { return Key(importPK, skImportKey) }
