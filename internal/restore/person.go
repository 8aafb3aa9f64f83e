package restore

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/people"
	"example.com/parley/internal/table"
)

// copyPerson puts a person back with all facts by which they are found, or replaces an earlier
// revision. If only root is missing, the person keeps the existing metadata.
func (r *run) copyPerson(ctx context.Context, item table.Item) error {
	p, ok := readFrom(r, item, people.Parse)
	if !ok {
		return nil
	}
	return r.settle(ctx, table.PersonKind, func(ctx context.Context) (Outcome, change, error) {
		ours, existing, err := getTo(ctx, r, people.Key(p.User), people.Parse)
		if err == nil {
			p.Metadata, err = personMetadata(ctx, r.from, p.User)
		}
		if err == nil {
			ours.Metadata, err = personMetadata(ctx, r.to, p.User)
		}
		switch {
		case err != nil:
			return "", nil, err
		case existing == nil:
			if ours.Metadata != "" {
				p.Metadata = ours.Metadata // may have a later revision
			}
			return Put, r.personChange(people.Person{}, p), nil
		case ours.Revision > p.Revision:
			return Newer, nil, nil
		case ours.Revision < p.Revision:
			return Replaced, r.personChange(ours, p), nil
		}
		ours.Metadata = p.Metadata // has the same revision
		return r.missingFacts(ctx, ours)
	})
}

// personMetadata reads the metadata of a person.
func personMetadata(ctx context.Context, in source, user chat.UserID) (string, error) {
	item, err := in.get(ctx, people.MetadataKey(user))
	if err != nil {
		return "", err
	}
	return people.ParseMetadata(item)
}

// personChange returns the writes that turn one person into another, if before is still the stored
// one. A zero before means that the person is not stored.
func (r *run) personChange(before, after people.Person) change {
	var writes change
	puts, deletes := people.Changes(before, after)
	for _, item := range puts {
		if people.IsRoot(item) {
			writes = append(writes, r.to.Put(item, people.Unchanged(before)))
		} else {
			writes = append(writes, r.to.PutAny(item))
		}
	}
	for _, key := range deletes {
		writes = append(writes, r.to.Delete(key, table.Update{}))
	}
	return writes
}

// missingFacts puts back the facts of a person that are missing, so that the person is found by
// them.
func (r *run) missingFacts(ctx context.Context, p people.Person) (Outcome, change, error) {
	var writes change
	for sk, fact := range people.Items(p) {
		found, err := r.to.get(ctx, table.Key(table.PersonPK(p.User), sk))
		if err != nil {
			return "", nil, err
		}
		if found == nil {
			writes = append(writes, r.to.PutNew(fact))
		}
	}
	if len(writes) == 0 {
		return Same, nil, nil
	}
	return Put, writes, nil
}
