package nightly

import (
	"io"
	"math/rand/v2"
	"sync"
)

// Random returns reproducible random bytes, the same for equal seeds. It is safe for concurrent
// use.
func Random(seed, stream uint64) io.Reader {
	return &random{r: rand.New(rand.NewPCG(seed, stream))}
}

type random struct {
	mu sync.Mutex
	r  *rand.Rand
}

func (s *random) Read(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range b {
		b[i] = byte(s.r.Uint32())
	}
	return len(b), nil
}
