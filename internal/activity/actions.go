package activity

// Actions returns the actions of audit logs, as the API names them: first the actions of rooms,
// then the actions of people. A later version may add others.
func Actions() []string {
	return []string{
		"room.created", "room.changed", "room.deleted",
		"member.joined", "member.left", "member.role", "member.banned", "member.unbanned", "member.removed",
		"owner.changed",
		"invite.created", "invite.revoked", "invite.used",
		"incoming.created", "incoming.replaced", "incoming.removed",
		"hook.created", "hook.changed", "hook.replaced", "hook.removed",
		"message.deleted", "pin.added", "pin.removed", "report.resolved",
		"document.created", "document.changed", "document.saved",
		"person.suspended", "person.unsuspended", "person.deleted",
	}
}
