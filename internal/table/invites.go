package table

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
	"parley/internal/invite"
	"parley/internal/policy"
)

const (
	invitePrefix = "invite#"
	skInvites    = "invites"
)

// InviteKey returns the primary key of an invitation.
func InviteKey(id invite.ID) Item { return Key(InvitePK(id), skRoot) }

// InvitePK returns the partition key of an invitation.
func InvitePK(id invite.ID) string { return invitePrefix + string(id) }

// InvitesIndex returns the index partition of a room's invitations.
func InvitesIndex(room chat.RoomID) string { return "invites#" + string(room) }

// InviteItem returns the item of a new invitation. DynamoDB removes it some time after it expires.
func InviteItem(i invite.Invitation) Item {
	item := InviteKey(i.ID)
	item[attrType], item[attrVersion] = str(InviteKind), number(schemaVersion)
	item[IndexPK], item[IndexSK] = str(InvitesIndex(i.Room)), str(timeText(i.CreatedAt))
	item[attrRoom], item[attrRole] = str(string(i.Room)), str(i.Role.String())
	item[attrMaker], item[attrCreated] = str(string(i.CreatedBy)), number(i.CreatedAt.UnixMilli())
	item[TTL] = number(i.Expires.Unix())
	item[attrUses], item[attrMaxUses] = number(int64(i.Uses)), number(int64(i.MaxUses))
	return item
}

// ParseInvite reads an item that InviteItem wrote, and that uses and a revocation may have changed.
// An unknown role admits nobody, because nobody may give it.
func ParseInvite(item Item) (invite.Invitation, error) {
	r := reader{item: item}
	r.expect(InviteKind)
	id, err := invite.ParseID(strings.TrimPrefix(r.str(PK), invitePrefix))
	r.keep(err)
	room, err := chat.ParseRoomID(r.str(attrRoom))
	r.keep(err)
	role, ok := policy.ParseRole(r.str(attrRole))
	if !ok {
		r.keep(fmt.Errorf("role %q is unknown", r.str(attrRole)))
	}
	i := invite.Invitation{
		ID: id, Room: room, Role: role, CreatedBy: chat.UserID(r.str(attrMaker)), CreatedAt: r.optionalTime(attrCreated),
		Expires: time.Unix(r.number(TTL), 0).UTC(), Uses: int(r.number(attrUses)), MaxUses: int(r.number(attrMaxUses)),
		Revoked: item[attrRevoked] != nil,
	}
	if r.err != nil {
		return invite.Invitation{}, fmt.Errorf("invitation: %w", r.err)
	}
	return i, nil
}

// InviteRoom returns the room of an invitation.
func InviteRoom(item Item) (chat.RoomID, error) { return chat.ParseRoomID(keyPart(item, attrRoom)) }

// InvitePosition returns the position of an invitation in the list of its room.
func InvitePosition(i invite.Invitation) chat.ListPosition {
	return chat.ListPosition{Sort: timeText(i.CreatedAt), ID: string(i.ID)}
}

// InviteUse counts a use of an invitation that has one left and is not revoked.
func InviteUse() Update {
	return Update{
		Expression: "SET #uses = #uses + :one",
		Condition:  "attribute_exists(PK) AND attribute_not_exists(#revoked) AND #uses < #max",
		Names:      map[string]string{"#uses": attrUses, "#max": attrMaxUses, "#revoked": attrRevoked},
		Values:     Item{":one": number(1)},
	}
}

// InviteRevocation revokes an invitation, which then leaves the list.
func InviteRevocation() Update {
	return Update{
		Expression: "SET #revoked = :yes REMOVE #pk, #sk",
		Condition:  "attribute_exists(PK) AND attribute_not_exists(#revoked)",
		Names:      map[string]string{"#revoked": attrRevoked, "#pk": IndexPK, "#sk": IndexSK},
		Values:     Item{":yes": &types.AttributeValueMemberBOOL{Value: true}},
	}
}

// InvitesKey returns the primary key of the count of a room's live invitations.
func InvitesKey(room chat.RoomID) Item { return Key(RoomItemsPK(room), skInvites) }

// InvitesAdd adds an invitation to a count of fewer than limit.
func InvitesAdd(i invite.Invitation, limit int) Update {
	return Update{
		Expression: "SET #type = :type, #v = :v ADD #live :set",
		Condition:  "attribute_not_exists(#live) OR size(#live) < :limit",
		Names:      map[string]string{"#type": attrType, "#v": attrVersion, "#live": attrLive},
		Values: Item{
			":type": str(InvitesKind), ":v": number(schemaVersion), ":limit": number(int64(limit)),
			":set": liveSet([]invite.Invitation{i}),
		},
	}
}

// InvitesRemove removes invitations from the count of their room. At least one is given.
func InvitesRemove(dead []invite.Invitation) Update {
	return Update{
		Expression: "SET #type = :type, #v = :v DELETE #live :set",
		Names:      map[string]string{"#type": attrType, "#v": attrVersion, "#live": attrLive},
		Values:     Item{":type": str(InvitesKind), ":v": number(schemaVersion), ":set": liveSet(dead)},
	}
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
	r := reader{item: item}
	r.expect(InvitesKind)
	set, _ := item[attrLive].(*types.AttributeValueMemberSS)
	var all []invite.Invitation
	for _, text := range valuesOf(set) {
		seconds, idText, _ := strings.Cut(text, "#")
		at, err := strconv.ParseInt(seconds, 10, 64)
		r.keep(err)
		id, err := invite.ParseID(idText)
		r.keep(err)
		all = append(all, invite.Invitation{ID: id, Expires: time.Unix(at, 0).UTC()})
	}
	if r.err != nil {
		return nil, fmt.Errorf("invitations of a room: %w", r.err)
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
