package table

import "strings"

// The attributes of people's items that the connection function reads: which rooms they may read,
// whom they have blocked, and whether they are suspended. Its role allows no others, so it reads
// neither profiles nor moderators' reasons. Parsers treat the rest as missing.

// MembershipAttributes returns the attributes of a membership and of its state.
func MembershipAttributes() []string {
	return []string{
		PK, SK, attrType, attrVersion, attrRole, attrLeft, attrName, attrSince, attrUntil, attrFormer, attrBy,
		attrLeftCount,
	}
}

// MarkerAttributes returns the attributes of a read marker.
func MarkerAttributes() []string { return []string{PK, SK, attrType, attrVersion, AttrSeq, AttrCount} }

// SuspensionAttributes returns the attributes of an account that show whether it is suspended.
func SuspensionAttributes() []string { return []string{PK, SK, attrType, attrVersion, AttrSuspendedAt} }

// BlockAttributes returns the attributes of a list of blocked people.
func BlockAttributes() []string { return []string{PK, SK, attrType, attrVersion, AttrUsers} }

// ConfinedAttributes returns the attributes of a person's item that the connection function reads,
// given the item's key or the lowest key of a query. It returns nil for all other items.
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
