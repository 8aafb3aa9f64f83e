package incoming

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/people"
	"example.com/parley/internal/table"
)

// The attributes of webhooks.
const (
	attrName    = "name"
	attrMaker   = "maker"
	attrCreated = "createdAt"
	attrHash    = "hash"
	attrRemoved = "removed"
)

// removedDays is how long the row of a removed webhook stays, so that it is known as removed while
// eventual reads still find it.
const removedDays = 1

func key(id ID) table.Item { return table.IncomingKey(string(id)) }

// BotKey returns the primary key of the profile of a webhook's bot.
func BotKey(id ID) table.Item { return people.Key(chat.BotID(string(id))) }

// Item returns the item of a new webhook.
func Item(w Webhook) table.Item {
	row := key(w.ID)
	table.Stamp(row, table.IncomingKind)
	row[table.AttrRoom], row[attrName] = table.Text(string(w.Room)), table.Text(w.Name)
	row[attrMaker], row[attrCreated] = table.Text(string(w.CreatedBy)), table.Number(w.CreatedAt.UnixMilli())
	row[attrHash] = table.Binary(w.hash[:])
	return row
}

var errHash = errors.New("the hash of the secret has the wrong length")

// parse reads an item that Item wrote. A removed webhook has no hash.
func parse(item table.Item) (Webhook, error) {
	r := table.Reader{Item: item}
	r.Expect(table.IncomingKind)
	id, err := ParseID(strings.TrimPrefix(r.Text(table.PK), table.IncomingPrefix))
	r.Keep(err)
	room, err := chat.ParseRoomID(r.Text(table.AttrRoom))
	r.Keep(err)
	w := Webhook{
		ID: id, Room: room, Name: r.Text(attrName), CreatedBy: chat.UserID(r.Text(attrMaker)),
		CreatedAt: r.OptionalTime(attrCreated), Removed: item[attrRemoved] != nil,
	}
	if hash := r.OptionalBytes(attrHash); !w.Removed && copy(w.hash[:], hash) != sha256.Size {
		r.Keep(errHash)
	}
	if r.Err != nil {
		return Webhook{}, fmt.Errorf("incoming webhook: %w", r.Err)
	}
	return w, nil
}

// exists is the condition that a room has a webhook that is not removed.
func exists(room chat.RoomID) table.Update {
	return table.Update{
		Condition: "#room = :room AND attribute_not_exists(#removed)",
		Names:     map[string]string{"#room": table.AttrRoom, "#removed": attrRemoved},
		Values:    table.Item{":room": table.Text(string(room))},
	}
}

// replacement replaces the secret of a webhook.
func replacement(room chat.RoomID, s Secret) table.Update {
	u, hash := exists(room), s.hash()
	u.Expression = "SET #hash = :hash"
	u.Names["#hash"], u.Values[":hash"] = attrHash, table.Binary(hash[:])
	return u
}

// removal removes a webhook: its row loses the hash now, and expires.
func removal(room chat.RoomID, now time.Time) table.Update {
	u := exists(room)
	u.Expression = "SET #removed = :yes, #ttl = :ttl REMOVE #hash"
	u.Names["#hash"], u.Names["#ttl"] = attrHash, table.TTL
	u.Values[":yes"], u.Values[":ttl"] = table.Bool(true), table.Number(now.AddDate(0, 0, removedDays).Unix())
	return u
}

// listed adds a webhook to a room's list of fewer than MaxPerRoom.
func listed(id ID) table.Update {
	return table.Update{
		Expression: "ADD #hooks :id",
		Condition:  "attribute_not_exists(#hooks) OR size(#hooks) < :limit",
		Names:      map[string]string{"#hooks": table.AttrIncoming},
		Values:     table.Item{":limit": table.Number(MaxPerRoom), ":id": table.Set([]ID{id})},
	}.Stamped(table.IncomingListKind)
}

// unlisted takes a webhook out of its room's list.
func unlisted(id ID) table.Update {
	return table.Update{
		Expression: "DELETE #hooks :id",
		Names:      map[string]string{"#hooks": table.AttrIncoming},
		Values:     table.Item{":id": table.Set([]ID{id})},
	}.Stamped(table.IncomingListKind)
}

// ParseList reads the list of a room's webhooks.
func ParseList(item table.Item) ([]ID, error) {
	r := table.Reader{Item: item}
	r.Expect(table.IncomingListKind)
	var all []ID
	for _, text := range r.OptionalSet(table.AttrIncoming) {
		id, err := ParseID(text)
		r.Keep(err)
		all = append(all, id)
	}
	if r.Err != nil {
		return nil, fmt.Errorf("incoming webhooks of a room: %w", r.Err)
	}
	slices.Sort(all)
	return all, nil
}
