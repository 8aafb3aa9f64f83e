package hook

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// The keys of hooks. All hooks share a partition, because each batch of the stream reads all. The
// rows of a hook have a partition of their own. It names when the hook was created, so that a new
// hook does not inherit the rows of a deleted one. Its sort key names its holder and its id.
const (
	hooksPK      = "hooks"
	rowsPrefix   = "hook#"
	cursorPrefix = table.HookCursorPrefix
	duePrefix    = table.HookDuePrefix
	skAnswer     = "answer"
)

// The attributes of hooks and of their rows.
const (
	attrCreated = "createdAt"
	attrRooms   = "rooms"
	attrPrefix  = "prefix"
	attrEpoch   = "epoch"
	attrFrom    = "from"
	attrSeq     = "seq"
	attrGen     = "gen"
	attrFirst   = "first"
	attrSince   = "since"
	attrAnswer  = "answer"
	attrStart   = "start"
	attrNext    = "next"
	attrURL     = "url"
	attrOff     = "off"
	attrChanged = "changedAt"
	attrTest    = "testAt"
	attrBy      = "by"
	attrTypes   = "types"
)

// Keys returns the patterns of the partitions that hold hooks and their rows.
func Keys() []string { return []string{hooksPK, rowsPrefix + "*"} }

func key(holder Holder, id ID) table.Item {
	return table.Key(hooksPK, string(holder)+"#"+string(id))
}

// rowsPK returns the partition of a hook's rows.
func (h Hook) rowsPK() string {
	return rowsPrefix + string(h.Holder) + "#" + string(h.ID) + "#" + strconv.FormatInt(h.CreatedAt.UnixMilli(), 10)
}

// CursorKey returns the primary key of the position that a program has reached in a room.
func (h Hook) CursorKey(room chat.RoomID) table.Item {
	return table.Key(h.rowsPK(), cursorPrefix+string(room))
}

// DueKey returns the primary key of the row that says that a room has changes that wait.
func (h Hook) DueKey(room chat.RoomID) table.Item {
	return table.Key(h.rowsPK(), duePrefix+string(room))
}

// AnswerKey returns the primary key of the last answer.
func (h Hook) AnswerKey() table.Item { return table.Key(h.rowsPK(), skAnswer) }

// Item returns the item of a hook.
func Item(h Hook) table.Item {
	item := key(h.Holder, h.ID)
	table.Stamp(item, h.Holder.kind())
	item[attrCreated] = table.Number(h.CreatedAt.UnixMilli())
	if len(h.Rooms) > 0 {
		item[attrRooms] = table.Set(h.Rooms)
	}
	if h.By != "" {
		item[attrBy] = table.Text(h.By)
	}
	if len(h.Types) > 0 {
		item[attrTypes] = table.Set(h.Types)
	}
	if h.Prefix != "" {
		item[attrPrefix] = table.Text(h.Prefix)
	}
	if h.URL != "" {
		item[attrURL], item[attrChanged] = table.Text(h.URL), table.Number(h.ChangedAt.UnixMilli())
	}
	if h.Off {
		item[attrOff] = table.Bool(true)
	}
	if !h.TestAt.IsZero() {
		item[attrTest] = table.Number(h.TestAt.UnixMilli())
	}
	if h.Epoch > 0 {
		item[attrEpoch], item[attrFrom] = table.Number(h.Epoch), table.Number(h.From.UnixMilli())
	}
	return item
}

// Parse reads an item that Item wrote.
func Parse(item table.Item) (Hook, error) {
	r := table.Reader{Item: item}
	holder, name, _ := strings.Cut(r.Text(table.SK), "#")
	r.Expect(Holder(holder).kind())
	id, err := ParseID(name)
	r.Keep(err)
	h := Hook{
		ID: id, Holder: Holder(holder), By: chat.UserID(r.OptionalText(attrBy)),
		CreatedAt: r.OptionalTime(attrCreated),
		Wanted:    Wanted{Prefix: r.OptionalText(attrPrefix)}, Types: r.OptionalSet(attrTypes),
		URL:       r.OptionalText(attrURL),
		ChangedAt: r.OptionalTime(attrChanged), TestAt: r.OptionalTime(attrTest),
		Epoch: r.OptionalNumber(attrEpoch), From: r.OptionalTime(attrFrom),
	}
	_, h.Off = item[attrOff]
	for _, text := range r.OptionalSet(attrRooms) {
		h.Rooms = append(h.Rooms, chat.RoomID(text))
	}
	if r.Err != nil {
		return Hook{}, fmt.Errorf("hook: %w", r.Err)
	}
	return h, nil
}

// cursor is the position up to which a program has received a room's changes.
type cursor struct {
	room  chat.RoomID
	at    chat.FeedPosition
	epoch int64
}

// cursorUpdate moves a cursor forward within an epoch, or into a later epoch.
func cursorUpdate(c cursor) table.Update {
	return table.Update{
		Expression: "SET #seq = :seq, #gen = :gen, #epoch = :epoch",
		Condition:  "attribute_not_exists(#epoch) OR #epoch < :epoch OR #epoch = :epoch AND #seq <= :seq",
		Names:      map[string]string{"#seq": attrSeq, "#gen": attrGen, "#epoch": attrEpoch},
		Values: table.Item{
			":seq": table.Number(c.at.Seq), ":gen": table.Text(c.at.Generation), ":epoch": table.Number(c.epoch),
		},
	}.Stamped(table.HookCursorKind)
}

func parseCursor(item table.Item) (cursor, error) {
	r := table.Reader{Item: item}
	r.Expect(table.HookCursorKind)
	c := cursor{
		room:  chat.RoomID(strings.TrimPrefix(r.Text(table.SK), cursorPrefix)),
		at:    chat.FeedPosition{Seq: r.Number(attrSeq), Generation: r.Text(attrGen)},
		epoch: r.Number(attrEpoch),
	}
	if r.Err != nil {
		return cursor{}, fmt.Errorf("cursor of a hook: %w", r.Err)
	}
	return c, nil
}

// due says that a room has changes that a program has not received yet.
type due struct {
	room chat.RoomID
	// seq is the first number of the newest segment that is waiting, or chat.MaxSeq if the room
	// was deleted. Only a program that has read to the end of the feed has received it.
	seq int64
	// first is the position before the first segment that the hook was told of. The room begins
	// there unless it has a cursor.
	first chat.FeedPosition
	since time.Time // when the oldest change that is waiting was noticed
}

// wake notes that a room has news. The rows of one hook and room are written in the order of the
// feed, except for repetitions.
func wake(n RoomNews, now time.Time) table.Update {
	return table.Update{
		Expression: "SET #seq = :seq, #first = if_not_exists(#first, :first), #gen = if_not_exists(#gen, :gen), " +
			"#since = if_not_exists(#since, :now)",
		Condition: "attribute_not_exists(#seq) OR #seq < :seq",
		Names:     map[string]string{"#seq": attrSeq, "#first": attrFirst, "#gen": attrGen, "#since": attrSince},
		Values: table.Item{
			":seq": table.Number(n.Seq), ":first": table.Number(n.Before), ":gen": table.Text(n.Generation),
			":now": table.Number(now.UnixMilli()),
		},
	}.Stamped(table.HookDueKind)
}

// wakeAgain makes a room due in a new epoch.
func wakeAgain(c cursor, epoch int64, now time.Time) table.Update {
	return table.Update{
		Expression: "SET #seq = if_not_exists(#seq, :seq), #first = if_not_exists(#first, :seq), " +
			"#gen = if_not_exists(#gen, :gen), #since = if_not_exists(#since, :now), #epoch = :epoch",
		Names: map[string]string{
			"#seq": attrSeq, "#first": attrFirst, "#gen": attrGen, "#since": attrSince, "#epoch": attrEpoch,
		},
		Values: table.Item{
			":seq": table.Number(c.at.Seq), ":gen": table.Text(c.at.Generation), ":now": table.Number(now.UnixMilli()),
			":epoch": table.Number(epoch),
		},
	}.Stamped(table.HookDueKind)
}

// received is the condition that a program has received everything that waited in a room. It is in
// an epoch, and has read to the end of the feed.
func received(end, epoch int64) table.Update {
	return table.Update{
		Condition: "#seq <= :end AND (attribute_not_exists(#epoch) OR #epoch <= :epoch)",
		Names:     map[string]string{"#seq": attrSeq, "#epoch": attrEpoch},
		Values:    table.Item{":end": table.Number(end), ":epoch": table.Number(epoch)},
	}
}

func parseDue(item table.Item) (due, error) {
	r := table.Reader{Item: item}
	r.Expect(table.HookDueKind)
	d := due{
		room: chat.RoomID(strings.TrimPrefix(r.Text(table.SK), duePrefix)), seq: r.Number(attrSeq),
		first: chat.FeedPosition{Seq: r.Number(attrFirst), Generation: r.Text(attrGen)},
		since: r.OptionalTime(attrSince),
	}
	if r.Err != nil {
		return due{}, fmt.Errorf("row of a hook: %w", r.Err)
	}
	return d, nil
}

// answer is what a program was last given. The next call shows that it received it.
type answer struct {
	id          string
	epoch       int64
	start, next chat.RoomID // the rooms after start were looked at, up to next; empty at either end
	rooms       []answered
}

// answered is a room of an answer: the position after the changes that it has.
type answered struct {
	Room       chat.RoomID `json:"r"`
	Seq        int64       `json:"s,omitzero"`
	Generation string      `json:"g,omitzero"`
	End        bool        `json:"e,omitzero"` // Seq was the end of the feed
	Deleted    bool        `json:"d,omitzero"` // the room was deleted
}

func answerItem(h Hook, a answer) table.Item {
	item := h.AnswerKey()
	table.Stamp(item, table.HookAnswerKind)
	rooms, _ := json.Marshal(a.rooms) // of texts, numbers and truth values
	item[attrAnswer], item[attrRooms], item[attrEpoch] = table.Text(a.id), table.Binary(rooms), table.Number(a.epoch)
	if a.start != "" {
		item[attrStart] = table.Text(a.start)
	}
	if a.next != "" {
		item[attrNext] = table.Text(a.next)
	}
	return item
}

func parseAnswer(item table.Item) (answer, error) {
	r := table.Reader{Item: item}
	r.Expect(table.HookAnswerKind)
	a := answer{
		id: r.Text(attrAnswer), epoch: r.Number(attrEpoch), start: chat.RoomID(r.OptionalText(attrStart)),
		next: chat.RoomID(r.OptionalText(attrNext)),
	}
	r.Keep(json.Unmarshal(r.Bytes(attrRooms), &a.rooms))
	if r.Err != nil {
		return answer{}, fmt.Errorf("answer of a hook: %w", r.Err)
	}
	return a, nil
}
