package tabletest

import (
	"context"
	"sync"

	"example.com/parley/internal/dynamo"
)

// Usage holds the consumption of calls. Its zero value is ready to use.
type Usage struct {
	mu  sync.Mutex
	all []dynamo.Usage
}

// Observe adds the consumption of a call, as dynamo.Options.Observe does.
func (u *Usage) Observe(_ context.Context, one dynamo.Usage) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.all = append(u.all, one)
}

// Take returns the consumption of the calls since the last Take.
func (u *Usage) Take() []dynamo.Usage {
	u.mu.Lock()
	defer u.mu.Unlock()
	all := u.all
	u.all = nil
	return all
}
