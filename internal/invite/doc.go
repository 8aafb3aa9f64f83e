// Package invite manages invitations: links with which people join a room themselves. The store
// holds only hashes of their tokens.
package invite
