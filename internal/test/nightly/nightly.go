// Package nightly decides how much of a long or random test runs: a fixed share with a fixed seed
// in make test, everything with a fresh seed in make nightly.
package nightly

import (
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
)

// fixedSeed is the seed of make test. Its value has no meaning.
const fixedSeed = 1

// Enabled reports whether the environment asks for the whole of every test (NIGHTLY=1).
func Enabled() bool { return os.Getenv("NIGHTLY") != "" }

// Share returns the first n elements of all, or every element at night. Put those first that catch
// the most.
func Share[T any](all []T, n int) []T {
	if Enabled() {
		return all
	}
	return all[:min(n, len(all))]
}

// One reports whether case i of many runs: one in each, or every one at night. Number neighboring
// cases differently, so that the selection covers every kind.
func One(i, each int) bool { return Enabled() || i%each == 0 }

// Times returns how often to repeat something: few times, or many times at night.
func Times(few, many int) int {
	if Enabled() {
		return many
	}
	return few
}

// Seed returns the seed of the environment (SEED=7), a fresh one for SEED=random and at night, and
// otherwise always the same. A failing test logs it.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed := uint64(fixedSeed)
	switch value := os.Getenv("SEED"); {
	case value == "random" || value == "" && Enabled():
		seed = rand.Uint64()
	case value != "":
		n, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			t.Fatalf("SEED is a number or random: %v", err)
		}
		seed = n
	}
	t.Logf("repeat with SEED=%d", seed)
	return seed
}

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
