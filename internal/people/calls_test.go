package people_test

import (
	"fmt"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/people"
	"example.com/parley/internal/test/tabletest"
)

// peopleStore returns a store whose calls are counted, with the employee table and 30 others in one
// state.
func peopleStore(t *testing.T) (s people.Store, used *tabletest.Usage) {
	t.Helper()
	used = &tabletest.Usage{}
	s = people.NewStore(dynamo.NewTable(tabletest.Start(t, "chat"), "chat", used.Observe))
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
	used.Take()
	return s, used
}

// TestPeople_ReadsOnlyTheItemsReturned allows one item beyond a page, which shows that the list
// continues. All items fit in half a read unit.
func TestPeople_ReadsOnlyTheItemsReturned(t *testing.T) {
	t.Parallel()
	s, counted := peopleStore(t)
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
		used := counted.Take()
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
	if used := counted.Take(); len(used) != 1 || used[0].Items != 2 || used[0].Units != 1.5 {
		t.Errorf("two profiles and a missing one: %+v, want one call of 1.5 units", used)
	}
	if _, err := s.Person(t.Context(), "e129"); err != nil {
		t.Fatal(err)
	}
	if used := counted.Take(); len(used) != 1 || used[0].Items != 1 || used[0].Units != 1 {
		t.Errorf("a person: %+v", used)
	}
}

func TestPutPerson_WritesOnlyTheFactThatChanges(t *testing.T) {
	t.Parallel()
	s, counted := peopleStore(t)
	before, err := s.Person(t.Context(), "e129")
	if err != nil {
		t.Fatal(err)
	}
	counted.Take()
	after := before
	after.State, after.Revision = "WA", 2
	if ok, err := s.PutPerson(t.Context(), before, after); !ok || err != nil {
		t.Fatal(ok, err)
	}
	units := 0.0
	for _, u := range counted.Take() {
		units += u.Units
	}
	// The root, the new state and the former one: two units each in the table and in the index.
	if units == 0 || units > 12 {
		t.Errorf("a change of the state writes %v units", units)
	}
}
