package people_test

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/people"
	"example.com/parley/internal/test/storetest"
	"example.com/parley/internal/test/tabletest"
)

// start is the time at which the tests begin.
var start = time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)

// TestStore_KeepsTheContract runs on every engine that Parley runs on.
func TestStore_KeepsTheContract(t *testing.T) {
	t.Parallel()
	tabletest.Keeps(t, "people", tabletest.Create, people.NewStore, map[string]func(*testing.T, people.Store){
		"people are found by each of their facts":                employeesAreFound,
		"a missing person is not found":                          missingPerson,
		"profiles are read together":                             profilesAreReadTogether,
		"an update of a person updates every index entry":        personUpdate,
		"an update of a person fails if the person has changed":  personUpdateIsConditional,
		"one of several concurrent updates of a person succeeds": concurrentPersonUpdates,
		"people with similar names are listed in order":          peopleInOrder,
		"names are found by their words, and each once":          namesAreFoundByTheirWords,
	})
}

func wantNotFound(t *testing.T, err error) {
	t.Helper()
	if chat.KindOf(err) != chat.NotFound {
		t.Errorf("the error is %v, want NotFound", err)
	}
}

// employees returns the sample people that the key design of people is based on.
func employees() []people.Person {
	return []people.Person{
		{
			User: "e129", Name: "Rhianna Cohen", Title: "Director of Technology", Former: []string{"System Architect"},
			State: "CA", Hired: time.Date(1995, 7, 1, 0, 0, 0, 0, time.UTC), Avatar: "https://example.com/e129.png", Picture: "of e129", PictureID: uuid.UUID{1}, Revision: 1,
			Metadata: `{"desk":"4-17"}`, Bot: true,
			Status: people.Status{Text: "on holiday", Emoji: "🌴", Until: start.Add(time.Hour)},
		},
		{
			User: "e146", Name: "Davy Ivens", Title: "Desktop Support",
			State: "TX", Hired: time.Date(2010, 2, 16, 0, 0, 0, 0, time.UTC), Avatar: "https://example.com/e146.png", Picture: "of e146", PictureID: uuid.UUID{2}, Revision: 1,
			Metadata: `{"a":[1.50]}`, Bot: true,
			Status: people.Status{Text: "at the desk", Emoji: "☕", Until: start.Add(time.Minute)},
		},
	}
}

func storePerson(t *testing.T, s people.Store, before, after people.Person) {
	t.Helper()
	if ok, err := s.PutPerson(t.Context(), before, after); !ok || err != nil {
		t.Fatalf("put %+v: %v, %v", after, ok, err)
	}
}

// matches reads all pages of a query.
func matches(t *testing.T, s people.Store, fact people.Fact, value string) []people.Match {
	t.Helper()
	span := people.Range{Fact: fact, Value: value, Limit: 2}
	var all []people.Match
	for {
		page, next, err := s.People(t.Context(), span)
		if err != nil || len(page) > span.Limit {
			t.Fatalf("%+v: page of %d people, %v", span, len(page), err)
		}
		all = append(all, page...)
		if next == (chat.ListPosition{}) {
			return all
		}
		if len(page) == 0 {
			t.Fatalf("%+v: a page is empty, but next is set", span)
		}
		span.After = next
	}
}

func wantPeople(t *testing.T, s people.Store, fact people.Fact, value string, want ...chat.UserID) {
	t.Helper()
	var got []chat.UserID
	for _, m := range matches(t, s, fact, value) {
		got = append(got, m.User)
	}
	if !slices.Equal(got, want) {
		t.Errorf("people by fact %d %q are %v, want %v", fact, value, got, want)
	}
}

func employeesAreFound(t *testing.T, s people.Store) {
	for _, e := range employees() {
		storePerson(t, s, people.Person{User: e.User}, e)
		got, err := s.Person(t.Context(), e.User)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(e, got); d != "" {
			t.Errorf("person (-want +got):\n%s", d)
		}
	}
	for _, tt := range []struct {
		fact  people.Fact
		value string
		want  []people.Match
	}{
		{people.ByName, "RHI", []people.Match{{User: "e129", Name: "Rhianna Cohen", Value: "Rhianna Cohen"}}},
		{people.ByTitle, "Director of Technology", []people.Match{{User: "e129", Name: "Rhianna Cohen", Value: "Director of Technology"}}},
		{people.ByTitle, "Desktop Support", []people.Match{{User: "e146", Name: "Davy Ivens", Value: "Desktop Support"}}},
		{people.ByFormerTitle, "System Architect", []people.Match{{User: "e129", Name: "Rhianna Cohen", Value: "System Architect"}}},
		{people.ByState, "CA", []people.Match{{User: "e129", Name: "Rhianna Cohen", Value: "CA"}}},
		{people.ByState, "TX", []people.Match{{User: "e146", Name: "Davy Ivens", Value: "TX"}}},
		{people.ByTitle, "System Architect", nil},
		{people.ByFormerTitle, "Director of Technology", nil},
		{people.ByState, "C", nil},
		{people.ByState, "ca", nil},
		{people.ByTitle, "Desktop", nil},
		{people.ByName, "COHEN", []people.Match{{User: "e129", Name: "Rhianna Cohen", Value: "Rhianna Cohen"}}},
		{people.ByName, "OHEN", nil},
		{people.ByName, "COHEN ", nil},
	} {
		if d := cmp.Diff(tt.want, matches(t, s, tt.fact, tt.value)); d != "" {
			t.Errorf("people by fact %d %q (-want +got):\n%s", tt.fact, tt.value, d)
		}
	}
}

// profilesAreReadTogether reads more people than one batch holds. Those without a profile are
// missing.
func profilesAreReadTogether(t *testing.T, s people.Store) {
	want := map[chat.UserID]people.Person{}
	for _, e := range employees() {
		storetest.SetsEveryField(t, e, "Former")
		storePerson(t, s, people.Person{User: e.User}, e)
		e.Metadata = ""
		want[e.User] = e
	}
	users := []chat.UserID{"e146"}
	for i := range 120 {
		users = append(users, chat.UserID(fmt.Sprint("nobody-", i)))
	}
	profiles, err := s.Profiles(t.Context(), append(users, "e129"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[chat.UserID]people.Person{}
	for _, p := range profiles {
		got[p.User] = p
	}
	if d := cmp.Diff(want, got); d != "" || len(profiles) != len(got) {
		t.Errorf("%d profiles (-want +got):\n%s", len(profiles), d)
	}
	if none, err := s.Profiles(t.Context(), nil); len(none) != 0 || err != nil {
		t.Errorf("the profiles of nobody are %v, %v", none, err)
	}
}

func missingPerson(t *testing.T, s people.Store) {
	_, err := s.Person(t.Context(), "nobody")
	wantNotFound(t, err)
	wantPeople(t, s, people.ByName, "N")
}

func personUpdate(t *testing.T, s people.Store) {
	before := employees()[0]
	storePerson(t, s, people.Person{User: "e129"}, before)
	after := before
	after.Name, after.Title, after.State, after.Revision = "Rhianna Cohen-Diaz", "System Architect", "", 2
	after.Former = []string{"Director of Technology"}
	after.Metadata, after.Bot = `{"desk":null}`, false
	storePerson(t, s, before, after)

	got, err := s.Person(t.Context(), "e129")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(after, got); d != "" {
		t.Errorf("person (-want +got):\n%s", d)
	}
	bare := after
	bare.Metadata, bare.Revision = "", 3
	storePerson(t, s, after, bare)
	if got, err = s.Person(t.Context(), "e129"); err != nil || got.Metadata != "" {
		t.Errorf("removed metadata is %q, %v", got.Metadata, err)
	}
	wantPeople(t, s, people.ByState, "CA")
	wantPeople(t, s, people.ByTitle, "Director of Technology")
	wantPeople(t, s, people.ByFormerTitle, "System Architect")
	wantPeople(t, s, people.ByName, "DIAZ", "e129")
	for fact, value := range map[people.Fact]string{
		people.ByName: "RHIANNA", people.ByTitle: "System Architect", people.ByFormerTitle: "Director of Technology",
	} {
		all := matches(t, s, fact, value)
		if len(all) != 1 || all[0].Name != "Rhianna Cohen-Diaz" {
			t.Errorf("people by fact %d %q are %v after a change of the name", fact, value, all)
		}
	}
}

func personUpdateIsConditional(t *testing.T, s people.Store) {
	first := employees()[1]
	storePerson(t, s, people.Person{User: "e146"}, first)
	second := first
	second.State, second.Revision = "WA", 2
	storePerson(t, s, first, second)

	late := first
	late.Name, late.State, late.Revision = "Late", "NV", 2
	for _, before := range []people.Person{first, {User: "e146"}} {
		if ok, err := s.PutPerson(t.Context(), before, late); ok || err != nil {
			t.Errorf("update of revision %d: %v, %v", before.Revision, ok, err)
		}
	}
	if got, err := s.Person(t.Context(), "e146"); err != nil || got.Name != second.Name || got.State != "WA" {
		t.Errorf("person: %+v, %v", got, err)
	}
	wantPeople(t, s, people.ByState, "NV")
	wantPeople(t, s, people.ByState, "WA", "e146")
}

func concurrentPersonUpdates(t *testing.T, s people.Store) {
	before := employees()[0]
	storePerson(t, s, people.Person{User: "e129"}, before)
	var succeeded atomic.Int32
	var writers sync.WaitGroup
	for i := range 8 {
		writers.Go(func() {
			after := before
			after.State, after.Revision = fmt.Sprintf("S%d", i), 2
			ok, err := s.PutPerson(t.Context(), before, after)
			switch {
			case chat.KindOf(err) == chat.Unavailable: // concurrent transactions may be rejected
			case err != nil:
				t.Error(err)
			case ok:
				succeeded.Add(1)
			}
		})
	}
	writers.Wait()
	if succeeded.Load() != 1 {
		t.Errorf("%d of eight concurrent updates succeeded, want 1", succeeded.Load())
	}
}
