package document

import (
	"context"

	"parley/internal/chat"
)

// Store keeps a room's documents.
type Store interface {
	// CreateDocument keeps a new document, whole or not at all. It reports false, and
	// changes nothing, when there is one of that id.
	CreateDocument(ctx context.Context, doc Document) (created bool, err error)
	// UpdateDocument replaces title and permissions where they are still as before has
	// them. It reports false, and changes nothing, when they are not.
	UpdateDocument(ctx context.Context, before, after Document) (ok bool, err error)
	// Document returns a document as last written, or NotFound.
	Document(ctx context.Context, room chat.RoomID, id ID) (Document, error)
	// Documents returns a room's documents without their permissions, by id, at most
	// limit of them after a position whose Sort is an id; next is the zero ListPosition at the end.
	Documents(ctx context.Context, room chat.RoomID, after chat.ListPosition, limit int) (docs []Document, next chat.ListPosition, err error)
	// SavePart keeps p under its version and as the newest, both or neither, where
	// the newest is the version before; for version 1, where there is none. Otherwise saved is
	// false, nothing changes, and newest is what stands, the zero Part being none.
	SavePart(ctx context.Context, p Part) (newest Part, saved bool, err error)
	// SaveFirstPart does so and makes the part's document, all or nothing. Conflict when
	// there is such a document.
	SaveFirstPart(ctx context.Context, doc Document, p Part) (newest Part, saved bool, err error)
	// Part returns the version of a part that which names, 0 being the newest, or NotFound.
	Part(ctx context.Context, which Part) (Part, error)
	// Parts returns the newest of every part of a document, by part, at most limit
	// after a position whose Sort is a part, fewer where they would weigh over
	// MaxPageBytes, at least one if there is any.
	Parts(ctx context.Context, doc Document, after chat.ListPosition, limit int) (parts []Part, next chat.ListPosition, err error)
	// PartVersions returns the version that newest names and those before it, newest
	// first: at most limit, fewer where they would weigh over MaxPageBytes, at least one.
	PartVersions(ctx context.Context, newest Part, limit int) (versions []Part, err error)
}
