package attachment

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/policy"
)

// checksAtOnce bounds the files of a message that are looked for concurrently.
const checksAtOnce = 10

// Options are the settings of a Service. Bucket is nil if the deployment stores no files, and the
// zero Limits are the defaults. Rooms may be set later, because it uses the service.
type Options struct {
	Table    *dynamo.Table
	Bucket   *bucket.Client
	Rooms    *chat.Service
	Messages chat.MessageSource
	Limits   Limits
	Clock    func() time.Time
}

// Service lets people upload files, attach them to messages and read them. It is safe for
// concurrent use.
type Service struct{ o Options }

// NewService returns a service.
func NewService(o Options) *Service {
	if o.Limits.FileBytes == 0 {
		o.Limits = DefaultLimits()
	}
	o.Limits.FileBytes = min(o.Limits.FileBytes, o.Limits.DayBytes)
	return &Service{o: o}
}

// For sets the rooms in which people upload.
func (s *Service) For(rooms *chat.Service) { s.o.Rooms = rooms }

// Created is an upload with the links by which its bytes are sent.
type Created struct {
	Upload
	Put     bucket.Link
	Preview *bucket.Link // nil if the upload has no preview
	Until   time.Time    // when the links expire
}

// Create stores an upload of the caller to a room, and returns new links for its bytes. On a retry
// with the same id and content it returns new links, and replay is true.
//
// The error is Invalid for a draft that breaks a rule or a limit, and RateLimited if the caller has
// uploaded too much that day. It is Conflict if the id was used for another file, or if the
// deployment stores no files, and otherwise as for posting.
//
// It consumes 4 write units. A retry consumes a read unit and a write unit.
func (s *Service) Create(
	ctx context.Context, caller chat.UserID, room chat.RoomID, d Draft,
) (c Created, replay bool, err error) {
	if s.o.Bucket == nil {
		return Created{}, false, ErrNoFiles()
	}
	now := chat.ServerTime(s.o.Clock())
	if err := d.check(s.o.Limits, now); err != nil {
		return Created{}, false, err
	}
	if _, err := s.o.Rooms.AuthorizeRecent(ctx, caller, room, policy.Post); err != nil {
		return Created{}, false, err
	}
	links := now.Add(PutLife).Truncate(time.Second)
	u := Upload{Room: room, User: caller, Draft: d, Expires: now.Add(pendingLife).Truncate(time.Second), Links: links}
	failed, err := create(ctx, s.o.Table, u, s.o.Limits, now)
	if err != nil {
		return Created{}, false, err
	}
	if failed != created { // a retry counts nothing, even if the day's limit is reached
		found, err := read(ctx, s.o.Table, room, caller, []uuid.UUID{d.ID})
		switch {
		case err != nil:
			return Created{}, false, err
		case found[0] == nil && failed == exists: // removed meanwhile
			return Created{}, false, chat.TooBusy()
		case found[0] == nil:
			return Created{}, false, s.tooMuch(now)
		case !found[0].same(d):
			return Created{}, false,
				&chat.Error{Kind: chat.Conflict, Field: "id", Detail: "this id was used for another file; use a new id"}
		}
		u, replay = *found[0], true
		u.Links = links
		if ok, err := extend(ctx, s.o.Table, u); err != nil || !ok { // removed meanwhile
			return Created{}, false, cmp.Or(err, chat.TooBusy())
		}
	}
	c, err = s.links(ctx, u, now)
	return c, replay, err
}

// links returns an upload with new links for its bytes.
func (s *Service) links(ctx context.Context, u Upload, now time.Time) (c Created, err error) {
	c = Created{Upload: u, Until: now.Add(PutLife)}
	if c.Put, err = s.o.Bucket.Put(ctx, FileKey(u.Room, u.User, u.ID), u.file(), PutLife); err != nil {
		return Created{}, err
	}
	if u.Preview != nil {
		preview, err := s.o.Bucket.Put(ctx, PreviewKey(u.Room, u.User, u.ID), *u.Preview, PutLife)
		if err != nil {
			return Created{}, err
		}
		c.Preview = &preview
	}
	return c, nil
}

// tooMuch returns the error for a person who has uploaded what a day allows.
func (s *Service) tooMuch(now time.Time) error {
	l := s.o.Limits
	tomorrow := now.Truncate(24 * time.Hour).Add(24 * time.Hour)
	return &chat.Error{
		Kind: chat.RateLimited, Limit: "uploads", RetryAfter: tomorrow.Sub(now),
		Detail: "you may upload " + strconv.Itoa(l.DayFiles) + " files and " + strconv.FormatInt(
			l.DayBytes>>20, 10,
		) + " MB in a day; " + chat.RetryHint,
	}
}

// ErrNoFiles returns the error of a deployment that stores no files.
func ErrNoFiles() error { return chat.Conflictf("this deployment stores no files") }

// Attach implements chat.Uploads. Each upload costs 1 read unit, 1 write unit and a call to the
// bucket, or two with a preview.
func (s *Service) Attach(
	ctx context.Context, room chat.RoomID, to chat.MessageID, uploads []uuid.UUID,
) ([]chat.Attachment, error) {
	if s.o.Bucket == nil {
		return nil, ErrNoFiles()
	}
	found, err := read(ctx, s.o.Table, room, to.User, uploads)
	if err != nil {
		return nil, err
	}
	all := make([]chat.Attachment, len(found))
	for i, u := range found {
		if rule := s.refuses(u, to); rule != "" {
			return nil, refused(i, rule)
		}
		all[i] = u.attachment()
	}
	// No upload is assigned before all are there: another message may then have them.
	if err := eachOf(ctx, found, s.arrived); err != nil {
		return nil, err
	}
	err = eachOf(ctx, found, func(ctx context.Context, i int, u *Upload) error { return s.assign(ctx, i, u, to) })
	return all, err
}

// eachOf calls a function with every upload that no message is known to have, some concurrently.
func eachOf(ctx context.Context, all []*Upload, do func(ctx context.Context, i int, u *Upload) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(checksAtOnce)
	for i, u := range all {
		if !u.Expires.IsZero() {
			group.Go(func() error { return do(ctx, i, u) })
		}
	}
	return group.Wait()
}

// refuses returns why a message cannot have an upload, or "".
func (s *Service) refuses(u *Upload, to chat.MessageID) string {
	switch {
	case u == nil:
		return "must be the id of an upload of yours in this room"
	case u.Message != (chat.MessageID{}) && u.Message != to:
		return inAnother
	case !u.Expires.IsZero() && s.o.Clock().After(u.Expires.Add(-lastHour)):
		return "must be uploaded again, because it has expired"
	}
	return ""
}

// inAnother is the rule that an upload of another message breaks.
const inAnother = "must not be in another message"

func refused(i int, rule string) error {
	return chat.Invalidf("attachments["+strconv.Itoa(i)+"]", "%s", rule)
}

// arrived returns an Invalid error unless the bucket has the bytes of an upload.
func (s *Service) arrived(ctx context.Context, i int, u *Upload) error {
	files := map[string]bucket.File{FileKey(u.Room, u.User, u.ID): u.file()}
	if u.Preview != nil {
		files[PreviewKey(u.Room, u.User, u.ID)] = *u.Preview
	}
	for key, want := range files {
		got, err := s.o.Bucket.Head(ctx, key)
		if err != nil && !errors.Is(err, bucket.ErrNotFound) {
			return Unavailable(err)
		}
		if err != nil || got.Bytes != want.Bytes || got.SHA256 != want.SHA256 {
			return refused(i, "must be uploaded before the message is posted")
		}
	}
	return nil
}

// assign gives an upload to a message.
func (s *Service) assign(ctx context.Context, i int, u *Upload, to chat.MessageID) error {
	ok, err := assign(ctx, s.o.Table, *u, to)
	if err == nil && !ok {
		return refused(i, inAnother)
	}
	return err
}

// retryAfter is the pause before a request is repeated while the bucket does not answer.
const retryAfter = time.Second

// Unavailable returns the error for a bucket that does not answer, and nil for nil.
func Unavailable(err error) error {
	if err == nil {
		return nil
	}
	return &chat.Error{Kind: chat.Unavailable, RetryAfter: retryAfter, Cause: err}
}
