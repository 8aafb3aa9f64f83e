package table

import "example.com/parley/internal/chat"

// InvitePrefix begins the partition keys of invitations.
const InvitePrefix = "invite#"

// The sort keys of an invitation, and of a room's count of live invitations.
const (
	skInvite  = "root"
	skInvites = "invites"
)

// InviteKey returns the primary key of an invitation.
func InviteKey(id string) Item { return Key(InvitePrefix+id, skInvite) }

// InvitesIndex returns the index partition of a room's invitations.
func InvitesIndex(room chat.RoomID) string { return "invites#" + string(room) }

// InviteRoom returns the room of an invitation.
func InviteRoom(item Item) (chat.RoomID, error) { return chat.ParseRoomID(KeyPart(item, AttrRoom)) }

// InvitesKey returns the primary key of a room's count of live invitations.
func InvitesKey(room chat.RoomID) Item { return Key(RoomItemsPK(room), skInvites) }
