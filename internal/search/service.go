package search

import (
	"context"
	"log/slog"
	"time"

	"example.com/parley/internal/block"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/thread"
)

// Store reads what the index is built from.
type Store interface {
	feed.Store
	thread.Messages
	Messages(ctx context.Context, r chat.MessageRange) (messages []chat.Message, more bool, err error)
}

// Rooms lists the rooms of a person.
type Rooms interface {
	// Heads returns the heads of the feeds of a person's rooms, newest activity first.
	Heads(ctx context.Context, user chat.UserID) ([]feed.Head, error)
}

// Options are the dependencies of a Service. All are required but Bucket and Log.
type Options struct {
	Store  Store
	Rooms  Rooms
	Access chat.Authorizer
	Blocks *block.Service
	// Bucket stores the index; nil stores none, and each search reads messages.
	Bucket *bucket.Client
	Clock  func() time.Time
	Log    *slog.Logger // nil discards
}

// Service searches messages. It is safe for concurrent use.
type Service struct{ Options }

// New returns a service.
func New(o Options) *Service { return &Service{o} }

// Request is one page of a search.
type Request struct {
	Query Query
	Page  chat.PageRequest
	// Around adds the messages before and after each result.
	Around bool
}

// Result is a message that a query matches, in its current state.
type Result struct {
	Message chat.Message
	Room    chat.Room
	// Marks are the parts of Message.Text that the query matches. FileMarks are those of the names
	// of Message.Attachments, one list for each file; nil if none matches.
	Marks     []Range
	FileMarks [][]Range
	// Before and After are the neighbors in the room or, of a reply that the room does not list, in
	// its thread; nil if there is none or if they were not asked for.
	Before, After *chat.Message
}

// Results is a page of results, newest first.
type Results struct {
	Items []Result
	// Next is the cursor of the next page; empty at the end. A page may have fewer results than the
	// limit, even none, and a Next: one request reads a bounded number of bytes.
	Next string
	// SearchedTo is the time down to which everything was searched; zero at the end.
	SearchedTo time.Time
}

// Search returns a page of the messages that a query matches and that the caller may read now,
// newest first.
//
// The error is Invalid for a limit out of range, BadCursor for a cursor of another query, and
// otherwise as for Authorizer, for the room of the query.
func (s *Service) Search(ctx context.Context, caller chat.UserID, r Request) (Results, error) {
	return Results{}, nil
}

// Progress is how far the index of a room reaches.
type Progress struct {
	Messages int       // in the index
	From     time.Time // all messages since are in the index
	Complete bool      // all messages are
}

// Forget removes the index of a room. The next search begins a new one.
func (s *Service) Forget(ctx context.Context, room chat.RoomID) error { return nil }

// Extend brings the index of a room up to date, and extends it into the past by some megabytes.
func (s *Service) Extend(ctx context.Context, room chat.RoomID) (Progress, error) {
	return Progress{Complete: true}, nil
}

// Difference is a message for which the index of a room differs from the table.
type Difference struct {
	Message chat.MessageID
	Detail  string // "is missing", "has an old text", "is deleted, and its text is left"
}

// Verify compares the index of a room with all of its messages, which it reads from the table. It
// calls found with each difference.
func (s *Service) Verify(ctx context.Context, room chat.RoomID, found func(Difference)) (Progress, error) {
	return Progress{Complete: true}, nil
}

// Swept is what Sweep did.
type Swept struct{ Rooms, Rewritten, Removed int }

// Sweep rewrites blocks that have texts of deleted messages, and removes indexes of deleted rooms,
// indexes that nobody used for UnusedDays, and blocks that no index has. It runs once a day. It
// ends early with the context's deadline, and goes on with the next run.
func (s *Service) Sweep(ctx context.Context) (Swept, error) { return Swept{}, nil }

// UnusedDays is after how many days without a search a room's index is removed.
const UnusedDays = 80
