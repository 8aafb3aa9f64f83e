package stream_test

import (
	"errors"
	"maps"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/account"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/mention"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/reaction"
	"example.com/parley/internal/shard"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/table"
)

var noon = time.Date(2018, 8, 29, 12, 0, 0, 123_000_000, time.UTC)

func TestParseChange_EntersOnlyChangesForAFeed(t *testing.T) {
	id := chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{}), User: "amsg"}
	posted := chat.Message{Room: "seattle", ID: id, ReceivedAt: noon, Text: "x", Digest: []byte("d"), Revision: 1}
	message := table.MessageItem(posted, 2)
	edited, deleted := maps.Clone(message), maps.Clone(message)
	edited[table.AttrRevision], edited["editedAt"] = table.Number(2), table.Number(noon.UnixMilli())
	deleted[table.AttrRevision], deleted["deletedAt"] = table.Number(3), table.Number(noon.UnixMilli())
	replied := posted
	replied.Thread, replied.ShowInRoom = chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{1}), User: "bob"}, true
	reply := table.MessageItem(replied, 2)
	editedReply := maps.Clone(reply)
	editedReply[table.AttrRevision] = table.Number(2)
	erased := maps.Clone(edited)
	delete(erased, "digest")
	bob := chat.Membership{Room: "seattle", User: "bob", Name: "Bob", Role: policy.Member, JoinedAt: noon}
	member := table.MemberItem(bob)
	bob.Role = policy.Moderator
	moderator := table.MemberItem(bob)
	bob.Left = true
	role := table.RoleItem(bob)
	room, permissions, shards := table.RoomItems(chat.Room{ID: "seattle", CreatedAt: noon}, shard.Fixed(1))
	version, newest := table.MessageVersionItems(chat.NewestVersion(posted))
	marker := table.ReadMarkerKey("seattle", "bob")
	marker[table.AttrType] = table.Text(table.ReadKind)
	segment := table.SegmentItem(feed.Segment{Room: "seattle", First: 1, Changes: []feed.Change{{Type: feed.RoomChanged}}})
	counted := maps.Clone(edited)
	counted[table.AttrTallyVersion], counted["tally"] = table.Number(7), &types.AttributeValueMemberB{Value: []byte{1}}
	reacted := reaction.Item(reaction.Reaction{Room: "seattle", Message: id, Emoji: "👍", User: "bob", ReceivedAt: noon})
	spoiled := maps.Clone(message)
	spoiled[table.IndexSK] = table.Number(1)

	impossible := maps.Clone(message)
	impossible[table.AttrRevision] = table.Number(-1)

	later := table.Key("p#seattle", "polls")
	later[table.AttrType], later[table.AttrFeed] = table.Text("polls"), table.Text("seattle")
	private := maps.Clone(later)
	delete(private, table.AttrFeed)
	strange := maps.Clone(later)
	strange[table.AttrFeed] = table.Text("No Room")
	own := maps.Clone(segment)
	own[table.AttrFeed] = table.Text("seattle")
	pinned := maps.Clone(table.PinsKey("seattle"))
	pinned[table.AttrType], pinned["v"], pinned[table.AttrFeed] = table.Text(table.PinsKind), table.Number(1), table.Text("seattle")
	pinned[table.AttrRevision], pinned[table.AttrChanged], pinned[table.AttrPinned] = table.Number(1), table.Text(id.String()), table.Text("yes")
	unpinned, lostPins := maps.Clone(pinned), maps.Clone(pinned)
	unpinned[table.AttrRevision], unpinned[table.AttrPinned] = table.Number(2), table.Text("no")
	lostPins[table.PK] = table.Text("p#Seattle")
	polls := &feed.Change{Type: feed.UnknownChange, Key: "polls"}

	of := func(t feed.ChangeType, revision int) *feed.Change {
		return &feed.Change{Type: t, Message: id, Revision: revision}
	}
	changed := &feed.Change{Type: feed.MemberChanged, User: "bob"}
	for _, tt := range []struct {
		name          string
		before, after table.Item
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
		{name: "an item of no type", after: table.Key("a", "b")},
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
		{name: "the feed itself would be announced", after: own},
	} {
		c, err := stream.ParseChange(tt.before, tt.after)
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

func TestParseChange_ReturnsTheItemAfterTheChange(t *testing.T) {
	id := chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{}), User: "amsg"}
	message := table.MessageItem(chat.Message{Room: "seattle", ID: id, ReceivedAt: noon, Text: "x", Digest: []byte("d"), Revision: 1}, 2)
	bob := chat.Membership{Room: "seattle", User: "bob", Name: "Bob", Role: policy.Member, JoinedAt: noon}
	member := table.MemberItem(bob)
	nameless := maps.Clone(member)
	delete(nameless, "name")
	public, _, _ := table.RoomItems(chat.Room{ID: "seattle", Name: "Seattle", DigestKey: []byte("key"), CreatedAt: noon}, shard.Fixed(1))
	hidden, _, _ := table.RoomItems(chat.Room{ID: "p-seattle", Name: "Seattle", DigestKey: []byte("key"), CreatedAt: noon, Private: true}, shard.Fixed(1))
	closed := maps.Clone(member)
	closed["closed"] = table.Bool(true)
	for _, pair := range [][2]table.Item{{member, closed}, {closed, member}} {
		if got, err := stream.ParseChange(pair[0], pair[1]); err != nil || got.InFeed || got.Personal != nil {
			t.Errorf("whether a membership counts toward a limit is the change %+v, %v", got, err)
		}
	}
	for _, tt := range []struct {
		name          string
		before, after table.Item
		want          func(feed.ChangedItem) bool
	}{
		{"a message", nil, message, func(i feed.ChangedItem) bool { return i.Message != nil && i.Message.ID == id && i.Message.Text == "x" }},
		{"a membership", nil, member, func(i feed.ChangedItem) bool { return i.Member != nil && *i.Member == bob }},
		{"a membership that counts again with a change", closed, table.MemberItem(chat.Membership{Room: "seattle", User: "bob", Name: "Bob", Role: policy.Moderator, JoinedAt: noon}), func(i feed.ChangedItem) bool { return i.Member != nil }},
		{"a membership that ended", member, nil, func(i feed.ChangedItem) bool { return i.Member == nil }},
		{"a membership whose name cannot be read", nil, nameless, func(i feed.ChangedItem) bool { return i.Member == nil }},
		{"a public room", nil, public, func(i feed.ChangedItem) bool { return i.Room != nil && i.Room.Name == "Seattle" && !i.Room.Private }},
		{"a private room", nil, hidden, func(i feed.ChangedItem) bool { return i.Room != nil && i.Room.Private }},
		{"a room's digest key", nil, public, func(i feed.ChangedItem) bool { return i.Room.DigestKey == nil }},
	} {
		got, err := stream.ParseChange(tt.before, tt.after)
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
		item, u := mention.Key(r), mention.Update(r)
		for placeholder, value := range u.Values {
			item[u.Names["#"+placeholder[1:]]] = value
		}
		c, err := stream.ParseChange(nil, item)
		if err != nil || len(c.Personal) != want {
			t.Errorf("imported %t: %+v, %v", imported, c.Personal, err)
		}
	}
}

// TestParseChange_NamesTheSuspended reads accounts as the stream reports them.
func TestParseChange_NamesTheSuspended(t *testing.T) {
	t.Parallel()
	item := table.AccountKey("bob")
	table.Stamp(item, table.AccountKind)
	if c, err := stream.ParseChange(nil, item); c.Suspended != "" || err != nil {
		t.Errorf("an active person: %q, %v", c.Suspended, err)
	}
	item["suspendedAt"], item["suspendedBy"] = table.Number(noon.UnixMilli()), table.Text("help-desk")
	if c, err := stream.ParseChange(nil, item); c.Suspended != "bob" || err != nil {
		t.Errorf("a suspended person: %q, %v", c.Suspended, err)
	}
	item[table.AttrType] = table.Text(table.BlocksKind)
	for name, other := range map[string]table.Item{"another item": item, "no item": nil} {
		if c, _ := stream.ParseChange(nil, other); c.Suspended != "" {
			t.Errorf("%s: %q", name, c.Suspended)
		}
	}
}

// TestParseChange_RequestsAStepOnce reads changes of accounts as the stream reports them.
func TestParseChange_RequestsAStepOnce(t *testing.T) {
	t.Parallel()
	at := func(user chat.UserID, suspended bool, step int64) table.Item {
		item := table.AccountKey(user)
		table.Stamp(item, table.AccountKind)
		if suspended {
			item["suspendedAt"], item["suspendedBy"] = table.Number(noon.UnixMilli()), table.Text("desk")
		}
		item["erasedAt"], item["erasedBy"] = table.Number(noon.UnixMilli()), table.Text("desk")
		if step > 0 {
			item[table.AttrEraseStep] = table.Number(step)
		}
		return item
	}
	other := at("bob", true, 2)
	other["later"] = table.Text("x")
	for name, tt := range map[string]struct {
		before, after table.Item
		want          account.ErasureStep
	}{
		"the first step":          {at("bob", true, 0), at("bob", true, 1), account.ErasureStep{User: "bob", Step: 1}},
		"an account made anew":    {nil, at("bob", true, 1), account.ErasureStep{User: "bob", Step: 1}},
		"the next step":           {at("bob", true, 1), at("bob", true, 2), account.ErasureStep{User: "bob", Step: 2}},
		"another attribute":       {at("bob", true, 2), other, account.ErasureStep{}},
		"the end":                 {at("bob", true, 2), at("bob", true, 0), account.ErasureStep{}},
		"somebody not suspended":  {nil, at("bob", false, 1), account.ErasureStep{}},
		"an account that is gone": {at("bob", true, 1), nil, account.ErasureStep{}},
		"no user's account":       {nil, at("b#b", true, 1), account.ErasureStep{}},
	} {
		if c, err := stream.ParseChange(tt.before, tt.after); c.Erasure != tt.want || err != nil {
			t.Errorf("%s: %+v, %v, want %+v", name, c.Erasure, err, tt.want)
		}
	}
}

// TestParseChange_ReactionIsARowAndPersonal reads a reaction that was added and removed.
func TestParseChange_ReactionIsARowAndPersonal(t *testing.T) {
	t.Parallel()
	id := chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{}), User: "amsg"}
	const emoji, user = "👍", "a:b@c"
	item := reaction.Item(reaction.Reaction{Room: "seattle-1", Message: id, Emoji: emoji, User: user, ReceivedAt: noon})
	put, err := stream.ParseChange(nil, item)
	if want := (feed.RowChange{Message: id, User: user, Emoji: emoji}); put.Room != "seattle-1" || *put.Row != want || put.InFeed || err != nil {
		t.Errorf("the row is %q %+v, %v", put.Room, put.Row, err)
	}
	removed, err := stream.ParseChange(item, nil)
	if err != nil || !removed.Row.Removed {
		t.Error("a removed row is not removed", err)
	}
	p := put.Personal
	if len(p) != 1 || p[0].User != user || !p[0].Mine || p[0].Emoji != emoji || p[0].Message != id || p[0].Room != "seattle-1" {
		t.Errorf("personal: %+v", p)
	}
	if p := removed.Personal; len(p) != 1 || p[0].Mine {
		t.Errorf("personal, removed: %+v", p)
	}
}
