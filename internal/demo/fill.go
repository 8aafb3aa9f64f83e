package demo

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/app"
	"example.com/parley/internal/attachment/transfer"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/people"
	"example.com/parley/internal/policy"
)

const (
	// founded is how long ago the rooms were created.
	founded = 200 * 24 * time.Hour
	// roomsAtOnce bounds the rooms that are filled concurrently. The engine writes one item after
	// another, so more would only wait.
	roomsAtOnce = 4
)

// Options are the settings of Fill. All are required.
type Options struct {
	// Services returns services with a clock. They must limit nobody, and take their random bytes
	// from the source, so that ids are equal in each demo.
	Services func(clock func() time.Time, random *rand.ChaCha8) *app.Services
	// Store is the store of the services.
	Store *dynamo.Store
	// Files stores the files of messages, where the services look for them.
	Files *transfer.Store
	// Now is the present, in the time zone of the reader.
	Now time.Time
}

// filler fills a store with one week.
type filler struct {
	Options
	week Week
}

// Fill writes a week into an empty store as its people would have done: through the services, with
// the clock at the time of each step. At the end it waits for the feeds, and marks as read what
// people have read. So the store's stream must be delivered meanwhile.
func Fill(ctx context.Context, w Week, o Options) error {
	f := &filler{o, w}
	if err := f.putPeople(ctx); err != nil {
		return err
	}
	scenes := make([]*scene, len(w.Rooms))
	for i, room := range w.Rooms {
		scenes[i] = f.scene(room)
	}
	if err := each(ctx, scenes, (*scene).play); err != nil {
		return err
	}
	return each(ctx, scenes, (*scene).markRead)
}

// each calls do with each scene, some of them concurrently.
func each(ctx context.Context, scenes []*scene, do func(*scene, context.Context) error) error {
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(roomsAtOnce)
	for _, s := range scenes {
		all.Go(func() error {
			if err := do(s, ctx); err != nil {
				return fmt.Errorf("room %s: %w", s.room.File, err)
			}
			return nil
		})
	}
	return all.Wait()
}

func (f *filler) putPeople(ctx context.Context) error {
	s := f.scene(Room{})
	for _, p := range f.week.People {
		draft := people.Draft{Name: p.Name, Title: &p.Title, Status: &p.Status}
		if _, _, err := s.app.People.PutPerson(ctx, p.User, draft); err != nil {
			return fmt.Errorf("person %s: %w", p.User, err)
		}
	}
	return nil
}

// scene is a room that is filled, with a clock of its own.
type scene struct {
	*filler
	app  *app.Services
	room Room
	id   chat.RoomID
	ids  []chat.MessageID // of the messages, in the order of the file
	now  time.Time
}

// scene returns a scene at the time when the rooms were created.
func (f *filler) scene(room Room) *scene {
	s := &scene{filler: f, room: room, ids: make([]chat.MessageID, len(room.Messages)), now: f.Now.Add(-founded)}
	seed := sha256.Sum256([]byte(room.File))
	s.app = f.Services(func() time.Time { return s.now }, rand.NewChaCha8(seed))
	return s
}

// play creates the room and takes its steps in the order of their times.
func (s *scene) play(ctx context.Context) error {
	if err := s.create(ctx); err != nil {
		return err
	}
	steps := s.steps()
	slices.SortStableFunc(steps, func(a, b step) int { return a.at.Compare(b.at) })
	for _, step := range steps {
		s.now = step.at
		if err := step.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	s.now = s.Now
	return nil
}

// create creates the room with its members. No line says who joined: it would have today's date.
func (s *scene) create(ctx context.Context) (err error) {
	owner, others := s.room.Members[0], s.room.Members[1:]
	draft := chat.RoomDraft{Name: &s.room.Name, Topic: &s.room.Topic, SystemMessages: new(false)}
	var room chat.Room
	switch {
	case s.room.Direct:
		var names []string
		for _, user := range others {
			names = append(names, string(user))
		}
		room, _, err = s.app.Direct.PostRoom(ctx, owner, names)
	case s.room.Private:
		room, _, err = s.app.Private.PostRoom(ctx, owner, [16]byte{}, draft)
	default:
		room, _, err = s.app.PutRoom(ctx, owner, chat.RoomID(s.room.File), draft)
	}
	if s.id = room.ID; err != nil || s.room.Direct {
		return err
	}
	for _, user := range others {
		if _, _, err := s.app.Members.SetMember(
			ctx, owner, chat.MemberOf{Room: s.id, User: user}, policy.Member,
		); err != nil {
			return fmt.Errorf("member %s: %w", user, err)
		}
	}
	_, err = s.app.PatchRoom(ctx, owner, s.id, chat.RoomDraft{SystemMessages: new(true)})
	return err
}

// File is a file of a message. Its bytes are drawn, or in the folder week/files.
type File struct {
	Name string
	Alt  string // describes a picture
}

//go:embed week/files
var stored embed.FS

// read returns the bytes of f.
func (f File) read() ([]byte, error) {
	if draw, ok := pictures[f.Name]; ok {
		return draw().png()
	}
	return stored.ReadFile("week/files/" + f.Name)
}

// putFiles stores the files of a message before it is posted, and returns their ids.
func (s *scene) putFiles(ctx context.Context, m Message, id chat.MessageID) (ids []uuid.UUID, err error) {
	for _, f := range m.Files {
		file, err := f.read()
		if err != nil {
			return nil, err
		}
		a, err := s.Files.Put(ctx, s.id, id, transfer.File{
			ID: s.newID("file", f.Name), Name: f.Name, Alt: f.Alt,
			Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(file)), nil },
		})
		if err != nil {
			return nil, fmt.Errorf("file %s: %w", f.Name, err)
		}
		ids = append(ids, a.ID)
	}
	return ids, nil
}

// newID returns the id of something in the room at the time of the scene, which is equal in each
// demo.
func (s *scene) newID(kind, name string) uuid.UUID {
	sum := sha256.Sum256([]byte(s.room.File + "/" + kind + "/" + name))
	return chat.NewUUID(s.now, [10]byte(sum[:]))
}
