package search

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/klauspost/compress/zstd"

	"example.com/parley/internal/chat"
)

// Doc is a message in the index.
type Doc struct {
	ID         chat.MessageID
	ReceivedAt time.Time // to the millisecond, in UTC
	Features   Feature
	Mentioned  []chat.UserID
	// Text is the folded text. The folded names of files follow, each after a newline, which no
	// folded text contains.
	Text string
}

// Block is an immutable part of a room's index: documents in the order of the room.
type Block struct {
	Room chat.RoomID
	Docs []Doc
}

const (
	// magic begins every block, and ends with the version of its form.
	magic = "parley search 1\n"
	// maxBlock bounds the memory of a block that is read. A block has a megabyte of text.
	maxBlock = 64 << 20
	// randomBytes is the number of bytes of an id that are not its time.
	randomBytes = 10
)

// errDamaged is returned for a block that cannot be read.
var errDamaged = errors.New("damaged block")

// Codec encodes and decodes blocks. It is safe for concurrent use.
type Codec struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
}

// NewCodec returns a codec.
func NewCodec() (*Codec, error) {
	// The best compression takes 0.36 bytes for each byte of chat, and the default 0.39.
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("encoder of blocks: %w", err)
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxBlock), zstd.WithDecoderConcurrency(0))
	if err != nil {
		return nil, fmt.Errorf("decoder of blocks: %w", err)
	}
	return &Codec{encoder, decoder}, nil
}

// Encode returns the bytes of a block. Each field of all documents is together, because like bytes
// compress well.
func (c *Codec) Encode(b Block) []byte {
	var people []chat.UserID
	number := map[chat.UserID]uint64{}
	person := func(user chat.UserID) uint64 {
		n, ok := number[user]
		if !ok {
			n = uint64(len(people))
			number[user], people = n, append(people, user)
		}
		return n
	}
	var fields, random, texts []byte
	last := int64(0)
	for _, d := range b.Docs {
		received := d.ReceivedAt.UnixMilli()
		fields = binary.AppendVarint(fields, received-last)
		fields = binary.AppendVarint(fields, received-d.ID.SentAt().UnixMilli())
		last = received
	}
	for _, d := range b.Docs {
		fields = binary.AppendUvarint(fields, person(d.ID.User))
		fields = binary.AppendUvarint(fields, uint64(d.Features))
		fields = binary.AppendUvarint(fields, uint64(len(d.Mentioned)))
		for _, user := range d.Mentioned {
			fields = binary.AppendUvarint(fields, person(user))
		}
		fields = binary.AppendUvarint(fields, uint64(len(d.Text)))
		random = append(random, d.ID.UUID[len(d.ID.UUID)-randomBytes:]...)
		texts = append(texts, d.Text...)
	}
	head := appendText(nil, string(b.Room))
	head = binary.AppendUvarint(head, uint64(len(people)))
	for _, user := range people {
		head = appendText(head, string(user))
	}
	head = binary.AppendUvarint(head, uint64(len(b.Docs)))
	return c.encoder.EncodeAll(slices.Concat(head, fields, random, texts), []byte(magic))
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// Decode reads a block. The error wraps errDamaged if the bytes are none.
func (c *Codec) Decode(encoded []byte) (Block, error) {
	packed, ok := strings.CutPrefix(string(encoded), magic)
	if !ok {
		return Block{}, fmt.Errorf("%w: it has another beginning", errDamaged)
	}
	all, err := c.decoder.DecodeAll([]byte(packed), nil)
	if err != nil {
		return Block{}, fmt.Errorf("%w: %w", errDamaged, err)
	}
	r := reader{left: string(all)}
	b := r.block()
	if r.failed || r.left != "" {
		return Block{}, fmt.Errorf("%w: its fields do not fit together", errDamaged)
	}
	return b, nil
}

// reader reads the fields of a block. After a failure it returns zero values.
type reader struct {
	left   string
	failed bool
}

func (r *reader) block() (b Block) {
	b.Room = chat.RoomID(r.text())
	people := make([]chat.UserID, r.count())
	for i := range people {
		people[i] = chat.UserID(r.text())
	}
	b.Docs = make([]Doc, r.count())
	sizes, last := make([]int, len(b.Docs)), int64(0)
	sent := make([]int64, len(b.Docs))
	for i := range b.Docs {
		last += r.varint()
		sent[i] = last - r.varint()
		b.Docs[i].ReceivedAt = time.UnixMilli(last).UTC()
	}
	for i := range b.Docs {
		d := &b.Docs[i]
		d.ID.User = r.person(people)
		d.Features = Feature(r.uvarint()) //nolint:gosec // any bits
		for range r.count() {
			d.Mentioned = append(d.Mentioned, r.person(people))
		}
		sizes[i] = r.count()
	}
	for i := range b.Docs {
		b.Docs[i].ID.UUID = idOf(sent[i], r.take(randomBytes))
	}
	for i := range b.Docs {
		b.Docs[i].Text = r.take(sizes[i])
	}
	return b
}

// idOf returns the id with a time in milliseconds and the bytes that follow it.
func idOf(sent int64, rest string) (id uuid.UUID) {
	var time [8]byte
	binary.BigEndian.PutUint64(time[:], uint64(sent)) //nolint:gosec // a time after 1970
	copy(id[:], time[2:])
	copy(id[len(id)-randomBytes:], rest)
	return id
}

// take returns the next n bytes.
func (r *reader) take(n int) string {
	if r.failed || n > len(r.left) {
		r.failed = true
		return ""
	}
	taken := r.left[:n]
	r.left = r.left[n:]
	return taken
}

func (r *reader) text() string { return r.take(r.count()) }

// count reads a number of things that take at least a byte each.
func (r *reader) count() int {
	n := r.uvarint()
	if n > uint64(len(r.left)) {
		r.failed = true
		return 0
	}
	return int(n) //nolint:gosec // at most the length
}

func (r *reader) person(people []chat.UserID) chat.UserID {
	n := r.uvarint()
	if n >= uint64(len(people)) {
		r.failed = true
		return ""
	}
	return people[n]
}

func (r *reader) uvarint() uint64 {
	n, size := binary.Uvarint([]byte(r.left[:min(len(r.left), binary.MaxVarintLen64)]))
	if size <= 0 {
		r.failed = true
		return 0
	}
	r.take(size)
	return n
}

func (r *reader) varint() int64 {
	n, size := binary.Varint([]byte(r.left[:min(len(r.left), binary.MaxVarintLen64)]))
	if size <= 0 {
		r.failed = true
		return 0
	}
	r.take(size)
	return n
}
