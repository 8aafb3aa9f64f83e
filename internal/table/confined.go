package table

import "strings"

// The attributes of people's items that the function of connections reads: who may read which room,
// whom they have blocked, and whether they are suspended. Its role allows no others, so it reads
// neither profiles nor the reasons of moderators. A parser finds the rest missing.

// MembershipAttributes returns the attributes of a membership and of its state.
func MembershipAttributes() []string {
	return []string{PK, SK, attrType, attrVersion, attrRole, attrLeft, attrName, attrSince, attrUntil, attrFormer, attrBy}
}

// MarkerAttributes returns the attributes of a read marker.
func MarkerAttributes() []string { return []string{PK, SK, attrType, attrVersion, attrSeq, attrCount} }

// SuspensionAttributes returns the attributes of an account that show whether it is suspended.
func SuspensionAttributes() []string { return []string{PK, SK, attrType, attrVersion, attrSuspendedAt} }

// BlockAttributes returns the attributes of a list of blocked people.
func BlockAttributes() []string { return []string{PK, SK, attrType, attrVersion, attrUsers} }

// ConfinedAttributes returns the attributes of a person's item that the function of connections
// reads, by the item's key or by the lowest key of a query. It returns nil for all other items.
func ConfinedAttributes(pk, sk string) []string {
	switch {
	case !strings.HasPrefix(pk, PersonPK("")):
		return nil
	case strings.HasPrefix(sk, rolePrefix), strings.HasPrefix(sk, memberPrefix):
		return MembershipAttributes()
	case strings.HasPrefix(sk, readPrefix):
		return MarkerAttributes()
	case sk == skAccount:
		return SuspensionAttributes()
	case sk == skBlocks:
		return BlockAttributes()
	}
	return nil
}
