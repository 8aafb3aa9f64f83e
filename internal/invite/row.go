package invite

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/table"
)

// The attributes of invitations, and of a room's count of them.
const (
	attrMaker   = "maker"
	attrCreated = "createdAt"
	attrUses    = "uses"
	attrMaxUses = "maxUses"
	attrRevoked = "revoked"
	attrLive    = "live"
)

// key returns the primary key of an invitation.
func key(id ID) table.Item { return table.InviteKey(string(id)) }

// Item returns the item of a new invitation. DynamoDB removes it some time after it expires.
func Item(i Invitation) table.Item {
	row := key(i.ID)
	table.Stamp(row, table.InviteKind)
	row[table.IndexPK], row[table.IndexSK] = table.Text(table.InvitesIndex(i.Room)),
		table.Text(table.TimeText(i.CreatedAt))
	row[table.AttrRoom], row[table.AttrRole] = table.Text(string(i.Room)), table.Text(i.Role.String())
	row[attrMaker], row[attrCreated] = table.Text(string(i.CreatedBy)), table.Number(i.CreatedAt.UnixMilli())
	row[table.TTL] = table.Number(i.Expires.Unix())
	row[attrUses], row[attrMaxUses] = table.Number(int64(i.Uses)), table.Number(int64(i.MaxUses))
	return row
}

// parse reads an item that Item wrote. Uses and a revocation may have changed it. An unknown role
// admits nobody, because nobody may grant it.
func parse(item table.Item) (Invitation, error) {
	r := table.Reader{Item: item}
	r.Expect(table.InviteKind)
	id, err := ParseID(strings.TrimPrefix(r.Text(table.PK), table.InvitePrefix))
	r.Keep(err)
	room, err := chat.ParseRoomID(r.Text(table.AttrRoom))
	r.Keep(err)
	role, ok := policy.ParseRole(r.Text(table.AttrRole))
	if !ok {
		r.Keep(fmt.Errorf("role %q is unknown", r.Text(table.AttrRole)))
	}
	i := Invitation{
		ID: id, Room: room, Role: role, CreatedBy: chat.UserID(r.Text(attrMaker)),
		CreatedAt: r.OptionalTime(attrCreated),
		Expires:   time.Unix(r.Number(table.TTL), 0).UTC(), Uses: int(r.Number(attrUses)),
		MaxUses: int(r.Number(attrMaxUses)),
		Revoked: item[attrRevoked] != nil,
	}
	if r.Err != nil {
		return Invitation{}, fmt.Errorf("invitation: %w", r.Err)
	}
	return i, nil
}

// position returns the position of an invitation in the list of its room.
func position(i Invitation) chat.ListPosition {
	return chat.ListPosition{Sort: table.TimeText(i.CreatedAt), ID: string(i.ID)}
}

// useUpdate counts a use of an invitation that has uses left and is not revoked.
func useUpdate() table.Update {
	return table.Update{
		Expression: "SET #uses = #uses + :one",
		Condition:  "attribute_exists(PK) AND attribute_not_exists(#revoked) AND #uses < #max",
		Names:      map[string]string{"#uses": attrUses, "#max": attrMaxUses, "#revoked": attrRevoked},
		Values:     table.Item{":one": table.Number(1)},
	}
}

// revocation revokes an invitation, which then leaves the list.
func revocation() table.Update {
	return table.Update{
		Expression: "SET #revoked = :yes REMOVE #pk, #sk",
		Condition:  "attribute_exists(PK) AND attribute_not_exists(#revoked)",
		Names:      map[string]string{"#revoked": attrRevoked, "#pk": table.IndexPK, "#sk": table.IndexSK},
		Values:     table.Item{":yes": table.Bool(true)},
	}
}

// addLive adds an invitation to a count of fewer than limit.
func addLive(i Invitation, limit int) table.Update {
	return table.Update{
		Expression: "ADD #live :set",
		Condition:  "attribute_not_exists(#live) OR size(#live) < :limit",
		Names:      map[string]string{"#live": attrLive},
		Values: table.Item{
			":limit": table.Number(int64(limit)),
			":set":   table.Set(liveTexts([]Invitation{i})),
		},
	}.Stamped(table.InvitesKind)
}

// removeLive removes invitations from the count of their room. There must be at least one.
func removeLive(dead []Invitation) table.Update {
	return table.Update{
		Expression: "DELETE #live :set",
		Names:      map[string]string{"#live": attrLive},
		Values:     table.Item{":set": table.Set(liveTexts(dead))},
	}.Stamped(table.InvitesKind)
}

// liveTexts writes invitations with their ends, so that the expired ones are known without reading
// them.
func liveTexts(all []Invitation) []string {
	texts := make([]string, len(all))
	for n, i := range all {
		texts[n] = strconv.FormatInt(i.Expires.Unix(), 10) + "#" + string(i.ID)
	}
	return texts
}

// parseLive reads the invitations that a room's count holds: their ids and when they expire.
func parseLive(item table.Item) ([]Invitation, error) {
	r := table.Reader{Item: item}
	r.Expect(table.InvitesKind)
	var all []Invitation
	for _, text := range r.OptionalSet(attrLive) {
		seconds, idText, _ := strings.Cut(text, "#")
		at, err := strconv.ParseInt(seconds, 10, 64)
		r.Keep(err)
		id, err := ParseID(idText)
		r.Keep(err)
		all = append(all, Invitation{ID: id, Expires: time.Unix(at, 0).UTC()})
	}
	if r.Err != nil {
		return nil, fmt.Errorf("invitations of a room: %w", r.Err)
	}
	return all, nil
}
