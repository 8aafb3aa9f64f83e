// Package search finds messages by their texts and by what they have.
//
// There is one rule for what a message contains. The index, messages that are read again and
// highlights follow it:
//
//   - Texts are compared without case, accents and width. The voicing marks of kana are accents.
//     Every run of spaces is one space.
//   - A text contains a word of a query where the word occurs and a word of the text begins.
//   - A text contains a quoted phrase where it occurs, and a word begins before and ends after it.
//   - In scripts without spaces between words, such as Chinese, Japanese and Thai, a word begins
//     and ends at each character.
package search

import (
	"cmp"
	"context"
	"log/slog"
	"runtime"
	"time"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/thread"
)

// Source reads what the index is built from.
type Source interface {
	feed.Store
	thread.Messages
	Messages(ctx context.Context, r chat.MessageRange) (messages []chat.Message, more bool, err error)
}

// Rooms lists the rooms of a person.
type Rooms interface {
	// Heads returns the heads of the feeds of a person's rooms, newest activity first.
	Heads(ctx context.Context, user chat.UserID) ([]feed.Head, error)
}

// Options are the dependencies of a Service. All are required but Bucket, CacheBytes and Log.
type Options struct {
	Store  Source
	Rooms  Rooms
	Access chat.Authorizer
	Blocks chat.Blocks
	// Bucket stores indexes; nil stores none, and each process reads messages from the table.
	Bucket *bucket.Client
	// CacheBytes bounds the decoded blocks and indexes in memory; zero means DefaultCacheBytes.
	CacheBytes int
	Clock      func() time.Time
	Log        *slog.Logger // nil discards
}

// DefaultCacheBytes holds the indexes of a million short messages.
const DefaultCacheBytes = 128 << 20

// sizes bound the parts of indexes.
type sizes struct {
	// blockText is the folded text of a block in bytes. A request costs the same whatever it
	// brings, and larger blocks are compressed better but take longer to read.
	blockText int
	// segmentText is the text of a block that is searched in one step, in bytes: a common word
	// fills a page of results from the newest segment.
	segmentText int
	// pageMessages is the number of messages of a page of the past, which ends at
	// chat.MaxPageBytes.
	pageMessages int
	// saveChanges is after how many changes an index is stored again. Each other process reads so
	// many messages again at most.
	saveChanges int
	// maxBehind is how many changes a search reads to bring an index up to date. After more, such
	// as an import, listing all messages again is cheaper.
	maxBehind int64
	// maxSteps bounds the work of a request, and paySteps is the part that is paid for in one step.
	maxSteps, paySteps int64
}

// defaultSizes returns the sizes of a service. Tests have smaller ones.
func defaultSizes() sizes {
	return sizes{
		blockText: 3 << 20, segmentText: 64 << 10, pageMessages: 1000, saveChanges: 200, maxBehind: 5000,
		maxSteps: MaxSteps, paySteps: PaySteps,
	}
}

// Service searches messages by an index that searches build (ADR 72).
//
// The search function creates one at its cold start, and chat serve one for its lifetime. The HTTP
// API calls Search for a person and a page. A search authorizes the person by the domain's service,
// reads the index of each room from the bucket and the newest messages from the feed, and writes
// back what it has indexed on the way, on the condition that nobody else has. A Service remembers
// blocks and indexes, up to CacheBytes. The bucket, if there is one, has all of them. Missing ones
// are built again from the messages, so a process may end at any moment. A Service is safe
// for concurrent use. It runs as many searches at a time as there are processors.
type Service struct {
	Options
	sizes
	codec  *Codec
	memory *shelf
	// running holds an element for each search that runs. More searches than processors would only
	// slow each other and all other requests.
	running chan struct{}
	log     *slog.Logger
}

// New returns a service. It makes no request.
func New(o Options) *Service {
	s := &Service{
		Options: o, sizes: defaultSizes(), codec: NewCodec(), memory: newShelf(cmp.Or(o.CacheBytes, DefaultCacheBytes)),
		log:     o.Log,
		running: make(chan struct{}, runtime.GOMAXPROCS(0)),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	return s
}

// Request is one page of a search.
type Request struct {
	Query Query
	Page  chat.PageRequest
	// Around adds the messages before and after each result.
	Around bool
	// Pay charges the caller for steps of work. It is called before each further PaySteps of work
	// beyond the first, and its error ends the search. Nil charges nobody.
	Pay func(ctx context.Context, steps int) error
}

// Result is a message that a query matches, in its current state.
type Result struct {
	Message chat.Message
	Room    chat.Room
	// Marks are the parts of Message.Text that the query matches, at most MaxMarks. FileMarks are
	// the parts of the names of Message.Attachments, one list for each file; nil if none matches.
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
	// limit, even none, and a Next: the work of one request is bounded.
	Next string
	// SearchedTo is the time down to which everything was searched; zero at the end.
	SearchedTo time.Time
	// Steps is the work of the request.
	Steps int
}
