package restore

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/document"
	"example.com/parley/internal/table"
)

// copyDocument puts a document back with its permissions. An existing document keeps its own,
// because nothing shows which of the two is newer.
func (r *run) copyDocument(ctx context.Context, item table.Item) error {
	doc, s, err := readInRoom(
		ctx, r, item, document.ParseMetadata, func(d document.Document) chat.RoomID { return d.Room },
	)
	if s == nil || err != nil {
		return err
	}
	return r.settle(ctx, table.DocumentKind, func(ctx context.Context) (Outcome, change, error) {
		permissions := document.PermissionsKey(doc.Room, doc.ID)
		var writes change
		for _, key := range []table.Item{document.MetadataKey(doc.Room, doc.ID), permissions} {
			existing, err := r.to.get(ctx, key)
			if err != nil {
				return "", nil, err
			}
			if existing != nil {
				continue
			}
			theirs, err := r.from.get(ctx, key)
			if err != nil {
				return "", nil, err
			}
			if theirs != nil {
				writes = append(writes, r.to.PutNew(theirs))
			}
		}
		if len(writes) == 0 {
			return Same, nil, nil
		}
		return Put, writes, nil
	})
}

// copyPart puts a version of a part of a document back. Versions never change. A later copy
// replaces the newest copy.
func (r *run) copyPart(ctx context.Context, item table.Item) error {
	p, s, err := readInRoom(ctx, r, item, document.ParsePart, func(p document.Part) chat.RoomID { return p.Room })
	if s == nil || err != nil {
		return err
	}
	return r.settle(ctx, table.PartKind, func(ctx context.Context) (Outcome, change, error) {
		ours, existing, err := getTo(
			ctx, r, table.Key(textOf(item, table.PK), textOf(item, table.SK)), document.ParsePart,
		)
		switch {
		case err != nil:
			return "", nil, err
		case existing == nil:
			return Put, change{r.to.PutNew(item)}, nil
		case ours.Version > p.Version:
			return Newer, nil, nil
		case ours.Version == p.Version:
			return Same, nil, nil
		}
		return Replaced, change{r.to.Put(item, table.NumberIs(ours.Version))}, nil
	})
}
