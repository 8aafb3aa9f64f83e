package table

import (
	"fmt"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/thread"
)

const (
	replyPrefix  = "reply#"
	followPrefix = "follow#"
	skThread     = "thread"
	// minuteLayout is the precision of the order of a room's threads, so a busy thread is not
	// rewritten with each reply.
	minuteLayout = "2006-01-02:15:04"
)

// attrFollows is 1 for a person who follows a thread and 0 for one who stopped. A person who only
// read it has neither.
const attrFollows = "follows"

// ThreadIndexPK returns the index partition of the replies to a message. If the room lists a
// reply, the reply is in its shard's index partition and its reference is in this one.
func ThreadIndexPK(room chat.RoomID, root chat.MessageID) string {
	return "t#" + string(room) + "#" + root.String()
}

// ThreadPK returns the partition key of the rows below a message: its versions, references of its
// replies, and its thread.
func ThreadPK(root thread.Root) string { return MessageVersionsPK(root.Room, root.ID) }

// ReplySK returns the sort key of the reference of a reply.
func ReplySK(p chat.Position) string { return replyPrefix + MessageIndexSK(p) }

// ReplyRange returns the range of the sort keys of references.
func ReplyRange() Range { return PrefixRange(replyPrefix) }

// ReferenceKey returns the primary key of the reference of a reply.
func ReferenceKey(ref thread.Reference) Item {
	return Key(ThreadPK(ref.Root), ReplySK(chat.Position{At: ref.ReceivedAt, ID: ref.Reply}))
}

// ReferenceUpdate puts the reference of a reply unless there is one. For a deleted reply, it marks
// an existing reference.
func ReferenceUpdate(ref thread.Reference) Update {
	u := Update{
		Condition: "attribute_not_exists(#pk)",
		Names:     map[string]string{"#pk": PK},
		Values:    Item{},
	}.Stamped(ReplyKind)
	if ref.ShowInRoom {
		u.Expression += ", #index = :index, #position = :position"
		u.Names["#index"], u.Names["#position"] = IndexPK, IndexSK
		u.Values[":index"] = Text(ThreadIndexPK(ref.Root.Room, ref.Root.ID))
		u.Values[":position"] = Text(MessageIndexSK(chat.Position{At: ref.ReceivedAt, ID: ref.Reply}))
	}
	if ref.Deleted {
		u.Expression += ", #deleted = :deleted"
		u.Condition = "attribute_not_exists(#deleted)"
		delete(u.Names, "#pk")
		u.Names["#deleted"], u.Values[":deleted"] = attrDeleted, Number(1)
	}
	return u
}

// ThreadAttributes returns the attributes of the rows of replies and threads, which the feed
// function writes.
func ThreadAttributes() []string {
	return []string{PK, SK, IndexPK, IndexSK, attrType, attrVersion, attrDeleted}
}

// FollowAttributes returns the attributes of the rows of people who follow threads.
func FollowAttributes() []string {
	return []string{PK, SK, IndexPK, IndexSK, attrType, attrVersion, attrFollows, attrSeq}
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

// ParseReference reads an item that ReferenceItem wrote.
func ParseReference(item Item) (thread.Reference, error) {
	r := Reader{Item: item}
	r.Expect(ReplyKind)
	root, err := parseThreadPK(r.Text(PK))
	r.Keep(err)
	at, err := ParseMessageIndexSK(strings.TrimPrefix(r.Text(SK), replyPrefix))
	r.Keep(err)
	ref := thread.Reference{
		Root: root, Reply: at.ID, ReceivedAt: at.At, ShowInRoom: item[IndexPK] != nil,
		Deleted: item[attrDeleted] != nil,
	}
	if r.Err != nil {
		return thread.Reference{}, fmt.Errorf("reference of a reply: %w", r.Err)
	}
	return ref, nil
}

// parseThreadPK decodes the result of ThreadPK.
func parseThreadPK(pk string) (thread.Root, error) {
	room, id, err := ParseMessageVersionsPK(pk)
	return thread.Root{Room: room, ID: id}, err
}

func parseRoot(room, id string) (thread.Root, error) {
	parsed, err := chat.ParseRoomID(room)
	if err != nil {
		return thread.Root{}, err
	}
	root, err := chat.ParseMessageID(id)
	return thread.Root{Room: parsed, ID: root}, err
}

// ThreadKey returns the primary key of a thread.
func ThreadKey(root thread.Root) Item { return Key(ThreadPK(root), skThread) }

// ThreadsIndex returns the index partition of a room's threads.
func ThreadsIndex(room chat.RoomID) string { return "threads#" + string(room) }

// ThreadIndexSK returns the index key of a thread: the minute of its newest reply, and its root.
func ThreadIndexSK(root thread.Root, at time.Time) string {
	return at.UTC().Format(minuteLayout) + "#" + root.ID.String()
}

// ThreadUpdate puts a thread, or moves it forward.
func ThreadUpdate(root thread.Root, at time.Time) Update {
	return Update{
		Expression: "SET #pk = :pk, #sk = :sk",
		Condition:  "attribute_not_exists(#sk) OR #sk < :sk",
		Names:      map[string]string{"#pk": IndexPK, "#sk": IndexSK},
		Values: Item{
			":pk": Text(ThreadsIndex(root.Room)), ":sk": Text(ThreadIndexSK(root, at)),
		},
	}.Stamped(ThreadKind)
}

// ParseThread reads the root of an item that ThreadUpdate wrote.
func ParseThread(item Item) (thread.Root, error) {
	r := Reader{Item: item}
	r.Expect(ThreadKind)
	root, err := parseThreadPK(r.Text(PK))
	r.Keep(err)
	if r.Err != nil {
		return thread.Root{}, fmt.Errorf("thread: %w", r.Err)
	}
	return root, nil
}

// ThreadSort returns the index key that a thread has.
func ThreadSort(item Item) string { return KeyPart(item, IndexSK) }

// ThreadSortRoot returns the root that an index key of a thread names.
func ThreadSortRoot(room chat.RoomID, sort string) (thread.Root, error) {
	_, id, _ := strings.Cut(sort, "#")
	return parseRoot(string(room), id)
}

// FollowSK returns the sort key of a person's row of a thread.
func FollowSK(root thread.Root) string {
	return followPrefix + string(root.Room) + "#" + root.ID.String()
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
func FollowKey(f thread.Follow) Item { return Key(PersonPK(f.User), FollowSK(f.Root)) }

// FollowUpdate makes a person follow a thread or not. A row without a marker gets one. The index
// lists a thread's followers.
func FollowUpdate(f thread.Follow) Update {
	u := Update{
		Expression: "SET #follows = :follows, #seq = if_not_exists(#seq, :seq)",
		Names:      map[string]string{"#follows": attrFollows, "#seq": attrSeq, "#pk": IndexPK, "#sk": IndexSK},
		Values:     Item{":follows": Number(0), ":seq": Number(f.Seq)},
	}.Stamped(FollowKind)
	if !f.Following {
		u.Expression += " REMOVE #pk, #sk"
		return u
	}
	u.Expression += ", #pk = :pk, #sk = :sk"
	u.Values[":follows"], u.Values[":pk"], u.Values[":sk"] = Number(1), Text(FollowSK(f.Root)), Text(string(f.User))
	return u
}

// FollowerUpdate is FollowUpdate for a person who has never decided whether to follow the thread.
func FollowerUpdate(f thread.Follow) Update {
	u := FollowUpdate(f)
	u.Condition = "attribute_not_exists(#follows)"
	return u
}

// ThreadMarkerUpdate moves a person's marker in a thread forward.
func ThreadMarkerUpdate(f thread.Follow) Update {
	return Update{
		Expression: "SET #seq = :seq",
		Condition:  "attribute_not_exists(#seq) OR #seq < :seq",
		Names:      map[string]string{"#seq": attrSeq},
		Values:     Item{":seq": Number(f.Seq)},
	}.Stamped(FollowKind)
}

// ParseFollow reads an item that FollowUpdate or ThreadMarkerUpdate wrote.
func ParseFollow(item Item) (thread.Follow, error) {
	r := Reader{Item: item}
	r.Expect(FollowKind)
	user, err := chat.StoredUserID(strings.TrimPrefix(r.Text(PK), PersonPK("")))
	r.Keep(err)
	room, id, _ := strings.Cut(strings.TrimPrefix(r.Text(SK), followPrefix), "#")
	root, err := parseRoot(room, id)
	r.Keep(err)
	f := thread.Follow{
		Root: root, User: user, Following: r.OptionalNumber(attrFollows) == 1, Seq: r.OptionalNumber(attrSeq),
	}
	if r.Err != nil {
		return thread.Follow{}, fmt.Errorf("follow: %w", r.Err)
	}
	return f, nil
}

// Decided reports whether the person of a row ever started or stopped following its thread.
func Decided(item Item) bool { return item[attrFollows] != nil }
