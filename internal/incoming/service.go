// Package incoming manages incoming webhooks: secret addresses to which other programs post
// messages into one room. The store holds only hashes of the secrets.
package incoming

import (
	"context"
	"io"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/policy"
)

// The actions in the audit log of a room.
const (
	actionCreated  = "incoming.created"
	actionReplaced = "incoming.replaced"
	actionRemoved  = "incoming.removed"
)

// Service manages webhooks and posts their messages. It is safe for concurrent use.
type Service struct {
	store    store
	rooms    *chat.Service
	messages Messages
	audit    chat.Auditor
	clock    func() time.Time
	random   io.Reader
}

// Messages stores the messages of webhooks.
type Messages interface {
	chat.MessageSource
	// PutMessage is as in chat.Store.
	PutMessage(ctx context.Context, m chat.Message) (stored chat.Message, created bool, err error)
}

// Options are the settings of a Service. All are required.
type Options struct {
	Table    *dynamo.Table
	Rooms    *chat.Service
	Messages Messages
	Audit    chat.Auditor
	Clock    func() time.Time
	// Random must be unpredictable and safe for concurrent use, because secrets are read from it.
	Random io.Reader
}

// NewService returns a service.
func NewService(o Options) *Service {
	return &Service{
		store: store{o.Table}, rooms: o.Rooms, messages: o.Messages, audit: o.Audit, clock: o.Clock, random: o.Random,
	}
}

// Create stores a new webhook with the name of its bot, and returns its secret, which cannot be
// retrieved later. A repeated call creates another webhook.
//
// The error is Invalid for a name that a person could not have, and Conflict if the room has
// MaxPerRoom webhooks. Otherwise it is as for Authorize: the caller must be an owner. Direct and
// archived rooms get no webhooks.
func (s *Service) Create(
	ctx context.Context, caller chat.UserID, room chat.RoomID, name string,
) (w Webhook, secret Secret, err error) {
	if name == "" {
		return Webhook{}, "", chat.Invalidf("name", "must not be empty")
	}
	if err := chat.CheckName("name", name, chat.MaxName); err != nil {
		return Webhook{}, "", err
	}
	if err := s.authorize(ctx, caller, room); err != nil {
		return Webhook{}, "", err
	}
	w = Webhook{Room: room, Name: name, CreatedBy: caller, CreatedAt: chat.ServerTime(s.clock())}
	if w.ID, err = newID(s.random); err != nil {
		return Webhook{}, "", err
	}
	if secret, err = newSecret(w.ID, s.random); err != nil {
		return Webhook{}, "", err
	}
	created, err := s.store.create(ctx, w.With(secret))
	if err != nil {
		return Webhook{}, "", err
	}
	if !created {
		return Webhook{}, "", chat.Conflictf("a room has at most %d incoming webhooks; remove one first", MaxPerRoom)
	}
	s.audit.Audit(ctx, room, chat.AuditEvent{By: caller, Action: actionCreated, Detail: string(w.ID)})
	return w, secret, nil
}

// authorize returns an error unless the caller may change the webhooks of a room.
func (s *Service) authorize(ctx context.Context, caller chat.UserID, room chat.RoomID) error {
	a, err := s.rooms.Authorize(ctx, caller, room, policy.Configure)
	if err == nil && a.Room.Archived {
		err = chat.RoomArchived()
	}
	return err
}

func (s *Service) audited(ctx context.Context, caller chat.UserID, action string, w Webhook) {
	s.audit.Audit(ctx, w.Room, chat.AuditEvent{By: caller, Action: action, On: w.CreatedBy, Detail: string(w.ID)})
}

// Webhooks returns the webhooks of a room for its owners, by their ids. The error is as for
// Authorize.
func (s *Service) Webhooks(ctx context.Context, caller chat.UserID, room chat.RoomID) ([]Webhook, error) {
	if _, err := s.rooms.Authorize(ctx, caller, room, policy.Configure); err != nil {
		return nil, err
	}
	return s.store.list(ctx, room)
}

// ReplaceSecret gives a webhook another secret and returns it. The former one posts nothing from
// then on; a process may accept it for the second by which an eventual read lags. The error is
// NotFound if the room has no such webhook, and otherwise as for Create.
func (s *Service) ReplaceSecret(
	ctx context.Context, caller chat.UserID, room chat.RoomID, id ID,
) (w Webhook, secret Secret, err error) {
	if err := s.authorize(ctx, caller, room); err != nil {
		return Webhook{}, "", err
	}
	if w, err = s.inRoom(ctx, room, id); err != nil {
		return Webhook{}, "", err
	}
	if secret, err = newSecret(id, s.random); err != nil {
		return Webhook{}, "", err
	}
	replaced, err := s.store.replace(ctx, room, id, secret)
	if err != nil {
		return Webhook{}, "", err
	}
	if !replaced || w.Removed {
		return Webhook{}, "", errNotInRoom()
	}
	s.audited(ctx, caller, actionReplaced, w)
	return w, secret, nil
}

// Remove ends a webhook. Its messages stay. Removing it again changes nothing. The error is
// NotFound if the room has no such webhook, and otherwise as for Authorize; owners may also remove
// webhooks of archived rooms.
func (s *Service) Remove(ctx context.Context, caller chat.UserID, room chat.RoomID, id ID) error {
	if _, err := s.rooms.Authorize(ctx, caller, room, policy.Configure); err != nil {
		return err
	}
	w, err := s.inRoom(ctx, room, id)
	if err != nil || w.Removed {
		return err
	}
	removed, err := s.store.remove(ctx, room, id, s.clock())
	if removed {
		s.audited(ctx, caller, actionRemoved, w)
	}
	return err
}

// inRoom returns the current state of a room's webhook, which may be removed.
func (s *Service) inRoom(ctx context.Context, room chat.RoomID, id ID) (Webhook, error) {
	w, found, err := s.store.current(ctx, id)
	if err == nil && (!found || w.Room != room) {
		err = errNotInRoom()
	}
	return w, err
}

func errNotInRoom() error {
	return &chat.Error{Kind: chat.NotFound, Detail: "this room has no such webhook"}
}
