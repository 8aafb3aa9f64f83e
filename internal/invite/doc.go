// Package invite manages invitations: links by which people become members of a room on their own.
// The store holds only hashes of their tokens.
package invite
