package table

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/invite"
	"example.com/parley/internal/policy"
)

const (
	invitePrefix = "invite#"
	skInvites    = "invites"
)

// skInvite is the sort key of an invitation.
const skInvite = "root"

// InviteKey returns the primary key of an invitation.
func InviteKey(id invite.ID) Item { return Key(InvitePK(id), skInvite) }

// InvitePK returns the partition key of an invitation.
func InvitePK(id invite.ID) string { return invitePrefix + string(id) }

// InvitesIndex returns the index partition of a room's invitations.
func InvitesIndex(room chat.RoomID) string { return "invites#" + string(room) }

// InviteItem returns the item of a new invitation. DynamoDB removes it some time after it expires.
func InviteItem(i invite.Invitation) Item {
	item := InviteKey(i.ID)
	Stamp(item, InviteKind)
	item[IndexPK], item[IndexSK] = Text(InvitesIndex(i.Room)), Text(TimeText(i.CreatedAt))
	item[attrRoom], item[attrRole] = Text(string(i.Room)), Text(i.Role.String())
	item[attrMaker], item[attrCreated] = Text(string(i.CreatedBy)), Number(i.CreatedAt.UnixMilli())
	item[TTL] = Number(i.Expires.Unix())
	item[attrUses], item[attrMaxUses] = Number(int64(i.Uses)), Number(int64(i.MaxUses))
	return item
}

// ParseInvite reads an item that InviteItem wrote. Uses and a revocation may have changed it. An
// unknown role admits nobody, because nobody may grant it.
func ParseInvite(item Item) (invite.Invitation, error) {
	r := Reader{Item: item}
	r.Expect(InviteKind)
	id, err := invite.ParseID(strings.TrimPrefix(r.Text(PK), invitePrefix))
	r.Keep(err)
	room, err := chat.ParseRoomID(r.Text(attrRoom))
	r.Keep(err)
	role, ok := policy.ParseRole(r.Text(attrRole))
	if !ok {
		r.Keep(fmt.Errorf("role %q is unknown", r.Text(attrRole)))
	}
	i := invite.Invitation{
		ID: id, Room: room, Role: role, CreatedBy: chat.UserID(r.Text(attrMaker)), CreatedAt: r.OptionalTime(attrCreated),
		Expires: time.Unix(r.Number(TTL), 0).UTC(), Uses: int(r.Number(attrUses)), MaxUses: int(r.Number(attrMaxUses)),
		Revoked: item[attrRevoked] != nil,
	}
	if r.Err != nil {
		return invite.Invitation{}, fmt.Errorf("invitation: %w", r.Err)
	}
	return i, nil
}

// InviteRoom returns the room of an invitation.
func InviteRoom(item Item) (chat.RoomID, error) { return chat.ParseRoomID(KeyPart(item, attrRoom)) }

// InvitePosition returns the position of an invitation in the list of its room.
func InvitePosition(i invite.Invitation) chat.ListPosition {
	return chat.ListPosition{Sort: TimeText(i.CreatedAt), ID: string(i.ID)}
}

// InviteUse counts a use of an invitation that has uses left and is not revoked.
func InviteUse() Update {
	return Update{
		Expression: "SET #uses = #uses + :one",
		Condition:  "attribute_exists(PK) AND attribute_not_exists(#revoked) AND #uses < #max",
		Names:      map[string]string{"#uses": attrUses, "#max": attrMaxUses, "#revoked": attrRevoked},
		Values:     Item{":one": Number(1)},
	}
}

// InviteRevocation revokes an invitation, which then leaves the list.
func InviteRevocation() Update {
	return Update{
		Expression: "SET #revoked = :yes REMOVE #pk, #sk",
		Condition:  "attribute_exists(PK) AND attribute_not_exists(#revoked)",
		Names:      map[string]string{"#revoked": attrRevoked, "#pk": IndexPK, "#sk": IndexSK},
		Values:     Item{":yes": Bool(true)},
	}
}

// InvitesKey returns the primary key of a room's count of live invitations.
func InvitesKey(room chat.RoomID) Item { return Key(RoomItemsPK(room), skInvites) }

// InvitesAdd adds an invitation to a count of fewer than limit.
func InvitesAdd(i invite.Invitation, limit int) Update {
	return Update{
		Expression: "ADD #live :set",
		Condition:  "attribute_not_exists(#live) OR size(#live) < :limit",
		Names:      map[string]string{"#live": attrLive},
		Values: Item{
			":limit": Number(int64(limit)),
			":set":   liveSet([]invite.Invitation{i}),
		},
	}.Stamped(InvitesKind)
}

// InvitesRemove removes invitations from the count of their room. There must be at least one.
func InvitesRemove(dead []invite.Invitation) Update {
	return Update{
		Expression: "DELETE #live :set",
		Names:      map[string]string{"#live": attrLive},
		Values:     Item{":set": liveSet(dead)},
	}.Stamped(InvitesKind)
}

// liveSet writes invitations with their ends, so that the expired ones are known without reading
// them.
func liveSet(all []invite.Invitation) *types.AttributeValueMemberSS {
	set := &types.AttributeValueMemberSS{}
	for _, i := range all {
		set.Value = append(set.Value, strconv.FormatInt(i.Expires.Unix(), 10)+"#"+string(i.ID))
	}
	return set
}

// ParseInvites reads the invitations that a room's count holds: their ids and when they expire.
func ParseInvites(item Item) ([]invite.Invitation, error) {
	r := Reader{Item: item}
	r.Expect(InvitesKind)
	set, _ := item[attrLive].(*types.AttributeValueMemberSS)
	var all []invite.Invitation
	for _, text := range valuesOf(set) {
		seconds, idText, _ := strings.Cut(text, "#")
		at, err := strconv.ParseInt(seconds, 10, 64)
		r.Keep(err)
		id, err := invite.ParseID(idText)
		r.Keep(err)
		all = append(all, invite.Invitation{ID: id, Expires: time.Unix(at, 0).UTC()})
	}
	if r.Err != nil {
		return nil, fmt.Errorf("invitations of a room: %w", r.Err)
	}
	return all, nil
}

// valuesOf returns the values of a set, which is nil when it is empty.
func valuesOf(set *types.AttributeValueMemberSS) []string {
	if set == nil {
		return nil
	}
	return set.Value
}
