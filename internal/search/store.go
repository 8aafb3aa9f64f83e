package search

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"sync"
	"time"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
)

// Folder begins the keys of everything that is stored of indexes. Names that begin with "_" are no
// rooms.
const Folder = "_search/"

// NotStoredLine is the log line about an index that a search could not store: the next one reads
// the same messages again. An alarm counts it.
const NotStoredLine = "an index was not stored"

const indexName = "index"

func keyOf(room chat.RoomID, name string) string { return Folder + string(room) + "/" + name }

// retryAfter is the pause before a search is repeated while the bucket does not answer.
const retryAfter = time.Second

// unavailable returns the error for a bucket that does not answer.
func unavailable(what string, err error) error {
	return &chat.Error{Kind: chat.Unavailable, RetryAfter: retryAfter, Cause: fmt.Errorf("%s: %w", what, err)}
}

// objects yields the stored objects whose keys begin with a prefix and follow a key, in the order
// of keys. It ends with the first failure.
func (s *Service) objects(ctx context.Context, prefix, after string) iter.Seq2[bucket.Object, error] {
	return func(yield func(bucket.Object, error) bool) {
		for more := s.Bucket != nil; more; {
			var page []bucket.Object
			var err error
			if page, more, err = s.Bucket.List(ctx, prefix, after); err != nil {
				yield(bucket.Object{}, err)
				return
			}
			for _, o := range page {
				if after = o.Key; !yield(o, nil) {
					return
				}
			}
		}
	}
}

// load returns the stored index of a room, or nil if there is none. One that is damaged or of
// another version is logged, and counts as none.
func (s *Service) load(ctx context.Context, room chat.RoomID) (*index, error) {
	if s.Bucket == nil {
		return nil, nil
	}
	body, version, err := s.Bucket.Read(ctx, keyOf(room, indexName))
	if errors.Is(err, bucket.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, unavailable("read the index of a room", err)
	}
	x, err := decodeIndex(s.codec, room, body)
	if err != nil {
		former, level := errors.Is(err, errVersion), slog.LevelError
		if former {
			level = slog.LevelInfo
		}
		s.log.Log(ctx, level, "an index is built again", "room", room, "error", err)
		return &index{room: room, version: version, former: former, full: s.blockText}, nil
	}
	x.version, x.full = version, s.blockText
	return x, nil
}

// save stores an index with its new blocks, and returns it. If another process has stored one since
// this one was read, it stores none and returns nil. Blocks are stored first, so that an index
// never lacks any.
func (s *Service) save(ctx context.Context, x *index) (*index, error) {
	if s.Bucket == nil {
		return x, nil
	}
	next := *x
	next.Blocks, next.unsaved = slices.Clone(x.Blocks), 0
	for i := range next.Blocks {
		ref := &next.Blocks[i]
		if ref.block == nil {
			continue
		}
		encoded := s.codec.Encode(ref.block)
		ref.Name = nameOf(encoded)
		if err := s.saveBlock(ctx, keyOf(x.room, ref.Name), encoded); err != nil {
			return nil, err
		}
		s.memory.put(keyOf(x.room, ref.Name), ref.block)
		ref.block = nil
	}
	encoded, err := next.encode(s.codec)
	if err == nil {
		next.version, err = s.Bucket.Write(ctx, keyOf(x.room, indexName), encoded, x.version)
	}
	if err != nil {
		s.memory.delete(keyOf(x.room, indexName)) // another one may be stored
		if errors.Is(err, bucket.ErrChanged) {
			return nil, nil
		}
		return nil, fmt.Errorf("store an index: %w", err)
	}
	s.memory.put(keyOf(x.room, indexName), &next)
	return &next, nil
}

// saveBlock stores a block. An object that has its key already and other bytes is damaged.
func (s *Service) saveBlock(ctx context.Context, key string, encoded []byte) error {
	_, err := s.Bucket.Write(ctx, key, encoded, "")
	if errors.Is(err, bucket.ErrChanged) {
		if err = s.Bucket.Delete(ctx, key); err == nil {
			_, err = s.Bucket.Write(ctx, key, encoded, "")
		}
	}
	if err != nil {
		return fmt.Errorf("store a block: %w", err)
	}
	return nil
}

// nameOf returns the name of a block, which is a hash of its bytes.
func nameOf(encoded []byte) string {
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:16])
}

// read is a block in memory, or its bytes as they were read. The error of a block that is gone
// wraps bucket.ErrNotFound.
type read struct {
	block   *Block
	encoded []byte
	err     error
}

// read reads a block of an index, unless it is in memory.
func (s *Service) read(ctx context.Context, room chat.RoomID, ref blockRef) read {
	if ref.block != nil {
		return read{block: ref.block}
	}
	key := keyOf(room, ref.Name)
	if b, ok := onShelf[*Block](s.memory, key); ok {
		return read{block: b}
	}
	encoded, _, err := s.Bucket.Read(ctx, key)
	if err != nil {
		err = unavailable("read a block", err)
	}
	return read{encoded: encoded, err: err}
}

// decode returns a block that was read. The error wraps errDamaged or bucket.ErrNotFound if the
// block must be built again.
func (s *Service) decode(room chat.RoomID, ref blockRef, r read, spent *budget) (*Block, error) {
	if r.block != nil || r.err != nil {
		return r.block, r.err
	}
	if nameOf(r.encoded) != ref.Name {
		return nil, fmt.Errorf("%w: its name is not the hash of its bytes", errDamaged)
	}
	b, err := s.codec.Decode(r.encoded)
	if err != nil {
		return nil, err
	}
	spent.spend(decodeCost * b.size())
	s.memory.put(keyOf(room, ref.Name), b)
	return b, nil
}

// shelf keeps the blocks and indexes that were used last in memory, by their keys in the bucket. It
// is safe for concurrent use.
type shelf struct {
	limit int // of bytes

	mu     sync.Mutex
	used   int
	order  list.List // of *kept, the last used first
	values map[string]*list.Element
}

// sized is a value of a shelf: a *Block or an *index.
type sized interface{ size() int }

type kept struct {
	key   string
	value sized
}

func newShelf(limit int) *shelf { return &shelf{limit: limit, values: map[string]*list.Element{}} }

// onShelf returns the value of a key, if the shelf has it.
func onShelf[V sized](s *shelf, key string) (value V, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.values[key]
	if !ok {
		return value, false
	}
	s.order.MoveToFront(e)
	value, ok = e.Value.(*kept).value.(V)
	return value, ok
}

func (s *shelf) put(key string, value sized) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(key)
	s.values[key] = s.order.PushFront(&kept{key, value})
	for s.used += value.size(); s.used > s.limit && s.order.Len() > 1; {
		s.remove(s.order.Back().Value.(*kept).key)
	}
}

func (s *shelf) delete(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(key)
}

func (s *shelf) remove(key string) {
	if e, ok := s.values[key]; ok {
		s.used -= s.order.Remove(e).(*kept).value.size()
		delete(s.values, key)
	}
}
