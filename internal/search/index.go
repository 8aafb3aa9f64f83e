package search

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"example.com/parley/internal/chat"
)

const (
	// indexMagic begins every stored index, and ends with the version of its form.
	indexMagic = "parley index 1\n"
)

// index is the index of a room. It never changes: methods return another one.
//
// The documents of docs are newer than those of the blocks. Messages before Past are not in the
// index, except for those that have changed since it was begun.
type index struct {
	header
	room    chat.RoomID
	docs    map[chat.MessageID]Doc
	recent  *Block // of docs
	version string // of the stored object; empty if there is none
	unsaved int    // changes since it was stored
	full    int    // the bytes of text of a block
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
	n := len(x.docs)
	for _, b := range x.Blocks {
		n += b.Docs
	}
	return n
}

// with returns the index with documents and another header. Documents replace others if change is
// true, and are left out otherwise.
func (x *index) with(h header, docs []Doc, change bool) *index {
	next := &index{header: h, room: x.room, docs: maps.Clone(x.docs), version: x.version, unsaved: x.unsaved, full: x.full}
	for _, d := range docs {
		before, known := next.docs[d.ID]
		if known && (!change || same(before, d)) || !known && !change && d.Features&deleted != 0 {
			continue
		}
		next.docs[d.ID] = d
		next.unsaved++
	}
	next.seal()
	return next
}

// same reports whether two documents of a message are equal.
func same(a, b Doc) bool {
	return a.Features == b.Features && a.Text == b.Text && slices.Equal(a.Mentioned, b.Mentioned)
}

// seal moves documents into new blocks as soon as they fill one: those that are newer than all
// blocks, and those that are older. It then makes recent of the rest.
func (x *index) seal() {
	from, to, ok := x.span()
	newer, older := x.docsWhere(func(at int64) bool { return ok && at > to }), x.docsWhere(func(at int64) bool { return at >= x.PastAt && (!ok || at < from) })
	x.Blocks = slices.Clone(x.Blocks)
	for _, full := range chunks(newer, x.full) {
		x.Blocks = append([]blockRef{x.take(full)}, x.Blocks...)
	}
	slices.Reverse(older)
	for _, full := range chunks(older, x.full) {
		x.Blocks = append(x.Blocks, x.take(full))
	}
	x.recent = NewBlock(x.room, slices.Collect(maps.Values(x.docs)))
}

// docsWhere returns the documents that were received at selected times, in order.
func (x *index) docsWhere(selected func(at int64) bool) []Doc {
	var docs []Doc
	for _, d := range x.docs {
		if selected(d.ReceivedAt.UnixMilli()) {
			docs = append(docs, d)
		}
	}
	slices.SortFunc(docs, func(a, b Doc) int { return a.position().Compare(b.position()) })
	return docs
}

// chunks returns parts of documents that have size bytes of text, and leaves out the rest.
func chunks(docs []Doc, size int) (full [][]Doc) {
	begin, text := 0, 0
	for i, d := range docs {
		if text += len(d.Text); text >= size {
			full = append(full, docs[begin:i+1])
			begin, text = i+1, 0
		}
	}
	return full
}

// take removes documents from docs, and returns a block of them that is not yet stored.
func (x *index) take(docs []Doc) blockRef {
	for _, d := range docs {
		delete(x.docs, d.ID)
	}
	x.unsaved++
	return refOf(NewBlock(x.room, slices.DeleteFunc(slices.Clone(docs), func(d Doc) bool { return d.Features&deleted != 0 })))
}

// refOf returns the entry of a block that is not yet stored.
func refOf(b *Block) blockRef {
	ref := blockRef{Docs: b.Len(), Text: len(b.text), block: b}
	if n := b.Len(); n > 0 {
		ref.From, ref.To = b.received[0], b.received[n-1]
	}
	return ref
}

// encode returns the bytes of an index whose blocks are stored.
func (x *index) encode(c *Codec) ([]byte, error) {
	h, err := json.Marshal(x.header)
	if err != nil {
		return nil, fmt.Errorf("encode an index: %w", err)
	}
	all := binary.AppendUvarint([]byte(indexMagic), uint64(len(h)))
	return append(append(all, h...), c.Encode(x.recent)...), nil
}

// decodeIndex reads the index of a room. The error wraps errDamaged if the bytes are none.
func decodeIndex(c *Codec, room chat.RoomID, encoded []byte) (*index, error) {
	rest, ok := bytes.CutPrefix(encoded, []byte(indexMagic))
	n, size := binary.Uvarint(rest)
	if !ok || size <= 0 || n > uint64(len(rest)-size) {
		return nil, fmt.Errorf("%w: it does not begin as an index", errDamaged)
	}
	x := &index{room: room, docs: map[chat.MessageID]Doc{}}
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
	for _, d := range recent.Docs() {
		x.docs[d.ID] = d
	}
	x.recent = recent
	return x, nil
}
