package dynamo_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/people"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/tabletest"
)

// peopleStore returns a store whose calls are counted, with the employee table and 30 others in one
// state. The function returns the calls since its last call.
func peopleStore(t *testing.T) (s *dynamo.Store, take func() []dynamo.Usage) {
	t.Helper()
	client := tabletest.Start(t, "chat")
	var used []dynamo.Usage
	take = func() []dynamo.Usage {
		all := used
		used = nil
		return all
	}
	observe := func(_ context.Context, u dynamo.Usage) { used = append(used, u) }
	s = dynamo.New(client, dynamo.Options{Table: "chat", Clock: time.Now, Observe: observe})
	all := []people.Person{
		{User: "e129", Name: "Rhianna Cohen", Title: "Director of Technology", Former: []string{"System Architect"}, State: "CA"},
		{User: "e146", Name: "Davy Ivens", Title: "Desktop Support", State: "TX"},
	}
	for i := range 30 {
		all = append(all, people.Person{User: chat.UserID(fmt.Sprint("u", i)), Name: fmt.Sprintf("User %02d", i), Title: "Clerk", State: "CAL"})
	}
	for _, p := range all {
		p.Revision = 1
		if ok, err := s.PutPerson(t.Context(), people.Person{User: p.User}, p); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	take()
	return s, take
}

// TestPeople_ReadsOnlyTheItemsReturned allows one item beyond a page, which shows that the list
// continues. All items fit in half a read unit.
func TestPeople_ReadsOnlyTheItemsReturned(t *testing.T) {
	t.Parallel()
	s, take := peopleStore(t)
	for _, tt := range []struct {
		fact                 people.Fact
		value                string
		limit, people, items int
	}{
		{people.ByState, "CA", 50, 1, 1},
		{people.ByState, "C", 50, 0, 0},
		{people.ByTitle, "Director of Technology", 50, 1, 1},
		{people.ByFormerTitle, "System Architect", 50, 1, 1},
		{people.ByFormerTitle, "Clerk", 50, 0, 0},
		{people.ByName, "RHI", 50, 1, 1},
		{people.ByName, "COHEN", 50, 1, 1},
		{people.ByName, "OHEN", 50, 0, 0},
		{people.ByState, "CAL", 3, 3, 4},
		{people.ByName, "USER 1", 50, 10, 10},
		{people.ByName, "USER 1", 3, 3, 4},
		{people.ByName, "1", 3, 3, 4},
	} {
		people, _, err := s.People(t.Context(), people.Range{Fact: tt.fact, Value: tt.value, Limit: tt.limit})
		used := take()
		if err != nil || len(people) != tt.people || len(used) != 1 {
			t.Errorf("fact %d %q: %d people, %d calls, %v", tt.fact, tt.value, len(people), len(used), err)
			continue
		}
		if u := used[0]; u.Items != tt.items || u.Units > 0.5 || u.Write {
			t.Errorf("fact %d %q: %+v, want %d items in half a unit", tt.fact, tt.value, u, tt.items)
		}
	}
	if all, err := s.Profiles(t.Context(), []chat.UserID{"e129", "e146", "nobody"}); len(all) != 2 || err != nil {
		t.Errorf("profiles %+v, %v", all, err)
	}
	if used := take(); len(used) != 1 || used[0].Items != 2 || used[0].Units != 1.5 {
		t.Errorf("two profiles and a missing one: %+v, want one call of 1.5 units", used)
	}
	if _, err := s.Person(t.Context(), "e129"); err != nil {
		t.Fatal(err)
	}
	if used := take(); len(used) != 1 || used[0].Items != 1 || used[0].Units != 1 {
		t.Errorf("a person: %+v", used)
	}
}

func TestPutPerson_WritesOnlyTheFactThatChanges(t *testing.T) {
	t.Parallel()
	s, take := peopleStore(t)
	before, err := s.Person(t.Context(), "e129")
	if err != nil {
		t.Fatal(err)
	}
	take()
	after := before
	after.State, after.Revision = "WA", 2
	if ok, err := s.PutPerson(t.Context(), before, after); !ok || err != nil {
		t.Fatal(ok, err)
	}
	units := 0.0
	for _, u := range take() {
		units += u.Units
	}
	// The root, the new state and the former one: two units each in the table and in the index.
	if units == 0 || units > 12 {
		t.Errorf("a change of the state writes %v units", units)
	}
}

// TestIndexWords_RepairsTheWordsOfOnePerson removes the words, as if older code had stored the
// person, and leaves one word of a former name.
func TestIndexWords_RepairsTheWordsOfOnePerson(t *testing.T) {
	t.Parallel()
	client := tabletest.Start(t, "chat")
	s := dynamo.New(client, dynamo.Options{Table: "chat", Clock: time.Now})
	p := people.Person{User: "e129", Name: "Rhianna Cohen", Revision: 1}
	if ok, err := s.PutPerson(t.Context(), people.Person{User: p.User}, p); !ok || err != nil {
		t.Fatal(ok, err)
	}
	wantChanged := func(want bool) {
		t.Helper()
		changed, err := s.IndexWords(t.Context(), "e129")
		if changed != want || err != nil {
			t.Errorf("changed %v, %v, want %v", changed, err, want)
		}
		for text, found := range map[string]int{"RHI": 1, "COHEN": 1, "DIAZ": 0} {
			if got, _, err := s.People(t.Context(), people.Range{Fact: people.ByName, Value: text, Limit: 10}); len(got) != found || err != nil {
				t.Errorf("%s finds %v, %v, want %d", text, got, err, found)
			}
		}
	}
	wantChanged(false)
	raw := dynamo.NewTable(client, "chat", nil)
	stale := table.PersonItems(people.Person{User: "e129", Name: "Rhianna Diaz", Revision: 1})
	if err := raw.Transact(t.Context(), "test", []dynamo.Write{
		raw.Delete(table.Key(table.PersonPK("e129"), table.WordSK("COHEN")), table.Update{}),
		raw.PutAny(stale[table.WordSK("DIAZ")]), raw.PutAny(stale[table.WordSK("RHIANNA DIAZ")]),
	}); err != nil {
		t.Fatal(err)
	}
	wantChanged(true)
	wantChanged(false)
	if changed, err := s.IndexWords(t.Context(), "nobody"); changed || err != nil {
		t.Errorf("nobody: %v, %v", changed, err)
	}
}
