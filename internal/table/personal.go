package table

import (
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/mention"
	"example.com/parley/internal/policy"
)

// personalChanges returns the changes of an item that concerns only one person.
func personalChanges(before, after Item) []feed.PersonalChange {
	switch KindOf(after) {
	case ReadKind:
		return readChange(before, after)
	case FollowKind:
		return threadChange(before, after)
	case BlocksKind:
		return blocksChange(before, after)
	case NotifyKind:
		return notifyChange(after)
	default: // MentionKind
		return mentionChange(before, after)
	}
}

// deletedRoom returns the room that an item marks as deleted, or "".
func deletedRoom(item Item) chat.RoomID {
	if r, err := ParseMetadata(item); err == nil && r.Deleted {
		return r.ID
	}
	return ""
}

// bannedMember returns the person whom a role item bans, or the zero MemberOf.
func bannedMember(item Item) chat.MemberOf {
	if m, err := ParseRole(item); err == nil && m.Role == policy.Banned {
		return chat.MemberOf{Room: m.Room, User: m.User}
	}
	return chat.MemberOf{}
}

// suspendedPerson returns the person whose account is suspended, or "".
func suspendedPerson(item Item) chat.UserID {
	a, err := ParseAccount(item)
	if err != nil || a.Suspension.IsZero() {
		return ""
	}
	user, err := chat.StoredUserID(personOf(item))
	if err != nil {
		return ""
	}
	return user
}

// mentionChange returns a new mention of a person. Removing a mention is not a change.
func mentionChange(before, after Item) []feed.PersonalChange {
	row, err := ParseMention(after)
	if err != nil || row.User == mention.Everyone || row.Imported || row.Message == (chat.MessageID{}) {
		return nil
	}
	if was, err := ParseMention(before); err == nil && was.Message == row.Message {
		return nil // it was written again
	}
	return []feed.PersonalChange{{Type: feed.MentionAdded, User: row.User, Room: row.Room, Message: row.Message, Seq: row.Seq}}
}

// readChange returns the changes of a marker that moved, forward or back, and of the preferences
// that it contains.
func readChange(before, after Item) []feed.PersonalChange {
	m, err := ParseReadMarker(after)
	if err != nil {
		return nil // it was removed
	}
	was, err := ParseReadMarker(before)
	if err != nil {
		was = inbox.ReadMarker{Seq: -1}
	}
	var changes []feed.PersonalChange
	if p := m.Preferences; p != was.Preferences {
		changes = append(changes, feed.PersonalChange{Type: feed.PreferencesChanged, User: m.User, Room: m.Room, Favorite: p.Favorite, Level: p.Level})
	}
	if m.Seq != was.Seq && (m.Seq > 0 || len(changes) == 0) { // preferences create a marker at 0
		changes = append(changes, feed.PersonalChange{Type: feed.ReadChanged, User: m.User, Room: m.Room, Read: m.Seq})
	}
	return changes
}

// threadChange returns the change of a person's relation to a thread.
func threadChange(before, after Item) []feed.PersonalChange {
	f, err := ParseFollow(after)
	if err != nil {
		return nil // it was removed
	}
	if was, err := ParseFollow(before); err == nil && was == f {
		return nil
	}
	return []feed.PersonalChange{{
		Type: feed.ThreadChanged, User: f.User, Room: f.Root.Room, Message: f.Root.ID, Following: f.Following, Read: f.Seq,
	}}
}

// roomsChange returns the change of a person's rooms: a membership that began or ended. A new role
// is not a change.
func roomsChange(before, after Item) []feed.PersonalChange {
	was, errBefore := parseOptionalMember(before)
	is, errAfter := parseOptionalMember(after)
	if errBefore != nil || errAfter != nil || was.In() == is.In() {
		return nil
	}
	if is.In() {
		return []feed.PersonalChange{{Type: feed.RoomAdded, User: is.User, Room: is.Room}}
	}
	return []feed.PersonalChange{{Type: feed.RoomRemoved, User: was.User, Room: was.Room}}
}

// parseOptionalMember parses a membership, or returns the zero Membership if there is no item.
func parseOptionalMember(item Item) (chat.Membership, error) {
	if item == nil {
		return chat.Membership{}, nil
	}
	return ParseMember(item)
}

// blocksChange returns a change for each person who was blocked or unblocked.
func blocksChange(before, after Item) []feed.PersonalChange {
	user, err := chat.StoredUserID(personOf(after))
	is, errAfter := ParseBlocks(after)
	if err != nil || errAfter != nil {
		return nil // lists are never removed
	}
	was, err := ParseBlocks(before)
	if before != nil && err != nil {
		return nil
	}
	var changes []feed.PersonalChange
	add := func(others, except []chat.UserID, blocked bool) {
		for _, other := range others {
			if !slices.Contains(except, other) {
				changes = append(changes, feed.PersonalChange{Type: feed.BlockChanged, User: user, Other: other, Blocked: blocked})
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
