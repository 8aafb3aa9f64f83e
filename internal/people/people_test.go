package people_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/people"
	"example.com/parley/internal/test/chattest"
)

func ptr[T any](v T) *T { return &v }

func putPerson(t *testing.T, s *app.Services, user chat.UserID, draft people.Draft) people.Person {
	t.Helper()
	p, _, err := s.People.PutPerson(t.Context(), user, draft)
	if err != nil {
		t.Fatalf("put person %s: %v", user, err)
	}
	return p
}

// found returns the users that a query finds, over pages of 2.
func found(t *testing.T, s *app.Services, q people.Query) []chat.UserID {
	t.Helper()
	q.Page.Limit = 2
	var users []chat.UserID
	for {
		l, err := s.People.People(t.Context(), "anyone", q)
		if err != nil {
			t.Fatalf("%+v: %v", q, err)
		}
		for _, p := range l.Items {
			users = append(users, p.User)
		}
		if l.Next == "" {
			return users
		}
		q.Page.Cursor = l.Next
	}
}

func TestPutPerson_CurrentAndFormerTitles(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	for _, step := range []struct {
		name, title string
		former      []string
	}{
		{"the first title has no former one", "Clerk", nil},
		{"the same title again changes nothing", "Clerk", nil},
		{"a new title makes the old one a former title", "System Architect", []string{"Clerk"}},
		{"the next one too, in order", "Director", []string{"Clerk", "System Architect"}},
		{"a title that is set again is no longer former", "Clerk", []string{"System Architect", "Director"}},
		{"and is the latest former one when it is replaced", "Director", []string{"System Architect", "Clerk"}},
		{"titles are case-sensitive", "director", []string{"System Architect", "Clerk", "Director"}},
		{"an empty title removes the title", "", []string{"System Architect", "Clerk", "Director", "director"}},
		{"and is not a former title later", "CEO", []string{"System Architect", "Clerk", "Director", "director"}},
	} {
		p := putPerson(t, s, "e129", people.Draft{Name: "Rhianna Cohen", Title: &step.title})
		if p.Title != step.title || !slices.Equal(p.Former, step.former) {
			t.Errorf("%s: title %q, former %q", step.name, p.Title, p.Former)
		}
		stored, err := s.People.Person(t.Context(), "anyone", "e129")
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(p, stored); d != "" {
			t.Errorf("%s: stored and answered differently (-want +got):\n%s", step.name, d)
		}
		for _, title := range step.former {
			if got := found(t, s, people.Query{FormerTitle: title}); !slices.Equal(got, []chat.UserID{"e129"}) {
				t.Errorf("%s: former title %s finds %v", step.name, title, got)
			}
		}
		if got := found(t, s, people.Query{FormerTitle: step.title + "x"}); got != nil {
			t.Errorf("%s: an unknown title finds %v", step.name, got)
		}
		if step.title != "" {
			if got := found(t, s, people.Query{FormerTitle: step.title}); got != nil {
				t.Errorf("%s: the current title is a former one too: %v", step.name, got)
			}
		}
	}
}

func TestPutPerson_OldestFormerTitleIsDropped(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	var p people.Person
	for i := range people.MaxFormer + 2 {
		p = putPerson(t, s, "e129", people.Draft{Name: "Rhianna Cohen", Title: ptr(fmt.Sprint(i))})
	}
	if len(p.Former) != people.MaxFormer || p.Former[0] != "1" {
		t.Errorf("former titles %q", p.Former)
	}
	if got := found(t, s, people.Query{FormerTitle: "0"}); got != nil {
		t.Errorf("the dropped title finds %v", got)
	}
}

func TestPatchPerson_NilFieldsKeepTheirValues(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	hired := time.Date(1995, 7, 1, 0, 0, 0, 0, time.UTC)
	first, created, err := s.People.PutPerson(t.Context(), "e129", people.Draft{Name: "R", Title: ptr("Clerk"), State: ptr("CA"), Hired: &hired})
	if err != nil || !created {
		t.Fatalf("created %v, %v", created, err)
	}
	second, err := s.People.PatchPerson(t.Context(), "e129", "", people.Draft{Name: "S"})
	want := first
	want.Name, want.Revision = "S", 2
	if d := cmp.Diff(want, second); d != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	same, err := s.People.PatchPerson(t.Context(), "e129", "", people.Draft{State: ptr("CA")})
	if same.Revision != 2 || err != nil {
		t.Errorf("a draft without changes is revision %d, %v", same.Revision, err)
	}
	empty, err := s.People.PatchPerson(t.Context(), "e129", "", people.Draft{State: ptr(""), Hired: &time.Time{}})
	if err != nil || empty.State != "" || !empty.Hired.IsZero() || empty.Title != "Clerk" {
		t.Errorf("removed values are still there: %+v", empty)
	}
	if got := found(t, s, people.Query{State: "CA"}); got != nil {
		t.Errorf("a removed state finds %v", got)
	}
	fresh, err := s.People.PatchPerson(t.Context(), "ann", "Ann Lee", people.Draft{State: ptr("CA")})
	if err != nil || fresh.Name != "Ann Lee" || fresh.State != "CA" || fresh.Revision != 1 {
		t.Errorf("a new profile: %+v, %v", fresh, err)
	}
}

// TestPutPerson_Replaces removes everything that the draft leaves out, except the former titles.
func TestPutPerson_Replaces(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	putPerson(t, s, "e129", people.Draft{Name: "R", Title: ptr("Clerk"), State: ptr("CA"), Hired: &time.Time{}, Avatar: ptr("https://example.com/r.png"), Metadata: ptr("{}")})
	got := putPerson(t, s, "e129", people.Draft{Name: "S"})
	if d := cmp.Diff(people.Person{User: "e129", Name: "S", Former: []string{"Clerk"}, Revision: 2}, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// TestPatchPerson_Concurrent checks that concurrent changes do not overwrite each other.
func TestPatchPerson_Concurrent(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	putPerson(t, s, "e129", people.Draft{Name: "R", Title: ptr("t0")})
	var wg sync.WaitGroup
	change := func(d people.Draft) {
		wg.Go(func() {
			for {
				_, err := s.People.PatchPerson(t.Context(), "e129", "", d)
				if chat.KindOf(err) == chat.Unavailable {
					continue // as a client would
				}
				if err != nil {
					t.Error(err)
				}
				return
			}
		})
	}
	for i := range 6 {
		change(people.Draft{Name: "R", Title: ptr(fmt.Sprintf("t%d", i+1))})
	}
	change(people.Draft{Name: "R", State: ptr("CA")})
	wg.Wait()
	p, err := s.People.Person(t.Context(), "anyone", "e129")
	if err != nil {
		t.Fatal(err)
	}
	titles := append(slices.Clone(p.Former), p.Title)
	slices.Sort(titles)
	if want := []string{"t0", "t1", "t2", "t3", "t4", "t5", "t6"}; !slices.Equal(titles, want) || p.State != "CA" || p.Revision != 8 {
		t.Errorf("titles %q, state %q, revision %d", titles, p.State, p.Revision)
	}
}

// TestPutPerson_InvalidDraft checks that an invalid draft is refused and nothing is stored.
func TestPutPerson_InvalidDraft(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	for name, d := range map[string]people.Draft{
		"no name":                  {},
		"a long name":              {Name: strings.Repeat("n", chat.MaxName+1)},
		"a name of two lines":      {Name: "a\nb"},
		"a name not in UTF-8":      {Name: "a\xff"},
		"a name with a space":      {Name: " Rhianna"},
		"a name that sorts last":   {Name: "a\U0010FFFF"},
		"a long title":             {Name: "R", Title: ptr(strings.Repeat("t", people.MaxTitle+1))},
		"a title with a separator": {Name: "R", Title: ptr("C# developer")},
		"a title of spaces":        {Name: "R", Title: ptr("  ")},
		"a long state":             {Name: "R", State: ptr(strings.Repeat("s", people.MaxState+1))},
		"a state with a separator": {Name: "R", State: ptr("#")},
		"a state with a tab":       {Name: "R", State: ptr("C\tA")},
	} {
		_, _, err := s.People.PutPerson(t.Context(), "e129", d)
		chattest.WantKind(t, name, err, chat.Invalid)
	}
	_, err := s.People.Person(t.Context(), "anyone", "e129")
	chattest.WantKind(t, "a refused person", err, chat.NotFound)
	putPerson(t, s, "e129", people.Draft{
		Name: strings.Repeat("#", chat.MaxName), Title: ptr(strings.Repeat("t", people.MaxTitle)), State: ptr(strings.Repeat("s", people.MaxState)),
	})
}

// TestPutPerson_UserIDMe checks that a user with the id me cannot be listed.
func TestParseDay(t *testing.T) {
	t.Parallel()
	for _, day := range []string{"1995-02-30", "7/1/1995", "1995-7-1", "1899-12-31", "1995-07-01T00:00:00Z", "01995-07-01", " "} {
		if got, err := people.ParseDay(day); chat.KindOf(err) != chat.Invalid {
			t.Errorf("%q is %v, %v", day, got, err)
		}
	}
	for _, day := range []string{"", "1900-01-01", "1996-02-29", "9999-12-31"} {
		got, err := people.ParseDay(day)
		if err != nil || people.DayText(got) != day {
			t.Errorf("%q is %v, %v", day, got, err)
		}
	}
}

// TestPeople_InvalidQuery checks that a query has exactly one valid fact and a valid limit.
func TestPeople_InvalidQuery(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	page := chat.PageRequest{Limit: 1}
	for name, q := range map[string]people.Query{
		"nothing":         {Page: page},
		"two":             {Name: "a", State: "CA", Page: page},
		"a separator":     {State: "CA#", Page: page},
		"limit 0":         {State: "CA"},
		"limit 201":       {State: "CA", Page: chat.PageRequest{Limit: chat.MaxLimit + 1}},
		"invalid UTF-8":   {Name: "\xff", Page: page},
		"a long name":     {Name: strings.Repeat("n", chat.MaxName+1), Page: page},
		"a long title":    {Title: strings.Repeat("n", people.MaxTitle+1), Page: page},
		"a spaced title":  {FormerTitle: "Clerk ", Page: page},
		"a control state": {State: "\x00", Page: page},
	} {
		_, err := s.People.People(t.Context(), "anyone", q)
		chattest.WantKind(t, name, err, chat.Invalid)
	}
}

func TestPeople_CursorBelongsToItsQuery(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	for i := range 3 {
		putPerson(t, s, chat.UserID(fmt.Sprint("e", i)), people.Draft{Name: "Ann", Title: ptr("CA"), State: ptr("CA")})
	}
	l, err := s.People.People(t.Context(), "anyone", people.Query{State: "CA", Page: chat.PageRequest{Limit: 2}})
	if err != nil || len(l.Items) != 2 || l.Next == "" {
		t.Fatalf("%+v, %v", l, err)
	}
	page := chat.PageRequest{Limit: 2, Cursor: l.Next}
	for name, q := range map[string]people.Query{
		"another state": {State: "TX", Page: page}, "another fact": {Title: "CA", Page: page}, "a name": {Name: "CA", Page: page},
		"an invalid cursor": {State: "CA", Page: chat.PageRequest{Limit: 2, Cursor: "x"}},
	} {
		_, err := s.People.People(t.Context(), "anyone", q)
		chattest.WantKind(t, name, err, chat.BadCursor)
	}
	if got := found(t, s, people.Query{Name: "Ann"}); len(got) != 3 {
		t.Errorf("three people with one name are %v", got)
	}
}

// TestPerson_StatusEnds checks that a status is not shown from its end on, and then again with a
// later end.
func TestPerson_StatusEnds(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	status := people.Status{Text: "lunch", Until: clock.Now().Add(time.Hour).UTC()}
	putPerson(t, s, "e129", people.Draft{Name: "R", Status: &status})
	clock.Advance(time.Hour - 1)
	wantStatus(t, s, status)
	clock.Advance(1)
	wantStatus(t, s, people.Status{})
	if p := putPerson(t, s, "e129", people.Draft{Name: "S"}); p.Status != (people.Status{}) {
		t.Errorf("a change of the name shows %+v", p.Status)
	}
	status.Until = status.Until.Add(time.Minute)
	putPerson(t, s, "e129", people.Draft{Name: "S", Status: &status})
	wantStatus(t, s, status)
}

// wantStatus checks the status of e129 as each way of reading shows it.
func wantStatus(t *testing.T, s *app.Services, want people.Status) {
	t.Helper()
	one, err := s.People.Person(t.Context(), "anyone", "e129")
	if err != nil || one.Status != want {
		t.Errorf("status %+v, %v, want %+v", one.Status, err, want)
	}
	all, err := s.People.ByID(t.Context(), "anyone", []chat.UserID{"e129"})
	if err != nil || len(all) != 1 || all[0].Status != want {
		t.Errorf("by id: %+v, %v, want the status %+v", all, err, want)
	}
}

// TestPatchPerson_MetadataAndKindKeepTheirValues saves a profile without them.
func TestPatchPerson_MetadataAndKindKeepTheirValues(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	putPerson(t, s, "desk", people.Draft{Name: "Desk", Metadata: ptr(`{ "a": 1 }`), Bot: ptr(true), Service: true})
	if _, err := s.People.PatchPerson(t.Context(), "desk", "", people.Draft{Name: "Help desk"}); err != nil {
		t.Error(err)
	}
	p, err := s.People.PatchPerson(t.Context(), "desk", "", people.Draft{Bot: ptr(true)})
	if err != nil || p.Metadata != `{"a":1}` || !p.Bot || p.Revision != 2 {
		t.Errorf("the profile is %+v", p)
	}
	_, _, err = s.People.PutPerson(t.Context(), "desk", people.Draft{Name: "Help desk", Bot: ptr(false)})
	chattest.WantKind(t, "pass for a person", err, chat.Forbidden)
	if p := putPerson(t, s, "desk", people.Draft{Name: "Help desk", Metadata: ptr(`{}`)}); p.Metadata != `{}` || p.Revision != 3 {
		t.Errorf("with other metadata it is %+v", p)
	}
}

func TestMain(m *testing.M) { os.Exit(chattest.Main(m)) }
