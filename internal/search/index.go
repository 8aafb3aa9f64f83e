package search

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"slices"
	"time"

	"example.com/parley/internal/chat"
)

// anyIndex is the prefix of a stored index of any version, and indexMagic of one of this version.
const (
	anyIndex   = "parley index "
	indexMagic = anyIndex + formVersion + "\n"
)

// index is the index of a room. It never changes: methods return another one.
//
// The documents in recent are newer than the documents in the blocks. The index lacks messages
// before PastAt, unless they have changed since it was begun.
type index struct {
	header
	room    chat.RoomID
	recent  *Block
	version string // of the stored object; empty if there is none
	former  bool   // the stored object is of another version of the form
	unsaved int    // changes since it was stored
	full    int    // the bytes of text of a block
	page    int    // the messages of the last page of the past; 0 if none was read
}

// header is the part of an index that is stored as JSON.
type header struct {
	// Seq and Generation are the feed's position up to which the index knows all changes.
	Seq        int64  `json:"seq"`
	Generation string `json:"generation"`
	// PastAt is in Unix milliseconds, and PastID the message of that time at which the index ends,
	// if any. Whole means that no message is before it.
	PastAt int64  `json:"pastAt"`
	PastID string `json:"pastId,omitempty"`
	Whole  bool   `json:"whole"`
	// Used is the Unix time of a search, to some days.
	Used   int64      `json:"used"`
	Blocks []blockRef `json:"blocks"` // the newest first
}

// blockRef names a stored block of an index.
type blockRef struct {
	Name string `json:"name"`
	From int64  `json:"from"` // when its first message was received, in Unix milliseconds
	To   int64  `json:"to"`   // when its last one was
	Docs int    `json:"docs"`
	Text int    `json:"text"` // bytes

	block *Block // not yet stored; otherwise nil
}

// past returns the position at which the index ends.
func (x *index) past() chat.Position {
	p := chat.Position{At: time.UnixMilli(x.PastAt).UTC()}
	if id, err := chat.ParseMessageID(x.PastID); err == nil {
		p.ID = id
	}
	return p
}

// span returns when the first and the last message of all blocks were received. ok is false
// without blocks.
func (x *index) span() (from, to int64, ok bool) {
	if len(x.Blocks) == 0 {
		return 0, 0, false
	}
	return x.Blocks[len(x.Blocks)-1].From, x.Blocks[0].To, true
}

// messages returns about how many messages the index has.
func (x *index) messages() int {
	n := x.recent.Len()
	for _, b := range x.Blocks {
		n += b.Docs
	}
	return n
}

// docs returns the documents of recent.
func (x *index) docs() map[chat.MessageID]Doc {
	docs := make(map[chat.MessageID]Doc, x.recent.Len())
	for i := range x.recent.Len() {
		d := x.recent.Doc(i)
		docs[d.ID] = d
	}
	return docs
}

// size returns the bytes of memory that the index takes.
func (x *index) size() int {
	const each = 100 // of a list
	return x.recent.size() + each*len(x.Blocks)
}

// with returns the index with documents and another header. Documents replace others if change is
// true, and are left out otherwise. Of two documents of a message, the last one counts.
//
// A page of the past or a few changes are added to many recent documents, so they are merged: the
// recent ones are sorted already.
func (x *index) with(h header, docs []Doc, change bool) *index {
	next := *x
	next.header = h
	docs = slices.Clone(docs)
	slices.SortStableFunc(docs, Doc.compare)
	recent := x.recent.Docs()
	all := make([]Doc, 0, len(recent)+len(docs))
	for i, d := range docs {
		if i+1 < len(docs) && docs[i+1].ID == d.ID {
			continue
		}
		n, known := slices.BinarySearchFunc(recent, d, Doc.compare)
		all, recent = append(all, recent[:n]...), recent[n:]
		if known && (!change || same(recent[0], d)) {
			continue
		}
		if known {
			recent = recent[1:]
		}
		all = append(all, d)
		next.unsaved++
	}
	next.seal(append(all, recent...))
	return &next
}

// same reports whether two documents of a message are equal.
func same(a, b Doc) bool {
	return a.Features == b.Features && a.Text == b.Text && slices.Equal(a.Mentioned, b.Mentioned)
}

// seal makes recent of sorted documents. It moves documents into new blocks as soon as they fill
// one: documents newer than all blocks, and older documents.
func (x *index) seal(all []Doc) {
	from, to, ok := x.span()
	x.Blocks = slices.Clone(x.Blocks)
	if ok {
		newer := since(all, to+1)
		full, n := chunks(all[newer:], x.full)
		for _, some := range full {
			x.Blocks = append([]blockRef{x.take(some)}, x.Blocks...)
		}
		all = slices.Delete(all, newer, newer+n)
	}
	past, end := since(all, x.PastAt), len(all)
	if ok {
		end = max(past, since(all, from))
	}
	older := slices.Clone(all[past:end])
	slices.Reverse(older)
	full, n := chunks(older, x.full)
	for _, some := range full {
		x.Blocks = append(x.Blocks, x.take(some))
	}
	x.recent = NewBlock(x.room, slices.Delete(all, end-n, end))
}

// since returns the index of the first of sorted documents that was received at a time or later.
func since(docs []Doc, at int64) int {
	i, _ := slices.BinarySearchFunc(
		docs, at, func(d Doc, at int64) int { return cmp.Compare(d.ReceivedAt.UnixMilli(), at) },
	)
	return i
}

// minDoc is what a document counts at least against the text of a block. Otherwise a block of
// short texts would need much memory for everything else.
const minDoc = 32

// weight returns what a document counts against the text of a block.
func (d Doc) weight() int {
	n := len(d.Text)
	for _, user := range d.Mentioned {
		n += len(user)
	}
	return max(n, minDoc)
}

// chunks returns parts of documents that have size bytes of text, and the number of documents in
// them. It leaves out the rest.
func chunks(docs []Doc, size int) (full [][]Doc, n int) {
	text := 0
	for i, d := range docs {
		if text += d.weight(); text >= size {
			full = append(full, docs[n:i+1])
			n, text = i+1, 0
		}
	}
	return full, n
}

// take returns a block of documents that is not yet stored.
func (x *index) take(some []Doc) blockRef {
	x.unsaved++
	return refOf(NewBlock(
		x.room, slices.DeleteFunc(slices.Clone(some), func(d Doc) bool { return d.Features&deleted != 0 }),
	))
}

// refOf returns the entry of a block that is not yet stored.
func refOf(b *Block) blockRef {
	ref := blockRef{Docs: b.Len(), Text: len(b.text), block: b}
	if n := b.Len(); n > 0 {
		ref.From, ref.To = b.received[0], b.received[n-1]
	}
	return ref
}

// encode returns the bytes of an index whose blocks are stored. They end with a checksum: with a
// wrong position or time, an index would lack messages.
func (x *index) encode(c *Codec) ([]byte, error) {
	h, err := json.Marshal(x.header)
	if err != nil {
		return nil, fmt.Errorf("encode an index: %w", err)
	}
	all := binary.AppendUvarint([]byte(indexMagic), uint64(len(h)))
	all = append(append(all, h...), c.Encode(x.recent)...)
	return binary.BigEndian.AppendUint32(all, crc32.ChecksumIEEE(all)), nil
}

// decodeIndex reads the index of a room. The error wraps errVersion if the bytes are one of another
// version, and errDamaged if they are none.
func decodeIndex(c *Codec, room chat.RoomID, encoded []byte) (*index, error) {
	end := len(encoded) - crc32.Size
	if end < 0 || crc32.ChecksumIEEE(encoded[:end]) != binary.BigEndian.Uint32(encoded[end:]) {
		return nil, fmt.Errorf("%w: the index has another checksum", errDamaged)
	}
	rest, ok := bytes.CutPrefix(encoded[:end], []byte(indexMagic))
	if !ok && bytes.HasPrefix(encoded, []byte(anyIndex)) {
		return nil, fmt.Errorf("%w than %s", errVersion, formVersion)
	}
	n, size := binary.Uvarint(rest)
	if !ok || size <= 0 || n > uint64(len(rest)-size) { //nolint:gosec // a length
		return nil, fmt.Errorf("%w: it does not begin as an index", errDamaged)
	}
	x := &index{room: room}
	rest = rest[size:]
	if err := json.Unmarshal(rest[:n], &x.header); err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	recent, err := c.Decode(rest[n:])
	if err == nil && recent.Room != room {
		err = fmt.Errorf("%w: it belongs to another room", errDamaged)
	}
	if err != nil {
		return nil, err
	}
	x.recent = recent
	return x, nil
}
