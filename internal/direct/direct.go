// Package direct finds the one room of a set of people, and creates it when one of them asks for it
// first.
//
// Its rows and calls are in table and dynamo: one transaction writes the room, its people and the
// record of the set.
package direct

import (
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// Store stores the records of direct rooms together with the rooms.
type Store interface {
	// DirectRoom returns the record of the room of these people, who must be in order; found is
	// false if there is none.
	DirectRoom(ctx context.Context, people []chat.UserID) (record Record, found bool, err error)
	// CreateDirectRoom stores a new room with its record and its members, in one transaction. If
	// the people of room.Direct have a record, it changes nothing and created is false.
	CreateDirectRoom(ctx context.Context, room chat.Room, members []chat.Membership) (created bool, err error)
	// RejoinDirectRoom makes people members again, and empties Away, in one transaction. If the
	// record or a membership is no longer as before, it changes nothing and ok is false.
	RejoinDirectRoom(ctx context.Context, before Record, back []Return) (ok bool, err error)
	// Membership is as in chat.MemberStore.
	Membership(ctx context.Context, room chat.RoomID, user chat.UserID) (chat.Membership, error)
}

// Record records that some people have a direct room. There is at most one record for the same
// people, so they have at most one room.
type Record struct {
	// Room is the room as everyone in it sees it. Its settings never change.
	Room chat.Room
	// Away are the people who have left the room.
	Away []chat.UserID
	// Revision counts the changes of Away.
	Revision int
}

// Return is a change that makes a person a member again. Before is the remainder of the former
// membership, usually the zero Membership.
type Return struct {
	Before, After chat.Membership
}

// MaxOthers is how many people a caller may ask for. A conversation of so many can still be named
// after its people, and one transaction stores all their memberships.
const MaxOthers = 9

// Service finds and creates direct rooms. It is safe for concurrent use.
type Service struct {
	store Store
	rooms *chat.Service
	names chat.Names
	count chat.FeedPositions
	clock func() time.Time
	audit chat.Auditor // for requests by services; requests by people are not audited
}

// Options are the settings of a Service. All are required.
type Options struct {
	Store  Store
	Rooms  *chat.Service
	Names  chat.Names
	Counts chat.FeedPositions
	Audit  chat.Auditor
	Clock  func() time.Time
}

// NewService returns a Service.
func NewService(o Options) *Service {
	return &Service{store: o.Store, rooms: o.Rooms, names: o.Names, count: o.Counts, audit: o.Audit, clock: o.Clock}
}

// PostRoom returns the direct room of the caller and others. created reports whether this call
// created it. A later call by any of them finds the same room and brings back everyone who has
// left. The others need no profile, so the response does not reveal who exists.
//
// The error is Invalid if there are too many others, or they repeat or include the caller. It is
// Forbidden if the room does not exist and the caller may not create rooms. It is Conflict as for
// CheckJoin of chat.Service, if one of them would join.
func (s *Service) PostRoom(
	ctx context.Context, caller chat.UserID, others []string,
) (room chat.Room, created bool, err error) {
	people, err := peopleOf(caller, others)
	if err != nil {
		return chat.Room{}, false, err
	}
	for range chat.MaxChangeTries {
		record, found, err := s.store.DirectRoom(ctx, people)
		if err != nil {
			return chat.Room{}, false, err
		}
		done := found && len(record.Away) == 0
		switch {
		case !found:
			record.Room, done, err = s.create(ctx, caller, people)
		case !done:
			done, err = s.bringBack(ctx, caller, record)
		}
		if err != nil {
			return chat.Room{}, false, err
		}
		if done {
			return record.Room.WithoutShards(), !found, nil
		}
	}
	return chat.Room{}, false, chat.TooBusy()
}

// peopleOf returns the caller and the others in order.
func peopleOf(caller chat.UserID, others []string) ([]chat.UserID, error) {
	if len(others) < 1 || len(others) > MaxOthers {
		return nil, chat.Invalidf("direct", "must name 1 to %d people", MaxOthers)
	}
	people := []chat.UserID{caller}
	for i, text := range others {
		field := fmt.Sprintf("direct[%d]", i)
		user, err := chat.ParseUserID(text)
		switch {
		case err != nil:
			return nil, chat.InField(field, err)
		case user == caller:
			return nil, chat.Invalidf(field, "must be another person; you are in the room anyway")
		case slices.Contains(people, user):
			return nil, chat.Invalidf(field, "must not repeat a person")
		}
		people = append(people, user)
	}
	slices.Sort(people)
	return people, nil
}

// create stores a new room of some people, unless they already have one.
func (s *Service) create(ctx context.Context, caller chat.UserID, people []chat.UserID) (chat.Room, bool, error) {
	room, err := s.rooms.NewPrivateRoom(caller)
	if err != nil {
		return chat.Room{}, false, err
	}
	room.Direct = people
	members, err := each(ctx, people, func(ctx context.Context, user chat.UserID) (chat.Membership, error) {
		if err := s.rooms.CheckJoin(ctx, caller, user); err != nil {
			return chat.Membership{}, err
		}
		name, err := s.names.NameOf(ctx, user)
		return chat.Membership{
			Room: room.ID, User: user, Name: name, Role: policy.Member, JoinedAt: room.CreatedAt,
			By: chat.AddedBy(caller, user),
		}, err
	})
	if err != nil {
		return chat.Room{}, false, err
	}
	created, err := s.store.CreateDirectRoom(ctx, room, members)
	if created && chat.ServiceOf(ctx) != "" {
		s.audit.Audit(ctx, room.ID, chat.AuditEvent{By: caller, Action: "room.created"})
	}
	return room, created, err
}

// bringBack makes everyone who has left a room a member again. Earlier messages are not unread for
// them.
func (s *Service) bringBack(ctx context.Context, caller chat.UserID, before Record) (bool, error) {
	count, err := s.count.MessageCount(ctx, before.Room.ID)
	if err != nil {
		return false, err
	}
	back, err := each(ctx, before.Away, func(ctx context.Context, user chat.UserID) (Return, error) {
		m, err := s.store.Membership(ctx, before.Room.ID, user)
		if err != nil || m.In() {
			return Return{}, err
		}
		if err := s.rooms.CheckJoin(ctx, caller, user); err != nil {
			return Return{}, err
		}
		name, err := s.names.NameOf(ctx, user)
		return Return{Before: m, After: chat.Membership{
			Room: before.Room.ID, User: user, Name: name, Role: policy.Member, JoinedAt: chat.ServerTime(s.clock()),
			Count: count,
			By:    chat.AddedBy(caller, user),
		}}, err
	})
	if err != nil {
		return false, err
	}
	back = slices.DeleteFunc(back, func(c Return) bool { return c.After.Room == "" })
	ok, err := s.store.RejoinDirectRoom(ctx, before, back)
	if ok && chat.ServiceOf(ctx) != "" {
		for _, r := range back {
			s.audit.Audit(
				ctx, before.Room.ID,
				chat.AuditEvent{By: caller, Action: "member.role", On: r.After.User, Detail: r.After.Role.String()},
			)
		}
	}
	return ok, err
}

// each calls f for all people concurrently and returns the results in order.
func each[T any](
	ctx context.Context, people []chat.UserID, f func(context.Context, chat.UserID) (T, error),
) ([]T, error) {
	results := make([]T, len(people))
	g, ctx := errgroup.WithContext(ctx)
	for i, user := range people {
		g.Go(func() (err error) {
			results[i], err = f(ctx, user)
			return err
		})
	}
	return results, g.Wait()
}
