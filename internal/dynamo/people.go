package dynamo

import (
	"context"
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/people"
	"example.com/parley/internal/table"
)

// Person is one strong query for the root and the metadata: 1 read unit for every 4 KB.
func (s *Store) Person(ctx context.Context, user chat.UserID) (people.Person, error) {
	const op = "read person"
	keys := table.PersonRange()
	items, _, err := s.table.Query(ctx, Query{
		Operation: op, Partition: table.PersonPK(user), Keys: between(keys.Low, keys.High), Consistency: Strong,
	})
	if err != nil {
		return people.Person{}, err
	}
	p, found, err := table.ParseWholePerson(items)
	if err != nil {
		return people.Person{}, translate(op, err)
	}
	if !found {
		return people.Person{}, &chat.Error{Kind: chat.NotFound, Detail: "this person has no profile"}
	}
	return p, nil
}

// Profiles is one eventual batch read for every 100 people, one after another: half a read unit
// for every 4 KB of each, even for people without a profile.
func (s *Store) Profiles(ctx context.Context, users []chat.UserID) ([]people.Person, error) {
	const op = "read people"
	keys := make([]table.Item, len(users))
	for i, user := range users {
		keys[i] = table.PersonKey(user)
	}
	items, err := s.table.BatchGet(ctx, op, keys, Eventual)
	if err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(items, func(item table.Item) bool { return item == nil })
	return ParseItems(op, found, table.ParsePerson)
}

// PutPerson is one transaction on the root and on the facts and words that change; if the name
// changes, all do. Each item costs 4 write units: two for the table and two for the index. The
// metadata costs 2 for each KB when it changes.
func (s *Store) PutPerson(ctx context.Context, before, after people.Person) (bool, error) {
	puts, deletes := table.PersonChange(before, after)
	var writes []Write
	for _, item := range puts {
		var where table.Update
		if table.IsRoot(item) {
			where = table.PersonCondition(before)
		}
		writes = append(writes, s.table.Put(item, where))
	}
	for _, key := range deletes {
		writes = append(writes, s.table.Delete(key, table.Update{}))
	}
	return s.table.transactIf(ctx, "put person", anyConditionFailed, writes...)
}

// People reads one partition of the index: half a read unit for every 4 KB.
func (s *Store) People(ctx context.Context, span people.Range) ([]people.Match, chat.ListPosition, error) {
	if span.Fact == people.ByName {
		return s.peopleByWord(ctx, span)
	}
	q := Query{
		Operation: "list people", Index: true, Partition: table.FactPK(span.Fact, span.Value),
		Consistency: Eventual, Limit: span.Limit,
	}
	// In the index a fact's partition has the name of the fact in the table.
	q.Start = IndexStart(q.Partition, span.After, table.Key(table.PersonPK(chat.UserID(span.After.ID)), q.Partition))
	return ListPage(ctx, s.table, q, table.ParsePersonMatch, func(m people.Match) chat.ListPosition {
		return chat.ListPosition{Sort: m.Name, ID: string(m.User)}
	})
}
