package dynamo

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/document"
	"example.com/parley/internal/table"
)

// CreateDocument writes a document's two items in one transaction: 6 write units, since a
// transaction doubles them.
func (s *Store) CreateDocument(ctx context.Context, doc document.Document) (bool, error) {
	return s.table.transactIf(ctx, "create document", firstConditionFailed, s.newDocument(doc)...)
}

// newDocument returns the writes that put a document's items if no document has its id.
func (s *Store) newDocument(doc document.Document) []Write {
	metadata, permissions := table.DocumentItems(doc)
	return []Write{s.table.PutNew(metadata), s.table.PutAny(permissions)}
}

// UpdateDocument changes both items in one transaction: 6 write units.
func (s *Store) UpdateDocument(ctx context.Context, before, after document.Document) (bool, error) {
	metadata, permissions := table.DocumentUpdates(before, after)
	return s.table.transactIf(ctx, "update document", anyConditionFailed,
		s.table.Update(table.DocumentMetadataKey(after.Room, after.ID), metadata),
		s.table.Update(table.DocumentPermissionsKey(after.Room, after.ID), permissions))
}

// Document reads metadata and permissions by their keys, consistently: 2 read units.
func (s *Store) Document(ctx context.Context, room chat.RoomID, id document.ID) (document.Document, error) {
	keys := []table.Item{table.DocumentMetadataKey(room, id), table.DocumentPermissionsKey(room, id)}
	items, err := s.table.BatchGet(ctx, "read document", keys, Strong)
	if err != nil {
		return document.Document{}, err
	}
	if items[0] == nil || items[1] == nil { // a single item belongs to a document being created
		return document.Document{}, &chat.Error{Kind: chat.NotFound, Detail: "this room has no such document"}
	}
	doc, err := table.ParseDocument(items[0], items[1])
	return doc, translate("read document", err)
}

// Documents reads the metadata of a room's documents from the index: half a read unit for every 4
// KB.
func (s *Store) Documents(ctx context.Context, room chat.RoomID, after chat.ListPosition, limit int) ([]document.Document, chat.ListPosition, error) {
	pk := table.DocumentsPK(room)
	q := Query{
		Operation: "list documents", Index: true, Partition: pk, Consistency: Eventual, Limit: limit,
		Start: IndexStart(pk, after, table.Key(table.DocumentPK(room, document.ID(after.Sort)), table.MetadataSK)),
	}
	return ListPage(ctx, s.table, q, table.ParseDocumentMetadata, func(d document.Document) chat.ListPosition {
		return chat.ListPosition{Sort: string(d.ID)}
	})
}
