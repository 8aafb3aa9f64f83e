package docs

import (
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Book tracks which blocks of some kinds were run. Each runner takes its blocks; the others are
// left over. It is safe for concurrent use.
type Book struct {
	mu     sync.Mutex
	blocks []Block
	taken  []bool
}

// NewBook tracks the blocks that have one of the kinds.
func NewBook(blocks []Block, kinds ...Kind) *Book {
	var b Book
	for _, block := range blocks {
		if slices.Contains(kinds, block.Kind) {
			b.blocks = append(b.blocks, block)
		}
	}
	b.taken = make([]bool, len(b.blocks))
	return &b
}

// Take returns the block of a file by its name, and marks it as run. A block can be taken more than
// once.
func (b *Book) Take(file, name string) (Block, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, block := range b.blocks {
		if block.File == file && block.Name == name {
			b.taken[i] = true
			return block, nil
		}
	}
	return Block{}, fmt.Errorf("%s has no block called %s", file, name)
}

// Left returns an error that names the blocks that were never taken, or nil.
func (b *Book) Left() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	var errs []error
	for i, block := range b.blocks {
		if !b.taken[i] {
			errs = append(errs, fmt.Errorf("%s was not run", block))
		}
	}
	return errors.Join(errs...)
}
