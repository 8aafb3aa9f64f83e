// Package picture stores pictures of people in the bucket of files. People send and read them
// themselves, by links. Everyone may see them. Each picture that is sent has a key and a row of its
// own, so that what deletes a person finds all of them: ADR 82 has the reasons.
package picture

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/account"
	"example.com/parley/internal/attachment"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/people"
	"example.com/parley/internal/table"
)

const (
	// Folder begins the keys of pictures. No room has such an id, so the keys of the files of rooms
	// begin with other words.
	Folder = "_people/"
	// LinkLife is how long a link to a picture works at most.
	LinkLife = time.Hour
	// linkStep is how long a process gives the same link.
	linkStep = LinkLife / 2
)

// Key returns the key of a picture.
func Key(user chat.UserID, id uuid.UUID) string { return Folder + string(user) + "/" + id.String() }

// ParseKey reads a key that Key returned.
func ParseKey(key string) (user chat.UserID, id uuid.UUID, err error) {
	name, text, _ := strings.Cut(strings.TrimPrefix(key, Folder), "/")
	id, err = uuid.Parse(text)
	return chat.UserID(name), id, err
}

// Remove removes the bytes of a picture and then its row, so that a repeated call finds them. It
// consumes 1 write unit.
func Remove(ctx context.Context, t *dynamo.Table, b *bucket.Client, user chat.UserID, id uuid.UUID) error {
	if err := b.Remove(ctx, Key(user, id), (chat.MessageID{UUID: id}).SentAt().Add(attachment.PutLife)); err != nil {
		return err
	}
	_, err := t.DeleteItem(ctx, "remove picture", table.ItemKey(table.PictureItem(user, id)))
	return err
}

// Profiles stores the profiles that name pictures.
type Profiles interface {
	Person(ctx context.Context, user chat.UserID) (people.Person, error)
}

// Options are the settings of a Service. Bucket is nil if the deployment stores no files. All other
// fields are required.
type Options struct {
	Table    *dynamo.Table
	Profiles Profiles
	Bucket   *bucket.Client
	Clock    func() time.Time
	Random   io.Reader // safe for concurrent use
}

// Service lets people send pictures of themselves, and others see them. It is safe for concurrent
// use.
type Service struct{ o Options }

// NewService returns a service.
func NewService(o Options) *Service { return &Service{o} }

// Send returns a link by which the caller sends a picture of themself, and when the link expires.
// The picture is shown once the caller's profile names its checksum. Send removes what the caller
// has sent before and never set, so a person has at most one such picture. The error is Invalid for
// a file that cannot be a picture, Conflict if the deployment stores no files, and Suspended. It
// consumes 4 write units and 2 read units.
func (s *Service) Send(ctx context.Context, caller chat.UserID, f bucket.File) (bucket.Link, time.Time, error) {
	none := time.Time{}
	if s.o.Bucket == nil {
		return bucket.Link{}, none, attachment.ErrNoFiles()
	}
	if err := attachment.CheckPreview(f, ""); err != nil {
		return bucket.Link{}, none, err
	}
	p, err := s.o.Profiles.Person(ctx, caller)
	if err != nil && chat.KindOf(err) != chat.NotFound {
		return bucket.Link{}, none, err
	}
	sent, err := s.sent(ctx, caller)
	if err != nil {
		return bucket.Link{}, none, err
	}
	if err := s.removeExcept(ctx, caller, sent, p.PictureID); err != nil {
		return bucket.Link{}, none, err
	}
	id, err := s.add(ctx, caller)
	if err != nil {
		return bucket.Link{}, none, err
	}
	link, err := s.o.Bucket.Put(ctx, Key(caller, id), f, attachment.PutLife)
	return link, s.o.Clock().Add(attachment.PutLife), err
}

// add stores the row of a new picture, unless the person is suspended. An erasure begins with a
// suspension, so it finds every picture to which there is a link.
func (s *Service) add(ctx context.Context, user chat.UserID) (id uuid.UUID, err error) {
	var tail [10]byte
	if _, err := io.ReadFull(s.o.Random, tail[:]); err != nil {
		return id, fmt.Errorf("id of a picture: %w", err)
	}
	id = chat.NewUUID(s.o.Clock(), tail)
	t := s.o.Table
	failed, err := t.TransactIf(
		ctx, "add picture", t.PutNew(table.PictureItem(user, id)),
		t.Check(table.AccountKey(user), table.NotSuspended()),
	)
	if err == nil && failed >= 0 {
		err = account.ErrSuspended()
	}
	return id, err
}

// sent returns the ids of the pictures that a person may have sent, the newest first.
func (s *Service) sent(ctx context.Context, user chat.UserID) (ids []uuid.UUID, err error) {
	q := dynamo.Query{
		Operation: "list pictures", Partition: table.PersonPK(user), Keys: dynamo.WithPrefix(table.PicturePrefix),
		Consistency: dynamo.Strong, NewestFirst: true,
	}
	err = s.o.Table.EachPage(ctx, q, func(page []table.Item) error {
		for _, item := range page {
			id, err := table.ParsePictureID(item)
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return nil
	})
	return ids, err
}

func (s *Service) removeExcept(ctx context.Context, user chat.UserID, ids []uuid.UUID, kept ...uuid.UUID) error {
	for _, id := range ids {
		if slices.Contains(kept, id) {
			continue
		}
		if err := Remove(ctx, s.o.Table, s.o.Bucket, user, id); err != nil {
			return attachment.Unavailable(err)
		}
	}
	return nil
}

// Link returns the address of a person's picture, and when it expires. The address is empty for a
// person without one.
func (s *Service) Link(ctx context.Context, p people.Person) (address string, until time.Time, err error) {
	if s.o.Bucket == nil || p.Picture == "" {
		return "", time.Time{}, nil
	}
	from := s.o.Clock().UTC().Truncate(linkStep)
	address, err = s.o.Bucket.Get(
		ctx, Key(p.User, p.PictureID), from, LinkLife, bucket.Shown{Disposition: "inline", Version: p.Picture},
	)
	return address, from.Add(LinkLife), err
}

// Settle implements people.Pictures: a new picture must have arrived, and all others are removed
// before the profile changes, so that a retry finds what to remove. It consumes 1 read unit, and 1
// write unit for each picture that it removes.
func (s *Service) Settle(ctx context.Context, before, after people.Person) (id uuid.UUID, err error) {
	switch {
	case after.Picture == before.Picture:
		return before.PictureID, nil
	case s.o.Bucket == nil:
		return id, attachment.ErrNoFiles()
	}
	all, err := s.sent(ctx, after.User)
	if err != nil {
		return id, err
	}
	if after.Picture == "" {
		return id, s.removeExcept(ctx, after.User, all)
	}
	if id, err = s.find(ctx, after, all); err != nil {
		return id, err
	}
	return id, s.removeExcept(ctx, after.User, all, id)
}

// find returns the id of the picture that a profile names by its checksum.
func (s *Service) find(ctx context.Context, p people.Person, among []uuid.UUID) (uuid.UUID, error) {
	for _, id := range among {
		f, err := s.o.Bucket.Head(ctx, Key(p.User, id))
		if err != nil && !errors.Is(err, bucket.ErrNotFound) {
			return id, attachment.Unavailable(err)
		}
		if err == nil && base64.StdEncoding.EncodeToString(f.SHA256[:]) == p.Picture {
			return id, nil
		}
	}
	return uuid.UUID{}, chat.Invalidf("picture", "must be sent before the profile names it")
}
