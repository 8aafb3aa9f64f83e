package document

import (
	"context"
	"fmt"
	"strconv"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// PartDraft is a new version of a part.
type PartDraft struct {
	Room     chat.RoomID
	Document ID
	Part     PartID
	Text     string
	// Base is the version that the text is based on, which is the newest known to the caller. It
	// is 0 for a new part.
	Base int
}

// SavePart stores a new version of a part. It creates the document if it does not exist and the
// caller may write documents in the room. On a retry of a save, it returns the stored part with
// replay true, as long as no other version was saved since.
//
// The error is Stale if the newest version is not draft.Base, and PreconditionRequired if the part
// exists and draft.Base is 0. It is RateLimited if slow mode does not allow it now. In these cases
// nothing is saved.
func (s *Service) SavePart(ctx context.Context, caller chat.UserID, draft PartDraft) (p Part, replay bool, err error) {
	if err := chat.CheckText(draft.Text); err != nil {
		return Part{}, false, err
	}
	a, err := s.rooms.Authorize(ctx, caller, draft.Room, policy.See)
	if err != nil {
		return Part{}, false, err
	}
	p, replay, err = s.savePart(ctx, caller, a, draft)
	if chat.KindOf(err) == chat.Conflict {
		// Another person has created the document, perhaps with its own permissions.
		p, replay, err = s.savePart(ctx, caller, a, draft)
	}
	return p, replay, err
}

func (s *Service) savePart(
	ctx context.Context, caller chat.UserID, a chat.Access, draft PartDraft,
) (Part, bool, error) {
	doc, err := s.store.document(ctx, draft.Room, draft.Document)
	isNew := chat.KindOf(err) == chat.NotFound
	if isNew {
		doc, err = s.newDocument(caller, draft.Room, draft.Document), nil
	}
	if err != nil {
		return Part{}, false, err
	}
	if err := allowed(a, doc, policy.Write); err != nil {
		return Part{}, false, err
	}
	p := Part{
		Room: draft.Room, Document: draft.Document, ID: draft.Part, Version: draft.Base + 1,
		Text: draft.Text, SavedBy: caller, SavedAt: chat.ServerTime(s.clock()),
	}
	if isNew && draft.Base > 0 {
		return Part{}, false, notNewest(draft.Base, Part{})
	}
	if err := s.admit(ctx, a, p); err != nil {
		return Part{}, false, err
	}
	var stored Part
	var saved bool
	if isNew {
		stored, saved, err = s.store.saveFirstPart(ctx, doc, p)
	} else {
		stored, saved, err = s.store.savePart(ctx, p)
	}
	if err != nil {
		return Part{}, false, err
	}
	if !saved && !p.isRetryOf(stored) {
		return Part{}, false, notNewest(draft.Base, stored)
	}
	s.documentSaved(ctx, stored)
	return stored, !saved, nil
}

// admit returns an error if slow mode does not allow the save now. A retry is always allowed, and
// so is a save that the store will refuse.
func (s *Service) admit(ctx context.Context, a chat.Access, p Part) error {
	if !a.InSlowMode() {
		return nil
	}
	newest, err := s.store.part(ctx, Part{Room: p.Room, Document: p.Document, ID: p.ID})
	if err != nil && chat.KindOf(err) != chat.NotFound {
		return err
	}
	if newest.Version != p.Version-1 {
		return nil
	}
	return s.slowMode.Admit(ctx, a, p.SavedBy, fmt.Sprintf("%s/%s@%d", p.Document, p.ID, p.Version))
}

// documentSaved adds a save to the room's audit log. It must be called after every save and every
// retry, because the first attempt may have failed before the audit.
func (s *Service) documentSaved(ctx context.Context, p Part) {
	s.audit.Audit(ctx, p.Room, chat.AuditEvent{
		By: p.SavedBy, At: p.SavedAt, Action: "document.saved",
		Detail: fmt.Sprintf("%s/%s v%d", p.Document, p.ID, p.Version),
	})
}

// notNewest returns the error for a save whose base is not the newest version.
func notNewest(base int, newest Part) error {
	e := &chat.Error{Kind: chat.Stale, Field: "If-Match", Detail: "the part does not exist: save it without If-Match"}
	if newest.Version > 0 {
		e.Detail = "the newest version is " + strconv.Itoa(newest.Version) + ": If-Match must name the newest"
		if base == 0 {
			e.Kind = chat.PreconditionRequired
		}
	}
	return e
}

// Part returns the part selected by which, or NotFound. Version 0 is the newest.
func (s *Service) Part(ctx context.Context, caller chat.UserID, which Part) (Part, error) {
	if which.Version < 0 || which.Version > chat.MaxVersion {
		return Part{}, chat.Invalidf("n", "must be 1 to %d", chat.MaxVersion)
	}
	if _, err := s.readable(ctx, caller, which.Room, which.Document); err != nil {
		return Part{}, err
	}
	return s.store.part(ctx, which)
}

// PartVersions lists the versions of a part, newest first. It returns at most q.Page.Limit of them,
// or fewer if they would exceed MaxPageBytes. The error is NotFound if the part does not exist.
func (s *Service) PartVersions(ctx context.Context, caller chat.UserID, q Query) (chat.Page[Part], error) {
	scope := chat.NewCursorScope("part versions").Text(string(q.Room)).Text(string(q.Document)).Text(string(q.Part))
	var after chat.VersionPosition
	if err := q.Page.Read(scope, &after); err != nil {
		return chat.Page[Part]{}, err
	}
	if _, err := s.readable(ctx, caller, q.Room, q.Document); err != nil {
		return chat.Page[Part]{}, err
	}
	which := Part{Room: q.Room, Document: q.Document, ID: q.Part}
	newest, err := s.store.part(ctx, which)
	if err != nil {
		return chat.Page[Part]{}, err
	}
	which.Version = after.From(newest.Version)
	if which.Version < 1 { // after the first version
		return chat.Page[Part]{}, nil
	}
	versions, err := s.store.versions(ctx, which, q.Page.Limit)
	if err != nil {
		return chat.Page[Part]{}, err
	}
	last := chat.VersionPosition(versions[len(versions)-1].Version)
	return chat.Page[Part]{Items: versions, Next: last.Cursor(scope)}, nil
}
