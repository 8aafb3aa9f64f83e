package table

import (
	"fmt"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/live"
)

// LiveMissedPK is the partition key of the rooms that connections missed. There are rows only after
// posts have failed, so one partition is enough.
const LiveMissedPK = liveMissedPrefix + "0"

// LiveMissedKeys matches the partition keys of all these rows.
const LiveMissedKeys = liveMissedPrefix + "*"

const (
	attrLiveHead  = "head"
	attrLiveAfter = "after"
)

// LiveMissedKey returns the primary key of a room that a connection missed.
func LiveMissedKey(m live.Missed) Item {
	return Key(LiveMissedPK, string(m.Connection.ID)+"#"+string(m.Room))
}

// LiveMissedItem writes a room that a connection missed, for live.MissedLife.
func LiveMissedItem(m live.Missed, now time.Time) Item {
	item := LiveMissedKey(m)
	Stamp(item, MissedKind)
	item[attrLiveUser], item[attrLiveHead] = Text(string(m.Connection.User)), Number(m.Head)
	item[attrLiveUntil], item[TTL] = Number(m.Connection.Until.Unix()), Number(now.Add(live.MissedLife).Unix())
	if !m.After.IsZero() {
		item[attrLiveAfter] = Number(m.After.UnixMilli())
	}
	return item
}

// LiveMissedBefore returns the condition that there is no row with a later head, nor with the same
// one unless orSame is true.
func LiveMissedBefore(head int64, orSame bool) Update {
	u := Update{
		Condition: "attribute_not_exists(PK) OR #head < :head", Names: map[string]string{"#head": attrLiveHead}, Values: Item{":head": Number(head)},
	}
	if orSame {
		u.Condition = "attribute_not_exists(PK) OR #head <= :head"
	}
	return u
}

// ParseLiveMissed reads an item that LiveMissedItem wrote.
func ParseLiveMissed(item Item) (live.Missed, error) {
	r := Reader{Item: item}
	r.Expect(MissedKind)
	sk := r.Text(SK)
	at := max(0, strings.LastIndex(sk, "#"))
	room, err := chat.ParseRoomID(strings.TrimPrefix(sk[at:], "#"))
	r.Keep(err)
	user, err := chat.StoredUserID(r.Text(attrLiveUser))
	r.Keep(err)
	m := live.Missed{
		Connection: live.Connection{ID: live.ConnectionID(sk[:at]), User: user, Until: r.optionalSeconds(attrLiveUntil)},
		Room:       room, Head: r.Number(attrLiveHead), After: r.OptionalTime(attrLiveAfter),
	}
	if r.Err != nil {
		return live.Missed{}, fmt.Errorf("missed changes: %w", r.Err)
	}
	return m, nil
}
