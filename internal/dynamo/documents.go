package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
	"parley/internal/table"
)

// CreateDocument writes a document's two items in one transaction: 6 write units, since a
// transaction doubles them.
func (s *Store) CreateDocument(ctx context.Context, doc chat.Document) (bool, error) {
	err := s.transact(ctx, "create document", s.newDocument(doc))
	if firstRefused(err) {
		return false, nil
	}
	return err == nil, translate("create document", err)
}

// newDocument puts a document's items where there is none.
func (s *Store) newDocument(doc chat.Document) []types.TransactWriteItem {
	metadata, permissions := table.DocumentItems(doc)
	return []types.TransactWriteItem{
		{Put: &types.Put{
			TableName: &s.table, Item: metadata,
			ConditionExpression: aws.String("attribute_not_exists(PK)"),
		}},
		{Put: &types.Put{TableName: &s.table, Item: permissions}},
	}
}

// UpdateDocument changes both items in one transaction: 6 write units.
func (s *Store) UpdateDocument(ctx context.Context, before, after chat.Document) (bool, error) {
	metadata, permissions := table.DocumentUpdates(before, after)
	err := s.transact(ctx, "update document", []types.TransactWriteItem{
		{Update: s.update(table.DocumentMetadataKey(after.Room, after.ID), metadata)},
		{Update: s.update(table.DocumentPermissionsKey(after.Room, after.ID), permissions)},
	})
	if anyRefused(err) {
		return false, nil
	}
	return err == nil, translate("update document", err)
}

// Document reads metadata and permissions by their keys, consistently: 2 read units.
func (s *Store) Document(ctx context.Context, room chat.RoomID, id chat.DocumentID) (chat.Document, error) {
	items, err := s.batchGet(ctx, "read document", []table.Item{
		table.DocumentMetadataKey(room, id), table.DocumentPermissionsKey(room, id),
	})
	if err != nil {
		return chat.Document{}, err
	}
	if items[0] == nil || items[1] == nil { // one alone is a document that is just being made
		return chat.Document{}, &chat.Error{Kind: chat.NotFound, Detail: "there is no such document in this room"}
	}
	doc, err := table.ParseDocument(items[0], items[1])
	return doc, translate("read document", err)
}

// Documents reads the metadata of a room's documents from the index: half a read
// unit for every 4 KB.
func (s *Store) Documents(ctx context.Context, room chat.RoomID, after chat.Mark, limit int) ([]chat.Document, chat.Mark, error) {
	pk := table.DocumentsPK(room)
	items, more, err := s.listItems(ctx, list{
		operation: "list documents", index: true, pk: pk, limit: limit,
		start: indexStart(pk, after, table.DocumentPK(room, chat.DocumentID(after.Sort)), table.MetadataSK),
	})
	if err != nil {
		return nil, chat.Mark{}, err
	}
	return marked(items, more, table.ParseDocumentMetadata, func(d chat.Document) chat.Mark {
		return chat.Mark{Sort: string(d.ID)}
	})
}
