package chat

import (
	"context"
	"time"

	"parley/internal/policy"
)

// DocumentService keeps the documents of rooms. It is safe for concurrent use.
type DocumentService struct {
	store DocumentStore
	rooms Authorizer
	audit Auditor
	clock func() time.Time
}

// DocumentOptions are the settings of a DocumentService. All are required.
type DocumentOptions struct {
	Store DocumentStore
	Rooms Authorizer
	Audit Auditor
	Clock func() time.Time
}

// NewDocumentService returns a service.
func NewDocumentService(o DocumentOptions) *DocumentService {
	return &DocumentService{store: o.Store, rooms: o.Rooms, audit: o.Audit, clock: o.Clock}
}

// PutDocument makes a document, or changes its title and permissions; created tells which.
// Whoever may write documents in the room may make one, and leaves who may read and
// write it to the room: permissions are for moderators and owners to set, and so is
// every change. Nobody can change a document that they may not write, or
// give or take what they would not have afterwards. Whoever made it may make it again, as a
// retry: that changes nothing.
//
// Stale when someone else changed it at the same moment.
func (s *DocumentService) PutDocument(ctx context.Context, caller UserID, room RoomID, id DocumentID, draft DocumentDraft) (doc Document, created bool, err error) {
	if err := draft.validate(); err != nil {
		return Document{}, false, err
	}
	a, err := s.rooms.Authorize(ctx, caller, room, policy.See)
	if err != nil {
		return Document{}, false, err
	}
	before, err := s.store.Document(ctx, room, id)
	if KindOf(err) == NotFound {
		return s.makeDocument(ctx, a, s.newDocument(caller, room, id), draft)
	}
	if err != nil {
		return Document{}, false, err
	}
	doc = draft.applied(before)
	if doc == before && caller == before.Maker && allowed(a, doc, policy.Write) == nil {
		return doc, false, nil // a retry of making it, by someone who may not change it
	}
	for _, d := range []Document{before, doc} {
		if err := allowed(a, d, policy.Administer); err != nil {
			return Document{}, false, err
		}
	}
	if doc == before {
		return doc, false, nil
	}
	ok, err := s.store.UpdateDocument(ctx, before, doc)
	if err == nil && !ok {
		err = staleDocument("the document has changed; read it and try again")
	}
	return doc, false, err
}

func (s *DocumentService) makeDocument(ctx context.Context, a Access, doc Document, draft DocumentDraft) (Document, bool, error) {
	action := policy.Write
	if draft.Read != nil || draft.Write != nil {
		action = policy.Administer
	}
	if err := allowed(a, doc, policy.Write); err != nil {
		return Document{}, false, err
	}
	doc = draft.applied(doc)
	if err := allowed(a, doc, action); err != nil {
		return Document{}, false, err
	}
	created, err := s.store.CreateDocument(ctx, doc)
	if err == nil && !created {
		err = staleDocument("someone else created the document; read it and try again")
	}
	return doc, created, err
}

// newDocument is a document with its defaults.
func (s *DocumentService) newDocument(maker UserID, room RoomID, id DocumentID) Document {
	return Document{Room: room, ID: id, Title: string(id), Maker: maker, MadeAt: ServerTime(s.clock())}
}

// Documents lists a room's documents by id, without their permissions. A
// document's title is for whoever may read in the room; who may read what
// it says is the document's own matter.
func (s *DocumentService) Documents(ctx context.Context, caller UserID, room RoomID, page PageRequest) (Page[Document], error) {
	scope := NewCursorScope("documents").Text(string(room))
	after, err := page.After(scope, func(p ListPosition) bool {
		_, err := ParseDocumentID(p.Sort)
		return err == nil
	})
	if err != nil {
		return Page[Document]{}, err
	}
	if _, err := s.rooms.Authorize(ctx, caller, room, policy.Read); err != nil {
		return Page[Document]{}, err
	}
	docs, next, err := s.store.Documents(ctx, room, after, page.Limit)
	return Page[Document]{Items: docs, Next: next.Cursor(scope)}, err
}

// Document returns a document with the newest of its parts, by part, at most limit of
// them and fewer where they would weigh over MaxPageBytes. NotFound when there is no
// such document; Forbidden when the caller may not read it.
func (s *DocumentService) Document(ctx context.Context, caller UserID, q DocumentQuestion) (doc Document, parts Page[Part], err error) {
	scope := NewCursorScope("parts").Text(string(q.Room)).Text(string(q.Document))
	after, err := q.Page.After(scope, func(p ListPosition) bool {
		_, err := ParsePartID(p.Sort)
		return err == nil
	})
	if err != nil {
		return Document{}, Page[Part]{}, err
	}
	if doc, err = s.readable(ctx, caller, q.Room, q.Document); err != nil {
		return Document{}, Page[Part]{}, err
	}
	items, next, err := s.store.Parts(ctx, doc, after, q.Page.Limit)
	return doc, Page[Part]{Items: items, Next: next.Cursor(scope)}, err
}

// DocumentQuestion asks for a page of a document: of its parts, or of the
// versions of one.
type DocumentQuestion struct {
	Room     RoomID
	Document DocumentID
	Part     PartID // for versions
	Page     PageRequest
}

// readable is a document that the caller may read.
func (s *DocumentService) readable(ctx context.Context, caller UserID, room RoomID, id DocumentID) (Document, error) {
	a, err := s.rooms.Authorize(ctx, caller, room, policy.See)
	if err != nil {
		return Document{}, err
	}
	doc, err := s.store.Document(ctx, room, id)
	if err != nil {
		return Document{}, err
	}
	return doc, allowed(a, doc, policy.Read)
}

// allowed returns Forbidden when the caller may not do an action to a document.
func allowed(a Access, doc Document, action policy.Action) error {
	room := policy.Room{Private: a.Room.Private, Posting: a.Room.Posting}
	if policy.DecideDocument(a.Role, room, doc.Allowed, action) == policy.Allow {
		return nil
	}
	return &Error{Kind: Forbidden, Detail: "your role in this room does not allow this for the document"}
}

func staleDocument(detail string) error { return &Error{Kind: Stale, Detail: detail} }
