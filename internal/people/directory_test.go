package people_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/people"
	"example.com/parley/internal/test/chattest"
)

// TestPeople_OnlyAsTheDirectoryAllows asks every question of every kind of caller.
func TestPeople_OnlyAsTheDirectoryAllows(t *testing.T) {
	t.Parallel()
	const byName, byFact = "a name", "a fact"
	for directory, allowed := range map[people.Directory][]string{
		people.ForEveryone: {"user " + byName, "user " + byFact, "service " + byName, "service " + byFact},
		people.ForServices: {"service " + byName},
		people.ForNobody:   nil,
	} {
		s, _ := chattest.NewWith(t, func(o *app.Options) { o.Directory = directory })
		putPerson(t, s, "e129", people.Draft{Name: "Ann", Title: ptr("Clerk"), State: ptr("CA")})
		putPerson(t, s, "e129", people.Draft{Name: "Ann", Title: ptr("Chief"), State: ptr("CA")})
		for _, tt := range []struct {
			kind string
			q    people.Query
		}{
			{byName, people.Query{Name: "Ann"}}, {byFact, people.Query{Title: "Chief"}}, {byFact, people.Query{FormerTitle: "Clerk"}}, {byFact, people.Query{State: "CA"}},
		} {
			for caller, service := range map[string]bool{"user ": false, "service ": true} {
				tt.q.Page.Limit, tt.q.Service = 10, service
				page, err := s.People.People(t.Context(), "anyone", tt.q)
				if slices.Contains(allowed, caller+tt.kind) {
					if err != nil || len(page.Items) != 1 {
						t.Errorf("directory %d, %s%+v: %+v, %v", directory, caller, tt.q, page, err)
					}
					continue
				}
				chattest.WantKind(t, caller+tt.kind, err, chat.Forbidden)
			}
		}
	}
}

// TestPerson_ShowsFactsAsTheDirectoryAllows reads one person as themself and as another.
func TestPerson_ShowsFactsAsTheDirectoryAllows(t *testing.T) {
	t.Parallel()
	for _, directory := range []people.Directory{people.ForEveryone, people.ForServices, people.ForNobody} {
		s, clock := chattest.NewWith(t, func(o *app.Options) { o.Directory = directory })
		hired := time.Date(1995, 7, 1, 0, 0, 0, 0, time.UTC)
		putPerson(t, s, "e129", people.Draft{Name: "Ann", Title: ptr("Clerk")})
		whole := putPerson(t, s, "e129", people.Draft{
			Name: "Ann", Title: ptr("Chief"), State: ptr("CA"), Hired: &hired, Avatar: ptr("https://example.com/a"),
			Status: &people.Status{Text: "here", Until: clock.Now().Add(time.Hour).UTC()},
		})
		want := whole
		if directory != people.ForEveryone {
			want.Title, want.Former, want.State, want.Hired, want.Revision = "", nil, "", time.Time{}, 0
		}
		own, err := s.People.Own(t.Context(), "e129", "")
		if d := cmp.Diff(whole, own); d != "" || err != nil {
			t.Errorf("directory %d, oneself, %v (-want +got):\n%s", directory, err, d)
		}
		other, err := s.People.Person(t.Context(), "anyone", "e129")
		if d := cmp.Diff(want, other); d != "" || err != nil {
			t.Errorf("directory %d, another, %v (-want +got):\n%s", directory, err, d)
		}
		all, err := s.People.ByID(t.Context(), "anyone", []chat.UserID{"e129"})
		if d := cmp.Diff([]people.Person{want}, all); d != "" || err != nil {
			t.Errorf("directory %d, by id, %v (-want +got):\n%s", directory, err, d)
		}
	}
}
