package table

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/timetext"
)

// dayEnd is between the day and the time of a key. Times have a fixed width, so text order is time
// order.
const dayEnd = ':'

// lastYear is the last year that a key can express.
const lastYear = 9999

// afterEveryTime sorts behind every time: ":" follows "9".
const afterEveryTime = ":"

// errKey is wrapped by every error of decoding a key.
var errKey = errors.New("not a key of this table")

// ShardPK returns the partition key of one shard of a room. Shards count from 0 in code and from 1
// in keys.
func ShardPK(room chat.RoomID, shard int) string {
	return string(room) + "-" + strconv.Itoa(shard+1)
}

// ParseShardPK decodes the result of ShardPK.
func ParseShardPK(pk string) (chat.RoomID, int, error) {
	i := strings.LastIndexByte(pk, '-')
	if i < 0 {
		return "", 0, fmt.Errorf("%w: shard key %q has no number", errKey, pk)
	}
	n, err := strconv.Atoi(pk[i+1:])
	if err != nil || n < 1 || n > chat.MaxShards || strconv.Itoa(n) != pk[i+1:] {
		return "", 0, fmt.Errorf("%w: shard key %q has no number", errKey, pk)
	}
	room, err := chat.ParseRoomID(pk[:i])
	if err != nil {
		return "", 0, fmt.Errorf("%w: shard key %q: %w", errKey, pk, err)
	}
	return room, n - 1, nil
}

// RoomPK returns the partition key of a room's own items.
func RoomPK(room chat.RoomID) string { return "r#" + string(room) }

// RoomItemsPK returns the partition key of items of a room that are not read with the room itself.
func RoomItemsPK(room chat.RoomID) string { return "p#" + string(room) }

// TimeText returns t in the form that keys use. A time after the year 9999 sorts last.
func TimeText(t time.Time) string {
	t = t.UTC()
	if t.Year() > lastYear {
		return afterEveryTime
	}
	return timetext.Text(t, dayEnd, "")
}

// ParseTime decodes the result of TimeText and refuses any other spelling.
func ParseTime(s string) (time.Time, error) {
	t, ok := timetext.Parse(s, dayEnd)
	if !ok {
		return time.Time{}, fmt.Errorf("%w: time %q", errKey, s)
	}
	return t, nil
}

// MessageSK returns the sort key user#time-sent#uuid.
func MessageSK(id chat.MessageID) string {
	return string(id.User) + "#" + TimeText(id.SentAt()) + "#" + id.UUID.String()
}

// ParseMessageSK decodes the result of MessageSK. The UUID contains the time too, and the two must
// agree.
func ParseMessageSK(sk string) (chat.MessageID, error) {
	f := strings.Split(sk, "#")
	if len(f) != 3 {
		return chat.MessageID{}, fmt.Errorf("%w: message key %q has not three fields", errKey, sk)
	}
	id, err := parseID(f[0], f[2])
	if err != nil {
		return chat.MessageID{}, fmt.Errorf("%w: message key %q: %w", errKey, sk, err)
	}
	if MessageSK(id) != sk {
		return chat.MessageID{}, fmt.Errorf("%w: message key %q: time and uuid disagree", errKey, sk)
	}
	return id, nil
}

// MessageIndexSK returns the index key time-received#user#uuid.
func MessageIndexSK(p chat.Position) string {
	return TimeText(p.At) + "#" + string(p.ID.User) + "#" + p.ID.UUID.String()
}

// ParseMessageIndexSK decodes the result of MessageIndexSK.
func ParseMessageIndexSK(sk string) (chat.Position, error) {
	f := strings.Split(sk, "#")
	if len(f) != 3 {
		return chat.Position{}, fmt.Errorf("%w: index key %q has not three fields", errKey, sk)
	}
	at, err := ParseTime(f[0])
	if err != nil {
		return chat.Position{}, err
	}
	id, err := parseID(f[1], f[2])
	if err != nil {
		return chat.Position{}, fmt.Errorf("%w: index key %q: %w", errKey, sk, err)
	}
	p := chat.Position{At: at, ID: id}
	if MessageIndexSK(p) != sk {
		return chat.Position{}, fmt.Errorf("%w: index key %q", errKey, sk)
	}
	return p, nil
}

func parseID(user, id string) (chat.MessageID, error) {
	u, err := chat.StoredUserID(user)
	if err != nil {
		return chat.MessageID{}, err
	}
	v, err := chat.ParseUUID(id)
	if err != nil {
		return chat.MessageID{}, err
	}
	return chat.MessageID{UUID: v, User: u}, nil
}

// Range is a range of sort keys. Both ends are inclusive, as in BETWEEN. No key equals a bound
// made from a time, because every key continues after its time. Such a range is therefore half
// open. A bound made from a position (Exclusive) is the key of an item that the caller has already
// seen and drops.
type Range struct {
	Low, High string
	// Exclusive is the one key of the range to leave out, or "".
	Exclusive string
}

// Empty reports whether no key can be in r.
func (r Range) Empty() bool { return r.Low > r.High }

// SpanRange returns the range of sort keys that answers s: in the table for a span of one user, and
// in the index for a span of the room.
func SpanRange(s chat.MessageRange) Range {
	prefix, low, high := "", "0", afterEveryTime
	if s.User != "" {
		prefix, low = string(s.User)+"#", ""
		high = afterEveryTime
	}
	if !s.From.IsZero() {
		low = TimeText(ceilMilli(s.From))
	}
	if !s.To.IsZero() {
		high = TimeText(ceilMilli(s.To))
	}
	r := Range{Low: prefix + low, High: prefix + high}
	if s.After == nil {
		return r
	}
	r.Exclusive = positionKey(s)
	if s.Order == chat.Oldest {
		r.Low = max(r.Low, r.Exclusive)
	} else {
		r.High = min(r.High, r.Exclusive)
	}
	return r
}

func positionKey(s chat.MessageRange) string {
	if s.User != "" {
		return MessageSK(s.After.ID)
	}
	return MessageIndexSK(*s.After)
}

// ceilMilli rounds up to whole milliseconds, as keys have them: a message at 12:00:00.000 is before
// 12:00:00.0005, and so before the next millisecond.
func ceilMilli(t time.Time) time.Time {
	if c := t.Truncate(time.Millisecond); !c.Equal(t) {
		return c.Add(time.Millisecond)
	}
	return t
}

// PrefixRange returns the range of sort keys that begin with a prefix. No key contains the rune
// that ends it.
func PrefixRange(prefix string) Range {
	return Range{Low: prefix, High: prefix + string(chat.LastRune)}
}

// AccountKey returns the primary key of a user's account.
func AccountKey(user chat.UserID) Item { return Key(PersonPK(user), skAccount) }

// BlocksKey returns the primary key of the list of people whom a user has blocked.
func BlocksKey(user chat.UserID) Item { return Key(PersonPK(user), skBlocks) }

// OwnerOf returns the person in whose partition an item is.
func OwnerOf(item Item) (chat.UserID, bool) {
	user, err := chat.StoredUserID(personOf(item))
	return user, err == nil
}

// ReadSK returns the sort key of a person's marker in a room.
func ReadSK(room chat.RoomID) string { return readPrefix + string(room) }

// ReadMarkerKey returns the primary key of a person's marker in a room.
func ReadMarkerKey(room chat.RoomID, user chat.UserID) Item { return Key(PersonPK(user), ReadSK(room)) }

// NotifyKey returns the primary key of a person's notification settings.
func NotifyKey(user chat.UserID) Item { return Key(PersonPK(user), skNotify) }
