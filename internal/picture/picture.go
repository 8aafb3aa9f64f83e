// Package picture stores pictures of people in the bucket of files. People send and read them
// themselves, by links. Everyone may see them.
package picture

import (
	"context"
	"encoding/base64"
	"errors"
	"time"

	"example.com/parley/internal/attachment"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/people"
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

// Key returns the key of a person's picture. Each person has at most one, which a new one replaces.
func Key(user chat.UserID) string { return Folder + string(user) }

// Service lets people send pictures of themselves, and others see them. It is safe for concurrent
// use.
type Service struct {
	bucket *bucket.Client
	clock  func() time.Time
}

// NewService returns a service. The bucket is nil if the deployment stores no files.
func NewService(b *bucket.Client, clock func() time.Time) *Service { return &Service{b, clock} }

// Send returns a link by which the caller sends a picture of themself, and when the link expires.
// The picture is shown once the caller's profile names its checksum. The error is Invalid for a
// file that cannot be a picture, and Conflict if the deployment stores no files. It consumes
// nothing.
func (s *Service) Send(ctx context.Context, caller chat.UserID, f bucket.File) (bucket.Link, time.Time, error) {
	if s.bucket == nil {
		return bucket.Link{}, time.Time{}, attachment.ErrNoFiles()
	}
	if err := attachment.CheckPreview(f, ""); err != nil {
		return bucket.Link{}, time.Time{}, err
	}
	link, err := s.bucket.Replace(ctx, Key(caller), f, attachment.PutLife)
	return link, s.clock().Add(attachment.PutLife), err
}

// Link returns the address of a person's picture, and when it expires. The address is empty for a
// person without one.
func (s *Service) Link(ctx context.Context, p people.Person) (address string, until time.Time, err error) {
	if s.bucket == nil || p.Picture == "" {
		return "", time.Time{}, nil
	}
	from := s.clock().UTC().Truncate(linkStep)
	address, err = s.bucket.Get(ctx, Key(p.User), from, LinkLife, bucket.Shown{Disposition: "inline", Version: p.Picture})
	return address, from.Add(LinkLife), err
}

// Settle implements people.Pictures: a new picture must have arrived, and one that is removed goes
// before the profile changes, so that a retry finds what to remove.
func (s *Service) Settle(ctx context.Context, before, after people.Person) error {
	switch {
	case after.Picture == before.Picture:
		return nil
	case s.bucket == nil:
		return attachment.ErrNoFiles()
	case after.Picture == "":
		return attachment.Unavailable(s.bucket.Delete(ctx, Key(after.User)))
	}
	f, err := s.bucket.Head(ctx, Key(after.User))
	if err != nil && !errors.Is(err, bucket.ErrNotFound) {
		return attachment.Unavailable(err)
	}
	if err != nil || base64.StdEncoding.EncodeToString(f.SHA256[:]) != after.Picture {
		return chat.Invalidf("picture", "must be sent before the profile names it")
	}
	return nil
}
