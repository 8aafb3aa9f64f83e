package people

import (
	"context"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"time"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
)

const (
	// PictureFolder begins the keys of uploaded pictures in the bucket of files. No room has such an
	// id, so the keys of the files of rooms begin with other words.
	PictureFolder = "_people/"
	// PictureLife is how long a link to a picture works at most. Everyone may see the picture.
	PictureLife = time.Hour
	// pictureStep is how long a process gives the same link.
	pictureStep = PictureLife / 2
	// putLife is how long the transfer of a picture may take to begin: a link expires after it.
	putLife = 15 * time.Minute
	// retryAfter is the pause before a request is repeated while the bucket does not answer.
	retryAfter = time.Second
)

// PictureKey returns the key of a person's picture. Each person has at most one, which a new one
// replaces.
func PictureKey(user chat.UserID) string { return PictureFolder + string(user) }

// SendPicture returns a link by which the caller sends a picture of themself, and when the link
// expires. The picture is shown once a draft names its checksum. The error is Invalid for a file
// that cannot be a picture, and Conflict if the deployment stores no files. It consumes nothing.
func (s *Service) SendPicture(ctx context.Context, caller chat.UserID, f bucket.File) (bucket.Link, time.Time, error) {
	switch types := bucket.SmallPictureTypes(); {
	case s.bucket == nil:
		return bucket.Link{}, time.Time{}, errNoFiles()
	case !slices.Contains(types, f.Type):
		return bucket.Link{}, time.Time{}, chat.Invalidf("type", "must be one of %s", strings.Join(types, ", "))
	case f.Bytes < 1 || f.Bytes > bucket.MaxSmallPicture:
		return bucket.Link{}, time.Time{}, chat.Invalidf("bytes", "must be 1 to %d", bucket.MaxSmallPicture)
	}
	link, err := s.bucket.Replace(ctx, PictureKey(caller), f, putLife)
	return link, s.clock().Add(putLife), err
}

func errNoFiles() error { return chat.Conflictf("this deployment stores no files") }

// PictureLink returns the address of a person's uploaded picture, and when it expires. It is empty
// for a person without one.
func (s *Service) PictureLink(ctx context.Context, p Person) (address string, until time.Time, err error) {
	if s.bucket == nil || p.Picture == "" {
		return "", time.Time{}, nil
	}
	from := s.clock().UTC().Truncate(pictureStep)
	address, err = s.bucket.Get(ctx, PictureKey(p.User), from, PictureLife, bucket.Shown{Disposition: "inline", Version: p.Picture})
	return address, from.Add(PictureLife), err
}

// checkPicture returns an error unless s is a checksum.
func checkPicture(s string) error {
	if sum, err := base64.StdEncoding.DecodeString(s); err != nil || len(sum) != len(bucket.File{}.SHA256) {
		return chat.Invalidf("picture", "must be the SHA-256 of a picture in base64")
	}
	return nil
}

// settlePicture makes the bucket ready for a changed profile: a new picture must have arrived, and
// one that is removed goes before the profile does, so that a retry finds what to remove.
func (s *Service) settlePicture(ctx context.Context, before, after Person) error {
	switch {
	case after.Picture == before.Picture:
		return nil
	case s.bucket == nil:
		return errNoFiles()
	case after.Picture == "":
		return unavailable(s.bucket.Delete(ctx, PictureKey(after.User)))
	}
	f, err := s.bucket.Head(ctx, PictureKey(after.User))
	if err != nil && !errors.Is(err, bucket.ErrNotFound) {
		return unavailable(err)
	}
	if err != nil || base64.StdEncoding.EncodeToString(f.SHA256[:]) != after.Picture {
		return chat.Invalidf("picture", "must be sent before the profile names it")
	}
	return nil
}

// unavailable returns the error for a bucket that does not answer, and nil for nil.
func unavailable(err error) error {
	if err == nil {
		return nil
	}
	return &chat.Error{Kind: chat.Unavailable, RetryAfter: retryAfter, Cause: err}
}
