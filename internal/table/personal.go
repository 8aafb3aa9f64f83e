package table

import (
	"slices"

	"parley/internal/chat"
	"parley/internal/feedbatch"
	"parley/internal/mention"
	"parley/internal/policy"
)

// ParsePersonal returns the personal changes between two images of an item. before is nil for a new
// item, and after for a removed one. An item that cannot be read has none.
func ParsePersonal(before, after Item) []feedbatch.Personal {
	present := after
	if present == nil {
		present = before
	}
	switch KindOf(present) {
	case ReadKind:
		return readChange(before, after)
	case FollowKind:
		return threadChange(before, after)
	case MemberKind:
		return roomsChange(before, after)
	case BlocksKind:
		return blocksChange(before, after)
	case ReactionKind:
		return reactionChange(before, after)
	case MentionKind:
		return mentionChange(before, after)
	}
	return nil
}

// ParseDeletion returns the room that an item says is deleted.
func ParseDeletion(item Item) (room chat.RoomID, ok bool) {
	if KindOf(item) != RoomKind {
		return "", false
	}
	r, err := ParseMetadata(item)
	return r.ID, err == nil && r.Deleted
}

// ParseBan returns the person whom a role item bans.
func ParseBan(item Item) (of chat.MemberOf, ok bool) {
	if KindOf(item) != RoleKind {
		return chat.MemberOf{}, false
	}
	m, err := ParseRole(item)
	return chat.MemberOf{Room: m.Room, User: m.User}, err == nil && m.Role == policy.Banned
}

// ParseSuspension returns the person whose account says that they are suspended.
func ParseSuspension(item Item) (user chat.UserID, ok bool) {
	if KindOf(item) != AccountKind {
		return "", false
	}
	a, err := ParseAccount(item)
	if err != nil || a.Suspension.IsZero() {
		return "", false
	}
	user, err = chat.StoredUserID(personOf(item))
	return user, err == nil
}

// mentionChange returns a new mention of a person. The removal of one is no change.
func mentionChange(before, after Item) []feedbatch.Personal {
	row, err := ParseMention(after)
	if err != nil || row.User == mention.Everyone || row.Message == (chat.MessageID{}) {
		return nil
	}
	if was, err := ParseMention(before); err == nil && was.Message == row.Message {
		return nil // it was written again
	}
	return []feedbatch.Personal{{Type: feedbatch.MentionAdded, User: row.User, Room: row.Room, Message: row.Message, Seq: row.Seq}}
}

// readChange returns the change of a marker that moved, forward or back.
func readChange(before, after Item) []feedbatch.Personal {
	m, err := ParseReadMarker(after)
	if err != nil {
		return nil // it was removed
	}
	if was, err := ParseReadMarker(before); err == nil && was.Seq == m.Seq {
		return nil
	}
	return []feedbatch.Personal{{Type: feedbatch.ReadChanged, User: m.User, Room: m.Room, Read: m.Seq}}
}

// threadChange returns the change of what a person has to do with a thread.
func threadChange(before, after Item) []feedbatch.Personal {
	f, err := ParseFollow(after)
	if err != nil {
		return nil // it was removed
	}
	if was, err := ParseFollow(before); err == nil && was == f {
		return nil
	}
	return []feedbatch.Personal{{
		Type: feedbatch.ThreadChanged, User: f.User, Room: f.Root.Room, Message: f.Root.ID, Following: f.Following, Read: f.Seq,
	}}
}

// roomsChange returns the change of a person's rooms: a membership that began or ended. Another role
// is none.
func roomsChange(before, after Item) []feedbatch.Personal {
	was, errBefore := parseOptionalMember(before)
	is, errAfter := parseOptionalMember(after)
	if errBefore != nil || errAfter != nil || was.In() == is.In() {
		return nil
	}
	if is.In() {
		return []feedbatch.Personal{{Type: feedbatch.RoomAdded, User: is.User, Room: is.Room}}
	}
	return []feedbatch.Personal{{Type: feedbatch.RoomRemoved, User: was.User, Room: was.Room}}
}

// parseOptionalMember parses a membership, or returns the zero Membership for none.
func parseOptionalMember(item Item) (chat.Membership, error) {
	if item == nil {
		return chat.Membership{}, nil
	}
	return ParseMember(item)
}

// blocksChange returns a change for each person who was blocked or unblocked.
func blocksChange(before, after Item) []feedbatch.Personal {
	user, err := chat.StoredUserID(personOf(after))
	is, errAfter := ParseBlocks(after)
	if err != nil || errAfter != nil {
		return nil // lists are never removed
	}
	was, err := ParseBlocks(before)
	if before != nil && err != nil {
		return nil
	}
	var changes []feedbatch.Personal
	add := func(others, except []chat.UserID, blocked bool) {
		for _, other := range others {
			if !slices.Contains(except, other) {
				changes = append(changes, feedbatch.Personal{Type: feedbatch.BlockChanged, User: user, Other: other, Blocked: blocked})
			}
		}
	}
	add(is, was, true)
	add(was, is, false)
	return changes
}

// personOf returns the person in whose partition an item is.
func personOf(item Item) string {
	pk, prefix := keyPart(item, PK), PersonPK("")
	if len(pk) < len(prefix) || pk[:len(prefix)] != prefix {
		return ""
	}
	return pk[len(prefix):]
}
