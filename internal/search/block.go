package search

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/chat"
)

// Block is an immutable part of a room's index: documents in the order of the room. Its fields are
// columns, because an index of a million messages is kept in memory.
type Block struct {
	Room      chat.RoomID
	people    []chat.UserID
	received  []int64 // in Unix milliseconds
	ids       []uuid.UUID
	senders   []uint32 // indexes of people
	features  []Feature
	mentioned map[int][]uint32 // by document; indexes of people
	text      string           // of all documents
	ends      []uint32         // of each document's text
}

// NewBlock returns a block of documents, which it sorts.
func NewBlock(room chat.RoomID, docs []Doc) *Block {
	slices.SortFunc(docs, Doc.compare)
	b := &Block{Room: room, mentioned: map[int][]uint32{}}
	number := map[chat.UserID]uint32{}
	person := func(user chat.UserID) uint32 {
		n, ok := number[user]
		if !ok {
			n = uint32(len(b.people)) //nolint:gosec // at most one for each document and mention
			number[user], b.people = n, append(b.people, user)
		}
		return n
	}
	var text strings.Builder
	for i, d := range docs {
		b.received, b.ids = append(b.received, d.ReceivedAt.UnixMilli()), append(b.ids, d.ID.UUID)
		b.senders, b.features = append(b.senders, person(d.ID.User)), append(b.features, d.Features)
		for _, user := range d.Mentioned {
			b.mentioned[i] = append(b.mentioned[i], person(user))
		}
		text.WriteString(d.Text)
		b.ends = append(b.ends, uint32(text.Len())) //nolint:gosec // at most maxBlock
	}
	b.text = text.String()
	return b
}

// Len returns the number of documents.
func (b *Block) Len() int { return len(b.ids) }

// Doc returns a document.
func (b *Block) Doc(i int) Doc {
	d := Doc{ID: b.id(i), ReceivedAt: time.UnixMilli(b.received[i]).UTC(), Features: b.features[i], Text: b.textOf(i)}
	for _, n := range b.mentioned[i] {
		d.Mentioned = append(d.Mentioned, b.people[n])
	}
	return d
}

// Docs returns all documents.
func (b *Block) Docs() []Doc {
	docs := make([]Doc, b.Len())
	for i := range docs {
		docs[i] = b.Doc(i)
	}
	return docs
}

func (b *Block) id(i int) chat.MessageID {
	return chat.MessageID{UUID: b.ids[i], User: b.people[b.senders[i]]}
}

func (b *Block) begin(i int) int {
	if i == 0 {
		return 0
	}
	return int(b.ends[i-1])
}

func (b *Block) textOf(i int) string { return b.text[b.begin(i):b.ends[i]] }

// each is the bytes of memory that a document takes in addition to its text.
const each = 8 + 16 + 4 + 8 + 4

// size returns the bytes of memory that the block takes.
func (b *Block) size() int { return len(b.text) + each*b.Len() }

// has reports whether the block has a document of a message.
func (b *Block) has(m chat.Message) bool {
	at := m.ReceivedAt.UnixMilli()
	for i := b.since(at); i < b.Len() && b.received[i] == at; i++ {
		if b.id(i) == m.ID {
			return true
		}
	}
	return false
}

// since returns the index of the first document that was received at a time or later.
func (b *Block) since(at int64) int {
	i, _ := slices.BinarySearch(b.received, at)
	return i
}

// maxSegment bounds the documents of a segment: some have no text.
const maxSegment = 2000

// segment returns the index of the first document of the segment with so many bytes of text that
// ends before another.
func (b *Block) segment(end, text int) int {
	least := max(0, end-maxSegment)
	from := b.begin(end) - text
	if from <= 0 {
		return least
	}
	i, _ := slices.BinarySearch(b.ends[:end-1], uint32(from)) //nolint:gosec // within the text
	return max(i, least)
}

// Find calls found with the documents of a range that a query matches, in order. It ends with the
// error of a context that has ended, after at most one text. It returns the steps that it took.
func (b *Block) Find(ctx context.Context, q Query, from, to int, found func(Doc)) (steps int, err error) {
	if q.From != "" && !slices.Contains(b.people, q.From) || q.Mentioned != "" &&
		!slices.Contains(b.people, q.Mentioned) {
		return len(b.people), nil
	}
	if len(q.Terms) == 0 {
		for i := from; i < to && ctx.Err() == nil; i++ {
			steps += b.check(q, i, found)
		}
		return steps, ctx.Err()
	}
	// The longest term occurs least.
	rare := slices.MaxFunc(q.Terms, func(a, b Term) int { return len(a.Text) - len(b.Text) }).head()
	for at, end, i := b.begin(from), b.begin(to), from; at < end && ctx.Err() == nil; {
		next := strings.Index(b.text[at:end], rare)
		if next < 0 {
			return steps + (end-at)/filterBytes, nil
		}
		steps += next / filterBytes
		at += next
		n, _ := slices.BinarySearch(b.ends[i:to], uint32(at)+1) //nolint:gosec // within the text
		if i += n; at+len(rare) <= int(b.ends[i]) {
			steps += b.check(q, i, found)
		} // else it begins in one text and ends in another
		steps += tryCost
		at = int(b.ends[i])
	}
	return steps, ctx.Err()
}

// check calls found with a document if the query matches it, and returns the steps that it took.
func (b *Block) check(q Query, i int, found func(Doc)) int {
	if q.From != "" && b.people[b.senders[i]] != q.From || b.features[i]&q.Features != q.Features {
		return tryCost
	}
	d := b.Doc(i)
	matches, steps := q.match(d)
	if matches {
		found(d)
	}
	return docCost + steps
}
