package document

import (
	"context"

	"example.com/parley/internal/chat"
)

// Store stores the documents of rooms.
type Store interface {
	// CreateDocument stores a new document in one transaction. If a document with that id exists,
	// it changes nothing and created is false.
	CreateDocument(ctx context.Context, doc Document) (created bool, err error)
	// UpdateDocument replaces the title and the permissions if before is still current. Otherwise
	// it changes nothing and ok is false.
	UpdateDocument(ctx context.Context, before, after Document) (ok bool, err error)
	// Document returns the current state of a document, or NotFound.
	Document(ctx context.Context, room chat.RoomID, id ID) (Document, error)
	// Documents returns a room's documents without their permissions, ordered by id. It returns at
	// most limit of them, after a position whose Sort is an id. At the end of the list, next is the
	// zero ListPosition.
	Documents(ctx context.Context, room chat.RoomID, after chat.ListPosition, limit int) (docs []Document, next chat.ListPosition, err error)
	// SavePart stores p under its version and as the newest, in one transaction, if the newest
	// version is the one before p. Version 1 requires that there is none. Otherwise nothing changes
	// and saved is false. In both cases it returns the newest version, or the zero Part if there is
	// none.
	SavePart(ctx context.Context, p Part) (newest Part, saved bool, err error)
	// SaveFirstPart is SavePart, but also creates the document in the same transaction. The error
	// is Conflict if the document exists.
	SaveFirstPart(ctx context.Context, doc Document, p Part) (newest Part, saved bool, err error)
	// Part returns the part selected by which, or NotFound. Version 0 is the newest.
	Part(ctx context.Context, which Part) (Part, error)
	// Parts returns the newest version of every part of a document, ordered by part, after a
	// position whose Sort is a part. It returns at most limit of them, fewer if they would exceed
	// MaxPageBytes, but at least one if there is any.
	Parts(ctx context.Context, doc Document, after chat.ListPosition, limit int) (parts []Part, next chat.ListPosition, err error)
	// PartVersions returns versions of a part, newest first, beginning with newest. It returns at
	// most limit of them, fewer if they would exceed MaxPageBytes, but at least one.
	PartVersions(ctx context.Context, newest Part, limit int) (versions []Part, err error)
}
