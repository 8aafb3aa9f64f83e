package table

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/direct"
)

// The partition keys of direct rooms: two people are named, more are hashed.
const (
	pairPrefix = "pair#"
	setPrefix  = "set#"
)

const skDirect = "room"

// DirectKey returns the primary key of the record of some people's direct room. The people are in
// order. More than two are hashed, which keeps the key short. No user id contains #, so different
// people have different keys.
func DirectKey(people []chat.UserID) Item {
	ids := make([]string, len(people))
	for i, user := range people {
		ids[i] = string(user)
	}
	all := strings.Join(ids, "#")
	if len(people) == 2 {
		return Key(pairPrefix+all, skDirect)
	}
	hash := sha256.Sum256([]byte(all))
	return Key(setPrefix+hex.EncodeToString(hash[:]), skDirect)
}

// DirectPK returns the partition keys of the records of direct rooms that have some text after
// their prefixes.
func DirectPK(text string) []string { return []string{pairPrefix + text, setPrefix + text} }

// DirectAttributes returns the attributes that DirectLeftOnce names.
func DirectAttributes() []string { return []string{PK, SK, attrAway, attrRevision} }

// DirectItem returns the record of a new direct room. It contains everything that a response
// shows, so finding the room reads one item.
func DirectItem(room chat.Room) Item {
	item := DirectKey(room.Direct)
	Stamp(item, DirectKind)
	item[AttrRoom], item[attrDirect] = Text(string(room.ID)), Set(room.Direct)
	item[attrMaker], item[attrMadeAt] = Text(string(room.CreatedBy)), Number(room.CreatedAt.UnixMilli())
	return item
}

// ParseDirect reads an item that DirectItem wrote. People who left or returned may have changed
// it.
func ParseDirect(item Item) (direct.Record, error) {
	r := Reader{Item: item}
	r.Expect(DirectKind)
	id, err := chat.ParseRoomID(r.Text(AttrRoom))
	r.Keep(err)
	d := direct.Record{
		Room: chat.Room{
			ID: id, Private: true, Direct: r.OptionalUsers(attrDirect),
			CreatedBy: chat.UserID(r.Text(attrMaker)), CreatedAt: time.UnixMilli(r.Number(attrMadeAt)).UTC(),
		},
		Away: r.OptionalUsers(attrAway), Revision: int(r.OptionalNumber(attrRevision)),
	}
	if r.Err == nil && KeyPart(DirectKey(d.Room.Direct), PK) != KeyPart(item, PK) {
		r.Err = fmt.Errorf("%w: %s is the room of others", errKey, KeyPart(item, PK))
	}
	if r.Err != nil {
		return direct.Record{}, fmt.Errorf("direct room item: %w", r.Err)
	}
	return d, nil
}

// DirectLeft adds a person to those who have left a direct room. It writes the whole record if it
// is missing, so the person can always leave.
func DirectLeft(room chat.Room, user chat.UserID) Update {
	u := Update{
		Expression: "ADD #away :user, #rev :one",
		Names:      map[string]string{"#away": attrAway, "#rev": attrRevision},
		Values:     Item{":user": Set([]chat.UserID{user}), ":one": Number(1)},
	}
	var sets []string
	record := DirectItem(room)
	for i, name := range []string{attrType, attrVersion, AttrRoom, attrDirect, attrMaker, attrMadeAt} {
		sets = append(sets, fmt.Sprintf("#n%d = if_not_exists(#n%d, :v%d)", i, i, i))
		u.Names[fmt.Sprintf("#n%d", i)], u.Values[fmt.Sprintf(":v%d", i)] = name, record[name]
	}
	u.Expression = "SET " + strings.Join(sets, ", ") + " " + u.Expression
	return u
}

// DirectLeftOnce adds a person to those who have left a direct room, if it has a record that does
// not name them yet.
func DirectLeftOnce(user chat.UserID) Update {
	return Update{
		Expression: "ADD #away :user, #rev :one",
		Condition:  "attribute_exists(PK) AND NOT contains(#away, :id)",
		Names:      map[string]string{"#away": attrAway, "#rev": attrRevision},
		Values:     Item{":user": Set([]chat.UserID{user}), ":id": Text(string(user)), ":one": Number(1)},
	}
}

// DirectAway returns the record of a direct room from which these people have left.
func DirectAway(item Item, away []chat.UserID) Item {
	item = maps.Clone(item)
	delete(item, attrAway)
	if len(away) > 0 {
		item[attrAway] = Set(away)
	}
	return item
}

// DirectReturned marks a direct room as left by nobody, if the record still has before's revision.
func DirectReturned(before direct.Record) Update {
	u := RevisionIs(before.Revision)
	u.Expression = "SET #rev = :next REMOVE #away"
	u.Names["#away"] = attrAway
	u.Values[":next"] = Number(int64(before.Revision) + 1)
	return u
}
