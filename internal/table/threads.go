package table

import (
	"fmt"
	"strings"

	"example.com/parley/internal/chat"
)

const (
	replyPrefix  = "reply#"
	followPrefix = "follow#"
	skThread     = "thread"
)

// AttrFollows is 1 for a person who follows a thread and 0 for one who stopped. A person who only
// read it has neither.
const AttrFollows = "follows"

// ThreadIndexPK returns the index partition of the replies to a message. If the room lists a
// reply, the reply is in its shard's index partition and its reference is in this one.
func ThreadIndexPK(room chat.RoomID, root chat.MessageID) string {
	return "t#" + string(room) + "#" + root.String()
}

// ReplySK returns the sort key of the reference of a reply.
func ReplySK(p chat.Position) string { return replyPrefix + MessageIndexSK(p) }

// ReplyRange returns the range of the sort keys of references.
func ReplyRange() Range { return PrefixRange(replyPrefix) }

// ReferenceKey returns the primary key of the reference of a reply.
func ReferenceKey(room chat.RoomID, root chat.MessageID, reply chat.Position) Item {
	return Key(MessageVersionsPK(room, root), ReplySK(reply))
}

// ThreadAttributes returns the attributes of the rows of replies and threads, which the feed
// function writes.
func ThreadAttributes() []string {
	return []string{PK, SK, IndexPK, IndexSK, attrType, attrVersion, attrDeleted}
}

// FollowAttributes returns the attributes of the rows of people who follow threads.
func FollowAttributes() []string {
	return []string{PK, SK, IndexPK, IndexSK, attrType, attrVersion, AttrFollows, AttrSeq}
}

// AttrDeleted is the attribute that marks the reference of a deleted reply.
const AttrDeleted = attrDeleted

// ParseReplyRow reads the position of a reply from its reference, and whether it is deleted,
// without the other attributes.
func ParseReplyRow(item Item) (at chat.Position, deleted bool, err error) {
	if at, err = ParseMessageIndexSK(strings.TrimPrefix(KeyPart(item, SK), replyPrefix)); err != nil {
		err = fmt.Errorf("reference of a reply: %w: %w", chat.ErrUnreadable, err)
	}
	return at, item[attrDeleted] != nil, err
}

// ParseReply reads the id of a reply from its reference.
func ParseReply(item Item) (chat.MessageID, error) {
	r := Reader{Item: item}
	r.Expect(ReplyKind)
	_, _, err := ParseMessageVersionsPK(r.Text(PK))
	r.Keep(err)
	at, _, err := ParseReplyRow(item)
	r.Keep(err)
	if r.Err != nil {
		return chat.MessageID{}, fmt.Errorf("reference of a reply: %w", r.Err)
	}
	return at.ID, nil
}

// ThreadKey returns the primary key of a thread.
func ThreadKey(room chat.RoomID, root chat.MessageID) Item {
	return Key(MessageVersionsPK(room, root), skThread)
}

// ThreadsIndex returns the index partition of a room's threads.
func ThreadsIndex(room chat.RoomID) string { return "threads#" + string(room) }

// ParseThread reads the root of a thread.
func ParseThread(item Item) (chat.MessageID, error) {
	r := Reader{Item: item}
	r.Expect(ThreadKind)
	_, root, err := ParseMessageVersionsPK(r.Text(PK))
	r.Keep(err)
	if r.Err != nil {
		return chat.MessageID{}, fmt.Errorf("thread: %w", r.Err)
	}
	return root, nil
}

// ThreadSort returns the index key that a thread has.
func ThreadSort(item Item) string { return KeyPart(item, IndexSK) }

// ThreadSortRoot returns the root that an index key of a thread names.
func ThreadSortRoot(sort string) (chat.MessageID, error) {
	_, id, _ := strings.Cut(sort, "#")
	return chat.ParseMessageID(id)
}

// FollowSK returns the sort key of a person's row of a thread.
func FollowSK(room chat.RoomID, root chat.MessageID) string {
	return followPrefix + string(room) + "#" + root.String()
}

// FollowPrefix returns the prefix of the sort keys of a person's rows of a room's threads. For the
// empty room, it covers all rooms.
func FollowPrefix(room chat.RoomID) string {
	if room == "" {
		return followPrefix
	}
	return followPrefix + string(room) + "#"
}

// FollowKey returns the primary key of a person's row of a thread.
func FollowKey(user chat.UserID, room chat.RoomID, root chat.MessageID) Item {
	return Key(PersonPK(user), FollowSK(room, root))
}

// ParseFollowKey reads the person, the room and the root of the thread from the key of a row.
func ParseFollowKey(item Item) (user chat.UserID, room chat.RoomID, root chat.MessageID, err error) {
	if user, err = chat.StoredUserID(strings.TrimPrefix(KeyPart(item, PK), PersonPK(""))); err != nil {
		return "", "", root, err
	}
	roomText, id, _ := strings.Cut(strings.TrimPrefix(KeyPart(item, SK), followPrefix), "#")
	if room, err = chat.ParseRoomID(roomText); err != nil {
		return "", "", root, err
	}
	root, err = chat.ParseMessageID(id)
	return user, room, root, err
}
