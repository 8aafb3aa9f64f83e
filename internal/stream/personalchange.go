package stream

import (
	"slices"

	"example.com/parley/internal/account"
	"example.com/parley/internal/block"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/mention"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/poll"
	"example.com/parley/internal/reaction"
	"example.com/parley/internal/table"
	"example.com/parley/internal/thread"
)

// personalChanges returns the changes of an item that concerns only one person.
func personalChanges(before, after table.Item) []feed.PersonalChange {
	switch table.KindOf(after) {
	case table.ReadKind:
		return readChange(before, after)
	case table.FollowKind:
		return threadChange(before, after)
	case table.BlocksKind:
		return blocksChange(before, after)
	case table.NotifyKind:
		return notifyChange(after)
	default: // table.MentionKind
		return mentionChange(before, after)
	}
}

// deletedRoom returns the room that an item marks as deleted, or "".
func deletedRoom(item table.Item) chat.RoomID {
	if r, err := table.ParseMetadata(item); err == nil && r.Deleted {
		return r.ID
	}
	return ""
}

// bannedMember returns the person whom a role item bans, or the zero MemberOf.
func bannedMember(item table.Item) chat.MemberOf {
	if m, err := table.ParseRole(item); err == nil && m.Role == policy.Banned {
		return chat.MemberOf{Room: m.Room, User: m.User}
	}
	return chat.MemberOf{}
}

// suspendedPerson returns the person whose account is suspended, or "".
func suspendedPerson(item table.Item) chat.UserID {
	a, err := account.Parse(item)
	if err != nil || a.Suspension.IsZero() {
		return ""
	}
	user, ok := table.OwnerOf(item)
	if !ok {
		return ""
	}
	return user
}

// mentionChange returns a new mention of a person. Removing a mention is not a change.
func mentionChange(before, after table.Item) []feed.PersonalChange {
	row, err := mention.ParseRow(after)
	if err != nil || row.User == mention.Everyone || row.Imported || row.Message == (chat.MessageID{}) {
		return nil
	}
	if was, err := mention.ParseRow(before); err == nil && was.Message == row.Message {
		return nil // it was written again
	}
	return []feed.PersonalChange{{
		Type: feed.MentionAdded, User: row.User, Room: row.Room, Message: row.Message, Seq: row.Seq,
	}}
}

// readChange returns the changes of a marker that moved, forward or back, and of the preferences
// that it contains.
func readChange(before, after table.Item) []feed.PersonalChange {
	m, err := inbox.ParseMarker(after)
	if err != nil {
		return nil // it was removed
	}
	was, err := inbox.ParseMarker(before)
	if err != nil {
		was = inbox.ReadMarker{Seq: -1}
	}
	var changes []feed.PersonalChange
	if p := m.Preferences; p != was.Preferences {
		changes = append(changes, feed.PersonalChange{
			Type: feed.PreferencesChanged, User: m.User, Room: m.Room, Favorite: p.Favorite,
			Muted: p.Level.Muted(), Level: p.Level.Level.String(), Until: p.Level.Until,
		})
	}
	if m.Seq != was.Seq && (m.Seq > 0 || len(changes) == 0) { // preferences create a marker at 0
		changes = append(changes, feed.PersonalChange{Type: feed.ReadChanged, User: m.User, Room: m.Room, Read: m.Seq})
	}
	return changes
}

// threadChange returns the change of a person's relation to a thread.
func threadChange(before, after table.Item) []feed.PersonalChange {
	f, err := thread.ParseFollow(after)
	if err != nil {
		return nil // it was removed
	}
	if was, err := thread.ParseFollow(before); err == nil && was == f {
		return nil
	}
	return []feed.PersonalChange{{
		Type: feed.ThreadChanged, User: f.User, Room: f.Root.Room, Message: f.Root.ID, Following: f.Following,
		Read: f.Seq,
	}}
}

// roomsChange returns the change of a person's rooms: a membership that began or ended. A new role
// is not a change.
func roomsChange(before, after table.Item) []feed.PersonalChange {
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
func parseOptionalMember(item table.Item) (chat.Membership, error) {
	if item == nil {
		return chat.Membership{}, nil
	}
	return table.ParseMember(item)
}

// blocksChange returns a change for each person who was blocked or unblocked.
func blocksChange(before, after table.Item) []feed.PersonalChange {
	user, ok := table.OwnerOf(after)
	is, err := block.Parse(after)
	if !ok || err != nil {
		return nil // lists are never removed
	}
	was, err := block.Parse(before)
	if before != nil && err != nil {
		return nil
	}
	var changes []feed.PersonalChange
	add := func(others, except []chat.UserID, blocked bool) {
		for _, other := range others {
			if !slices.Contains(except, other) {
				changes = append(
					changes, feed.PersonalChange{Type: feed.BlockChanged, User: user, Other: other, Blocked: blocked},
				)
			}
		}
	}
	add(is, was, true)
	add(was, is, false)
	return changes
}

// reactionChange returns the change for the connections of the person who added or removed the
// reaction.
func reactionChange(before, after table.Item) []feed.PersonalChange {
	if before != nil && after != nil {
		return nil
	}
	present := after
	if present == nil {
		present = before
	}
	r, err := reaction.ParseKey(present)
	if err != nil {
		return nil
	}
	return []feed.PersonalChange{{
		Type: feed.ReactionChanged, User: r.User, Room: r.Room, Message: r.Message, Emoji: r.Emoji, Mine: after != nil,
	}}
}

// voteChange returns the change for the connections of the voter.
func voteChange(present, after table.Item) []feed.PersonalChange {
	v, err := poll.ParseKey(present)
	if after != nil && err == nil {
		v, err = poll.Parse(after)
	}
	if err != nil {
		return nil
	}
	return []feed.PersonalChange{{
		Type: feed.PollChanged, User: v.User, Room: v.Room, Message: v.Message, Choices: v.Choices,
	}}
}

// notifyChange returns the change of a person's notification settings.
func notifyChange(after table.Item) []feed.PersonalChange {
	user, ok := table.OwnerOf(after)
	if !ok || after == nil {
		return nil // they were removed
	}
	return []feed.PersonalChange{{Type: feed.NotificationsChanged, User: user}}
}
