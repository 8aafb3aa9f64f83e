package stack_test

import (
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/account"
	"example.com/parley/internal/block"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/document"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/mention"
	"example.com/parley/internal/people"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/poll"
	"example.com/parley/internal/privateroom"
	"example.com/parley/internal/reaction"
	"example.com/parley/internal/shard"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/table"
	"example.com/parley/internal/thread"
)

// sample is a change of one item, as the stream reports it, and whether the feed function should
// receive it.
type sample struct {
	what          string
	before, after table.Item
	passes        bool
}

// recorded is a sample with its record.
type recorded struct {
	sample
	record map[string]any
}

// recordedSamples returns all samples with their records, which every template is compared with.
var recordedSamples = sync.OnceValue(func() []recorded {
	var all []recorded
	for _, s := range samples() {
		all = append(all, recorded{s, s.asRecord()})
	}
	return all
})

// asRecord returns the change as Lambda compares it with patterns. The patterns use only strings;
// other attributes are left empty.
func (s sample) asRecord() map[string]any {
	image := func(item table.Item) map[string]any {
		fields := map[string]any{}
		for name, value := range item {
			fields[name] = map[string]any{}
			if text, ok := value.(*types.AttributeValueMemberS); ok {
				fields[name] = map[string]any{"S": text.Value}
			}
		}
		return fields
	}
	change := map[string]any{}
	name := "MODIFY"
	if s.before != nil {
		change["OldImage"] = image(s.before)
	} else {
		name = "INSERT"
	}
	if s.after != nil {
		change["NewImage"] = image(s.after)
	} else {
		name = "REMOVE"
	}
	return map[string]any{"eventName": name, "dynamodb": change}
}

// made, changed and removed are the possible changes of an item.
func made(what string, item table.Item, passes bool) sample {
	return sample{what + " made", nil, item, passes}
}

func changed(what string, item table.Item, passes bool) sample {
	return sample{what + " changed", item, item, passes}
}

func removed(what string, item table.Item, passes bool) sample {
	return sample{what + " removed", item, nil, passes}
}

// samples are changes of every kind of item that the code writes.
func samples() []sample {
	noon := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	id := chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{1}), User: "amsg"}
	message := table.MessageItem(chat.Message{Room: "seattle", ID: id, ReceivedAt: noon, Text: "hello"}, 0)
	member := chat.Membership{Room: "seattle", User: "amsg", Name: "Amsel", Role: policy.Member, JoinedAt: noon}
	gone := member
	gone.Left = true
	room, permissions, shards := table.RoomItems(chat.Room{ID: "seattle", CreatedBy: "amsg", CreatedAt: noon}, shard.Fixed(1))
	all := []sample{
		made("a message", message, true), changed("a message", message, true), removed("a message", message, false),
		made("a membership", table.MemberItem(member), true), removed("a membership", table.MemberItem(member), true),
		{"a membership that is left", table.MemberItem(member), table.MemberItem(gone), true},
		made("a room", room, true), changed("a room", room, true), removed("a room", room, false),
	}
	root := thread.Root{Room: "seattle", ID: id}
	follow := thread.Follow{Root: root, User: "bob", Following: true}
	row := mention.Row{Room: "seattle", User: "bob", Seq: 1, Message: id, ReceivedAt: noon, At: noon}
	for what, item := range map[string]table.Item{ // for one person's connections
		"a read marker":     updated(table.ReadMarkerKey("seattle", "amsg"), inbox.MarkerUpdate(inbox.ReadMarker{})),
		"a mention":         updated(mention.Key(row), mention.Update(row)),
		"a thread followed": updated(follow.Key(), thread.FollowUpdate(follow)),
		"a list of blocks":  updated(table.BlocksKey("amsg"), block.Addition("bob", 1)),
	} {
		all = append(all, made(what, item, true), changed(what, item, true), removed(what, item, false))
	}
	pins := table.PinsKey("seattle")
	for name, text := range map[string]string{table.AttrType: string(table.PinsKind), table.AttrFeed: "seattle", "changed": id.String(), "pinned": "yes"} {
		pins[name] = &types.AttributeValueMemberS{Value: text}
	}
	for _, name := range []string{"v", "rev"} {
		pins[name] = &types.AttributeValueMemberN{Value: "1"}
	}
	all = append(all, made("a room's pins", pins, true), changed("a room's pins", pins, true), removed("a room's pins", pins, false))
	banned := member
	banned.Role = policy.Banned
	all = append(all, made("a ban", table.RoleItem(banned), true), changed("a ban", table.RoleItem(banned), true), removed("a ban", table.RoleItem(banned), false))
	reacted := reaction.Item(reaction.Reaction{Room: "seattle", Message: id, Emoji: "👍", User: "bob", ReceivedAt: noon})
	all = append(all, made("a reaction", reacted, true), removed("a reaction", reacted, true))
	vote := poll.Item(chat.Vote{Room: "seattle", Message: id, User: "bob", Choices: chat.Choose(1)})
	upload := table.UploadKey("seattle", "amsg", id.UUID)
	table.Stamp(upload, table.UploadKind)
	all = append(all, made("an upload", upload, false), changed("an upload", upload, false), removed("an upload", upload, true))
	all = append(all, made("a vote", vote, true), changed("a vote", vote, true), removed("a vote", vote, true))
	suspend := account.SuspendUpdate(account.Suspension{At: noon, By: "help-desk"})
	active := updated(table.AccountKey("amsg"), suspend)
	suspended := maps.Clone(active)
	suspended[table.AttrSuspended] = suspend.Values[":by"]
	all = append(all, made("a suspended account", suspended, true), changed("a suspended account", suspended, true), removed("a suspended account", suspended, false),
		sample{"an account whose suspension ends", suspended, active, false})
	erasing := maps.Clone(suspended)
	erasing["eraseStep"] = &types.AttributeValueMemberN{Value: "1"}
	all = append(all, sample{"an account that requests a step of an erasure", suspended, erasing, true})
	quiet := map[string]table.Item{
		"an account":         active,
		"a membership state": table.RoleItem(member),
		"who may post":       permissions, "the shards' epochs and rate counter": shards,
		"a segment of a feed": table.SegmentItem(feed.Segment{Room: "seattle", First: 1, Changes: []feed.Change{{Type: feed.RoomChanged}}}),
	}
	quiet["a version of a message"], quiet["the newest version of a message"] = table.MessageVersionItems(chat.Version{Room: "seattle", ID: id, Number: 1, At: noon})
	pair := chat.Room{ID: "p-01234567890123456789", Private: true, Direct: []chat.UserID{"amsg", "bob"}, CreatedBy: "amsg", CreatedAt: noon}
	quiet["the record of a direct room"] = table.DirectItem(pair)
	quiet["a request for a room"] = table.RoomRequestItem(privateroom.Request{ID: id.UUID, Caller: "amsg", Room: pair.ID})
	quiet["a document"], quiet["who may read a document"] = document.Items(document.Document{Room: "seattle", ID: "charter"})
	quiet["a version of a part"], quiet["the newest version of a part"] = document.PartItems(document.Part{Room: "seattle", Document: "charter", ID: "preamble", Version: 1})
	for sk, item := range people.Items(people.Person{User: "amsg", Name: "Amsel", Title: "Lead", State: "CA", Former: []string{"Intern"}, Metadata: "{}"}) {
		quiet["a person's "+sk] = item
	}
	for _, kind := range table.Kinds() {
		if kind.Stream == table.NoStream && !kind.Removals {
			item := table.Key("p#seattle", "x") // the tests of internal/table check its other attributes
			table.Stamp(item, kind.Kind)
			quiet["an item of the kind "+string(kind.Kind)] = item
		}
	}
	quiet["an item of a later version"] = table.Key("p#seattle", "draft")
	quiet["an item of a later version"][table.AttrType] = &types.AttributeValueMemberS{Value: "draft"}
	marked := maps.Clone(quiet["an item of a later version"])
	marked[table.AttrFeed] = &types.AttributeValueMemberS{Value: "seattle"}
	const later = "an item of a later version that a feed reports"
	all = append(all, made(later, marked, true), changed(later, marked, true), removed(later, marked, false))
	for what, item := range quiet {
		all = append(all, made(what, item, false), changed(what, item, false), removed(what, item, false))
	}
	return all
}

// updated is the item after an update that changes nothing, by its type.
func updated(key table.Item, u table.Update) table.Item {
	item := maps.Clone(key)
	item[table.AttrType] = u.Values[":type"]
	return item
}

func TestFilters_PassEveryChangeOfAFeed(t *testing.T) {
	told := map[string]bool{}
	for _, s := range samples() {
		kind, _ := s.after[table.AttrType].(*types.AttributeValueMemberS)
		if kind == nil {
			kind, _ = s.before[table.AttrType].(*types.AttributeValueMemberS)
		}
		if kind == nil {
			t.Fatalf("%s has no type", s.what)
		}
		// A changed sample is the same before and after. For a message, that is no change.
		c, err := stream.ParseChange(s.before, s.after)
		if err != nil || c.InFeed && !s.passes {
			t.Errorf("%s: reported: %v, passes: %v, %v", s.what, c.InFeed, s.passes, err)
		}
		if n := len(c.Personal); n > 0 && !s.passes {
			t.Errorf("%s does not pass, and has %d personal changes", s.what, n)
		}
		told[kind.Value] = told[kind.Value] || c.InFeed
	}
	for _, kind := range table.StreamKinds(table.FeedStream) {
		if !told[kind] {
			t.Errorf("no sample of a %s is reported", kind)
		}
	}
}
