package chat

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"example.com/parley/internal/policy"
)

// PutRoom creates a public room, or replaces the settings of a room that the caller owns. created
// reports which it did. A service that acts as itself may also create private rooms, with an id
// that is Private. It owns what it creates.
//
// The error is Invalid for an invalid draft. It is Forbidden if the caller is in the room but not
// an owner. For others it is Conflict if the id belongs to a public room, even a deleted one, and
// NotFound if it is the id of a private room, but Conflict for a service that may create rooms.
// It is as for RoomShards if draft.Shards differs from the room's. It is Forbidden if the draft
// changes an archived room without unarchiving it. It is Stale if draft.If does not hold. If the
// room does not exist, it is Forbidden for a caller who may not create rooms, and as for CheckJoin.
func (s *Service) PutRoom(
	ctx context.Context, caller UserID, id RoomID, draft RoomDraft,
) (room Room, created bool, err error) {
	if err := draft.validate(id.Private()); err != nil {
		return Room{}, false, err
	}
	creates := s.mayCreateRooms(caller) && (!id.Private() || IsService(ctx, caller))
	var full error // the room may already exist
	if creates && draft.If.Check(false, AnyRevision, false) == nil {
		if room, err = s.newRoom(caller, Room{ID: id, Name: string(id), Private: id.Private()}); err != nil {
			return Room{}, false, err
		}
		if room, created, err = s.createRoom(ctx, room, draft); KindOf(err) == Conflict {
			full = err
		} else if err != nil || created {
			return room, created, err
		}
	}
	room, err = s.changeRoom(ctx, caller, id, draft.whole(id), errTaken())
	switch {
	case KindOf(err) != NotFound:
	case creates:
		// by a deleted room, or by a private one
		err = cmp.Or(draft.If.Check(false, AnyRevision, false), full, errTaken())
	case !id.Private() || IsService(ctx, caller):
		err = errNoNewRooms()
	}
	return room, false, err
}

// DraftPrivateRoom returns a private room with its owner, neither stored yet. The error is
// Invalid for an invalid draft, Forbidden if the caller may not create rooms, and otherwise as
// for CheckJoin.
func (s *Service) DraftPrivateRoom(ctx context.Context, caller UserID, draft RoomDraft) (Room, Membership, error) {
	if err := draft.validate(true); err != nil {
		return Room{}, Membership{}, err
	}
	if draft.Name == nil {
		return Room{}, Membership{}, Invalidf("name", "must be given")
	}
	room, err := s.NewPrivateRoom(caller)
	if err != nil {
		return Room{}, Membership{}, err
	}
	return s.withOwner(ctx, room, draft)
}

// NewPrivateRoom returns a private room of the caller that is not stored yet. The server chooses
// the id, so that nobody can find such rooms by creating others. The error is Forbidden if the
// caller may not create rooms.
func (s *Service) NewPrivateRoom(caller UserID) (Room, error) {
	if !s.mayCreateRooms(caller) {
		return Room{}, errNoNewRooms()
	}
	id, err := s.privateID()
	if err != nil {
		return Room{}, err
	}
	return s.newRoom(caller, Room{ID: id, Private: true})
}

// privateID returns an id that nobody can guess, with 103 random bits.
func (s *Service) privateID() (RoomID, error) {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	const whole = 252 // 7 × 36, so that all letters are equally likely
	id := []byte(privatePrefix)
	var b [1]byte
	for len(id) < len(privatePrefix)+privateRandom {
		if _, err := io.ReadFull(s.random, b[:]); err != nil {
			return "", fmt.Errorf("create a room id: %w", err)
		}
		if b[0] < whole {
			id = append(id, letters[b[0]%36])
		}
	}
	return RoomID(id), nil
}

// newRoom returns a room with every field that is fixed at creation.
func (s *Service) newRoom(caller UserID, room Room) (Room, error) {
	room.CreatedBy, room.CreatedAt, room.Shards = caller, s.now(), 1
	room.DigestKey = make([]byte, digestKeySize)
	if _, err := io.ReadFull(s.random, room.DigestKey); err != nil {
		return Room{}, fmt.Errorf("create a room's key: %w", err)
	}
	return room, nil
}

// withOwner returns a new room with the settings of a draft, and its creator as the owner. A
// service that acts as itself owns the room without being a member. The error is as for
// CheckJoin.
func (s *Service) withOwner(ctx context.Context, room Room, draft RoomDraft) (Room, Membership, error) {
	room = draft.applyTo(room)
	if draft.changesShards(room) {
		room.Shards, room.ShardsPinned = *draft.Shards, true
	}
	if IsService(ctx, room.CreatedBy) {
		room.Service = room.CreatedBy
		return room, Membership{}, nil
	}
	var name string
	var nameErr, joinErr error
	var both sync.WaitGroup
	both.Go(func() { name, nameErr = s.names.NameOf(ctx, room.CreatedBy) })
	both.Go(func() { joinErr = s.CheckJoin(ctx, room.CreatedBy, room.CreatedBy) })
	both.Wait()
	return room, OwnerOf(room, name), cmp.Or(nameErr, joinErr)
}

// createRoom stores a new room with its creator as the owner, unless the id is taken. It returns
// Conflict only for the reason in CheckJoin.
func (s *Service) createRoom(ctx context.Context, room Room, draft RoomDraft) (Room, bool, error) {
	room, owner, err := s.withOwner(ctx, room, draft)
	if err != nil {
		return Room{}, false, err
	}
	created, err := s.store.CreateRoom(ctx, room, owner)
	s.recent.Delete(room.ID)
	if created {
		s.audit.Audit(ctx, room.ID, AuditEvent{By: room.CreatedBy, Action: "room.created"})
	}
	return room, created, err
}

// PatchRoom changes the settings of a room that the draft gives. The error is Invalid for an
// invalid draft, as for Authorize unless the caller owns the room, and otherwise as for PutRoom.
func (s *Service) PatchRoom(ctx context.Context, caller UserID, id RoomID, draft RoomDraft) (Room, error) {
	if err := draft.validate(id.Private()); err != nil {
		return Room{}, err
	}
	return s.changeRoom(ctx, caller, id, draft, nil)
}

// changeRoom changes the settings of a room that the caller owns. taken, unless it is nil, is the
// error for a caller who is not in the public room.
func (s *Service) changeRoom(
	ctx context.Context, caller UserID, id RoomID, draft RoomDraft, taken error,
) (Room, error) {
	for range MaxChangeTries {
		a, err := s.Authorize(ctx, caller, id, policy.Configure)
		if KindOf(err) == Forbidden && taken != nil && !id.Private() && !a.Membership.At(s.clock()).In() {
			return Room{}, taken
		}
		if err != nil {
			return Room{}, err
		}
		changed := draft.applyTo(a.Room)
		settings := changedSettings(a.Room, changed)
		same := len(settings) == 0 && !draft.changesShards(a.Room)
		if err := draft.If.Check(true, a.Room.Revision, same); err != nil {
			return Room{}, err
		}
		switch {
		case same:
			return a.Room, s.countAgain(ctx, draft, changed) // by a call that ended midway
		case draft.If != nil && !draft.If.Any && draft.changesShards(a.Room): // which have no revision
			return Room{}, Invalidf("shards", "must be changed without If-Match, which does not guard them")
		case a.Room.Archived && changed.Archived:
			return Room{}, RoomArchived()
		}
		if changed, err = s.setShards(ctx, caller, changed, draft); err != nil || len(settings) == 0 {
			return changed, err
		}
		var about []Message
		if changed.Announces(ctx) {
			about = settingsMessages(caller, a.Room, changed, s.now())
		}
		ok, err := s.store.UpdateRoom(ctx, a.Room, changed, about...)
		if err != nil {
			return Room{}, err
		}
		s.recent.Delete(id)
		if ok {
			changed.Revision++
			s.audit.Audit(ctx, id, AuditEvent{By: caller, Action: "room.changed", Detail: strings.Join(settings, " ")})
			return changed, s.countAgain(ctx, draft, changed)
		}
	}
	return Room{}, TooBusy()
}

// countAgain makes a room count for its members if the draft unarchives it, even repeatedly.
func (s *Service) countAgain(ctx context.Context, draft RoomDraft, room Room) error {
	if draft.Archived == nil || room.Archived {
		return nil
	}
	return s.store.CountRoom(ctx, room.ID)
}

// setShards changes the shards of a room, if the draft does.
func (s *Service) setShards(ctx context.Context, caller UserID, room Room, draft RoomDraft) (Room, error) {
	if !draft.changesShards(room) {
		return room, nil
	}
	n, err := s.shards.SetShards(ctx, room.ID, *draft.Shards)
	if err != nil {
		return Room{}, err
	}
	s.recent.Delete(room.ID)
	s.audit.Audit(ctx, room.ID, AuditEvent{By: caller, Action: "room.changed", Detail: "shards"})
	room.Shards, room.ShardsPinned = n, *draft.Shards > 0
	return room, nil
}

// Room returns the current state of a room, and the caller's access to it. Shards is zero unless
// the caller owns the room. The error is as for Authorize.
func (s *Service) Room(ctx context.Context, caller UserID, id RoomID) (Access, error) {
	a, err := s.Authorize(ctx, caller, id, policy.See)
	if a.Role != policy.Owner {
		a.Room = a.Room.WithoutShards()
	}
	return a, err
}

// CheckJoin implements RoomLimits. It consumes a read unit for every 4 KB of the person's
// memberships: 2 units for 30 rooms. At MaxRooms it consumes as much as OpenRoomCount. n joins at
// one moment may exceed the limit by n-1. The response names it only to the person and to services,
// which may list the person's rooms.
func (s *Service) CheckJoin(ctx context.Context, caller, user UserID) error {
	n, err := s.store.OpenRoomCount(ctx, user)
	switch {
	case err != nil || n < MaxRooms:
		return err
	case caller == user || IsService(ctx, caller):
		return Conflictf(
			"nobody may be in more than %d rooms that are not archived; leave one first, or archive one", MaxRooms,
		)
	}
	return Conflictf("this person cannot be added to rooms at present")
}

func errTaken() error {
	return Conflictf("this room id is taken; choose another")
}

// TooBusy returns the error for a change that concurrent changes prevented on every try.
func TooBusy() error {
	return &Error{Kind: Unavailable, RetryAfter: busyRetryAfter, Detail: "too many changes at once; " + RetryHint}
}

func errNoNewRooms() error {
	return &Error{Kind: Forbidden, Detail: "you may not create rooms in this deployment; ask its operator"}
}

// RoomDeletion deletes a room.
type RoomDeletion struct {
	Room Room
	By   Membership // the owner's; which must still be current when the room is deleted
	// Service reports that a service deletes its own room. By has only the room and its user.
	Service bool
	At      time.Time
}

// DeleteRoom deletes a room that the caller owns. From then on the room appears never to have
// existed, and its feed accepts no changes. Its id stays taken. The contents remain in the store
// until an operator purges them.
//
// The error is as for Authorize, and Stale if p does not accept the room. In particular, it is
// NotFound if the room is already deleted, even for the former owner. A client that retries after
// a lost response treats NotFound as success.
func (s *Service) DeleteRoom(ctx context.Context, caller UserID, id RoomID, p *Precondition) error {
	for try := range MaxChangeTries {
		a, err := s.decide(ctx, request{caller, id, policy.DeleteRoom}, s.CurrentRoom)
		if KindOf(err) == NotFound && try > 0 {
			return nil // the caller was allowed to delete it, and it is now deleted
		}
		if err != nil {
			return err
		}
		if err := p.Check(true, a.Room.Revision, false); err != nil {
			return err
		}
		deletion := RoomDeletion{
			Room: a.Room, By: a.Membership, At: s.now(), Service: a.Room.OwnedByService(ctx, caller),
		}
		if deletion.Service {
			deletion.By = Membership{Room: id, User: caller}
		}
		ok, err := s.store.DeleteRoom(ctx, deletion)
		s.recent.Delete(id)
		if err != nil {
			return err
		}
		if ok {
			s.audit.Audit(ctx, id, AuditEvent{By: caller, At: deletion.At, Action: "room.deleted"})
			return nil
		}
	}
	return TooBusy()
}
