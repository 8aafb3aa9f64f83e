package document

import (
	"context"
	"fmt"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/table"
)

// store makes the calls to the table.
type store struct{ table *dynamo.Table }

// create stores a new document in one transaction: 6 write units, since a transaction doubles them.
// If a document with that id exists, it changes nothing and created is false.
func (s store) create(ctx context.Context, doc Document) (created bool, err error) {
	failed, err := s.table.TransactIf(ctx, "create document", s.newDocument(doc)...)
	return failed < 0 && err == nil, err
}

// newDocument returns the writes that put a document's items if no document has its id.
func (s store) newDocument(doc Document) []dynamo.Write {
	metadata, permissions := Items(doc)
	return []dynamo.Write{s.table.PutNew(metadata), s.table.PutAny(permissions)}
}

// update replaces the title and the permissions in one transaction, 6 write units, if before is
// still current. Otherwise it changes nothing and ok is false.
func (s store) update(ctx context.Context, before, after Document) (ok bool, err error) {
	metadata, permissions := updates(before, after)
	failed, err := s.table.TransactIf(ctx, "update document",
		s.table.Update(MetadataKey(after.Room, after.ID), metadata),
		s.table.Update(PermissionsKey(after.Room, after.ID), permissions))
	return failed < 0 && err == nil, err
}

// document returns the current state of a document, or NotFound. It reads metadata and permissions
// by their keys, consistently: 2 read units.
func (s store) document(ctx context.Context, room chat.RoomID, id ID) (Document, error) {
	keys := []table.Item{MetadataKey(room, id), PermissionsKey(room, id)}
	items, err := s.table.BatchGet(ctx, "read document", keys, dynamo.Strong)
	if err != nil {
		return Document{}, err
	}
	if items[0] == nil || items[1] == nil { // a single item belongs to a document being created
		return Document{}, &chat.Error{Kind: chat.NotFound, Detail: "this room has no such document"}
	}
	doc, err := parse(items[0], items[1])
	if err != nil {
		return Document{}, fmt.Errorf("read document: %w", err)
	}
	return doc, nil
}

// list returns a room's documents without their permissions, ordered by id: at most limit of them,
// after a position whose Sort is an id. It reads the index: half a read unit for every 4 KB.
func (s store) list(
	ctx context.Context, room chat.RoomID, after chat.ListPosition, limit int,
) ([]Document, chat.ListPosition, error) {
	pk := RoomPK(room)
	q := dynamo.Query{
		Operation: "list documents", Index: true, Partition: pk, Consistency: dynamo.Eventual, Limit: limit,
		Start: dynamo.IndexStart(pk, after, table.Key(PK(room, ID(after.Sort)), table.MetadataSK)),
	}
	return dynamo.ListPage(ctx, s.table, q, ParseMetadata, func(d Document) chat.ListPosition {
		return chat.ListPosition{Sort: string(d.ID)}
	})
}

// savePart stores p under its version and as the newest, in one transaction, if the newest version
// is the one before p. Version 1 requires that there is none. Otherwise nothing changes and saved
// is false. In both cases it returns the newest version, or the zero Part if there is none. It
// costs 2 write units for each KB of the two items, so 4 for each KB of text.
func (s store) savePart(ctx context.Context, p Part) (newest Part, saved bool, err error) {
	return s.saveVersion(ctx, p, s.newVersion(p))
}

// saveFirstPart is savePart, but also creates the document in the same transaction, for 6 more
// write units. The error is Conflict if the document exists.
func (s store) saveFirstPart(ctx context.Context, doc Document, p Part) (newest Part, saved bool, err error) {
	return s.saveVersion(ctx, p, append(s.newDocument(doc), s.newVersion(p)...))
}

// newVersion returns the writes that put a new version, and replace the copy of the newest version
// if it is still the version before.
func (s store) newVersion(p Part) []dynamo.Write {
	version, newest := PartItems(p)
	return []dynamo.Write{s.table.PutNew(version), s.table.Put(newest, newestIs(p))}
}

// saveVersion returns the existing newest version if the transaction was canceled. It also reads
// that version if another transaction interfered, which may have saved this same part. If nothing
// was saved meanwhile, saveVersion returns an error that allows a retry.
func (s store) saveVersion(ctx context.Context, p Part, writes []dynamo.Write) (Part, bool, error) {
	cancelled, err := s.table.TransactOrCancelled(ctx, "save part", writes...)
	if err != nil {
		return Part{}, false, err
	}
	if cancelled == nil {
		return p, true, nil
	}
	if len(writes) > 2 && cancelled.First() {
		return Part{}, false, chat.Conflictf("the document was created meanwhile")
	}
	newest, err := s.part(ctx, Part{Room: p.Room, Document: p.Document, ID: p.ID})
	if err != nil && chat.KindOf(err) != chat.NotFound {
		return Part{}, false, err
	}
	if newest.Version == p.Version-1 && cancelled.Failed() {
		// The previous version was saved between the transaction and the read.
		return Part{}, false, &chat.Error{
			Kind: chat.Unavailable, RetryAfter: dynamo.RetryAfter,
			Detail: "the part was saved meanwhile; " + chat.RetryHint,
		}
	}
	if newest.Version == p.Version-1 || !cancelled.LostRace(newest.Version > p.Version) {
		return Part{}, false, cancelled.Err("save part")
	}
	return newest, false, nil
}

// part returns the part selected by which, or NotFound. Version 0 is the newest. It is one strong
// read: 1 read unit for every 4 KB.
func (s store) part(ctx context.Context, which Part) (Part, error) {
	p, found, err := dynamo.ReadStrong(ctx, s.table, "read part", partKey(which), ParsePart)
	if err == nil && !found {
		err = &chat.Error{Kind: chat.NotFound, Detail: "this document has no such part or version"}
	}
	return p, err
}

// parts returns the newest version of every part of a document, ordered by part, after a position
// whose Sort is a part: at most limit of them, fewer if they would exceed chat.MaxPageBytes, but at
// least one if there is any. It reads them by their prefix with one strong query: 1 read unit for
// every 4 KB. One query is enough: it ends early only after a megabyte, which is a page.
func (s store) parts(
	ctx context.Context, doc Document, after chat.ListPosition, limit int,
) ([]Part, chat.ListPosition, error) {
	q := dynamo.Query{
		Operation: "read parts", Partition: PK(doc.Room, doc.ID), Keys: dynamo.WithPrefix(table.NewestPrefix),
		Consistency: dynamo.Strong, Limit: limit + 1,
	}
	if after != (chat.ListPosition{}) {
		q.Start = partKey(Part{Room: doc.Room, Document: doc.ID, ID: PartID(after.Sort)})
	}
	items, more, err := s.table.Query(ctx, q)
	if err != nil {
		return nil, chat.ListPosition{}, err
	}
	all, err := dynamo.ParseItems(q.Operation, items, ParsePart)
	if err != nil {
		return nil, chat.ListPosition{}, err
	}
	parts := pageOfParts(all, limit)
	if len(parts) == 0 || len(parts) == len(all) && len(more) == 0 {
		return parts, chat.ListPosition{}, nil
	}
	return parts, chat.ListPosition{Sort: string(parts[len(parts)-1].ID)}, nil
}

// pageOfParts returns the first parts, as many as fit in a page.
func pageOfParts(parts []Part, limit int) []Part {
	weight := 0
	for i, p := range parts {
		weight += p.PageBytes()
		if i == limit || i > 0 && weight > chat.MaxPageBytes {
			return parts[:i]
		}
	}
	return parts
}

// versions returns versions of a part, newest first, beginning with newest: at most limit of them,
// fewer if they would exceed chat.MaxPageBytes, but at least one. It reads them by their keys: 1
// read unit for every 4 KB of each.
func (s store) versions(ctx context.Context, newest Part, limit int) ([]Part, error) {
	return dynamo.PageOfVersions(ctx, s.table, dynamo.Versions[Part]{
		Operation: "read versions", Parse: ParsePart,
		Key: func(number int) table.Item {
			which := newest
			which.Version = number
			return partKey(which)
		},
	}, newest.Version, limit)
}
