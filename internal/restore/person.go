package restore

import (
	"context"

	"example.com/parley/internal/account"
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

// copyAccount puts back a missing account, or suspends a person who is suspended in From. It erases
// a person who was erased in From.
func (r *run) copyAccount(ctx context.Context, item table.Item) error {
	if a, err := account.Parse(item); err != nil || !a.Suspension.IsZero() {
		return r.suspendAndErase(ctx, item)
	}
	if err := r.copyMissing(ctx, item); err != nil {
		return err
	}
	return r.erase(ctx, item)
}

// suspendAndErase applies the suspension and the erasure of an account of From in To.
func (r *run) suspendAndErase(ctx context.Context, item table.Item) error {
	if err := r.suspend(ctx, item); err != nil {
		return err
	}
	return r.erase(ctx, item)
}

// suspend suspends a person in To who is suspended in From, if From's suspension is newer than the
// last end that To knows. So a suspension that has since ended stays ended. It never ends a
// suspension.
func (r *run) suspend(ctx context.Context, item table.Item) error {
	theirs, ok := readFrom(r, item, account.Parse)
	if !ok || theirs.Suspension.IsZero() {
		return nil
	}
	key := table.Item{table.PK: item[table.PK], table.SK: item[table.SK]}
	return r.settle(ctx, table.AccountKind, func(ctx context.Context) (Outcome, change, error) {
		ours, _, err := getTo(ctx, r, key, account.Parse)
		switch {
		case err != nil:
			return "", nil, err
		case !ours.Suspension.IsZero():
			return Same, nil, nil
		case !theirs.Suspension.At.After(ours.Ended.At):
			return Newer, nil, nil
		}
		return Changed, change{r.to.Update(key, account.SuspendSince(theirs.Suspension, ours.Ended))}, nil
	})
}

// erase requests in To the erasure of a person who was erased in From since To's copy was made.
// The feed function of To makes it. The person is suspended in To, even if they have begun anew in
// From.
func (r *run) erase(ctx context.Context, item table.Item) error {
	theirs, _ := account.Parse(item) // what cannot be read is counted already
	if theirs.Erasure.At.IsZero() {
		return nil
	}
	key := table.Item{table.PK: item[table.PK], table.SK: item[table.SK]}
	return r.settle(ctx, table.AccountKind, func(ctx context.Context) (Outcome, change, error) {
		ours, _, err := getTo(ctx, r, key, account.Parse)
		if err != nil || !theirs.Erasure.At.After(ours.Erasure.At) || ours.Erasure.InProgress() {
			return Same, nil, err
		}
		if ours.Suspension.IsZero() {
			r.Note(table.KeyText(item), "the person was deleted, and is suspended until the suspension is ended")
		}
		return Changed, change{r.to.Update(key, account.EraseAgain(theirs.Erasure, ours))}, nil
	})
}

// erasedSince reports whether an item of From belongs to a person who was erased in To since From's
// copy was made.
func (r *run) erasedSince(ctx context.Context, item table.Item) (bool, error) {
	user, ok := table.OwnerOf(item)
	if !ok || table.KindOf(item) == table.AccountKind {
		return false, nil
	}
	if erased, known := r.erased.Load(user); known {
		return erased.(bool), nil
	}
	var theirs account.Account
	ours, _, err := getTo(ctx, r, table.AccountKey(user), account.Parse)
	if err == nil && !ours.Erasure.At.IsZero() {
		var existing table.Item
		if existing, err = r.from.get(ctx, table.AccountKey(user)); err == nil {
			theirs, err = account.Parse(existing)
		}
	}
	if err != nil {
		return false, err
	}
	erased := ours.Erasure.At.After(theirs.Erasure.At)
	r.erased.Store(user, erased)
	return erased, nil
}
