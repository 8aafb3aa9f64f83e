package search

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/klauspost/compress/zstd"

	"example.com/parley/internal/chat"
)

const (
	// formVersion is the version of blocks, indexes and Fold: differently folded texts cannot be
	// compared. An index of another version is rebuilt when it is next needed.
	formVersion = "2"
	// magic begins every block.
	magic = "parley search " + formVersion + "\n"
	// maxBlock bounds the decompressed bytes of a block. The blocks and the recent documents of an
	// index have half as many.
	maxBlock = 16 << 20
	// personSize is the bytes of memory of an id in addition to its text.
	personSize = 16
	// endOfText ends each text: no UTF-8 has it, so that texts and their lengths are compressed
	// together.
	endOfText = 0xff
	// columns is the number of compressed columns.
	columns = 9
	// randomLength is the number of random bits of an id.
	randomLength = 74
)

var (
	// errDamaged is returned for a block that cannot be read.
	errDamaged = errors.New("damaged block")
	// errVersion is returned for an index of another version.
	errVersion = errors.New("another version")
)

// Codec encodes and decodes blocks. It is safe for concurrent use.
type Codec struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
}

// NewCodec returns a codec.
func NewCodec() *Codec {
	// The default takes 0.37 bytes for each byte of chat. The best compression takes 0.34 and five
	// times as long, while somebody waits for a search.
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1))
	if err == nil {
		var decoder *zstd.Decoder
		if decoder, err = zstd.NewReader(
			nil, zstd.WithDecoderMaxMemory(maxBlock), zstd.WithDecoderConcurrency(0),
		); err == nil {
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
	head = binary.AppendUvarint(head, uint64(b.Len())) //nolint:gosec // a small index
	var senders, features, texts []byte
	received, lags := planes{make([][]byte, 3)}, planes{make([][]byte, 2)}
	var ids randomBits
	last := int64(0)
	for i, at := range b.received {
		received.add(at - last)
		lags.add(at - b.id(i).SentAt().UnixMilli())
		senders = binary.AppendUvarint(senders, uint64(b.senders[i]))
		features = binary.AppendUvarint(features, uint64(b.features[i])) //nolint:gosec // bits
		features = binary.AppendUvarint(features, uint64(len(b.mentioned[i])))
		for _, n := range b.mentioned[i] {
			features = binary.AppendUvarint(features, uint64(n))
		}
		texts = append(append(texts, b.textOf(i)...), endOfText)
		ids.add(b.ids[i])
		last = at
	}
	all := []byte(magic)
	for _, column := range slices.Concat([][]byte{head, senders, features, texts}, received.columns, lags.columns) {
		packed := c.encoder.EncodeAll(column, nil)
		all = append(binary.AppendUvarint(all, uint64(len(packed))), packed...)
	}
	random := ids.end()
	return append(binary.BigEndian.AppendUint32(all, crc32.ChecksumIEEE(random)), random...)
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
	for i, left := 0, maxBlock; i < columns; i++ {
		column, err := c.decoder.DecodeAll([]byte(rest.text()), nil)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errDamaged, err)
		}
		if left -= len(column); left < 0 {
			return nil, fmt.Errorf("%w: it has more than %d bytes", errDamaged, maxBlock)
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
func readBlock(cols *[columns]reader, random *reader) *Block {
	head, senders, features, texts, received, lags := &cols[0], &cols[1], &cols[2], &cols[3], cols[4:7], cols[7:]
	b := &Block{Room: chat.RoomID(head.text()), mentioned: map[int][]uint32{}}
	people := head.count()
	if people > maxBlock/personSize {
		head.failed = true
		return b
	}
	b.people = make([]chat.UserID, people)
	for i := range b.people {
		b.people[i] = chat.UserID(head.text())
	}
	n := int(min(head.uvarint(), maxBlock))
	ids := randomBits{bytes: []byte(random.take((n*randomLength + 7) / 8))}
	if random.failed {
		return b
	}
	b.received, b.ids, b.senders, b.features, b.ends = make(
		[]int64, n,
	), make([]uuid.UUID, n), make([]uint32, n), make([]Feature, n), make([]uint32, n)
	last, begin := int64(0), 0
	var text strings.Builder
	for i := range n {
		last += nextNumber(received)
		b.received[i] = last
		b.ids[i] = ids.next(last - nextNumber(lags))
		b.senders[i] = senders.below(len(b.people))
		b.features[i] = Feature(features.uvarint()) //nolint:gosec // any bits
		for range features.count() {
			b.mentioned[i] = append(b.mentioned[i], features.below(len(b.people)))
		}
		end := strings.IndexByte(texts.left, endOfText)
		if end < 0 {
			texts.failed = true
			return b
		}
		text.WriteString(texts.take(end))
		texts.take(1)
		begin += end
		b.ends[i] = uint32(begin) //nolint:gosec // at most maxBlock
	}
	b.text = text.String()
	return b
}

// planes are numbers by their bytes: all lowest bytes, all second ones and so on, which are
// compressed better apart. The last plane has the rest of each number, as a varint.
type planes struct{ columns [][]byte }

func (p planes) add(v int64) {
	u := uint64(v<<1) ^ uint64(v>>63) //nolint:gosec // zigzag, as in package binary
	last := len(p.columns) - 1
	for i := range last {
		p.columns[i] = append(p.columns[i], byte(u))
		u >>= 8
	}
	p.columns[last] = binary.AppendUvarint(p.columns[last], u)
}

// nextNumber reads the next number from its planes.
func nextNumber(planes []reader) int64 {
	var u uint64
	last := len(planes) - 1
	for i := range last {
		if b := planes[i].take(1); b != "" {
			u |= uint64(b[0]) << (8 * i)
		}
	}
	u |= planes[last].uvarint() << (8 * last)
	return int64(u>>1) ^ -int64(u&1)
}

// randomBits are the concatenated random bits of ids, without the version and the variant, which
// all ids share.
type randomBits struct {
	bytes []byte
	held  uint32 // bits that are not yet in bytes, or were taken from it and not yet used
	n     int    // the number of these bits
}

func (r *randomBits) add(id uuid.UUID) {
	for _, part := range randomParts {
		r.held, r.n = r.held<<part.bits|uint32(id[part.at]&(1<<part.bits-1)), r.n+part.bits
		for ; r.n >= 8; r.n -= 8 {
			r.bytes = append(r.bytes, byte(r.held>>(r.n-8))) //nolint:gosec // its lowest bits
		}
	}
}

// end returns all bits in bytes.
func (r *randomBits) end() []byte {
	if r.n == 0 {
		return r.bytes
	}
	return append(r.bytes, byte(r.held<<(8-r.n))) //nolint:gosec // its lowest bits
}

// next returns the id with a time in Unix milliseconds and the next bits.
func (r *randomBits) next(sent int64) (id uuid.UUID) {
	var time [8]byte
	binary.BigEndian.PutUint64(time[:], uint64(sent)) //nolint:gosec // a time after 1970
	copy(id[:], time[2:])
	for _, part := range randomParts {
		for ; r.n < part.bits; r.n += 8 {
			r.held = r.held<<8 | uint32(r.bytes[0])
			r.bytes = r.bytes[1:]
		}
		r.n -= part.bits
		id[part.at] = byte(r.held>>r.n) & (1<<part.bits - 1) //nolint:gosec // its lowest bits
	}
	id[6] |= 7 << 4 // the version
	id[8] |= 2 << 6 // the variant
	return id
}

// randomParts are the bytes of a UUIDv7 with random bits, and how many of their lowest bits are.
var randomParts = []struct{ at, bits int }{
	{6, 4}, {7, 8}, {8, 6}, {9, 8}, {10, 8}, {11, 8}, {12, 8}, {13, 8}, {14, 8}, {15, 8},
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
