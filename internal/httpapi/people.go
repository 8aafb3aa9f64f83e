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

// personBody is a person as the API shows them.
type personBody struct {
	User           string   `json:"user" example:"e129"`
	Name           string   `json:"name" example:"Rhianna Cohen"`
	Skeleton       string   `json:"skeleton" doc:"What the name looks like: names that look alike have the same. Compare it, and never show or store it" example:"rhlanna cohen"`
	Kind           string   `json:"kind" enum:"person,bot" doc:"A bot is the account of a program"`
	Title          string   `json:"title,omitempty" example:"Director of Technology"`
	PreviousTitles []string `json:"previousTitles,omitempty" doc:"Former titles, the latest last" example:"[\"System Architect\"]"`
	State          string   `json:"state,omitempty" example:"CA"`
	Hired          string   `json:"hired,omitempty" format:"date" example:"1995-07-01"`
	Avatar         string   `json:"avatar,omitempty" format:"uri" doc:"The https URL of a picture; absent without one" example:"https://example.com/rhianna.png"`

	Picture  string      `json:"picture,omitempty" doc:"The SHA-256 of an uploaded picture, whose address list-people gives with ids; absent without one" example:"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="`
	Status   *statusBody `json:"status,omitempty" doc:"Absent without one, and after its end"`
	Metadata metadata    `json:"metadata,omitzero"`
}

// The kinds of people on the wire.
const (
	kindPerson = "person"
	kindBot    = "bot"
)

func kindOf(bot bool) string {
	if bot {
		return kindBot
	}
	return kindPerson
}

// statusBody is a person's current status. It is part of responses and requests.
type statusBody struct {
	Text  *string `json:"text,omitempty" maxLength:"100" doc:"One line, at most 100 bytes of UTF-8" example:"on holiday"`
	Emoji *string `json:"emoji,omitempty" maxLength:"40" doc:"One emoji, at most 40 bytes of UTF-8" example:"🌴"`
	Until *string `json:"until,omitempty" format:"date-time" doc:"The status is not shown from this time on. Absent: no end" example:"2018-09-01T00:00:00.000Z"`
}

// statusOf returns a status as responses show it, or nil if there is none.
func statusOf(s people.Status) *statusBody {
	if s == (people.Status{}) {
		return nil
	}
	body := &statusBody{}
	if s.Text != "" {
		body.Text = &s.Text
	}
	if s.Emoji != "" {
		body.Emoji = &s.Emoji
	}
	if !s.Until.IsZero() {
		until := wire.TimeText(s.Until)
		body.Until = &until
	}
	return body
}

// status returns the status of a request: nil if the request has none.
func (b *statusBody) status() (*people.Status, error) {
	if b == nil {
		return nil, nil
	}
	var s people.Status
	if b.Text != nil {
		s.Text = *b.Text
	}
	if b.Emoji != nil {
		s.Emoji = *b.Emoji
	}
	if b.Until == nil {
		return &s, nil
	}
	until, err := parseTime("status.until", *b.Until)
	s.Until = chat.ServerTime(until)
	return &s, err
}

func personOf(p people.Person) personBody {
	return personBody{
		User: string(p.User), Name: p.Name, Skeleton: visual.Skeleton(p.Name), Kind: kindOf(p.Bot), Title: p.Title,
		PreviousTitles: p.Former,
		State:          p.State, Hired: people.DayText(p.Hired), Avatar: p.Avatar, Picture: p.Picture,
		Status: statusOf(p.Status), Metadata: metadata(p.Metadata),
	}
}

// PersonSettings are the values of a whole profile. It is exported for huma, like RoomPath.
type PersonSettings struct {
	Name string `json:"name" minLength:"1" maxLength:"100" doc:"One line, at most 100 bytes of UTF-8" example:"Rhianna Cohen"`
	Profile
}

type putPersonInput struct {
	GuardedChange
	Body PersonSettings
}

type patchPersonInput struct {
	GuardedChange
	Body struct {
		Name string `json:"name,omitempty" minLength:"1" maxLength:"100" doc:"One line, at most 100 bytes of UTF-8" example:"Rhianna Cohen"`
		Profile
	}
}

// Profile is the part of a profile that may be left out. It is exported for huma, like RoomPath.
type Profile struct {
	Title  *string `json:"title,omitempty" maxLength:"100" doc:"The current title, at most 100 bytes of UTF-8 without #; the former one becomes a previous title. Empty removes it" example:"Director of Technology"`
	State  *string `json:"state,omitempty" maxLength:"64" doc:"The state of residence, at most 64 bytes of UTF-8 without #. Empty removes it" example:"CA"`
	Hired  *string `json:"hired,omitempty" maxLength:"10" doc:"The day of hiring, in 1900 or later. Empty removes it" example:"1995-07-01"`
	Avatar *string `json:"avatar,omitempty" maxLength:"1000" doc:"The https URL of a picture, at most 1000 bytes of ASCII, without a user. Empty removes it" example:"https://example.com/rhianna.png"`

	Picture  *string     `json:"picture,omitempty" doc:"The SHA-256, in base64, of the picture that was sent by a link of post-picture. Empty removes it, and omitted keeps it" example:"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="`
	Status   *statusBody `json:"status,omitempty" doc:"Replaces the status. {} removes it"`
	Metadata metadata    `json:"metadata,omitzero"`
	Kind     *string     `json:"kind,omitempty" enum:"person,bot" doc:"Default in a new profile: person. Only a service changes it, with its own token, for itself or for the user in Parley-Act-As; 403 for all others"`
}

type personOutput struct {
	Status int
	ETag   string `header:"ETag" doc:"For If-Match and If-None-Match"`
	Body   personBody
}

// personAnswer returns the output for a changed profile.
func personAnswer(p people.Person, status int) (*personOutput, error) {
	out := &personOutput{Status: status, Body: personOf(p)}
	var err error
	out.ETag, err = settingsETag(p.Revision, out.Body)
	return out, err
}

// factsDescription is about changes by the person.
const factsDescription = "If the deployment lets only services change the facts of profiles, another name, title, " +
	"state, hiring date or metadata is 403."

func putPersonOperation() operation {
	return define(Write, personPrice, huma.Operation{
		OperationID: "put-person", Method: http.MethodPut, Path: "/people/me",
		Summary: "Set your profile",
		Description: "201 the first time, then 200. Replaces the profile: omitted fields are removed, except the " +
			"picture. A title that is replaced or removed becomes a previous title, " +
			"and one that is set again no longer is. The latest 20 previous titles are kept. " +
			factsDescription,
		Tags:          []string{"people"},
		Errors:        []int{http.StatusConflict, http.StatusPreconditionFailed},
		DefaultStatus: http.StatusCreated,
		Responses:     map[string]*huma.Response{"200": {Description: "The caller's profile in its current state"}},
	}, putPerson)
}

func putPerson(ctx context.Context, s *server, caller chat.UserID, in *putPersonInput) (*personOutput, error) {
	expected, err := in.precondition()
	if err != nil {
		return nil, err
	}
	p, created, err := s.putProfile(ctx, caller, in.Body, expected)
	if err != nil {
		return nil, err
	}
	return personAnswer(p, createdStatus(created))
}

func patchPersonOperation() operation {
	return define(Write, personPrice, huma.Operation{
		OperationID: "patch-person", Method: http.MethodPatch, Path: "/people/me",
		Summary: "Change your profile",
		Description: "Changes the given values of the profile, and keeps the others. Before the profile is saved, " +
			"its name is the name in the token, or the id. " +
			factsDescription,
		Tags:   []string{"people"},
		Errors: []int{http.StatusConflict, http.StatusPreconditionFailed},
	}, patchPerson)
}

func patchPerson(ctx context.Context, s *server, caller chat.UserID, in *patchPersonInput) (*personOutput, error) {
	draft, err := in.Body.draft(ctx, in.Body.Name)
	if err != nil {
		return nil, err
	}
	if draft.If, err = in.precondition(); err != nil {
		return nil, err
	}
	p, err := s.service.People.PatchPerson(ctx, caller, claimedName(ctx), draft)
	if err != nil {
		return nil, err
	}
	return personAnswer(p, http.StatusOK)
}

// draft returns the draft of a profile with a name, which is empty to keep the current one.
func (p *Profile) draft(ctx context.Context, name string) (people.Draft, error) {
	draft := people.Draft{
		Name: name, Title: p.Title, State: p.State, Avatar: p.Avatar, Picture: p.Picture, Metadata: p.Metadata.Given(),
		Service: byService(ctx),
	}
	if p.Kind != nil {
		draft.Bot = new(*p.Kind == kindBot)
	}
	if p.Hired != nil {
		day, err := people.ParseDay(*p.Hired)
		if err != nil {
			return people.Draft{}, err
		}
		draft.Hired = &day
	}
	var err error
	draft.Status, err = p.Status.status()
	return draft, err
}

// putProfile sets the profile of a person, for themself or for a service.
func (s *server) putProfile(
	ctx context.Context, user chat.UserID, given PersonSettings, expected *chat.Precondition,
) (people.Person, bool, error) {
	draft, err := given.draft(ctx, given.Name)
	if err != nil {
		return people.Person{}, false, err
	}
	draft.If = expected
	return s.service.People.PutPerson(ctx, user, draft)
}

type getPersonInput struct {
	Conditional
	User string `path:"user" format:"user-id" maxLength:"64" doc:"The person's user id: A-Z a-z 0-9 . _ @ | : + = -; or me for the caller" example:"e129"`
}

func getPersonOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "get-person", Method: http.MethodGet, Path: "/people/{user}",
		Summary: "Get a person",
		Description: "404 for another user without a profile. The caller always has one: before it is saved, it has " +
			"the name in their token, or their id. To show members and senders use include=people, which needs no " +
			"profile. The ETag changes with any part of the answer. The number before its - is the profile's " +
			"revision: it rises with each change of the profile, and is 0 before the profile is saved, and where the " +
			"directory hides a part of it.",
		Tags:      []string{"people"},
		Errors:    []int{http.StatusNotFound},
		Responses: unchanged,
	}, getPerson)
}

type getPersonOutput struct {
	Status int
	ETag   string `header:"ETag" doc:"For If-Match and If-None-Match"`
	Body   personBody
}

func getPerson(ctx context.Context, s *server, caller chat.UserID, in *getPersonInput) (*getPersonOutput, error) {
	user, err := userOrMe(in.User, caller)
	if err != nil {
		return nil, err
	}
	var p people.Person
	if user == caller {
		p, err = s.service.People.Own(ctx, caller, claimedName(ctx))
	} else {
		p, err = s.service.People.Person(ctx, caller, user)
	}
	if err != nil {
		return nil, err
	}
	out := &getPersonOutput{Body: personOf(p)}
	out.ETag, err = settingsETag(p.Revision, out.Body)
	out.Status = in.status(out.ETag)
	return out, err
}

type postPictureInput struct {
	Body BytesGiven
}

type postPictureOutput struct {
	Body struct {
		Put       linkBody `json:"put" doc:"How to send the picture"`
		ExpiresAt string   `json:"expiresAt" format:"date-time" doc:"When the link expires: in 15 minutes"`
	} `nameHint:"PictureUpload"`
}

func postPictureOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "post-picture", Method: http.MethodPost, Path: "/people/me/picture",
		Summary: "Announce a picture of yourself",
		Description: "WebP, JPEG or PNG, of at most 64 KB, without data about the place and the camera. The answer " +
			"says how the client sends the bytes: by PUT, with exactly the given headers. Storage then refuses other " +
			"bytes, another size or type (400, 403), and a second picture (412). The picture is shown once " +
			"patch-person has set picture to its SHA-256, which removes the former one. A new announcement removes a " +
			"picture that was sent before and not set. 409 when the deployment stores no files.",
		Tags:   []string{"people"},
		Errors: []int{http.StatusConflict},
	}, postPicture)
}

func postPicture(ctx context.Context, s *server, caller chat.UserID, in *postPictureInput) (*postPictureOutput, error) {
	f, err := in.Body.file("")
	if err != nil {
		return nil, err
	}
	link, until, err := s.service.Pictures.Send(ctx, caller, f)
	if err != nil {
		return nil, err
	}
	out := &postPictureOutput{}
	out.Body.Put, out.Body.ExpiresAt = linkOf(link), wire.TimeText(until)
	return out, nil
}
