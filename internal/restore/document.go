package restore

import (
	"context"

	"parley/internal/table"
)

// copyDocument puts a document back with its permissions. One that is there keeps its own: nothing says
// which of two is newer.
func (r *run) copyDocument(ctx context.Context, item table.Item) error {
	doc, err := table.ParseDocumentMetadata(item)
	if err != nil {
		r.unreadable(item, err)
		return nil
	}
	if s, err := r.stateOf(ctx, doc.Room, item); s == nil || err != nil {
		return err
	}
	return r.settle(ctx, table.DocumentKind, func(ctx context.Context) (Outcome, change, error) {
		permissions := table.DocumentPermissionsKey(doc.Room, doc.ID)
		var writes change
		for _, key := range []table.Item{table.DocumentMetadataKey(doc.Room, doc.ID), permissions} {
			there, err := r.to.get(ctx, key)
			if err != nil {
				return "", nil, err
			}
			if there != nil {
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

// copyPart puts a version of a part of a document back. Versions never change; the copy of the newest
// gives way to a later one.
func (r *run) copyPart(ctx context.Context, item table.Item) error {
	p, err := table.ParsePart(item)
	if err != nil {
		r.unreadable(item, err)
		return nil
	}
	if s, err := r.stateOf(ctx, p.Room, item); s == nil || err != nil {
		return err
	}
	return r.settle(ctx, table.PartKind, func(ctx context.Context) (Outcome, change, error) {
		there, err := r.to.get(ctx, table.Key(textOf(item, table.PK), textOf(item, table.SK)))
		if err != nil {
			return "", nil, err
		}
		if there == nil {
			return Put, change{r.to.PutNew(item)}, nil
		}
		ours, err := read(there, table.ParsePart)
		switch {
		case err != nil:
			return "", nil, err
		case ours.Version > p.Version:
			return Newer, nil, nil
		case ours.Version == p.Version:
			return Same, nil, nil
		}
		return Replaced, change{r.to.Put(item, table.NumberIs(ours.Version))}, nil
	})
}
