package table

import (
	"maps"
	"sort"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/shard"
)

var noon = time.Date(2018, 8, 29, 12, 0, 0, 123_000_000, time.UTC)

// The keys are a stored format. They match the chart.
func TestKey_MatchesTheChart(t *testing.T) {
	id := chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), User: "amsg"}
	later := chat.Position{At: noon.Add(time.Hour), ID: id}
	for name, pair := range map[string][2]string{
		"partition key of a message": {ShardPK("seattle", 0), "seattle-1"},
		"sort key of a message":      {MessageSK(id), "amsg#2018-08-29:12:00:00.123#0165858d-fe7b-7102-8304-05060708090a"},
		"index key of a message":     {MessageIndexSK(later), "2018-08-29:13:00:00.123#amsg#0165858d-fe7b-7102-8304-05060708090a"},
		"partition key of a room":    {RoomPK("seattle"), "r#seattle"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s is %s, want %s", name, pair[0], pair[1])
		}
	}
}

func users() *rapid.Generator[chat.UserID] {
	return rapid.Map(rapid.StringMatching(`[A-Za-z0-9._@|:+=-]{1,64}`), func(s string) chat.UserID { return chat.UserID(s) })
}

func times() *rapid.Generator[time.Time] {
	const end = 253402300799999 // the last millisecond of 9999
	return rapid.Map(rapid.Int64Range(0, end), func(ms int64) time.Time { return time.UnixMilli(ms).UTC() })
}

// few draws times that are often equal.
func few() *rapid.Generator[time.Time] {
	return rapid.Map(rapid.IntRange(0, 5), func(n int) time.Time { return noon.Add(time.Duration(n) * time.Millisecond) })
}

func ids(at *rapid.Generator[time.Time]) *rapid.Generator[chat.MessageID] {
	return rapid.Custom(func(t *rapid.T) chat.MessageID {
		var tail [10]byte
		copy(tail[:], rapid.SliceOfN(rapid.Byte(), 10, 10).Draw(t, "tail"))
		return chat.MessageID{UUID: chat.NewUUID(at.Draw(t, "at"), tail), User: users().Draw(t, "user")}
	})
}

func TestMessageSK_ReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		room := chat.RoomID(rapid.StringMatching(`[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?`).Draw(t, "room"))
		n := rapid.IntRange(0, chat.MaxShards-1).Draw(t, "shard")
		if r, s, err := ParseShardPK(ShardPK(room, n)); err != nil || r != room || s != n {
			t.Fatalf("%s reads as %s %d, %v", ShardPK(room, n), r, s, err)
		}
		id := ids(times()).Draw(t, "id")
		if got, err := ParseMessageSK(MessageSK(id)); err != nil || got != id {
			t.Fatalf("%s reads as %v, %v", MessageSK(id), got, err)
		}
		p := chat.Position{At: times().Draw(t, "received"), ID: id}
		if got, err := ParseMessageIndexSK(MessageIndexSK(p)); err != nil || got != p {
			t.Fatalf("%s reads as %v, %v", MessageIndexSK(p), got, err)
		}
	})
}

func TestMessageIndexSK_SortsAsPositions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := chat.Position{At: few().Draw(t, "a"), ID: ids(few()).Draw(t, "ida")}
		b := chat.Position{At: few().Draw(t, "b"), ID: ids(few()).Draw(t, "idb")}
		if rapid.Bool().Draw(t, "same user") {
			b.ID.User = a.ID.User
		}
		if got := strings.Compare(MessageIndexSK(a), MessageIndexSK(b)); got != a.Compare(b) {
			t.Fatalf("keys %s and %s compare as %d, positions as %d", MessageIndexSK(a), MessageIndexSK(b), got, a.Compare(b))
		}
		a.At, b.At = a.ID.SentAt(), b.ID.SentAt()
		if a.ID.User != b.ID.User {
			return
		}
		if got := strings.Compare(MessageSK(a.ID), MessageSK(b.ID)); got != a.Compare(b) {
			t.Fatalf("keys %s and %s compare as %d, positions as %d", MessageSK(a.ID), MessageSK(b.ID), got, a.Compare(b))
		}
	})
}

func TestRange_ContainsExactlyTheKeysOfItsSpan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := ids(few()).Draw(t, "id")
		m := chat.Message{Room: "seattle", ID: id, ReceivedAt: few().Draw(t, "received")}
		s := chat.MessageRange{Room: "seattle", Order: chat.Order(rapid.IntRange(0, 1).Draw(t, "order"))}
		if rapid.Bool().Draw(t, "of a user") {
			s.User = rapid.SampledFrom([]chat.UserID{id.User, id.User + "x", "a"}).Draw(t, "user")
		}
		half := time.Duration(rapid.IntRange(-3, 8).Draw(t, "half")) * 500 * time.Microsecond
		if rapid.Bool().Draw(t, "from") {
			s.From = noon.Add(half)
		}
		if rapid.Bool().Draw(t, "to") {
			s.To = noon.Add(half + time.Duration(rapid.IntRange(0, 5).Draw(t, "length"))*time.Millisecond)
		}
		if rapid.Bool().Draw(t, "after") {
			after := ids(few()).Draw(t, "after id")
			if s.User != "" {
				after.User = s.User
			}
			p := s.PositionOf(chat.Message{ID: after, ReceivedAt: few().Draw(t, "after received")})
			s.After = &p
		}
		key := MessageSK(id)
		if s.User == "" {
			key = MessageIndexSK(chat.Position{At: m.ReceivedAt, ID: id})
		}
		r := SpanRange(s)
		got := !r.Empty() && r.Low <= key && key <= r.High && key != r.Exclusive
		if want := holds(s, m); got != want {
			t.Fatalf("range %+v of %+v holds %s: %v, want %v", r, s, key, got, want)
		}
	})
}

// holds reports whether a position lies in a span, without keys.
func holds(s chat.MessageRange, m chat.Message) bool {
	p := s.PositionOf(m)
	if s.User != "" && s.User != m.ID.User ||
		!s.From.IsZero() && p.At.Before(s.From) || !s.To.IsZero() && !p.At.Before(s.To) {
		return false
	}
	if s.After == nil {
		return true
	}
	if s.Order == chat.Oldest {
		return p.Compare(*s.After) > 0
	}
	return p.Compare(*s.After) < 0
}

func someMentions(t *rapid.T) (m chat.Mentions) {
	m.Room = rapid.Bool().Draw(t, "mentions the room")
	if rapid.Bool().Draw(t, "mentions people") {
		m.Users = []chat.UserID{"bob", "eve"}
	}
	return m
}

func TestMessageItem_ReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := chat.Message{
			Room: "seattle-1", ID: ids(times()).Draw(t, "id"), Text: rapid.String().Draw(t, "text"), Metadata: rapid.String().Draw(t, "metadata"), Mentions: someMentions(t),
			ReceivedAt: times().Draw(t, "received"), Digest: []byte("0123456789abcdef"), Revision: 1,
		}
		if rapid.Bool().Draw(t, "quotes") {
			want.Quote = ids(times()).Draw(t, "quote")
		}
		item := MessageItem(want, 3)
		got, err := ParseMessage(item)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

func roomItems() []Item {
	room := chat.Room{ID: "seattle", Name: "Seattle", CreatedBy: "amsg", CreatedAt: noon, Shards: 4, DigestKey: []byte("k")}
	m, p, s := RoomItems(room, shard.Epochs{{From: time.Unix(0, 0).UTC(), N: 1}, {From: time.Unix(9, 0).UTC(), N: 4}})
	return []Item{m, p, s}
}

func TestRoomItems_ReadBack(t *testing.T) {
	room, epochs, err := ParseRoom("seattle", roomItems())
	if err != nil || room.Shards != 4 || len(epochs) != 2 || room.Name != "Seattle" || !room.CreatedAt.Equal(noon) {
		t.Errorf("got %+v, %v, %v", room, epochs, err)
	}
}

func TestParseMessage_ReadsNewerItems(t *testing.T) {
	items := roomItems()
	future := Key("r#seattle", "something new")
	for _, item := range items {
		item[attrVersion] = Number(schemaVersion + 1)
		item["new"] = Text("attribute")
	}
	if _, _, err := ParseRoom("seattle", append(items, future)); err != nil {
		t.Error(err)
	}
	m := MessageItem(chat.Message{Room: "seattle", ID: chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{}), User: "amsg"}, ReceivedAt: noon}, 0)
	m[attrVersion], m["new"] = Number(schemaVersion+1), Text("attribute")
	delete(m, attrText)
	delete(m, attrDigest)
	if _, err := ParseMessage(m); err != nil {
		t.Errorf("a message whose text and digest were erased: %v", err)
	}
	m[attrVersion] = Number(schemaVersion + 2)
	if _, err := ParseMessage(m); err == nil {
		t.Error("a message two versions ahead was read")
	}
}

func TestParseMessage_RefusesOtherItems(t *testing.T) {
	id := chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{}), User: "amsg"}
	for name, change := range map[string]func(Item){
		"another type":           func(i Item) { i[attrType] = Text("room") },
		"no type":                func(i Item) { delete(i, attrType) },
		"no index key":           func(i Item) { delete(i, IndexSK) },
		"a key of another kind":  func(i Item) { i[SK] = Number(1) },
		"time and uuid disagree": func(i Item) { i[SK] = Text("amsg#2018-08-29:12:00:00.124#" + id.UUID.String()) },
		"a room as partition":    func(i Item) { i[PK] = Text("r#seattle") },
		"shard 0":                func(i Item) { i[PK] = Text("seattle-0") },
		"shard 01":               func(i Item) { i[PK] = Text("seattle-01") },
		"a version of no number": func(i Item) { i[attrVersion] = &types.AttributeValueMemberN{Value: "x"} },
	} {
		item := MessageItem(chat.Message{Room: "seattle", ID: id, Text: "x", ReceivedAt: noon}, 0)
		change(item)
		if _, err := ParseMessage(item); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestSeparatorsSortBelowEveryUserCharacter(t *testing.T) {
	var all []string
	for c := range 256 {
		if chat.UserByte(byte(c)) {
			all = append(all, string(rune(c)))
		}
	}
	sort.Strings(all)
	if all[0] <= "#" {
		t.Errorf("%q sorts before the separator, so users would not sort as keys do", all[0])
	}
}

func FuzzParseKeys(f *testing.F) {
	id := chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{}), User: "amsg"}
	f.Add(MessageSK(id))
	f.Add(MessageIndexSK(chat.Position{At: noon, ID: id}))
	f.Add("seattle-1")
	f.Add("amsg#2018-02-30:12:00:00.123#0165856c-a35b-7102-8304-05060708090a")
	f.Fuzz(func(t *testing.T, s string) {
		if id, err := ParseMessageSK(s); err == nil && MessageSK(id) != s {
			t.Errorf("%q reads as %v, which is written %q", s, id, MessageSK(id))
		}
		if p, err := ParseMessageIndexSK(s); err == nil && MessageIndexSK(p) != s {
			t.Errorf("%q reads as %v, which is written %q", s, p, MessageIndexSK(p))
		}
		if room, n, err := ParseShardPK(s); err == nil && ShardPK(room, n) != s {
			t.Errorf("%q reads as %s %d, which is written %q", s, room, n, ShardPK(room, n))
		}
	})
}

func TestParseRoom_PrivateByItsID(t *testing.T) {
	room := chat.Room{ID: "p-aaaaaaaaaaaaaaaaaaaa", Name: "n", CreatedBy: "m", CreatedAt: noon, Shards: 1, Private: true, DigestKey: []byte("k")}
	metadata, permissions, shards := RoomItems(room, shard.Fixed(1))
	if got, _, err := ParseRoom(room.ID, []Item{metadata, permissions, shards}); err != nil || !got.Private {
		t.Errorf("a private room reads as %+v, %v", got, err)
	}
}

// TestPersonOf_KnowsRowsOfThreads finds the person of a row of a thread only in its room.
func TestPersonOf_KnowsRowsOfThreads(t *testing.T) {
	key := FollowKey("bob", "seattle", chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{}), User: "amsg"})
	if user, ok := PersonOf(key, "seattle"); user != "bob" || !ok {
		t.Errorf("in its room: %q, %v", user, ok)
	}
	for _, room := range []chat.RoomID{"sea", "seattle-1"} {
		if user, ok := PersonOf(key, room); ok {
			t.Errorf("in %s: %q", room, user)
		}
	}
}

// TestRoomTombstone_IsNoLiveRoom reads a tombstone as a deleted room, even if it had all attributes
// of a live one, and a live room not as a tombstone.
func TestRoomTombstone_IsNoLiveRoom(t *testing.T) {
	for _, id := range []chat.RoomID{"seattle", "p-aaaaaaaaaaaaaaaaaaaa"} {
		room := chat.Room{ID: id, Name: "n", CreatedBy: "m", CreatedAt: noon, Shards: 1, Private: id.Private(), DigestKey: []byte("k")}
		metadata, permissions, shards := RoomItems(room, shard.Fixed(1))
		tombstone := RoomTombstone(chat.RoomDeletion{Room: room, By: chat.OwnerOf(room, "m"), At: noon})
		full := maps.Clone(metadata)
		maps.Copy(full, tombstone)
		for _, item := range []Item{tombstone, full} {
			got, epochs, err := ParseRoom(id, []Item{item, permissions, shards})
			if err != nil || !got.Deleted || epochs != nil || got.Name != "" {
				t.Errorf("%s reads as %+v, %v, %v", id, got, epochs, err)
			}
		}
		if _, err := ParseRoomTombstone(metadata); err == nil {
			t.Errorf("the live room %s reads as a tombstone", id)
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

// TestPrefixRange_ContainsEveryKeyWithThePrefix tries real texts: an end such as "~" sorts before
// every emoji and every Chinese character.
func TestPrefixRange_ContainsEveryKeyWithThePrefix(t *testing.T) {
	r := PrefixRange("react#")
	for _, end := range []string{"👍#amsg", "❤#amsg", "😀", "漢字", "한국", "~", "é", "a", "A", "\U000F0000", "\U0010FFFE", ""} {
		if key := "react#" + end; key < r.Low || key > r.High {
			t.Errorf("%q is not found", key)
		}
	}
	for _, key := range []string{"react", "react\"x", "react$", "reacu", "reply#👍", "read#seattle"} {
		if key >= r.Low && key <= r.High {
			t.Errorf("%q is found", key)
		}
	}
	if last, _ := utf8.DecodeLastRuneInString(r.High); last != utf8.MaxRune {
		t.Errorf("the range ends with %U", last)
	}
}

func TestPrefixRange_IsThePrefix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Filter(func(s string) bool { return !strings.ContainsRune(s, chat.LastRune) })
		prefix, key := text.Draw(t, "prefix"), text.Draw(t, "key")
		if rapid.Bool().Draw(t, "begins so") {
			key = prefix + key
		}
		r := PrefixRange(prefix)
		if found := key >= r.Low && key <= r.High; found != strings.HasPrefix(key, prefix) {
			t.Fatalf("%q is found by %q: %v", key, prefix, found)
		}
	})
}
