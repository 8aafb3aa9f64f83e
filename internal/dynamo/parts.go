package dynamo

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/document"
	"example.com/parley/internal/table"
)

// SavePart puts a version and the copy of the newest in one transaction: 2 write units for each KB
// of the two items, so 4 for each KB of text.
func (s *Store) SavePart(ctx context.Context, p document.Part) (document.Part, bool, error) {
	return s.savePart(ctx, p, s.newVersion(p))
}

// SaveFirstPart also puts the document, for 6 more write units.
func (s *Store) SaveFirstPart(ctx context.Context, doc document.Document, p document.Part) (document.Part, bool, error) {
	return s.savePart(ctx, p, append(s.newDocument(doc), s.newVersion(p)...))
}

// newVersion returns the writes that put a new version, and replace the copy of the newest version
// if it is still the version before.
func (s *Store) newVersion(p document.Part) []Write {
	version, newest := table.PartItems(p)
	return []Write{s.table.PutNew(version), s.table.Put(newest, table.NewestIs(p))}
}

// savePart returns the existing newest version if the transaction was canceled. It also reads that
// version if another transaction interfered, which may have saved this same part. If nothing was
// saved meanwhile, savePart returns an error that allows a retry.
func (s *Store) savePart(ctx context.Context, p document.Part, writes []Write) (document.Part, bool, error) {
	var tries attempts
	err := s.table.Transact(ctx, "save part", writes, tries.counted)
	if err == nil {
		return p, true, nil
	}
	if len(writes) > 2 && firstConditionFailed(err) {
		return document.Part{}, false, chat.Conflictf("the document was created meanwhile")
	}
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		return document.Part{}, false, translate("save part", err)
	}
	newest, readErr := s.Part(ctx, document.Part{Room: p.Room, Document: p.Document, ID: p.ID})
	if readErr != nil && chat.KindOf(readErr) != chat.NotFound {
		return document.Part{}, false, readErr
	}
	if newest.Version == p.Version-1 && anyConditionFailed(err) {
		// The previous version was saved between the transaction and the read.
		return document.Part{}, false, &chat.Error{Kind: chat.Unavailable, RetryAfter: retryAfter, Detail: "the part was saved meanwhile; " + chat.RetryHint}
	}
	if newest.Version == p.Version-1 || !lostRace(err, tries, newest.Version > p.Version) {
		return document.Part{}, false, translate("save part", err)
	}
	return newest, false, nil
}

// Part is one strong read: 1 read unit for every 4 KB.
func (s *Store) Part(ctx context.Context, which document.Part) (document.Part, error) {
	p, found, err := ReadStrong(ctx, s.table, "read part", table.PartKey(which), table.ParsePart)
	if err == nil && !found {
		err = &chat.Error{Kind: chat.NotFound, Detail: "this document has no such part or version"}
	}
	return p, err
}

// Parts reads the copies of the newest versions by their prefix with one strong query: 1 read unit
// for every 4 KB. One query is enough: it ends early only after a megabyte, which is a page.
func (s *Store) Parts(ctx context.Context, doc document.Document, after chat.ListPosition, limit int) ([]document.Part, chat.ListPosition, error) {
	q := Query{
		Operation: "read parts", Partition: table.DocumentPK(doc.Room, doc.ID), Keys: WithPrefix(table.NewestPrefix),
		Consistency: Strong, Limit: limit + 1,
	}
	if after != (chat.ListPosition{}) {
		q.Start = table.PartKey(document.Part{Room: doc.Room, Document: doc.ID, ID: document.PartID(after.Sort)})
	}
	items, more, err := s.table.Query(ctx, q)
	if err != nil {
		return nil, chat.ListPosition{}, err
	}
	all, err := parseItems(q.Operation, items, table.ParsePart)
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
func pageOfParts(parts []document.Part, limit int) []document.Part {
	weight := 0
	for i, p := range parts {
		weight += p.PageBytes()
		if i == limit || i > 0 && weight > chat.MaxPageBytes {
			return parts[:i]
		}
	}
	return parts
}

// PartVersions reads versions by their keys: 1 read unit for every 4 KB of each.
func (s *Store) PartVersions(ctx context.Context, newest document.Part, limit int) ([]document.Part, error) {
	return pageOfVersions(ctx, s, versions[document.Part]{
		operation: "read versions", parse: table.ParsePart,
		key: func(number int) table.Item {
			which := newest
			which.Version = number
			return table.PartKey(which)
		},
	}, newest.Version, limit)
}
