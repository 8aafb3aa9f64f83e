package document

import (
	"context"

	"example.com/parley/internal/chat"
)

// VersionStore reads versions. All methods return a *chat.Error of kind Unavailable if the store
// cannot answer now.
type VersionStore interface {
	// MessageVersions returns versions of an edited message, newest first, beginning with newest.
	// It returns at most limit of them, fewer if they would exceed chat.MaxPageBytes, but at least
	// one.
	MessageVersions(ctx context.Context, newest Version, limit int) (versions []Version, err error)
}

// VersionMessages reads messages for callers. chat.Service implements it.
type VersionMessages interface {
	// Message returns the current state of a message. The error is NotFound if the message does not
	// exist, and otherwise as for chat.Authorizer.
	Message(ctx context.Context, caller chat.UserID, room chat.RoomID, id chat.MessageID) (chat.Message, error)
}

// Versions lists versions. It is safe for concurrent use.
type Versions struct {
	store    VersionStore
	messages VersionMessages
}

// NewVersions returns a Versions service.
func NewVersions(store VersionStore, messages VersionMessages) *Versions {
	return &Versions{store: store, messages: messages}
}

// VersionQuery selects the versions of a message.
type VersionQuery struct {
	Room chat.RoomID
	ID   chat.MessageID
	Page chat.PageRequest
}

// MessageVersions lists the versions of a message, newest first. It returns at most q.Page.Limit of
// them, or fewer if they would exceed chat.MaxPageBytes. A message that was never edited has one
// version. The versions of a deleted message have no content.
//
// The error is NotFound if the message does not exist. Otherwise it is as for chat.Authorizer and
// chat.PageRequest.Read.
func (s *Versions) MessageVersions(ctx context.Context, caller chat.UserID, q VersionQuery) (chat.Page[Version], error) {
	scope := chat.NewCursorScope("message versions").Text(string(q.Room)).Text(q.ID.String())
	var after VersionPosition
	if err := q.Page.Read(scope, &after); err != nil {
		return chat.Page[Version]{}, err
	}
	m, err := s.messages.Message(ctx, caller, q.Room, q.ID)
	if err != nil {
		return chat.Page[Version]{}, err
	}
	newest := Version{Room: q.Room, ID: q.ID, Number: after.From(Count(m))}
	switch {
	case newest.Number < 1: // after the first version
		return chat.Page[Version]{}, nil
	case Count(m) == 1:
		return chat.Page[Version]{Items: []Version{original(m)}}, nil
	}
	versions, err := s.store.MessageVersions(ctx, newest, q.Page.Limit)
	if err != nil {
		return chat.Page[Version]{}, err
	}
	last := VersionPosition(versions[len(versions)-1].Number)
	return chat.Page[Version]{Items: versions, Next: last.Cursor(scope)}, nil
}
