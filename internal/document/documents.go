// Package document stores the documents of rooms: their metadata, permissions and parts. Every
// version of a part is stored.
package document

import (
	"cmp"
	"context"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/policy"
)

// MaxDocumentID limits the ids of documents and parts to the length of room ids.
const MaxDocumentID = 64

// ID identifies a document within its room: [a-z0-9] and inner "-", 1 to 64 bytes.
type ID string

// PartID identifies a part within its document, in the same format.
type PartID string

// ParseID parses the id of a document.
func ParseID(s string) (ID, error) {
	return ID(s), checkSlug("doc", s, MaxDocumentID)
}

// ParsePartID parses the id of a part.
func ParsePartID(s string) (PartID, error) {
	return PartID(s), checkSlug("part", s, MaxDocumentID)
}

// checkSlug returns an error unless s consists of [a-z0-9] and inner "-".
func checkSlug(field, s string, most int) error {
	if s == "" || len(s) > most {
		return chat.Invalidf(field, "must be 1 to %d bytes long", most)
	}
	for i := range len(s) {
		if c := s[i]; !chat.LowerAlnum(c) && c != '-' {
			return chat.Invalidf(field, "must contain only a-z, 0-9 and -")
		}
	}
	if s[0] == '-' || s[len(s)-1] == '-' {
		return chat.Invalidf(field, "must not begin or end with -")
	}
	return nil
}

// Document is a versioned text of a room, such as its rules, an agenda or a charter. Its contents
// are in its parts.
type Document struct {
	Room      chat.RoomID
	ID        ID
	Title     string
	CreatedBy chat.UserID
	CreatedAt time.Time
	// Allowed defines who may read and write the document. It is not set in lists.
	Allowed policy.Document
}

// Part is one version of a part of a document. The versions of each part count from 1 and never
// change.
type Part struct {
	Room     chat.RoomID
	Document ID
	ID       PartID
	Version  int
	Text     string // 1 byte to MaxText
	SavedBy  chat.UserID
	SavedAt  time.Time
}

// PageBytes returns the number of bytes of p that count against MaxPageBytes.
func (p Part) PageBytes() int { return chat.Message{Text: p.Text}.PageBytes() }

// isRetryOf reports whether stored is the result of an earlier save of p whose response was lost.
func (p Part) isRetryOf(stored Part) bool {
	return stored.Version == p.Version && stored.SavedBy == p.SavedBy && stored.Text == p.Text
}

// Draft holds the properties that a caller gives a document. A nil field keeps the current value,
// or the default for a new document.
type Draft struct {
	Title       *string          // default: the id
	Read, Write *policy.Audience // default: AsRoom
}

// whole returns the draft with the default of every value that it leaves out, for replacing those
// of a document.
func (d Draft) whole(id ID) Draft {
	d.Title = cmp.Or(d.Title, new(string(id)))
	d.Read, d.Write = cmp.Or(d.Read, new(policy.AsRoom)), cmp.Or(d.Write, new(policy.AsRoom))
	return d
}

func (d Draft) validate() error {
	if d.Title == nil {
		return nil
	}
	return cmp.Or(chat.CheckShows("title", *d.Title), chat.CheckLine("title", *d.Title, chat.MaxName))
}

func (d Draft) applyTo(doc Document) Document {
	if d.Title != nil {
		doc.Title = *d.Title
	}
	if d.Read != nil {
		doc.Allowed.Read = *d.Read
	}
	if d.Write != nil {
		doc.Allowed.Write = *d.Write
	}
	return doc
}

// Service manages the documents of rooms. It is safe for concurrent use.
type Service struct {
	store    store
	rooms    *chat.Service
	slowMode *chat.SlowMode
	audit    chat.Auditor
	clock    func() time.Time
}

// Options are the settings of a Service. All are required.
type Options struct {
	Table    *dynamo.Table
	Rooms    *chat.Service
	SlowMode *chat.SlowMode
	Audit    chat.Auditor
	Clock    func() time.Time
}

// NewService returns a Service.
func NewService(o Options) *Service {
	return &Service{store: store{o.Table}, rooms: o.Rooms, slowMode: o.SlowMode, audit: o.Audit, clock: o.Clock}
}

// PatchDocument is PutDocument for a document that exists: the error is NotFound if it does not.
func (s *Service) PatchDocument(
	ctx context.Context, caller chat.UserID, room chat.RoomID, id ID, draft Draft,
) (Document, error) {
	if err := draft.validate(); err != nil {
		return Document{}, err
	}
	a, err := s.rooms.Authorize(ctx, caller, room, policy.See)
	if err != nil {
		return Document{}, err
	}
	before, err := s.store.document(ctx, room, id)
	if err != nil {
		return Document{}, err
	}
	return s.changeDocument(ctx, a, caller, before, draft)
}

// PutDocument creates a document, or replaces its title and permissions; created reports which it
// did.
//
// Everyone who may write documents in the room may create one. Only moderators and owners may set
// permissions and change a document. Callers cannot change a document that they may not write, and
// cannot take that right from themselves. The creator may repeat the creation as a retry, which
// changes nothing.
//
// The error is Stale if another person changed the document at the same time. It is RateLimited if
// slow mode does not allow the caller to create it now; people who may change it are exempt.
func (s *Service) PutDocument(
	ctx context.Context, caller chat.UserID, room chat.RoomID, id ID, draft Draft,
) (doc Document, created bool, err error) {
	if err := draft.validate(); err != nil {
		return Document{}, false, err
	}
	a, err := s.rooms.Authorize(ctx, caller, room, policy.See)
	if err != nil {
		return Document{}, false, err
	}
	before, err := s.store.document(ctx, room, id)
	if chat.KindOf(err) == chat.NotFound {
		return s.createDocument(ctx, a, s.newDocument(caller, room, id), draft)
	}
	if err == nil {
		doc, err = s.changeDocument(ctx, a, caller, before, draft.whole(id))
	}
	return doc, false, err
}

func (s *Service) changeDocument(
	ctx context.Context, a chat.Access, caller chat.UserID, before Document, draft Draft,
) (Document, error) {
	doc := draft.applyTo(before)
	if doc == before && caller == before.CreatedBy && allowed(a, doc, policy.Write) == nil {
		return doc, nil // a retry of the creation, by a person who may not change it
	}
	for _, d := range []Document{before, doc} {
		if err := allowed(a, d, policy.Administer); err != nil {
			return Document{}, err
		}
	}
	if doc == before {
		return doc, nil
	}
	ok, err := s.store.update(ctx, before, doc)
	if err == nil && !ok {
		err = staleDocument("the document has changed; read it and try again")
	}
	if err == nil {
		s.audit.Audit(
			ctx, before.Room, chat.AuditEvent{By: caller, Action: "document.changed", Detail: changes(before, doc)},
		)
	}
	return doc, err
}

func (s *Service) createDocument(
	ctx context.Context, a chat.Access, doc Document, draft Draft,
) (Document, bool, error) {
	action := policy.Write
	if draft.Read != nil || draft.Write != nil {
		action = policy.Administer
	}
	if err := allowed(a, doc, policy.Write); err != nil {
		return Document{}, false, err
	}
	doc = draft.applyTo(doc)
	if err := allowed(a, doc, action); err != nil {
		return Document{}, false, err
	}
	if err := s.slowMode.Admit(ctx, a, doc.CreatedBy, string(doc.ID)); err != nil {
		return Document{}, false, err
	}
	created, err := s.store.create(ctx, doc)
	if err == nil && !created {
		err = staleDocument("someone else created the document; read it and try again")
	}
	if err == nil {
		s.audit.Audit(
			ctx, doc.Room,
			chat.AuditEvent{By: doc.CreatedBy, Action: "document.created", Detail: changes(Document{}, doc)},
		)
	}
	return doc, created, err
}

// newDocument returns a document with default values.
func (s *Service) newDocument(creator chat.UserID, room chat.RoomID, id ID) Document {
	return Document{Room: room, ID: id, Title: string(id), CreatedBy: creator, CreatedAt: chat.ServerTime(s.clock())}
}

// Documents lists a room's documents by id, without their permissions. Everyone who may read the
// room may read the titles. The permissions of a document apply to its contents.
func (s *Service) Documents(
	ctx context.Context, caller chat.UserID, room chat.RoomID, page chat.PageRequest,
) (chat.Page[Document], error) {
	scope := chat.NewCursorScope("documents").Text(string(room))
	after, err := page.After(scope, func(p chat.ListPosition) bool {
		_, err := ParseID(p.Sort)
		return err == nil
	})
	if err != nil {
		return chat.Page[Document]{}, err
	}
	if _, err := s.rooms.Authorize(ctx, caller, room, policy.Read); err != nil {
		return chat.Page[Document]{}, err
	}
	docs, next, err := s.store.list(ctx, room, after, page.Limit)
	return chat.Page[Document]{Items: docs, Next: next.Cursor(scope)}, err
}

// Document returns a document and the newest version of its parts, ordered by part. It returns at
// most q.Page.Limit parts, or fewer if they would exceed MaxPageBytes. The error is NotFound if the
// document does not exist, and Forbidden if the caller may not read it.
func (s *Service) Document(
	ctx context.Context, caller chat.UserID, q Query,
) (doc Document, parts chat.Page[Part], err error) {
	scope := chat.NewCursorScope("parts").Text(string(q.Room)).Text(string(q.Document))
	after, err := q.Page.After(scope, func(p chat.ListPosition) bool {
		_, err := ParsePartID(p.Sort)
		return err == nil
	})
	if err != nil {
		return Document{}, chat.Page[Part]{}, err
	}
	if doc, err = s.readable(ctx, caller, q.Room, q.Document); err != nil {
		return Document{}, chat.Page[Part]{}, err
	}
	items, next, err := s.store.parts(ctx, doc, after, q.Page.Limit)
	return doc, chat.Page[Part]{Items: items, Next: next.Cursor(scope)}, err
}

// Query selects a page of a document: of its parts, or of the versions of one part.
type Query struct {
	Room     chat.RoomID
	Document ID
	Part     PartID // for versions
	Page     chat.PageRequest
}

// readable returns a document that the caller may read.
func (s *Service) readable(ctx context.Context, caller chat.UserID, room chat.RoomID, id ID) (Document, error) {
	a, err := s.rooms.Authorize(ctx, caller, room, policy.See)
	if err != nil {
		return Document{}, err
	}
	doc, err := s.store.document(ctx, room, id)
	if err != nil {
		return Document{}, err
	}
	return doc, allowed(a, doc, policy.Read)
}

// allowed returns a Forbidden error if the caller may not perform an action on a document.
func allowed(a chat.Access, doc Document, action policy.Action) error {
	switch policy.DecideDocument(a.Role, a.Room.Policy(), doc.Allowed, action) {
	case policy.Allow:
		return nil
	case policy.DenyArchived:
		return chat.RoomArchived()
	}
	return &chat.Error{Kind: chat.Forbidden, Detail: "your role in this room does not allow this for the document"}
}

func staleDocument(detail string) error { return &chat.Error{Kind: chat.Stale, Detail: detail} }

// changes names a document and the changed properties, without its title.
func changes(before, after Document) string {
	text := string(after.ID)
	if before.Title != after.Title {
		text += " title"
	}
	if before.Allowed.Read != after.Allowed.Read {
		text += " read=" + after.Allowed.Read.String()
	}
	if before.Allowed.Write != after.Allowed.Write {
		text += " write=" + after.Allowed.Write.String()
	}
	return text
}
