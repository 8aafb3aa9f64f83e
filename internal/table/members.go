package table

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// The prefixes of the sort keys of memberships and role items. memberPrefix is also the prefix of
// a membership's index partition.
const (
	memberPrefix = "member#"
	rolePrefix   = "standing#"
	slowPrefix   = "slow#"
)

// PersonPK returns the partition key of a person's own items.
func PersonPK(user chat.UserID) string { return "u#" + string(user) }

// MemberSK returns the sort key of a membership, and the index partition of a room's members.
func MemberSK(room chat.RoomID) string { return memberPrefix + string(room) }

// MemberRoom returns the room of a membership, by its sort key.
func MemberRoom(item Item) chat.RoomID {
	return chat.RoomID(strings.TrimPrefix(SortKeyOf(item), memberPrefix))
}

// MemberKey returns the primary key of a membership.
func MemberKey(room chat.RoomID, user chat.UserID) Item { return Key(PersonPK(user), MemberSK(room)) }

// RoleSK returns the sort key of a role item.
func RoleSK(room chat.RoomID) string { return rolePrefix + string(room) }

// RoleKey returns the primary key of a role item.
func RoleKey(room chat.RoomID, user chat.UserID) Item {
	return Key(PersonPK(user), RoleSK(room))
}

// MemberItem returns the membership of a user who is in a room. Only lists of a person's rooms and
// of a room's members read it.
func MemberItem(m chat.Membership) Item {
	item := memberItem(MemberKey(m.Room, m.User), MemberKind, m)
	item[IndexPK], item[IndexSK] = Text(MemberSK(m.Room)), Text(m.Name)
	return item
}

// CountAttributes returns the attributes of a membership that MemberRoom and LeftCount read.
func CountAttributes() []string { return []string{SK, attrLeftCount} }

// LeftCount reports whether a membership has left the count of the person's rooms.
func LeftCount(item Item) bool { return item[attrLeftCount] != nil }

// LeaveCount takes an existing membership out of the count of the person's rooms, and CountAgain
// counts it again. A membership that is written anew also counts again.
func LeaveCount() Update {
	return Update{
		Expression: "SET #closed = :true", Condition: "attribute_exists(PK)",
		Names:  map[string]string{"#closed": attrLeftCount},
		Values: Item{":true": Bool(true)},
	}
}

// CountAgain is described at LeaveCount.
func CountAgain() Update {
	return Update{
		Expression: "REMOVE #closed", Condition: "attribute_exists(#closed)",
		Names: map[string]string{"#closed": attrLeftCount},
	}
}

// ClosedIndex returns the index partition of the role items of a room whose memberships may have
// left the count.
func ClosedIndex(room chat.RoomID) string { return "closed#" + string(room) }

// ListClosed adds a role item to its room's ClosedIndex, unless it is in another partition of the
// index, as bans are. UnlistClosed removes it.
func ListClosed(of chat.MemberOf) Update {
	return Update{
		Expression: "SET #pk = :pk, #sk = :sk",
		Condition:  "attribute_exists(PK) AND (attribute_not_exists(#pk) OR #pk = :pk)",
		Names:      map[string]string{"#pk": IndexPK, "#sk": IndexSK},
		Values:     Item{":pk": Text(ClosedIndex(of.Room)), ":sk": Text(string(of.User))},
	}
}

// UnlistClosed is described at ListClosed.
func UnlistClosed(room chat.RoomID) Update {
	return Update{
		Expression: "REMOVE #pk, #sk", Condition: "#pk = :pk",
		Names: map[string]string{"#pk": IndexPK, "#sk": IndexSK}, Values: Item{":pk": Text(ClosedIndex(room))},
	}
}

// RoleItem returns the membership state of a user in a room, on which the policy decides. It also
// exists for a banned user, and for a muted user who left. Only bans are listed.
func RoleItem(m chat.Membership) Item {
	item := memberItem(RoleKey(m.Room, m.User), RoleKind, m)
	if m.Role == policy.Banned {
		item[IndexPK], item[IndexSK] = Text(BannedIndex(m.Room)), Text(m.Name)
	}
	return item
}

// BannedIndex returns the index partition of the people who are banned from a room.
func BannedIndex(room chat.RoomID) string { return "banned#" + string(room) }

func memberItem(item Item, kind Kind, m chat.Membership) Item {
	Stamp(item, kind)
	item[attrRole], item[attrName] = Text(m.Role.String()), Text(m.Name)
	item[attrSince], item[AttrCount] = Number(m.JoinedAt.UnixMilli()), Number(m.Count)
	item[attrLeft] = Bool(m.Left)
	maps.Copy(item, restrictionItem(m))
	if m.Reason != "" {
		item[attrReason] = Text(m.Reason)
	}
	if m.Announce != "" {
		item[attrAnnounce] = Text(string(m.Announce))
	}
	if m.By != "" {
		item[attrBy] = Text(string(m.By))
	}
	return item
}

// restrictionItem returns a mute's or ban's attributes that affect decisions.
func restrictionItem(m chat.Membership) Item {
	item := Item{}
	if !m.Until.IsZero() {
		item[attrUntil] = Number(m.Until.UnixMilli())
	}
	switch m.Restore {
	case policy.Banned:
	case policy.Stranger:
		item[attrFormer] = Text(formerStranger)
	default:
		item[attrFormer] = Text(m.Restore.String())
	}
	return item
}

// formerStranger stands for the role of a stranger, which has no name.
const formerStranger = "none"

// parseFormer reads the role before a mute or ban. An unknown role becomes a stranger's, so the
// end of a ban admits nobody.
func parseFormer(s string) policy.Role {
	if s == "" {
		return policy.Banned
	}
	role, _ := policy.ParseRole(s)
	return role
}

// ParseMember reads an item that MemberItem wrote.
func ParseMember(item Item) (chat.Membership, error) {
	return parseMember(item, MemberKind, memberPrefix)
}

// ParseRole reads an item that RoleItem wrote.
func ParseRole(item Item) (chat.Membership, error) {
	return parseMember(item, RoleKind, rolePrefix)
}

// parseMember reads an unknown role as banned, so it admits nobody.
func parseMember(item Item, kind Kind, prefix string) (chat.Membership, error) {
	r := Reader{Item: item}
	r.Expect(kind)
	user, err := chat.StoredUserID(strings.TrimPrefix(r.Text(PK), PersonPK("")))
	r.Keep(err)
	room, err := chat.ParseRoomID(strings.TrimPrefix(r.Text(SK), prefix))
	r.Keep(err)
	role, ok := policy.ParseRole(r.Text(attrRole))
	if !ok {
		role = policy.Banned
	}
	left, _ := item[attrLeft].(*types.AttributeValueMemberBOOL)
	m := chat.Membership{
		Room: room, User: user, Name: r.Text(attrName), Role: role,
		Count: r.OptionalNumber(AttrCount), Left: left != nil && left.Value,
		JoinedAt: time.UnixMilli(r.Number(attrSince)).UTC(),
		Until:    r.OptionalTime(attrUntil), Reason: r.OptionalText(attrReason),
		Restore: parseFormer(r.OptionalText(attrFormer)),
		By:      chat.UserID(r.OptionalText(attrBy)), Announce: chat.UserID(r.OptionalText(attrAnnounce)),
		Closed: LeftCount(item),
	}
	if r.Err != nil {
		return chat.Membership{}, fmt.Errorf("%s item: %w", kind, r.Err)
	}
	return m, nil
}

// RoleCondition returns the condition that a role item has not changed since it was read.
func RoleCondition(before chat.Membership) Update {
	if before.Room == "" {
		return Update{Condition: "attribute_not_exists(PK)"}
	}
	u := Update{
		Condition: "#role = :role AND #left = :left AND #since = :since",
		Names:     map[string]string{"#role": attrRole, "#left": attrLeft, "#since": attrSince},
		Values: Item{
			":role": Text(before.Role.String()), ":since": Number(before.JoinedAt.UnixMilli()),
			":left": Bool(before.Left),
		},
	}
	restriction := restrictionItem(before)
	for _, name := range []string{attrUntil, attrFormer} {
		u.Names["#"+name] = name
		if value := restriction[name]; value != nil {
			u.Condition += " AND #" + name + " = :" + name
			u.Values[":"+name] = value
		} else {
			u.Condition += " AND attribute_not_exists(#" + name + ")"
		}
	}
	return u
}

// SlotKey returns the primary key of a person's last contribution to a room in slow mode.
func SlotKey(room chat.RoomID, user chat.UserID) Item {
	return Key(PersonPK(user), slowPrefix+string(room))
}

// SlotUpdate takes the slot for a contribution at a time, if the last one was taken before limit or
// by the same contribution.
func SlotUpdate(what string, at, limit time.Time) Update {
	return Update{
		Expression: "SET #at = :at, #last = :what",
		Condition:  "attribute_not_exists(PK) OR #at <= :limit OR #last = :what",
		Names:      map[string]string{"#at": attrSince, "#last": attrLast},
		Values: Item{
			":at": Number(at.UnixMilli()), ":limit": Number(limit.UnixMilli()), ":what": Text(what),
		},
	}.Stamped(SlowKind)
}

// ParseSlot returns the time at which a slot was taken.
func ParseSlot(item Item) (time.Time, error) {
	r := Reader{Item: item}
	r.Expect(SlowKind)
	return time.UnixMilli(r.Number(attrSince)).UTC(), r.Err
}
