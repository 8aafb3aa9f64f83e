package repair

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"time"

	smithytime "github.com/aws/smithy-go/time"
	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/attachment"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/people"
	"example.com/parley/internal/picture"
	"example.com/parley/internal/scan"
	"example.com/parley/internal/search"
	"example.com/parley/internal/table"
)

const (
	// filesAtOnce bounds the files that are compared concurrently.
	filesAtOnce = 16
	// listed is the number of files after which the progress is saved.
	listed = 1000
)

// FilesProgress is the saved state of a repair of files.
type FilesProgress struct {
	Table  string        `json:"table"`
	Scan   scan.Progress `json:"scan"`
	After  string        `json:"after"` // the last key of the bucket that was compared
	Result FilesReport   `json:"result"`
}

// FilesReport counts what a repair found.
type FilesReport struct {
	Files int `json:"files"` // of messages
	// Missing are files of messages whose bytes, or whose preview's, are not in the bucket. A
	// repair cannot mend them.
	Missing int `json:"missing"`
	// PutBack are files of messages that had no upload, and have one again.
	PutBack int `json:"putBack"`
	// Unused are removed uploads that no message has, although they do not expire.
	Unused int `json:"unused"`
	// Strays are removed bytes without an upload, and pictures without a person who has them.
	Strays int `json:"strays"`
}

// Files compares the bucket with the table. It removes bytes without an upload, uploads without a
// message and pictures that nobody's profile names, and puts back the missing uploads of messages.
type Files struct {
	Source  scan.Source
	Limiter *scan.RateLimiter
	Budget  float64 // of the scan, in read units; 0 means no bound
	Store   *dynamo.Store
	Bucket  *bucket.Client
	// Keys returns the keys of all files in the bucket, or of the files after a key. Empty objects
	// are no files.
	Keys func(ctx context.Context, after string) iter.Seq2[string, error]
	// DryRun counts and changes nothing.
	DryRun bool
	// Save stores the progress. It is called after each page of the table and of the bucket.
	Save func(FilesProgress) error
}

// Run continues from p until table and bucket are compared.
func (f *Files) Run(ctx context.Context, p *FilesProgress) error {
	if !p.Scan.Done() {
		search := scan.Scan{Source: f.Source, Filter: table.Filed(), Limiter: f.Limiter, Budget: f.Budget}
		search.Moved = func() error { return f.Save(*p) }
		err := search.Run(
			ctx, &p.Scan, func(ctx context.Context, page []table.Item) error { return f.rows(ctx, page, &p.Result) },
		)
		if err != nil {
			return errors.Join(err, f.Save(*p))
		}
	}
	return f.strays(ctx, p)
}

// counter counts for concurrent functions.
type counter struct {
	mu sync.Mutex
	*FilesReport
}

func (c *counter) add(n *int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*n++
}

// spare excludes files from the strays that a dry run is about to count: their upload would be
// there.
func (c *counter) spare(files int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Strays -= files
}

// rows compares the uploads and the messages of a page of the table. It reads 1 unit for each of
// their counterparts.
func (f *Files) rows(ctx context.Context, page []table.Item, report *FilesReport) error {
	c := &counter{FilesReport: report}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(filesAtOnce)
	for _, item := range page {
		if table.KindOf(item) == table.UploadKind {
			group.Go(func() error { return f.upload(ctx, item, c) })
			continue
		}
		m, err := table.ParseMessage(item)
		if err != nil {
			continue // nobody can see its files
		}
		for _, a := range m.Attachments {
			group.Go(func() error { return f.file(ctx, m, a, c) })
		}
	}
	return group.Wait()
}

// upload removes an upload that neither expires nor belongs to a message. The feed function then
// removes its bytes.
func (f *Files) upload(ctx context.Context, item table.Item, c *counter) error {
	u, err := attachment.Parse(item)
	if err != nil {
		return err
	}
	if !u.Expires.IsZero() {
		return nil
	}
	if u.Message != (chat.MessageID{}) {
		m, err := f.Store.Message(ctx, u.Room, u.Message)
		if err == nil && !m.Deleted() {
			return nil
		}
		if err != nil && chat.KindOf(err) != chat.NotFound {
			return err
		}
	}
	c.add(&c.Unused)
	if f.DryRun {
		return nil
	}
	_, err = f.Store.Table().DeleteItem(ctx, "remove upload", table.ItemKey(item))
	return err
}

// file looks for the bytes and the upload of a file of a message.
func (f *Files) file(ctx context.Context, m chat.Message, a chat.Attachment, c *counter) error {
	c.add(&c.Files)
	keys := []string{attachment.FileKey(m.Room, m.ID.User, a.ID)}
	if a.Preview {
		keys = append(keys, attachment.PreviewKey(m.Room, m.ID.User, a.ID))
	}
	for _, key := range keys {
		_, err := f.Bucket.Head(ctx, key)
		if errors.Is(err, bucket.ErrNotFound) {
			c.add(&c.Missing)
			return nil
		}
		if err != nil {
			return err
		}
	}
	row := feed.RowChange{Message: m.ID, User: m.ID.User, Upload: a.ID, Removed: true}
	exists, err := f.exists(ctx, m.Room, row)
	if exists || err != nil {
		return err
	}
	c.add(&c.PutBack)
	if f.DryRun {
		c.spare(len(keys))
	}
	return f.project(ctx, m.Room, row)
}

func (f *Files) exists(ctx context.Context, room chat.RoomID, row feed.RowChange) (bool, error) {
	item, err := f.Store.Table().GetItem(ctx, "read upload", table.UploadKey(room, row.User, row.Upload), dynamo.Strong)
	return item != nil, err
}

// project does what the feed function does after the removal of an upload: it puts the upload back
// if a message has it, and otherwise removes its bytes.
func (f *Files) project(ctx context.Context, room chat.RoomID, row feed.RowChange) error {
	if f.DryRun {
		return nil
	}
	return attachment.NewProjection(
		f.Store.Table(), f.Store, f.Bucket,
	).Project(ctx, feed.RoomChanges{Room: room, Rows: []feed.RowChange{row}})
}

// strays removes the bytes without an upload. An upload is older than its bytes. It also removes
// pictures that nobody has: a person who is sending one just then sends it again.
func (f *Files) strays(ctx context.Context, p *FilesProgress) error {
	n := 0
	for key, err := range f.Keys(ctx, p.After) {
		if err != nil {
			return errors.Join(err, f.Save(*p))
		}
		stray, err := f.removeStray(ctx, key)
		if err != nil {
			return errors.Join(err, f.Save(*p))
		}
		if stray {
			p.Result.Strays++
		}
		p.After = key
		if n++; n%listed == 0 {
			if err := f.Save(*p); err != nil {
				return err
			}
		}
	}
	return nil
}

// removeStray removes a file of the bucket that belongs to no upload and to no person. It leaves
// the indexes of searches, whose strays their own sweep removes.
func (f *Files) removeStray(ctx context.Context, key string) (stray bool, err error) {
	if strings.HasPrefix(key, picture.Folder) {
		return f.removeStrayPicture(ctx, key)
	}
	if strings.HasPrefix(key, search.Folder) {
		return false, nil
	}
	room, row, err := attachment.ParseKey(key)
	if err != nil {
		return false, fmt.Errorf("the bucket has a file of something else: %w", err)
	}
	exists, err := f.exists(ctx, room, row)
	if exists || err != nil {
		return false, err
	}
	if f.DryRun {
		return true, nil
	}
	return true, f.Bucket.Remove(ctx, key, row.Links)
}

// removeStrayPicture removes a picture that no profile names.
func (f *Files) removeStrayPicture(ctx context.Context, key string) (stray bool, err error) {
	user, id, err := picture.ParseKey(key)
	if err != nil {
		return false, fmt.Errorf("the bucket has a file of something else: %w", err)
	}
	p, err := people.NewStore(f.Store.Table()).Person(ctx, user)
	if err != nil && chat.KindOf(err) != chat.NotFound || p.Picture != "" && p.PictureID == id {
		return false, err
	}
	if f.DryRun {
		return true, nil
	}
	return true, picture.Remove(ctx, f.Store.Table(), f.Bucket, user, id)
}

const (
	// expiredPage is the number of uploads that RemoveExpired reads in one call, which takes a
	// millisecond or two.
	expiredPage = 100
	// expiredPause follows each page. Requests wait for at most one, and nobody for the removal.
	expiredPause = 50 * time.Millisecond
)

// RemoveExpired removes the uploads of a room that expired before a time. It is for tables whose
// engine does not, as DynamoDB does.
func RemoveExpired(ctx context.Context, rows *dynamo.Table, room chat.RoomID, now time.Time) error {
	uploads := dynamo.Query{
		Operation: "list expired uploads", Partition: table.RoomItemsPK(room),
		Keys:        dynamo.WithPrefix(table.UploadPrefix),
		Consistency: dynamo.Eventual, Limit: expiredPage, Filter: table.ExpiredUploads(now),
	}
	return rows.EachPage(ctx, uploads, func(page []table.Item) error {
		for _, item := range page {
			if _, err := rows.TransactIf(
				ctx, "remove expired upload", rows.Delete(table.ItemKey(item), table.Expired(now)),
			); err != nil {
				return err
			}
		}
		return smithytime.SleepWithContext(ctx, expiredPause)
	})
}
