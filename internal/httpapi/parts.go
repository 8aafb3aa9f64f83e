package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	documentpkg "example.com/parley/internal/document"
	"example.com/parley/internal/wire"
)

// partBody is a version of a part as the API shows it.
type partBody struct {
	Part    string `json:"part" doc:"The part's id" example:"preamble"`
	Version int    `json:"version" doc:"From 1 upwards. In quotes it is the ETag" example:"3"`
	Text    string `json:"text"`
	SavedBy string `json:"savedBy" doc:"Who saved this version" example:"amsg"`
	SavedAt string `json:"savedAt" format:"date-time"`
}

func partOf(p documentpkg.Part) partBody {
	return partBody{
		Part: string(p.ID), Version: p.Version, Text: p.Text,
		SavedBy: string(p.SavedBy), SavedAt: wire.TimeText(p.SavedAt),
	}
}

// PartPath is the part of a path that names a part of a document. It is exported for huma, like
// RoomPath.
type PartPath struct {
	DocumentPath
	Part string `path:"part" format:"slug" maxLength:"64" doc:"The part's id: a-z, 0-9 and inner -" example:"preamble"`
}

func (p PartPath) parse() (part documentpkg.Part, err error) {
	if part.Room, part.Document, err = p.DocumentPath.parse(); err != nil {
		return documentpkg.Part{}, err
	}
	part.ID, err = documentpkg.ParsePartID(p.Part)
	return part, err
}

type putPartInput struct {
	PartPath
	IfMatch string `header:"If-Match" format:"one-etag" doc:"To save a part: the ETag of its newest version; left out for a new part, required for one that exists" example:"\"3\""`
	Body    struct {
		Text string `json:"text" minLength:"1" maxLength:"32768" doc:"1 to 32768 bytes of UTF-8"`
	}
}

type putPartOutput struct {
	Status int
	Replay string `header:"Idempotent-Replay" doc:"true for a retry of a save that was stored"`
	ETag   string `header:"ETag" doc:"The version in quotes, for If-Match"`
	Body   partBody
}

func putPartOperation() operation {
	return define(Write, partPrice, huma.Operation{
		OperationID: "put-part", Method: http.MethodPut, Path: "/rooms/{room}/documents/{doc}/parts/{part}",
		Summary: "Save a new version of a part",
		Description: "201 for the first version of a part, which also creates the document if there is none. 200 for " +
			"each further version, which needs If-Match with the ETag of the newest one. 412 (stale) when If-Match " +
			"names another version, 428 (precondition-required) when it is missing. A retry of the newest save " +
			"answers 200 and Idempotent-Replay: true.",
		Tags:          []string{"documents"},
		Errors:        []int{http.StatusNotFound, http.StatusPreconditionFailed, http.StatusPreconditionRequired},
		DefaultStatus: http.StatusCreated,
		Responses:     map[string]*huma.Response{"200": {Description: "The version that is stored"}},
	}, putPart)
}

func putPart(ctx context.Context, s *server, caller chat.UserID, in *putPartInput) (*putPartOutput, error) {
	part, err := in.parse()
	if err != nil {
		return nil, err
	}
	draft := documentpkg.PartDraft{Room: part.Room, Document: part.Document, Part: part.ID, Text: in.Body.Text}
	if draft.Base, err = parseETag(in.IfMatch); err != nil {
		return nil, err
	}
	kept, replay, err := s.service.Documents.SavePart(ctx, caller, draft)
	if err != nil {
		return nil, err
	}
	out := &putPartOutput{
		Status: createdStatus(kept.Version == 1 && !replay), ETag: etag(kept.Version), Body: partOf(kept),
	}
	if replay {
		out.Replay = "true"
	}
	return out, nil
}

type getPartInput struct {
	PartPath
	Conditional
}

type partOutput struct {
	Status int
	ETag   string `header:"ETag" doc:"The version in quotes, for If-Match"`
	Body   partBody
}

func getPartOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "get-part", Method: http.MethodGet, Path: "/rooms/{room}/documents/{doc}/parts/{part}",
		Summary:     "Get the newest version of a part",
		Description: "The text with its version, whose number is the ETag.",
		Tags:        []string{"documents"},
		Errors:      []int{http.StatusNotFound},
		Responses:   unchanged,
	}, getPart)
}

func getPart(ctx context.Context, s *server, caller chat.UserID, in *getPartInput) (*partOutput, error) {
	which, err := in.parse()
	if err != nil {
		return nil, err
	}
	p, err := s.service.Documents.Part(ctx, caller, which)
	if err != nil {
		return nil, err
	}
	return &partOutput{Status: in.status(etag(p.Version)), ETag: etag(p.Version), Body: partOf(p)}, nil
}

type listVersionsInput struct {
	PartPath
	PageQuery
}

type listVersionsOutput struct {
	Body struct {
		Items []partBody `json:"items"`
		Next  string     `json:"next,omitempty" doc:"The cursor of older versions; absent on the last page"`
	} `nameHint:"PartVersionPage"`
}

func listVersionsOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-versions", Method: http.MethodGet,
		Path:    "/rooms/{room}/documents/{doc}/parts/{part}/versions",
		Summary: "List the versions of a part",
		Description: "Newest first. A page holds at most limit versions and ends early at 1 MB. Versions never " +
			"change and are never removed.",
		Tags:   []string{"documents"},
		Errors: []int{http.StatusNotFound},
	}, listVersions)
}

func listVersions(
	ctx context.Context, s *server, caller chat.UserID, in *listVersionsInput,
) (*listVersionsOutput, error) {
	which, err := in.parse()
	if err != nil {
		return nil, err
	}
	page, err := s.service.Documents.PartVersions(ctx, caller, documentpkg.Query{
		Room: which.Room, Document: which.Document, Part: which.ID, Page: in.page(),
	})
	if err != nil {
		return nil, err
	}
	out := &listVersionsOutput{}
	out.Body.Items, out.Body.Next = each(page.Items, partOf), page.Next
	return out, nil
}

type getVersionInput struct {
	PartPath
	Version int `path:"n" minimum:"1" maximum:"999999999" doc:"The version's number" example:"2"`
}

type versionOutput struct {
	Body partBody
}

func getVersionOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "get-version", Method: http.MethodGet,
		Path:        "/rooms/{room}/documents/{doc}/parts/{part}/versions/{n}",
		Summary:     "Get one version of a part",
		Description: "A version never changes, so that it may be stored.",
		Tags:        []string{"documents"},
		Errors:      []int{http.StatusNotFound},
	}, getVersion)
}

func getVersion(ctx context.Context, s *server, caller chat.UserID, in *getVersionInput) (*versionOutput, error) {
	which, err := in.parse()
	if err != nil {
		return nil, err
	}
	which.Version = in.Version
	p, err := s.service.Documents.Part(ctx, caller, which)
	if err != nil {
		return nil, err
	}
	return &versionOutput{Body: partOf(p)}, nil
}
