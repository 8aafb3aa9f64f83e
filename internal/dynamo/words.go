package dynamo

import (
	"context"
	"maps"
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/people"
	"example.com/parley/internal/table"
)

// peopleByWord reads the words of names by a prefix: half a read unit for every 4 KB. It skips
// further words of a person who is already listed. The word itself shows this, so pages need not
// remember earlier ones.
func (s *Store) peopleByWord(ctx context.Context, span people.Range) ([]people.Match, chat.ListPosition, error) {
	indexPK := table.FactPK(people.ByName, "")
	q := Query{
		Operation: "list people", Index: true, Partition: indexPK, Keys: WithPrefix(span.Value), Consistency: Eventual,
		Start: IndexStart(indexPK, span.After, table.Key(table.PersonPK(chat.UserID(span.After.ID)), table.WordSK(span.After.Sort))),
	}
	var page []people.Match
	var last table.Word
	for {
		q.Limit = span.Limit + 1 - len(page)
		items, next, err := s.table.Query(ctx, q)
		if err != nil {
			return nil, chat.ListPosition{}, err
		}
		words, err := ParseItems(q.Operation, items, table.ParseWord)
		if err != nil {
			return nil, chat.ListPosition{}, err
		}
		for _, w := range words {
			if people.FirstMatch(w.Name, span.Value) != w.Word {
				continue
			}
			if len(page) == span.Limit {
				return page, chat.ListPosition{Sort: last.Word, ID: string(last.User)}, nil
			}
			page, last = append(page, w.Match), w
		}
		if q.Start = next; next == nil {
			return page, chat.ListPosition{}, nil
		}
	}
}

// EachPerson calls each for all people, by name, after a position whose Sort is a name and whose
// ID is a user: half a read unit for every 4 KB. It stops at the first error.
func (s *Store) EachPerson(ctx context.Context, after chat.ListPosition, each func(people.Person) error) error {
	const op = "list all people"
	q := Query{Operation: op, Index: true, Partition: table.PeoplePK, Consistency: Eventual, Limit: peoplePerQuery}
	q.Start = IndexStart(q.Partition, after, table.Key(table.PersonPK(chat.UserID(after.ID)), table.PeoplePK))
	return s.table.EachPage(ctx, q, func(items []table.Item) error {
		all, err := ParseItems(op, items, table.ParsePerson)
		for _, p := range all {
			if err := each(p); err != nil {
				return err
			}
		}
		return err
	})
}

// peoplePerQuery is the number of people per query, so that little is read again after an
// interruption.
const peoplePerQuery = 100

// IndexWords replaces the words of a person by the words of their current name, and reports
// whether any were missing or wrong. It reads the person and the words: 2 read units. Each word
// that it writes costs 4 write units, and the check of the person 2.
func (s *Store) IndexWords(ctx context.Context, user chat.UserID) (changed bool, err error) {
	for range chat.MaxChangeTries {
		p, err := s.Person(ctx, user)
		if chat.KindOf(err) == chat.NotFound {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		writes, err := s.wordWrites(ctx, p)
		if err != nil || len(writes) == 0 {
			return false, err
		}
		writes = append(writes, s.table.Check(table.PersonKey(user), table.PersonCondition(p)))
		if ok, err := s.table.transactIf(ctx, "index words", anyConditionFailed, writes...); ok || err != nil {
			return ok, err
		}
	}
	return false, chat.TooBusy()
}

// wordWrites returns the writes that replace the stored words of a person by the words of their
// name.
func (s *Store) wordWrites(ctx context.Context, p people.Person) ([]Write, error) {
	const op = "read words"
	keys := table.WordRange()
	q := Query{Operation: op, Partition: table.PersonPK(p.User), Keys: between(keys.Low, keys.High), Consistency: Strong}
	missing := map[string]bool{}
	for _, word := range people.Words(p.Name) {
		missing[table.WordSK(word)] = true
	}
	var writes []Write
	err := s.table.EachPage(ctx, q, func(items []table.Item) error {
		stored, err := ParseItems(op, items, table.ParseWord)
		for _, w := range stored {
			sk := table.WordSK(w.Word)
			if missing[sk] && w.Name == p.Name {
				delete(missing, sk)
			} else if !missing[sk] {
				writes = append(writes, s.table.Delete(table.Key(table.PersonPK(p.User), sk), table.Update{}))
			}
		}
		return err
	})
	items := table.PersonItems(p)
	for _, sk := range slices.Sorted(maps.Keys(missing)) {
		writes = append(writes, s.table.PutAny(items[sk]))
	}
	return writes, err
}
