package table_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/document"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/incoming"
	"example.com/parley/internal/invite"
	"example.com/parley/internal/mention"
	"example.com/parley/internal/people"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/poll"
	"example.com/parley/internal/privateroom"
	"example.com/parley/internal/reaction"
	"example.com/parley/internal/report"
	"example.com/parley/internal/saved"
	"example.com/parley/internal/shard"
	"example.com/parley/internal/table"
	"example.com/parley/internal/thread"
	"example.com/parley/internal/timer"
)

// keyChart is the page that shows every key.
const keyChart = "../../docs/keys.md"

// noon is the time of the examples.
var noon = time.Date(2018, 8, 29, 12, 0, 0, 123_000_000, time.UTC)

// example is an item of a kind, or only its keys.
type example struct {
	kind table.Kind
	item table.Item
}

// examples returns items of every kind, for the examples of the key chart.
func examples() []example {
	id := chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{}), User: "amsg"}
	room := chat.Room{ID: "seattle", Place: []string{"USA", "WA", "Seattle"}, CreatedAt: noon, Shards: 1}
	metadata, permissions, shards := table.RoomItems(room, shard.Fixed(1))
	charter, charterPermissions := document.Items(document.Document{Room: "seattle", ID: "charter"})
	person := people.Person{User: "e129", Name: "Rhianna Cohen", Title: "Director of Technology", Former: []string{"System Architect"}, State: "CA", Metadata: "{}"}
	moderator := hook.Hook{ID: "moderator", Holder: "helpdesk", CreatedAt: noon}
	root := thread.Root{Room: "seattle", ID: chat.MessageID{UUID: id.UUID, User: "bob"}}
	all := []example{
		{table.SlowKind, table.SlotKey("seattle", "amsg")}, {table.ReadKind, table.ReadMarkerKey("seattle", "amsg")}, {table.FeedHeadKind, table.FeedHeadKey("seattle")},
		{table.UploadKind, table.UploadKey("seattle", "amsg", id.UUID)}, {table.UploadsKind, table.UploadsKey("amsg", noon)},
		{table.HookKind, hook.Item(moderator)}, {table.RoomHookKind, hook.Item(hook.Hook{ID: "tickets", Holder: hook.OfRoom("seattle"), CreatedAt: noon})}, {table.HookCursorKind, moderator.CursorKey("seattle")}, {table.HookDueKind, moderator.DueKey("seattle")}, {table.HookAnswerKind, moderator.AnswerKey()},
		{table.HookDeliveryKind, moderator.DeliveryKey()}, {table.TimerKind, timer.Timer{At: noon, Name: "hook#helpdesk#moderator#1535544000123"}.Key()},
		{table.PictureKind, table.PictureItem("amsg", id.UUID)},
		{table.BlocksKind, table.BlocksKey("amsg")}, {table.NotifyKind, table.NotifyKey("amsg")}, {table.AccountKind, table.AccountKey("amsg")},
		{table.InvitesKind, table.InvitesKey("seattle")}, {table.IncomingListKind, table.IncomingListKey("seattle")}, {table.PinsKind, table.PinsKey("seattle")},
		{table.ImportedKind, table.ImportedKey(chat.MemberOf{Room: "seattle", User: "amsg"})}, {table.ReactedKind, table.ReactedKey("seattle", "2018-08")}, {table.ImportKeyKind, table.ImportKeyKey()}, {table.MentionedKind, table.MentionLedgerKey("seattle", id)},
		{table.ReplyKind, reference(thread.Reference{Root: root, Reply: id, ReceivedAt: noon})},
		{table.ReplyKind, reference(thread.Reference{Root: root, Reply: id, ReceivedAt: noon, ShowInRoom: true})},
		{table.ThreadKind, indexed(table.ThreadKey(root.Room, root.ID), thread.Update(root, noon))},
	}
	for _, following := range []bool{true, false} {
		f := thread.Follow{Root: root, User: "amsg", Following: following}
		all = append(all, example{table.FollowKind, indexed(f.Key(), thread.FollowUpdate(f))})
	}
	for _, r := range []mention.Row{{Room: "seattle", User: "bob", Seq: 42, Message: id, ReceivedAt: noon}, {Room: "seattle", Seq: 42, Message: id}} {
		all = append(all, example{table.MentionKind, indexed(mention.Key(r), mention.Update(r))})
	}
	cid := chat.MemberOf{Room: "seattle", User: "cid"}
	all = append(all, example{table.RoleKind, indexed(table.RoleKey(cid.Room, cid.User), table.ListClosed(cid))})
	items := []table.Item{
		table.MessageItem(chat.Message{Room: "seattle", ID: id, ReceivedAt: noon}, 0),
		table.MessageItem(chat.Message{Room: "seattle", ID: id, ReceivedAt: noon, Thread: root.ID}, 0),
		metadata, permissions, shards, table.RoomTombstone(chat.RoomDeletion{Room: room}), table.RoomTombstone(chat.RoomDeletion{Room: chat.Room{ID: "seattle", Channel: "C024BE91L"}}),
		table.MemberItem(chat.Membership{Room: "seattle", User: "amsg", Name: "Amsel Gruber"}),
		table.RoleItem(chat.Membership{Room: "seattle", User: "amsg", Name: "Amsel Gruber", Role: policy.Member}),
		table.RoleItem(chat.Membership{Room: "seattle", User: "bob", Name: "Amsel Gruber", Role: policy.Banned}),
		charter, charterPermissions,
		table.DirectItem(chat.Room{ID: "seattle", Direct: []chat.UserID{"amsg", "bob"}}), table.DirectItem(chat.Room{ID: "seattle", Direct: []chat.UserID{"amsg", "bob", "cy"}}),
		table.RoomRequestItem(privateroom.Request{ID: id.UUID, Caller: "amsg", Room: "seattle"}),
		report.Item(report.Report{Room: "seattle", ID: report.ID{Message: chat.MessageID{UUID: id.UUID, User: "bob"}, Reporter: "amsg"}, CreatedAt: noon}),
		incoming.Item(incoming.Webhook{ID: "5bf1c0a4e1f34a7b9c0d2e6f8a1b3c5d", Room: "seattle", CreatedAt: noon}),
		people.BotItem(chat.BotID("5bf1c0a4e1f34a7b9c0d2e6f8a1b3c5d"), "Alerts"),
		invite.Item(invite.Invitation{ID: "9f86d081884c7d659a2feaa0c55ad015", Room: "seattle", CreatedAt: noon}),
		poll.Item(chat.Vote{Room: "seattle", Message: id, User: "bob", Choices: chat.Choose(0, 2)}),
		reaction.Item(reaction.Reaction{Room: "seattle", Message: id, Emoji: "👍", User: "bob", ReceivedAt: noon}),
		saved.Item("amsg", saved.Entry{Room: "seattle", Message: chat.MessageID{UUID: id.UUID, User: "bob"}, At: noon}),
		table.SegmentItem(feed.Segment{Room: "seattle", First: 1, Changes: []feed.Change{{Type: feed.RoomChanged}}}),
	}
	for version := 1; version <= 2; version++ {
		v, newest := document.PartItems(document.Part{Room: "seattle", Document: "charter", ID: "preamble", Version: version})
		items = append(items, newest, v)
	}
	for number := 1; number <= 2; number++ {
		v, newest := table.MessageVersionItems(chat.Version{Room: "seattle", ID: id, Number: number})
		items = append(items, newest, v)
	}
	items = slices.AppendSeq(items, maps.Values(people.Items(person)))
	for _, item := range items {
		all = append(all, example{table.KindOf(item), item})
	}
	return all
}

// chartKeys returns the keys of the examples as in the key chart: "PK | SK | GSI1PK | GSI1SK".
func chartKeys() []string {
	id := chat.NewUUID(noon, [10]byte{})
	names := strings.NewReplacer(id.String(), "<uuid>", "9f86d081884c7d659a2feaa0c55ad015", "<hash>", "5bf1c0a4e1f34a7b9c0d2e6f8a1b3c5d", "<id>", "9e41e15922fdfe4123964349a7555045fae99a2ae79272a7c4a467537df1fb69", "<hash>", "Amsel Gruber", "the person's name", "Rhianna Cohen", "the person's name")
	var keys []string
	for _, e := range examples() {
		var cells []string
		for _, attribute := range []string{table.PK, table.SK, table.IndexPK, table.IndexSK} {
			cells = append(cells, names.Replace(table.KeyPart(e.item, attribute)))
		}
		keys = append(keys, strings.Join(cells, " | "))
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// reference returns the keys of the reference of a reply.
func reference(ref thread.Reference) table.Item {
	u := thread.ReferenceUpdate(ref)
	u.Values[":pk"], u.Values[":sk"] = u.Values[":index"], u.Values[":position"]
	return indexed(ref.Key(), u)
}

// indexed returns a key with the index keys that an update sets.
func indexed(key table.Item, u table.Update) table.Item {
	if u.Values[":pk"] != nil && u.Values[":sk"] != nil {
		key[table.IndexPK], key[table.IndexSK] = u.Values[":pk"], u.Values[":sk"]
	}
	return key
}

// remark matches the words next to a key in the chart.
var remark = regexp.MustCompile(`\([^)]*\)|…`)

// documentedKeys returns the keys that the chart shows. A cell with several sort keys is as many
// rows.
func documentedKeys(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(keyChart)
	if err != nil {
		t.Fatal(err)
	}
	_, chart, ok := strings.Cut(string(text), "| item | PK | SK | GSI1PK | GSI1SK |\n")
	if !ok {
		t.Fatalf("%s has no key chart", keyChart)
	}
	chart, _, _ = strings.Cut(chart, "\n\n")
	var keys []string
	for _, line := range strings.Split(chart, "\n")[1:] {
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if len(cells) != 5 {
			t.Fatalf("a row of the chart has %d cells: %s", len(cells), line)
		}
		for i, c := range cells {
			cells[i] = strings.TrimSpace(strings.ReplaceAll(remark.ReplaceAllString(c, ""), "`", ""))
		}
		for _, sk := range strings.Split(cells[2], ",") {
			keys = append(keys, fmt.Sprintf("%s | %s | %s | %s", cells[1], strings.TrimSpace(sk), cells[3], cells[4]))
		}
	}
	slices.Sort(keys)
	return keys
}

// TestRoomRange_HoldsTheRoomsOwnItemsAlone fails where a new item would be read, and paid for,
// with every room.
func TestRoomRange_HoldsTheRoomsOwnItemsAlone(t *testing.T) {
	var own []string
	for _, key := range chartKeys() {
		if f := strings.Split(key, " | "); f[0] == table.RoomPK("seattle") && f[1] >= table.RoomRange().Low && f[1] <= table.RoomRange().High {
			own = append(own, f[1])
		}
	}
	if want := []string{"metadata", "permissions", "shards"}; !slices.Equal(slices.Compact(own), want) { // a tombstone replaces the metadata
		t.Errorf("with a room %q are read, want %q", own, want)
	}
}

// TestItems_AreInTheKeyChart compares the chart with the keys that the code writes, both ways.
func TestItems_AreInTheKeyChart(t *testing.T) {
	code, documented := chartKeys(), documentedKeys(t)
	for _, k := range code {
		if !slices.Contains(documented, k) {
			t.Errorf("%s does not show  %s", keyChart, k)
		}
	}
	for _, k := range documented {
		if !slices.Contains(code, k) {
			t.Errorf("the code does not write  %s", k)
		}
	}
}

func TestLogKeys_AreInTheKeyChart(t *testing.T) {
	text, err := os.ReadFile(keyChart)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2018, 8, 29, 12, 0, 0, 123_456_000, time.UTC)
	number, _ := table.LogTime(at).(*types.AttributeValueMemberN)
	for _, key := range []string{
		table.DeviceLogPK("amsg", "phone"), table.DeviceLogPK("r", "phone"), table.RoomPK("seattle"), table.PersonAuditPK("bob"), number.Value,
	} {
		if !strings.Contains(string(text), "`"+key+"`") {
			t.Errorf("%s does not show %s", keyChart, key)
		}
	}
}
