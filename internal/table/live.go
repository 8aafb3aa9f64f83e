package table

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/live"
)

// The keys of the live connections, a table of its own that holds no message content:
//
//	item           PK             SK
//	connection     user#amsg      <connection>
//	subscription   room#seattle   <hh>#<connection>
//	budget         budget#amsg    budget
//	end            gone#<connection>  gone
//	missed room    missed#0       <connection>#<room>
//
// hh are two hexadecimal digits of a hash, by which several workers can divide the subscriptions
// of one room. The budget limits the cost of a person's requests. DynamoDB removes an item some
// time after the second in TTL, when its connection ends or the budget is full again.
const (
	liveUserPrefix   = "user#"
	liveRoomPrefix   = "room#"
	liveBudgetPrefix = "budget#"
	liveGonePrefix   = "gone#"
	liveMissedPrefix = "missed#"
	liveGoneSK       = "gone"
)

const (
	attrLiveRooms   = "rooms"
	attrLiveSeen    = "seen"
	attrLiveUser    = "user"
	attrLiveMode    = "mode"
	attrLiveAttempt = "attempt"
	attrLiveActive  = "active"
	attrLiveTyping  = "typing"
	attrLiveUntil   = "until"
)

// LiveUserPK returns the partition key of a person's connections.
func LiveUserPK(user chat.UserID) string { return liveUserPrefix + string(user) }

// LiveRoomPK returns the partition key of the subscriptions to a room.
func LiveRoomPK(room chat.RoomID) string { return liveRoomPrefix + string(room) }

// LiveSubscriptionSK returns the sort key of a connection's subscriptions.
func LiveSubscriptionSK(id live.ConnectionID) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))
	return fmt.Sprintf("%02x#%s", h.Sum32()&0xff, id)
}

// LiveConnectionKey returns the primary key of a connection.
func LiveConnectionKey(c live.Connection) Item { return Key(LiveUserPK(c.User), string(c.ID)) }

// LiveSubscriptionKey returns the primary key of a connection's subscription to a room.
func LiveSubscriptionKey(room chat.RoomID, id live.ConnectionID) Item {
	return Key(LiveRoomPK(room), LiveSubscriptionSK(id))
}

// LiveGoneKey returns the primary key of the end of a connection.
func LiveGoneKey(id live.ConnectionID) Item { return Key(liveGonePrefix+string(id), liveGoneSK) }

// LiveGoneItem records the end of a connection for live.GoneLife.
func LiveGoneItem(id live.ConnectionID, now time.Time) Item {
	item := LiveGoneKey(id)
	Stamp(item, GoneKind)
	item[TTL] = Number(now.Add(live.GoneLife).Unix())
	return item
}

// LiveRoomsAdded stores a connection with rooms, or adds them to it, if it then has at most limit.
// A stored connection keeps its end, which a renewal may have extended.
func LiveRoomsAdded(c live.Connection, rooms []chat.RoomID, now time.Time, limit int) Update {
	u := Update{
		Expression: "SET #type = :type, #v = :v, #ttl = if_not_exists(#ttl, :until), #seen = :now, #since = if_not_exists(#since, :now)",
		Names:      map[string]string{"#type": attrType, "#v": attrVersion, "#ttl": TTL, "#seen": attrLiveSeen, "#since": attrSince},
		Values: Item{
			":type": Text(ConnectionKind), ":v": Number(schemaVersion), ":until": Number(c.Until.Unix()), ":now": Number(now.UnixMilli()),
		},
	}
	if len(rooms) > 0 {
		u.Expression += " ADD #rooms :rooms"
		u.Condition = "attribute_not_exists(#rooms) OR size(#rooms) <= :left"
		u.Names["#rooms"] = attrLiveRooms
		u.Values[":rooms"], u.Values[":left"] = roomSet(rooms), Number(int64(limit-len(rooms)))
	}
	return u
}

// LiveRoomsRemoved removes rooms from a stored connection. There must be at least one.
func LiveRoomsRemoved(rooms []chat.RoomID) Update {
	return Update{
		Expression: "DELETE #rooms :rooms", Condition: "attribute_exists(PK)",
		Names: map[string]string{"#rooms": attrLiveRooms}, Values: Item{":rooms": roomSet(rooms)},
	}
}

// LiveSeen records that a stored connection is in use.
func LiveSeen(now time.Time) Update {
	return Update{
		Expression: "SET #seen = :now", Condition: "attribute_exists(PK)",
		Names: map[string]string{"#seen": attrLiveSeen}, Values: Item{":now": Number(now.UnixMilli())},
	}
}

// LiveRenewed records that a stored connection is in use, and its new end.
func LiveRenewed(until, now time.Time) Update {
	u := LiveSeen(now)
	u.Expression += ", #ttl = :until"
	u.Names["#ttl"], u.Values[":until"] = TTL, Number(until.Unix())
	return u
}

// ParseLiveEnd returns the end of a connection.
func ParseLiveEnd(item Item) (live.ConnectionID, time.Time, error) {
	r := Reader{Item: item}
	r.Expect(ConnectionKind)
	return live.ConnectionID(r.Text(SK)), r.optionalSeconds(TTL), r.Err
}

func roomSet(rooms []chat.RoomID) *types.AttributeValueMemberSS {
	set := &types.AttributeValueMemberSS{}
	for _, room := range rooms {
		set.Value = append(set.Value, string(room))
	}
	return set
}

// ParseLiveConnection reads an item that LiveRoomsAdded wrote. A connection without rooms has no
// such attribute, because DynamoDB has no empty sets.
func ParseLiveConnection(item Item) (live.Opened, error) {
	r := Reader{Item: item}
	r.Expect(ConnectionKind)
	user, err := chat.StoredUserID(strings.TrimPrefix(r.Text(PK), liveUserPrefix))
	r.Keep(err)
	o := live.Opened{
		Connection: live.Connection{ID: live.ConnectionID(r.Text(SK)), User: user, Until: r.optionalSeconds(TTL)},
		Since:      r.OptionalTime(attrSince), Seen: r.OptionalTime(attrLiveSeen),
	}
	set, _ := item[attrLiveRooms].(*types.AttributeValueMemberSS)
	for _, text := range slices.Sorted(slices.Values(valuesOf(set))) {
		room, err := chat.ParseRoomID(text)
		r.Keep(err)
		o.Rooms = append(o.Rooms, room)
	}
	if r.Err != nil {
		return live.Opened{}, fmt.Errorf("connection: %w", r.Err)
	}
	return o, nil
}
