package people

import (
	"context"
	"fmt"
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/table"
)

// Store reads and writes the rows of people. It checks no rights.
type Store struct{ table *dynamo.Table }

// NewStore returns a store of the people in a table.
func NewStore(t *dynamo.Table) Store { return Store{t} }

// Person returns the current state of a person, or NotFound. It is one strong query for the root
// and the metadata: 1 read unit for every 4 KB.
func (s Store) Person(ctx context.Context, user chat.UserID) (Person, error) {
	const op = "read person"
	items, _, err := s.table.Query(ctx, dynamo.Query{
		Operation: op, Partition: table.PersonPK(user), Keys: dynamo.Between(skRoot, skRootMeta),
		Consistency: dynamo.Strong,
	})
	if err != nil {
		return Person{}, err
	}
	p, found, err := parseWhole(items)
	if err != nil {
		return Person{}, fmt.Errorf("%s: %w", op, err)
	}
	if !found {
		return Person{}, &chat.Error{Kind: chat.NotFound, Detail: "this person has no profile"}
	}
	return p, nil
}

// Profiles returns the people among users who have a profile, in any order and without their
// metadata. users must not contain duplicates. Changes within about the last second may be missing.
// It is one eventual batch read for every 100 people, one after another: half a read unit for every
// 4 KB of each, even for people without a profile.
func (s Store) Profiles(ctx context.Context, users []chat.UserID) ([]Person, error) {
	const op = "read people"
	keys := make([]table.Item, len(users))
	for i, user := range users {
		keys[i] = Key(user)
	}
	items, err := s.table.BatchGet(ctx, op, keys, dynamo.Eventual)
	if err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(items, func(item table.Item) bool { return item == nil })
	return dynamo.ParseItems(op, found, Parse)
}

// PutPerson replaces a person with all searchable values. If their Revision is no longer before's,
// it changes nothing and ok is false. A Revision of 0 means that the person does not exist. It is
// one transaction on the root and on the facts and words that change; if the name changes, all do.
// Each item costs 4 write units: two for the table and two for the index. The metadata costs 2 for
// each KB when it changes.
func (s Store) PutPerson(ctx context.Context, before, after Person) (ok bool, err error) {
	puts, deletes := Changes(before, after)
	var writes []dynamo.Write
	for _, item := range puts {
		var where table.Update
		if IsRoot(item) {
			where = Unchanged(before)
		}
		writes = append(writes, s.table.Put(item, where))
	}
	for _, key := range deletes {
		writes = append(writes, s.table.Delete(key, table.Update{}))
	}
	failed, err := s.table.TransactIf(ctx, "put person", writes...)
	return failed < 0 && err == nil, err
}

// People returns at most span.Limit people that span selects, by name. For ByName they are ordered
// by the words that FirstMatch returns. The order of equal names is stable. Changes within about
// the last second may be missing. It reads one partition of the index: half a read unit for every 4
// KB.
func (s Store) People(ctx context.Context, span Range) ([]Match, chat.ListPosition, error) {
	if span.Fact == ByName {
		return s.peopleByWord(ctx, span)
	}
	q := dynamo.Query{
		Operation: "list people", Index: true, Partition: factPK(span.Fact, span.Value),
		Consistency: dynamo.Eventual, Limit: span.Limit,
	}
	// In the index a fact's partition has the name of the fact in the table.
	q.Start = dynamo.IndexStart(
		q.Partition, span.After, table.Key(table.PersonPK(chat.UserID(span.After.ID)), q.Partition),
	)
	return dynamo.ListPage(ctx, s.table, q, parseMatch, func(m Match) chat.ListPosition {
		return chat.ListPosition{Sort: m.Name, ID: string(m.User)}
	})
}

// peopleByWord reads the words of names by a prefix: half a read unit for every 4 KB. It skips
// further words of a person who is already listed. The word itself shows this, so pages need not
// remember earlier ones.
func (s Store) peopleByWord(ctx context.Context, span Range) ([]Match, chat.ListPosition, error) {
	indexPK := factPK(ByName, "")
	q := dynamo.Query{
		Operation: "list people", Index: true, Partition: indexPK, Keys: dynamo.WithPrefix(span.Value),
		Consistency: dynamo.Eventual,
		Start: dynamo.IndexStart(
			indexPK, span.After, table.Key(table.PersonPK(chat.UserID(span.After.ID)), wordSK(span.After.Sort)),
		),
	}
	var page []Match
	var last word
	for {
		q.Limit = span.Limit + 1 - len(page)
		items, next, err := s.table.Query(ctx, q)
		if err != nil {
			return nil, chat.ListPosition{}, err
		}
		words, err := dynamo.ParseItems(q.Operation, items, parseWord)
		if err != nil {
			return nil, chat.ListPosition{}, err
		}
		for _, w := range words {
			if FirstMatch(w.Name, span.Value) != w.word {
				continue
			}
			if len(page) == span.Limit {
				return page, chat.ListPosition{Sort: last.word, ID: string(last.User)}, nil
			}
			page, last = append(page, w.Match), w
		}
		if q.Start = next; next == nil {
			return page, chat.ListPosition{}, nil
		}
	}
}
