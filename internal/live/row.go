package live

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// The keys of the live connections, a table of its own that holds no message content:
//
//	item           PK                 SK
//	connection     user#amsg          <connection>
//	subscription   room#seattle       <hh>#<connection>
//	budget         budget#amsg        budget
//	end            gone#<connection>  gone
//	missed room    missed#0           <connection>#<room>
//
// hh are two hexadecimal digits of a hash, by which several workers can divide the subscriptions
// of one room. The budget limits the cost of a person's requests. DynamoDB removes an item some
// time after the second in TTL, when its connection ends or the budget is full again.
const (
	userPrefix   = "user#"
	roomPrefix   = "room#"
	gonePrefix   = "gone#"
	missedPrefix = "missed#"
	goneSK       = "gone"
)

const (
	attrRooms   = "rooms"
	attrSeen    = "seen"
	attrUser    = "user"
	attrMode    = "mode"
	attrAttempt = "attempt"
	attrActive  = "active"
	attrTyping  = "typing"
	attrUntil   = "until"
	attrSince   = "since"
	attrHead    = "head"
	attrAfter   = "after"
)

// UserPK returns the partition key of a person's connections.
func UserPK(user chat.UserID) string { return userPrefix + string(user) }

// RoomPK returns the partition key of the subscriptions to a room.
func RoomPK(room chat.RoomID) string { return roomPrefix + string(room) }

// subscriptionSK returns the sort key of a connection's subscriptions.
func subscriptionSK(id ConnectionID) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))
	return fmt.Sprintf("%02x#%s", h.Sum32()&0xff, id)
}

// connectionKey returns the primary key of a connection.
func connectionKey(c Connection) table.Item { return table.Key(UserPK(c.User), string(c.ID)) }

// subscriptionKey returns the primary key of a connection's subscription to a room.
func subscriptionKey(room chat.RoomID, id ConnectionID) table.Item {
	return table.Key(RoomPK(room), subscriptionSK(id))
}

// goneKey returns the primary key of the end of a connection.
func goneKey(id ConnectionID) table.Item { return table.Key(gonePrefix+string(id), goneSK) }

// goneItem records the end of a connection for GoneLife.
func goneItem(id ConnectionID, now time.Time) table.Item {
	item := goneKey(id)
	table.Stamp(item, table.GoneKind)
	item[table.TTL] = table.Number(now.Add(GoneLife).Unix())
	return item
}

// roomsAdded stores a connection with rooms, or adds them to it, if it then has at most limit.
// A stored connection keeps its end, which a renewal may have extended.
func roomsAdded(c Connection, rooms []chat.RoomID, now time.Time, limit int) table.Update {
	u := table.Update{
		Expression: "SET #ttl = if_not_exists(#ttl, :until), #seen = :now, #since = if_not_exists(#since, :now)",
		Names:      map[string]string{"#ttl": table.TTL, "#seen": attrSeen, "#since": attrSince},
		Values: table.Item{
			":until": table.Number(c.Until.Unix()), ":now": table.Number(now.UnixMilli()),
		},
	}
	if len(rooms) > 0 {
		u.Expression += " ADD #rooms :rooms"
		u.Condition = "attribute_not_exists(#rooms) OR size(#rooms) <= :left"
		u.Names["#rooms"] = attrRooms
		u.Values[":rooms"], u.Values[":left"] = table.Set(rooms), table.Number(int64(limit-len(rooms)))
	}
	return u.Stamped(table.ConnectionKind)
}

// roomsRemoved removes rooms from a stored connection. There must be at least one.
func roomsRemoved(rooms []chat.RoomID) table.Update {
	return table.Update{
		Expression: "DELETE #rooms :rooms", Condition: "attribute_exists(PK)",
		Names: map[string]string{"#rooms": attrRooms}, Values: table.Item{":rooms": table.Set(rooms)},
	}
}

// seenAt records that a stored connection is in use.
func seenAt(now time.Time) table.Update {
	return table.Update{
		Expression: "SET #seen = :now", Condition: "attribute_exists(PK)",
		Names: map[string]string{"#seen": attrSeen}, Values: table.Item{":now": table.Number(now.UnixMilli())},
	}
}

// renewed records that a stored connection is in use, and its new end.
func renewed(until, now time.Time) table.Update {
	u := seenAt(now)
	u.Expression += ", #ttl = :until"
	u.Names["#ttl"], u.Values[":until"] = table.TTL, table.Number(until.Unix())
	return u
}

// parseEnd returns the end of a connection.
func parseEnd(item table.Item) (ConnectionID, time.Time, error) {
	r := table.Reader{Item: item}
	r.Expect(table.ConnectionKind)
	return ConnectionID(r.Text(table.SK)), r.OptionalSeconds(table.TTL), r.Err
}

// parseConnection reads an item that roomsAdded wrote. A connection without rooms has no
// such attribute, because DynamoDB has no empty sets.
func parseConnection(item table.Item) (Opened, error) {
	r := table.Reader{Item: item}
	r.Expect(table.ConnectionKind)
	user, err := chat.StoredUserID(strings.TrimPrefix(r.Text(table.PK), userPrefix))
	r.Keep(err)
	o := Opened{
		Connection: Connection{ID: ConnectionID(r.Text(table.SK)), User: user, Until: r.OptionalSeconds(table.TTL)},
		Since:      r.OptionalTime(attrSince), Seen: r.OptionalTime(attrSeen),
	}
	for _, text := range slices.Sorted(slices.Values(r.OptionalSet(attrRooms))) {
		room, err := chat.ParseRoomID(text)
		r.Keep(err)
		o.Rooms = append(o.Rooms, room)
	}
	if r.Err != nil {
		return Opened{}, fmt.Errorf("connection: %w", r.Err)
	}
	return o, nil
}

// endedAttempt is the attempt of an ended subscription. No request has it, so a late activation
// does not revive the subscription.
const endedAttempt = "ended"

// subscriptionItem writes a subscription. Whole audiences are read together, so the item
// leaves out the usual mode.
func subscriptionItem(s Subscription) table.Item {
	item := subscriptionKey(s.Room, s.Connection.ID)
	table.Stamp(item, table.SubscriptionKind)
	item[attrUser], item[table.TTL] = table.Text(string(s.Connection.User)), table.Number(s.Connection.Until.Unix())
	item[attrAttempt] = table.Text(s.Attempt)
	if s.Connection.RenewableUntil.After(s.Connection.Until) { // the row must outlive the renewals
		item[attrUntil], item[table.TTL] = item[table.TTL], table.Number(s.Connection.RenewableUntil.Unix())
	}
	if s.Mode != Full {
		item[attrMode] = table.Text(s.Mode.String())
	}
	if s.Active {
		item[attrActive] = table.Bool(true)
	}
	return item
}

// parseSubscription reads an item that subscriptionItem wrote. An unknown mode becomes the
// full one, because clients drop changes that they do not need.
func parseSubscription(item table.Item) (Subscription, error) {
	r := table.Reader{Item: item}
	r.Expect(table.SubscriptionKind)
	room, err := chat.ParseRoomID(strings.TrimPrefix(r.Text(table.PK), roomPrefix))
	r.Keep(err)
	user, err := chat.StoredUserID(r.Text(attrUser))
	r.Keep(err)
	_, id, _ := strings.Cut(r.Text(table.SK), "#")
	mode, _ := ParseMode(r.OptionalText(attrMode))
	s := Subscription{
		Room: room, Connection: Connection{ID: ConnectionID(id), User: user, Until: r.OptionalSeconds(table.TTL)},
		Mode: mode, Attempt: r.OptionalText(attrAttempt), Active: item[attrActive] != nil,
	}
	s.Ended = s.Attempt == endedAttempt
	if item[attrUntil] != nil {
		s.Connection.Until, s.Connection.RenewableUntil = r.OptionalSeconds(attrUntil), s.Connection.Until
	}
	if r.Err != nil {
		return Subscription{}, fmt.Errorf("subscription: %w", r.Err)
	}
	return s, nil
}

// activation activates a subscription of an attempt.
func activation(attempt string) table.Update {
	u := ofAttempt(attempt)
	u.Expression, u.Values[":yes"], u.Names["#active"] = "SET #active = :yes", table.Bool(true), attrActive
	return u
}

// ending ends an active subscription of an attempt.
func ending(attempt string) table.Update {
	u := ofAttempt(attempt)
	u.Expression, u.Condition = "SET #attempt = :ended REMOVE #active", u.Condition+" AND attribute_exists(#active)"
	u.Values[":ended"], u.Names["#active"] = table.Text(endedAttempt), attrActive
	return u
}

// unchanged returns the condition that a subscription is as given or does not exist.
func unchanged(s Subscription) table.Update {
	u := ofAttempt(s.Attempt)
	state := "attribute_not_exists(#active)"
	if s.Active {
		state = "attribute_exists(#active)"
	}
	u.Condition = "attribute_not_exists(PK) OR (" + u.Condition + " AND " + state + ")"
	u.Names["#active"] = attrActive
	return u
}

func ofAttempt(attempt string) table.Update {
	return table.Update{
		Condition: "#attempt = :attempt", Names: map[string]string{"#attempt": attrAttempt},
		Values: table.Item{":attempt": table.Text(attempt)},
	}
}

// typingMarked marks an active subscription whose last mark is not after notAfter.
func typingMarked(now, notAfter time.Time) table.Update {
	return table.Update{
		Expression: "SET #typing = :now",
		Condition:  "attribute_exists(#active) AND (attribute_not_exists(#typing) OR #typing <= :before)",
		Names:      map[string]string{"#active": attrActive, "#typing": attrTyping},
		Values:     table.Item{":now": table.Number(now.UnixMilli()), ":before": table.Number(notAfter.UnixMilli())},
	}
}

// parseTyping returns when a subscription was last marked, or the zero time if never. It
// reports false if the subscription is not active.
func parseTyping(item table.Item) (time.Time, bool, error) {
	if item[attrActive] == nil {
		return time.Time{}, false, nil
	}
	r := table.Reader{Item: item}
	at := r.OptionalTime(attrTyping)
	return at, true, r.Err
}

// missedPK is the partition key of the rooms that connections missed. There are rows only after
// posts have failed, so one partition is enough.
const missedPK = missedPrefix + "0"

// MissedKeys matches the partition keys of all these rows.
const MissedKeys = missedPrefix + "*"

// missedKey returns the primary key of a room that a connection missed.
func missedKey(m Missed) table.Item {
	return table.Key(missedPK, string(m.Connection.ID)+"#"+string(m.Room))
}

// missedItem writes a room that a connection missed, for MissedLife.
func missedItem(m Missed, now time.Time) table.Item {
	item := missedKey(m)
	table.Stamp(item, table.MissedKind)
	item[attrUser], item[attrHead] = table.Text(string(m.Connection.User)), table.Number(m.Head)
	item[attrUntil], item[table.TTL] = table.Number(m.Connection.Until.Unix()), table.Number(now.Add(MissedLife).Unix())
	if !m.After.IsZero() {
		item[attrAfter] = table.Number(m.After.UnixMilli())
	}
	return item
}

// missedBefore returns the condition that there is no row with a later head, nor with the same
// one unless orSame is true.
func missedBefore(head int64, orSame bool) table.Update {
	u := table.Update{
		Condition: "attribute_not_exists(PK) OR #head < :head", Names: map[string]string{"#head": attrHead},
		Values: table.Item{":head": table.Number(head)},
	}
	if orSame {
		u.Condition = "attribute_not_exists(PK) OR #head <= :head"
	}
	return u
}

// parseMissed reads an item that missedItem wrote.
func parseMissed(item table.Item) (Missed, error) {
	r := table.Reader{Item: item}
	r.Expect(table.MissedKind)
	sk := r.Text(table.SK)
	at := max(0, strings.LastIndex(sk, "#"))
	room, err := chat.ParseRoomID(strings.TrimPrefix(sk[at:], "#"))
	r.Keep(err)
	user, err := chat.StoredUserID(r.Text(attrUser))
	r.Keep(err)
	m := Missed{
		Connection: Connection{ID: ConnectionID(sk[:at]), User: user, Until: r.OptionalSeconds(attrUntil)},
		Room:       room, Head: r.Number(attrHead), After: r.OptionalTime(attrAfter),
	}
	if r.Err != nil {
		return Missed{}, fmt.Errorf("missed changes: %w", r.Err)
	}
	return m, nil
}
