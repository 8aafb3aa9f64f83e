package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"parley/internal/chat"
	"parley/internal/people"
)

// personBody is a person as the API shows them.
type personBody struct {
	User           string   `json:"user" example:"e129"`
	Name           string   `json:"name" example:"Rhianna Cohen"`
	Title          string   `json:"title,omitempty" example:"Director of Technology"`
	PreviousTitles []string `json:"previousTitles,omitempty" doc:"Former titles, the latest last" example:"[\"System Architect\"]"`
	State          string   `json:"state,omitempty" example:"CA"`
	Hired          string   `json:"hired,omitempty" format:"date" example:"1995-07-01"`
	Avatar         string   `json:"avatar,omitempty" format:"uri" doc:"The https URL of a picture; absent without one" example:"https://example.com/rhianna.png"`
}

func personOf(p people.Person) personBody {
	return personBody{
		User: string(p.User), Name: p.Name, Title: p.Title, PreviousTitles: p.Former,
		State: p.State, Hired: people.DayText(p.Hired), Avatar: p.Avatar,
	}
}

type putPersonInput struct {
	Body struct {
		Name   string  `json:"name" minLength:"1" maxLength:"100" doc:"One line, at most 100 bytes of UTF-8" example:"Rhianna Cohen"`
		Title  *string `json:"title,omitempty" maxLength:"100" doc:"The current title, at most 100 bytes of UTF-8 without #; the former one becomes a previous title. Empty removes it" example:"Director of Technology"`
		State  *string `json:"state,omitempty" maxLength:"64" doc:"The state of residence, at most 64 bytes of UTF-8 without #. Empty removes it" example:"CA"`
		Hired  *string `json:"hired,omitempty" maxLength:"10" doc:"The day of hiring, in 1900 or later. Empty removes it" example:"1995-07-01"`
		Avatar *string `json:"avatar,omitempty" maxLength:"1000" doc:"The https URL of a picture, at most 1000 bytes of ASCII, without a user. Empty removes it" example:"https://example.com/rhianna.png"`
	}
}

type personOutput struct {
	Status int
	Body   personBody
}

func putPersonOperation() operation {
	return define(Write, huma.Operation{
		OperationID: "put-person", Method: http.MethodPut, Path: "/people/me",
		Summary: "Set your profile",
		Description: "201 the first time, then 200. title, state, hired and avatar keep their values if they are absent. A new title makes the former one " +
			"a previous title. A title that is set again is no longer a previous one. The latest 20 previous titles are stored.",
		Tags:          []string{"people"},
		Errors:        []int{http.StatusConflict},
		DefaultStatus: http.StatusCreated,
		Responses:     map[string]*huma.Response{"200": {Description: "The caller's profile in its current state"}},
	}, putPerson)
}

func putPerson(ctx context.Context, s *server, caller chat.UserID, in *putPersonInput) (*personOutput, error) {
	draft := people.Draft{Name: in.Body.Name, Title: in.Body.Title, State: in.Body.State, Avatar: in.Body.Avatar}
	if in.Body.Hired != nil {
		day, err := people.ParseDay(*in.Body.Hired)
		if err != nil {
			return nil, err
		}
		draft.Hired = &day
	}
	p, created, err := s.service.People.PutPerson(ctx, caller, draft)
	if err != nil {
		return nil, err
	}
	out := &personOutput{Status: http.StatusOK, Body: personOf(p)}
	if created {
		out.Status = http.StatusCreated
	}
	return out, nil
}

type getPersonInput struct {
	User string `path:"user" maxLength:"64" doc:"The person's user id: A-Z a-z 0-9 . _ @ | : + = -; or me for the caller" example:"e129"`
}

func getPersonOperation() operation {
	return define(Read, huma.Operation{
		OperationID: "get-person", Method: http.MethodGet, Path: "/people/{user}",
		Summary:     "Get a person",
		Description: "404 for a user without a profile.",
		Tags:        []string{"people"},
		Errors:      []int{http.StatusNotFound},
	}, getPerson)
}

func getPerson(ctx context.Context, s *server, caller chat.UserID, in *getPersonInput) (*personOutput, error) {
	user, err := userOrMe(in.User, caller)
	if err != nil {
		return nil, err
	}
	p, err := s.service.People.Person(ctx, caller, user)
	if err != nil {
		return nil, err
	}
	return &personOutput{Status: http.StatusOK, Body: personOf(p)}, nil
}

type listPeopleInput struct {
	Name     string `query:"name" maxLength:"100" doc:"The beginning of a name, at most 100 bytes of UTF-8" example:"Rhi"`
	Title    string `query:"title" maxLength:"100" doc:"A current title, at most 100 bytes of UTF-8" example:"Director of Technology"`
	HadTitle string `query:"had_title" maxLength:"100" doc:"A previous title, at most 100 bytes of UTF-8" example:"System Architect"`
	State    string `query:"state" maxLength:"64" doc:"A state of residence, at most 64 bytes of UTF-8" example:"CA"`
	PageQuery
}

// personMatchBody is a person in a list, with the value that the query matched.
type personMatchBody struct {
	User          string `json:"user" example:"e129"`
	Name          string `json:"name" example:"Rhianna Cohen"`
	Title         string `json:"title,omitempty" doc:"Present in a query by title"`
	PreviousTitle string `json:"previousTitle,omitempty" doc:"Present in a query by had_title"`
	State         string `json:"state,omitempty" doc:"Present in a query by state"`
}

type listPeopleOutput struct {
	Body struct {
		People []personMatchBody `json:"people"`
		Next   string            `json:"next,omitempty" doc:"The cursor of the next page; absent on the last"`
	} `nameHint:"PersonPage"`
}

func listPeopleOperation() operation {
	return define(Read, huma.Operation{
		OperationID: "list-people", Method: http.MethodGet, Path: "/people",
		Summary: "Find people",
		Description: "Sorted by name. Takes exactly one of name, title, had_title and state. title, had_title and state match whole values " +
			"and distinguish upper and lower case. A change of the last second may be missing.",
		Tags: []string{"people"},
	}, listPeople)
}

func listPeople(ctx context.Context, s *server, caller chat.UserID, in *listPeopleInput) (*listPeopleOutput, error) {
	page, err := s.service.People.People(ctx, caller, people.Query{
		Name: in.Name, Title: in.Title, FormerTitle: in.HadTitle, State: in.State, Page: in.page(),
	})
	if err != nil {
		return nil, err
	}
	out := &listPeopleOutput{}
	out.Body.People = make([]personMatchBody, 0, len(page.Items))
	for _, m := range page.Items {
		out.Body.People = append(out.Body.People, in.matchOf(m))
	}
	out.Body.Next = page.Next
	return out, nil
}

// matchOf returns a person with the value that matched the query.
func (in *listPeopleInput) matchOf(m people.Match) personMatchBody {
	b := personMatchBody{User: string(m.User), Name: m.Name}
	switch {
	case in.Title != "":
		b.Title = m.Value
	case in.HadTitle != "":
		b.PreviousTitle = m.Value
	case in.State != "":
		b.State = m.Value
	}
	return b
}
