package search

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/google/uuid"
	"github.com/klauspost/compress/zstd"

	"example.com/parley/internal/chat"
)

const (
	// magic begins every block, and ends with the version of its form.
	magic = "parley search 1\n"
	// maxBlock bounds the memory of a block that is read. A block has a megabyte of text.
	maxBlock = 64 << 20
	// columns is the number of compressed columns.
	columns = 7
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
func NewCodec() *Codec {
	// The best compression takes 0.34 bytes for each byte of chat, and the default 0.37.
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err == nil {
		var decoder *zstd.Decoder
		if decoder, err = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxBlock), zstd.WithDecoderConcurrency(0)); err == nil {
			return &Codec{encoder, decoder}
		}
	}
	panic(fmt.Sprintf("search: the options of zstd are wrong: %v", err))
}

// Encode returns the bytes of a block. Each field of all documents is a column, because like bytes
// compress well. The random bits of ids do not, and follow as they are.
func (c *Codec) Encode(b *Block) []byte {
	head := appendText(nil, string(b.Room))
	head = binary.AppendUvarint(head, uint64(len(b.people)))
	for _, user := range b.people {
		head = appendText(head, string(user))
	}
	head = binary.AppendUvarint(head, uint64(b.Len()))
	var received, lags, senders, features, lengths, ids []byte
	last := int64(0)
	for i, at := range b.received {
		received = binary.AppendVarint(received, at-last)
		lags = binary.AppendVarint(lags, at-b.id(i).SentAt().UnixMilli())
		senders = binary.AppendUvarint(senders, uint64(b.senders[i]))
		features = binary.AppendUvarint(features, uint64(b.features[i])) //nolint:gosec // bits
		features = binary.AppendUvarint(features, uint64(len(b.mentioned[i])))
		for _, n := range b.mentioned[i] {
			features = binary.AppendUvarint(features, uint64(n))
		}
		lengths = binary.AppendUvarint(lengths, uint64(len(b.textOf(i))))
		ids = append(ids, b.ids[i][len(b.ids[i])-randomBytes:]...)
		last = at
	}
	all := []byte(magic)
	for _, column := range [columns][]byte{head, received, lags, senders, features, lengths, []byte(b.text)} {
		packed := c.encoder.EncodeAll(column, nil)
		all = append(binary.AppendUvarint(all, uint64(len(packed))), packed...)
	}
	sum := crc32.ChecksumIEEE(ids)
	return append(binary.BigEndian.AppendUint32(all, sum), ids...)
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// Decode reads a block. The error wraps errDamaged if the bytes are none.
func (c *Codec) Decode(encoded []byte) (*Block, error) {
	packed, ok := strings.CutPrefix(string(encoded), magic)
	if !ok {
		return nil, fmt.Errorf("%w: it has another beginning", errDamaged)
	}
	var cols [columns]reader
	rest := reader{left: packed}
	for i := range cols {
		column, err := c.decoder.DecodeAll([]byte(rest.text()), nil)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errDamaged, err)
		}
		cols[i].left = string(column)
	}
	sum := rest.take(crc32.Size)
	if rest.failed || crc32.ChecksumIEEE([]byte(rest.left)) != binary.BigEndian.Uint32([]byte(sum)) {
		return nil, fmt.Errorf("%w: its ids have another checksum", errDamaged)
	}
	b := readBlock(&cols, &rest)
	for _, r := range append(cols[:], rest) {
		if r.failed || r.left != "" {
			return nil, fmt.Errorf("%w: its columns do not fit together", errDamaged)
		}
	}
	return b, nil
}

// reader reads the fields of a block. After a failure it returns zero values.
type reader struct {
	left   string
	failed bool
}

// readBlock reads a block from its columns and its ids.
func readBlock(cols *[columns]reader, ids *reader) *Block {
	head, received, lags, senders, features, lengths, text := &cols[0], &cols[1], &cols[2], &cols[3], &cols[4], &cols[5], &cols[6]
	b := &Block{Room: chat.RoomID(head.text()), mentioned: map[int][]uint32{}}
	b.people = make([]chat.UserID, head.count())
	for i := range b.people {
		b.people[i] = chat.UserID(head.text())
	}
	n := int(min(head.uvarint(), maxBlock)) //nolint:gosec // at most maxBlock
	if n != len(ids.left)/randomBytes {
		ids.failed = true
		return b
	}
	b.received, b.ids, b.senders, b.features, b.ends = make([]int64, n), make([]uuid.UUID, n), make([]uint32, n), make([]Feature, n), make([]uint32, n)
	last, end := int64(0), 0
	for i := range n {
		last += received.varint()
		b.received[i] = last
		b.ids[i] = idOf(last-lags.varint(), ids.take(randomBytes))
		b.senders[i] = senders.below(len(b.people))
		b.features[i] = Feature(features.uvarint()) //nolint:gosec // any bits
		for range features.count() {
			b.mentioned[i] = append(b.mentioned[i], features.below(len(b.people)))
		}
		end += int(min(lengths.uvarint(), maxBlock)) //nolint:gosec // at most maxBlock
		b.ends[i] = uint32(end)                      //nolint:gosec // as the text, or it fails
	}
	b.text = text.take(end)
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

// below reads a number less than n.
func (r *reader) below(n int) uint32 {
	v := r.uvarint()
	if v >= uint64(n) { //nolint:gosec // a length
		r.failed = true
		return 0
	}
	return uint32(v) //nolint:gosec // at most the length
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
