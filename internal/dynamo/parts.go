package dynamo

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
	"parley/internal/table"
)

// SavePart writes a version and the copy of the newest in one transaction: 2 write
// units for each KB of the two items, so 4 for each KB of text.
func (s *Store) SavePart(ctx context.Context, p chat.Part) (chat.Part, bool, error) {
	return s.savePart(ctx, p, s.newVersion(p))
}

// SaveFirstPart writes the document too: 6 write units more.
func (s *Store) SaveFirstPart(ctx context.Context, doc chat.Document, p chat.Part) (chat.Part, bool, error) {
	return s.savePart(ctx, p, append(s.newDocument(doc), s.newVersion(p)...))
}

// newVersion puts a version where there is none, and the copy of the newest where it is
// of the version before.
func (s *Store) newVersion(p chat.Part) []types.TransactWriteItem {
	version, newest := table.PartItems(p)
	is := table.NewestIs(p)
	return []types.TransactWriteItem{
		{Put: &types.Put{
			TableName: &s.table, Item: version,
			ConditionExpression: aws.String("attribute_not_exists(PK)"),
		}},
		{Put: &types.Put{
			TableName: &s.table, Item: newest, ConditionExpression: aws.String(is.Condition),
			ExpressionAttributeNames: is.Names, ExpressionAttributeValues: is.Values,
		}},
	}
}

// savePart finds out what stands when the transaction was cancelled. Cancelled by another
// one under way, which may have saved this very part, it looks as well: where
// nothing was saved meanwhile, the same call may be made again.
func (s *Store) savePart(ctx context.Context, p chat.Part, items []types.TransactWriteItem) (chat.Part, bool, error) {
	var tries attempts
	err := s.transact(ctx, "save part", items, tries.counted)
	if err == nil {
		return p, true, nil
	}
	if len(items) > 2 && firstRefused(err) {
		return chat.Part{}, false, &chat.Error{Kind: chat.Conflict, Detail: "the document was made meanwhile"}
	}
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		return chat.Part{}, false, translate("save part", err)
	}
	newest, readErr := s.Part(ctx, chat.Part{Room: p.Room, Document: p.Document, ID: p.ID})
	if readErr != nil && chat.KindOf(readErr) != chat.NotFound {
		return chat.Part{}, false, readErr
	}
	if newest.Version == p.Version-1 || !overtaken(err, tries, newest.Version > p.Version) {
		return chat.Part{}, false, translate("save part", err)
	}
	return newest, false, nil
}

// Part is one consistent read: 1 read unit for every 4 KB.
func (s *Store) Part(ctx context.Context, which chat.Part) (chat.Part, error) {
	item, err := s.getItem(ctx, "read part", table.PartKey(which))
	if err != nil {
		return chat.Part{}, err
	}
	if item == nil {
		return chat.Part{}, &chat.Error{Kind: chat.NotFound, Detail: "there is no such part or version of this document"}
	}
	p, err := table.ParsePart(item)
	return p, translate("read part", err)
}

// Parts reads the newest copies by their prefix, consistently: 1 read unit for every 4 KB. One
// query is enough: where it ends early it has read a megabyte, which is a page.
func (s *Store) Parts(ctx context.Context, doc chat.Document, after chat.Mark, limit int) ([]chat.Part, chat.Mark, error) {
	in := &dynamodb.QueryInput{
		TableName:                &s.table,
		KeyConditionExpression:   aws.String("#pk = :pk AND begins_with(#sk, :prefix)"),
		ExpressionAttributeNames: map[string]string{"#pk": table.PK, "#sk": table.SK},
		ExpressionAttributeValues: table.Item{
			":pk":     &types.AttributeValueMemberS{Value: table.DocumentPK(doc.Room, doc.ID)},
			":prefix": &types.AttributeValueMemberS{Value: table.NewestPrefix},
		},
		ConsistentRead:         aws.Bool(true),
		Limit:                  aws.Int32(int32(limit + 1)),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
	if after != (chat.Mark{}) {
		in.ExclusiveStartKey = table.PartKey(chat.Part{Room: doc.Room, Document: doc.ID, ID: chat.PartID(after.Sort)})
	}
	out, err := s.db.Query(ctx, in)
	if err != nil {
		return nil, chat.Mark{}, translate("read parts", err)
	}
	s.used(ctx, Usage{Operation: "read parts", Items: len(out.Items)}, out.ConsumedCapacity)
	all, err := parseParts(out.Items)
	if err != nil {
		return nil, chat.Mark{}, translate("read parts", err)
	}
	parts := pageOfParts(all, limit)
	if len(parts) == 0 || len(parts) == len(all) && len(out.LastEvaluatedKey) == 0 {
		return parts, chat.Mark{}, nil
	}
	return parts, chat.Mark{Sort: string(parts[len(parts)-1].ID)}, nil
}

func parseParts(items []table.Item) ([]chat.Part, error) {
	parts := make([]chat.Part, 0, len(items))
	for _, item := range items {
		p, err := table.ParsePart(item)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// pageOfParts is the beginning of parts that a page may hold.
func pageOfParts(parts []chat.Part, limit int) []chat.Part {
	weight := 0
	for i, p := range parts {
		weight += p.Weight()
		if i == limit || i > 0 && weight > chat.MaxPageBytes {
			return parts[:i]
		}
	}
	return parts
}

// PartVersions reads versions by their exact keys.
func (s *Store) PartVersions(ctx context.Context, newest chat.Part, limit int) ([]chat.Part, error) {
	return pageOfVersions(ctx, s, versions[chat.Part]{
		operation: "read versions", parse: table.ParsePart,
		key: func(number int) table.Item {
			which := newest
			which.Version = number
			return table.PartKey(which)
		},
	}, newest.Version, limit)
}
