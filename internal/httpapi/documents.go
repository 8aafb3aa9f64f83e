package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	documentpkg "example.com/parley/internal/document"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/wire"
)

// DocumentBody is a document as the API shows it. It is exported for huma, like RoomPath.
type DocumentBody struct {
	Room      string `json:"room" example:"seattle"`
	Document  string `json:"document" doc:"The document's id" example:"charter"`
	Title     string `json:"title"`
	CreatedBy string `json:"createdBy" doc:"The user who created the document"`
	CreatedAt string `json:"createdAt" format:"date-time"`
	Read      string `json:"read,omitempty" enum:"room,everyone,members,moderators,owners" doc:"The readers; room means all who may read the room. Absent in lists"`
	Write     string `json:"write,omitempty" enum:"room,everyone,members,moderators,owners" doc:"The readers who may also write; room means all who may post in the room. Absent in lists"`
}

func documentOf(d documentpkg.Document) DocumentBody {
	b := listedDocumentOf(d)
	b.Read, b.Write = d.Allowed.Read.String(), d.Allowed.Write.String()
	return b
}

// listedDocumentOf returns a document without its permissions, which lists do not read.
func listedDocumentOf(d documentpkg.Document) DocumentBody {
	return DocumentBody{
		Room: string(d.Room), Document: string(d.ID), Title: d.Title,
		CreatedBy: string(d.CreatedBy), CreatedAt: wire.TimeText(d.CreatedAt),
	}
}

// DocumentPath is the part of a path that names a document. It is exported for huma, like
// RoomPath.
type DocumentPath struct {
	RoomPath
	Document string `path:"doc" format:"slug" maxLength:"64" doc:"The document's id: a-z, 0-9 and inner -" example:"charter"`
}

func (p DocumentPath) parse() (room chat.RoomID, doc documentpkg.ID, err error) {
	if room, err = chat.ParseRoomID(p.Room); err != nil {
		return "", "", err
	}
	doc, err = documentpkg.ParseID(p.Document)
	return room, doc, err
}

type putDocumentInput struct {
	DocumentPath
	Body *DocumentSettings
}

type patchDocumentInput struct {
	DocumentPath
	Body DocumentSettings
}

// DocumentSettings are what moderators may change of a document.
type DocumentSettings struct {
	Title *string `json:"title,omitempty" minLength:"1" maxLength:"100" doc:"One line, at most 100 bytes of UTF-8. Default: the document's id"`
	Read  *string `json:"read,omitempty" enum:"room,everyone,members,moderators,owners" doc:"The readers. Default: all who may read the room"`
	Write *string `json:"write,omitempty" enum:"room,everyone,members,moderators,owners" doc:"The readers who may also write. Default: all who may post in the room"`
}

func (d *DocumentSettings) draft() (draft documentpkg.Draft, err error) {
	if d == nil {
		return draft, nil
	}
	draft.Title = d.Title
	if draft.Read, err = parseAudience("read", d.Read); err != nil {
		return draft, err
	}
	draft.Write, err = parseAudience("write", d.Write)
	return draft, err
}

type documentSettingsOutput struct {
	Status int
	Body   DocumentBody
}

func putDocumentOperation() operation {
	return define(Write, documentPrice, huma.Operation{
		OperationID: "put-document", Method: http.MethodPut, Path: "/rooms/{room}/documents/{doc}",
		Summary: "Create a document, or replace its title and permissions",
		Description: "201 when the document is new; everyone who may post in the room may create one. 200 when it " +
			"exists: omitted values get their defaults. Only the room's moderators and owners set read and write or " +
			"change a document, and only if they may write it before and after the change. 412 when another request " +
			"changed it at the same time.",
		Tags:          []string{"documents"},
		Errors:        []int{http.StatusNotFound, http.StatusPreconditionFailed},
		DefaultStatus: http.StatusCreated,
		Responses:     map[string]*huma.Response{"200": {Description: "The document in its current state"}},
	}, putDocument)
}

func putDocument(
	ctx context.Context, s *server, caller chat.UserID, in *putDocumentInput,
) (*documentSettingsOutput, error) {
	room, id, err := in.parse()
	if err != nil {
		return nil, err
	}
	draft, err := in.Body.draft()
	if err != nil {
		return nil, err
	}
	doc, created, err := s.service.Documents.PutDocument(ctx, caller, room, id, draft)
	if err != nil {
		return nil, err
	}
	return &documentSettingsOutput{Status: createdStatus(created), Body: documentOf(doc)}, nil
}

func patchDocumentOperation() operation {
	return define(Write, documentPrice, huma.Operation{
		OperationID: "patch-document", Method: http.MethodPatch, Path: "/rooms/{room}/documents/{doc}",
		Summary: "Change a document's title and permissions",
		Description: "The given values change, and the others stay. Only the room's moderators and owners change a " +
			"document, and only if they may write it before and after the change. 412 when another request changed " +
			"it at the same time.",
		Tags:   []string{"documents"},
		Errors: []int{http.StatusNotFound, http.StatusPreconditionFailed},
	}, patchDocument)
}

func patchDocument(
	ctx context.Context, s *server, caller chat.UserID, in *patchDocumentInput,
) (*documentSettingsOutput, error) {
	room, id, err := in.parse()
	if err != nil {
		return nil, err
	}
	draft, err := in.Body.draft()
	if err != nil {
		return nil, err
	}
	doc, err := s.service.Documents.PatchDocument(ctx, caller, room, id, draft)
	return &documentSettingsOutput{Status: http.StatusOK, Body: documentOf(doc)}, err
}

func parseAudience(field string, s *string) (*policy.Audience, error) {
	if s == nil {
		return nil, nil
	}
	a, ok := policy.ParseAudience(*s)
	if !ok {
		return nil, &chat.Error{
			Kind: chat.Invalid, Field: field, Detail: "must be room, everyone, members, moderators or owners",
		}
	}
	return &a, nil
}

type listDocumentsInput struct {
	RoomPath
	PageQuery
}

type listDocumentsOutput struct {
	Body struct {
		Items []DocumentBody `json:"items"`
		Next  string         `json:"next,omitempty" doc:"The cursor of the next page; absent on the last"`
	}
}

func listDocumentsOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-documents", Method: http.MethodGet, Path: "/rooms/{room}/documents",
		Summary: "List a room's documents",
		Description: "By id. All who may read the room see the titles, even of documents that they may not read. " +
			"A document created in the last second may be missing.",
		Tags:   []string{"documents"},
		Errors: []int{http.StatusNotFound},
	}, listDocuments)
}

func listDocuments(
	ctx context.Context, s *server, caller chat.UserID, in *listDocumentsInput,
) (*listDocumentsOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	page, err := s.service.Documents.Documents(ctx, caller, room, in.page())
	if err != nil {
		return nil, err
	}
	out := &listDocumentsOutput{}
	out.Body.Items, out.Body.Next = each(page.Items, listedDocumentOf), page.Next
	return out, nil
}

type getDocumentInput struct {
	DocumentPath
	PageQuery
}

type getDocumentOutput struct {
	Body struct {
		DocumentBody
		Parts []partBody `json:"parts" doc:"The newest version of every part, by part"`
		Next  string     `json:"next,omitempty" doc:"The cursor of the next page of parts; absent on the last"`
	} `nameHint:"DocumentWithParts"`
}

func getDocumentOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "get-document", Method: http.MethodGet, Path: "/rooms/{room}/documents/{doc}",
		Summary:     "Get a document with the newest version of every part",
		Description: "By part. A page of parts holds at most limit of them and ends early at 1 MB.",
		Tags:        []string{"documents"},
		Errors:      []int{http.StatusNotFound},
	}, getDocument)
}

func getDocument(ctx context.Context, s *server, caller chat.UserID, in *getDocumentInput) (*getDocumentOutput, error) {
	q := documentpkg.Query{Page: in.page()}
	var err error
	if q.Room, q.Document, err = in.parse(); err != nil {
		return nil, err
	}
	doc, parts, err := s.service.Documents.Document(ctx, caller, q)
	if err != nil {
		return nil, err
	}
	out := &getDocumentOutput{}
	out.Body.DocumentBody, out.Body.Parts, out.Body.Next = documentOf(doc), each(parts.Items, partOf), parts.Next
	return out, nil
}
