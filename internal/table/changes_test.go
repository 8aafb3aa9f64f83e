package table

import (
	"errors"
	"maps"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/mention"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/reaction"
	"example.com/parley/internal/shard"
)

func TestParseChange_EntersOnlyChangesForAFeed(t *testing.T) {
	id := chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{}), User: "amsg"}
	posted := chat.Message{Room: "seattle", ID: id, ReceivedAt: noon, Text: "x", Digest: []byte("d"), Revision: 1}
	message := MessageItem(posted, 2)
	edited, deleted := maps.Clone(message), maps.Clone(message)
	edited[attrRevision], edited[attrEdited] = Number(2), Number(noon.UnixMilli())
	deleted[attrRevision], deleted[attrDeleted] = Number(3), Number(noon.UnixMilli())
	replied := posted
	replied.Thread, replied.ShowInRoom = chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{1}), User: "bob"}, true
	reply := MessageItem(replied, 2)
	editedReply := maps.Clone(reply)
	editedReply[attrRevision] = Number(2)
	erased := maps.Clone(edited)
	delete(erased, attrDigest)
	bob := chat.Membership{Room: "seattle", User: "bob", Name: "Bob", Role: policy.Member, JoinedAt: noon}
	member := MemberItem(bob)
	bob.Role = policy.Moderator
	moderator := MemberItem(bob)
	bob.Left = true
	role := RoleItem(bob)
	room, permissions, shards := RoomItems(chat.Room{ID: "seattle", CreatedAt: noon}, shard.Fixed(1))
	version, newest := MessageVersionItems(chat.NewestVersion(posted))
	marker := ReadMarkerKey("seattle", "bob")
	marker[attrType] = Text(ReadKind)
	segment := SegmentItem(feed.Segment{Room: "seattle", First: 1, Changes: []feed.Change{{Type: feed.RoomChanged}}})
	counted := maps.Clone(edited)
	counted[attrTallyVersion], counted[attrTally] = Number(7), &types.AttributeValueMemberB{Value: []byte{tallyVersion}}
	reacted := ReactionItem(reaction.Reaction{Room: "seattle", Message: id, Emoji: "👍", User: "bob", ReceivedAt: noon})
	spoiled := maps.Clone(message)
	spoiled[IndexSK] = Number(1)

	impossible := maps.Clone(message)
	impossible[attrRevision] = Number(-1)

	later := Key("p#seattle", "polls")
	later[attrType], later[AttrFeed] = Text("polls"), Text("seattle")
	private := maps.Clone(later)
	delete(private, AttrFeed)
	strange := maps.Clone(later)
	strange[AttrFeed] = Text("No Room")
	own := maps.Clone(segment)
	own[AttrFeed] = Text("seattle")
	pinned := maps.Clone(PinsKey("seattle"))
	pinned[attrType], pinned[attrVersion], pinned[AttrFeed] = Text(PinsKind), Number(schemaVersion), Text("seattle")
	pinned[attrRevision], pinned[attrChanged], pinned[attrPinned] = Number(1), Text(id.String()), Text("yes")
	unpinned, lostPins := maps.Clone(pinned), maps.Clone(pinned)
	unpinned[attrRevision], unpinned[attrPinned] = Number(2), Text("no")
	lostPins[PK] = Text("p#Seattle")
	polls := &feed.Change{Type: feed.UnknownChange, Key: "polls"}

	of := func(t feed.ChangeType, revision int) *feed.Change {
		return &feed.Change{Type: t, Message: id, Revision: revision}
	}
	changed := &feed.Change{Type: feed.MemberChanged, User: "bob"}
	for _, tt := range []struct {
		name          string
		before, after Item
		want          *feed.Change
		unreadable    bool
	}{
		{name: "a message is posted", after: message, want: of(feed.MessageCreated, 1)},
		{name: "a reply is posted", after: reply, want: &feed.Change{
			Type: feed.ReplyCreated, Message: id, Revision: 1, Thread: replied.Thread, ShowInRoom: true,
		}},
		{name: "a reply is edited", before: reply, after: editedReply, want: of(feed.MessageEdited, 2)},
		{name: "a message is edited", before: message, after: edited, want: of(feed.MessageEdited, 2)},
		{name: "a message is deleted", before: edited, after: deleted, want: of(feed.MessageDeleted, 3)},
		{name: "a message loses its digest", before: edited, after: erased},
		{name: "a message is written again as it was", before: message, after: message},
		{name: "a message is removed", before: message},
		{name: "a message is counted", before: edited, after: counted, want: of(feed.CountsChanged, 7)},
		{name: "a counted message is edited", before: message, after: counted, want: of(feed.MessageEdited, 2)},
		{name: "a counted message is written again as it was", before: counted, after: counted},
		{name: "a message loses its counts", before: counted, after: edited},
		{name: "somebody reacts", after: reacted},
		{name: "somebody takes a reaction back", before: reacted},
		{name: "a message cannot be read", after: spoiled, unreadable: true},
		{name: "a message has a revision that cannot be", after: impossible, unreadable: true},
		{name: "somebody joins", after: member, want: changed},
		{name: "somebody has another role", before: member, after: moderator, want: changed},
		{name: "somebody leaves", before: member, want: changed},
		{name: "what somebody is in the room is kept in mind", after: role},
		{name: "what they are changes", before: role, after: role},
		{name: "a room is made", after: room, want: &feed.Change{Type: feed.RoomChanged}},
		{name: "a room changes", before: room, after: room, want: &feed.Change{Type: feed.RoomChanged}},
		{name: "permissions change", before: permissions, after: permissions},
		{name: "shards change", before: shards, after: shards},
		{name: "a version is kept", after: version},
		{name: "the newest copy is replaced", before: newest, after: newest},
		{name: "a marker moves", before: marker, after: marker},
		{name: "the feed itself grows", after: segment},
		{name: "an item of no type", after: Key("a", "b")},
		{name: "a message is pinned", after: pinned, want: &feed.Change{Type: feed.PinsChanged, Message: id, Revision: 1, Pinned: true}},
		{name: "a message is unpinned", before: pinned, after: unpinned, want: &feed.Change{Type: feed.PinsChanged, Message: id, Revision: 2}},
		{name: "pins are written again as they were", before: pinned, after: pinned},
		{name: "pins are removed", before: pinned},
		{name: "pins of no room", after: lostPins, unreadable: true},
		{name: "an item of a later version is made", after: later, want: polls},
		{name: "an item of a later version changes", before: private, after: later, want: polls},
		{name: "an item of a later version is removed", before: later},
		{name: "an item of a later version that no feed tells of", after: private},
		{name: "an item of a later version names no room", after: strange, unreadable: true},
		{name: "the feed itself would be told of", after: own},
	} {
		c, err := ParseChange(tt.before, tt.after)
		got, ok := c.RoomChange, c.InFeed
		switch {
		case tt.unreadable:
			if !errors.Is(err, chat.ErrUnreadable) {
				t.Errorf("%s: %+v, %v", tt.name, got, err)
			}
		case err != nil || ok != (tt.want != nil):
			t.Errorf("%s: %+v, %v, %v", tt.name, got, ok, err)
		case ok && (got.Room != "seattle" || got.Change != *tt.want):
			t.Errorf("%s: %+v, want %+v", tt.name, got, *tt.want)
		}
	}
}

func TestRoomOf_FindsTheRoomInTheKeys(t *testing.T) {
	id := chat.MessageID{UUID: chat.NewUUID(time.UnixMilli(1), [10]byte{}), User: "amsg"}
	for _, tt := range []struct {
		name string
		keys Item
		want chat.RoomID
	}{
		{"a message", MessageKey("seattle-1", 4, id), "seattle-1"},
		{"a membership", MemberKey("seattle", "bob"), "seattle"},
		{"a room", MetadataKey("seattle"), "seattle"},
		{"a person", Key(PersonPK("bob"), "root"), ""},
		{"nothing", Item{}, ""},
		{"a key of another type", Item{PK: Number(1), SK: Text("x")}, ""},
	} {
		if got, ok := RoomOf(tt.keys); got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: %q, %v", tt.name, got, ok)
		}
	}
}

func TestParseChange_ReturnsTheItemAfterTheChange(t *testing.T) {
	id := chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{}), User: "amsg"}
	message := MessageItem(chat.Message{Room: "seattle", ID: id, ReceivedAt: noon, Text: "x", Digest: []byte("d"), Revision: 1}, 2)
	bob := chat.Membership{Room: "seattle", User: "bob", Name: "Bob", Role: policy.Member, JoinedAt: noon}
	member := MemberItem(bob)
	nameless := maps.Clone(member)
	delete(nameless, attrName)
	public, _, _ := RoomItems(chat.Room{ID: "seattle", Name: "Seattle", DigestKey: []byte("key"), CreatedAt: noon}, shard.Fixed(1))
	hidden, _, _ := RoomItems(chat.Room{ID: "seattle", Name: "Seattle", DigestKey: []byte("key"), CreatedAt: noon, Private: true}, shard.Fixed(1))
	closed := maps.Clone(member)
	closed[attrLeftCount] = Bool(true)
	for _, pair := range [][2]Item{{member, closed}, {closed, member}} {
		if got, err := ParseChange(pair[0], pair[1]); err != nil || got.InFeed || got.Personal != nil {
			t.Errorf("whether a membership counts toward a limit is the change %+v, %v", got, err)
		}
	}
	for _, tt := range []struct {
		name          string
		before, after Item
		want          func(feed.ChangedItem) bool
	}{
		{"a message", nil, message, func(i feed.ChangedItem) bool { return i.Message != nil && i.Message.ID == id && i.Message.Text == "x" }},
		{"a membership", nil, member, func(i feed.ChangedItem) bool { return i.Member != nil && *i.Member == bob }},
		{"a membership that counts again with a change", closed, MemberItem(chat.Membership{Room: "seattle", User: "bob", Name: "Bob", Role: policy.Moderator, JoinedAt: noon}), func(i feed.ChangedItem) bool { return i.Member != nil }},
		{"a membership that ended", member, nil, func(i feed.ChangedItem) bool { return i.Member == nil }},
		{"a membership whose name cannot be read", nil, nameless, func(i feed.ChangedItem) bool { return i.Member == nil }},
		{"a public room", nil, public, func(i feed.ChangedItem) bool { return i.Room != nil && i.Room.Name == "Seattle" && !i.Room.Private }},
		{"a private room", nil, hidden, func(i feed.ChangedItem) bool { return i.Room != nil && i.Room.Private }},
		{"a room's digest key", nil, public, func(i feed.ChangedItem) bool { return i.Room.DigestKey == nil }},
	} {
		got, err := ParseChange(tt.before, tt.after)
		if err != nil || !got.InFeed || !tt.want(got.Item) {
			t.Errorf("%s: %+v, %v, %v", tt.name, got.Item, got.InFeed, err)
		}
	}
}

// TestParseChange_ImportedMentionIsNoEvent reads new rows of mentions.
func TestParseChange_ImportedMentionIsNoEvent(t *testing.T) {
	id := chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{}), User: "amsg"}
	for imported, want := range map[bool]int{true: 0, false: 1} {
		r := mention.Row{Room: "seattle", User: "bob", Seq: 42, Message: id, ReceivedAt: noon, At: noon, Imported: imported}
		item, u := MentionKey(r), MentionUpdate(r)
		for placeholder, value := range u.Values {
			item[u.Names["#"+placeholder[1:]]] = value
		}
		c, err := ParseChange(nil, item)
		if err != nil || len(c.Personal) != want {
			t.Errorf("imported %t: %+v, %v", imported, c.Personal, err)
		}
	}
}
