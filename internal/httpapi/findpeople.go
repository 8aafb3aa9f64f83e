package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/people"
	"example.com/parley/internal/visual"
	"example.com/parley/internal/wire"
)

type listPeopleInput struct {
	Name     string `query:"name" maxLength:"100" doc:"The beginning of any word of a name, at most 100 bytes of UTF-8; upper and lower case are the same" example:"rhi"`
	Title    string `query:"title" maxLength:"100" doc:"A current title, at most 100 bytes of UTF-8" example:"Director of Technology"`
	HadTitle string `query:"had_title" maxLength:"100" doc:"A previous title, at most 100 bytes of UTF-8" example:"System Architect"`
	State    string `query:"state" maxLength:"64" doc:"A state of residence, at most 64 bytes of UTF-8" example:"CA"`

	IDs []string `query:"ids" format:"user-id" minItems:"1" maxItems:"100" doc:"User ids, separated by commas or each as a parameter, at most 100. Excludes all else" example:"e129"`

	PageQuery
}

// personMatchBody is a person in a list, with the value that the query matched.
type personMatchBody struct {
	User          string `json:"user" example:"e129"`
	Name          string `json:"name" example:"Rhianna Cohen"`
	Skeleton      string `json:"skeleton" doc:"What the name looks like: names that look alike have the same. Compare it, and never show or store it" example:"rhlanna cohen"`
	Title         string `json:"title,omitempty" doc:"Present in a query by title"`
	PreviousTitle string `json:"previousTitle,omitempty" doc:"Present in a query by had_title"`
	State         string `json:"state,omitempty" doc:"Present in a query by state"`
	Avatar        string `json:"avatar,omitempty" format:"uri" doc:"In a query by ids: the https URL of a picture; absent without one" example:"https://example.com/rhianna.png"`

	Picture     string       `json:"picture,omitempty" doc:"In a query by ids: the SHA-256 of an uploaded picture; absent without one" example:"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="`
	PictureLink *pictureLink `json:"pictureLink,omitempty" doc:"In a query by ids: where the uploaded picture is"`

	Status *statusBody `json:"status,omitempty" doc:"In a query by ids: absent without one, and after its end"`
	Kind   string      `json:"kind,omitempty" enum:"bot" doc:"In a query by ids: bot for the account of a program; absent for a person"`
}

// pictureLink is where an uploaded picture is.
type pictureLink struct {
	URL       string `json:"url" doc:"The address, which may be relative to the API's. Send no token there" example:"https://files.example.com/_people/e129?X-Amz-Signature=…"`
	ExpiresAt string `json:"expiresAt" format:"date-time" doc:"When the address expires: in 30 to 60 minutes"`
}

type listPeopleOutput struct {
	Body struct {
		Items []personMatchBody `json:"items"`
		Next  string            `json:"next,omitempty" doc:"The cursor of the next page; absent on the last"`
	} `nameHint:"PersonPage"`
}

func listPeopleOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-people", Method: http.MethodGet, Path: "/people",
		Summary: "Find people",
		Description: "Sorted by name; with name, by the word that matches, with each person once. Takes exactly one " +
			"of ids, name, title, had_title and state. title, had_title and state match whole values and distinguish " +
			"upper and lower case. ids gives names, avatars, pictures, statuses and kinds in the order of the ids; " +
			"someone without a profile has their id as the name. A change of the last second may be missing. 403 if " +
			"the deployment's directory is not for the caller; ids are for everyone.",
		Tags: []string{"people"},
	}, listPeople)
}

func listPeople(ctx context.Context, s *server, caller chat.UserID, in *listPeopleInput) (*listPeopleOutput, error) {
	if len(in.IDs) > 0 {
		return s.peopleByID(ctx, caller, in)
	}
	page, err := s.service.People.People(ctx, caller, people.Query{
		Name: in.Name, Title: in.Title, FormerTitle: in.HadTitle, State: in.State, Service: isService(ctx),
		Page: in.page(),
	})
	if err != nil {
		return nil, err
	}
	out := &listPeopleOutput{}
	out.Body.Items, out.Body.Next = each(page.Items, in.matchOf), page.Next
	return out, nil
}

// peopleByID returns the people that a query names.
func (s *server) peopleByID(ctx context.Context, caller chat.UserID, in *listPeopleInput) (*listPeopleOutput, error) {
	if in.Name != "" || in.Title != "" || in.HadTitle != "" || in.State != "" || in.Cursor != "" {
		return nil, chat.Invalidf("ids", "must be the only one of ids, name, title, had_title, state and cursor")
	}
	users := make([]chat.UserID, len(in.IDs))
	for i, id := range in.IDs {
		var err error
		if users[i], err = chat.ParseSenderID(id); err != nil {
			return nil, chat.InField("ids", hintPlus(err, id))
		}
	}
	found, err := s.service.People.ByID(ctx, caller, users)
	if err != nil {
		return nil, err
	}
	out := &listPeopleOutput{}
	out.Body.Items = make([]personMatchBody, 0, len(found))
	for _, p := range found {
		body := personMatchBody{
			User: string(p.User), Name: p.Name, Skeleton: visual.Skeleton(p.Name), Avatar: p.Avatar, Picture: p.Picture,
			Status: statusOf(p.Status), Kind: kindOfBot(p.Bot),
		}
		address, until, err := s.service.Pictures.Link(ctx, p)
		if err != nil {
			return nil, err
		}
		if address != "" {
			body.PictureLink = &pictureLink{address, wire.TimeText(until)}
		}
		out.Body.Items = append(out.Body.Items, body)
	}
	return out, nil
}

// matchOf returns a person with the value that matched the query.
func (in *listPeopleInput) matchOf(m people.Match) personMatchBody {
	b := personMatchBody{User: string(m.User), Name: m.Name, Skeleton: visual.Skeleton(m.Name)}
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
