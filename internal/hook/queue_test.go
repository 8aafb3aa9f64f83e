package hook_test

import (
	"context"
	"sync"

	"example.com/parley/internal/hook"
)

// queue is a queue in memory, which the test receives from.
type queue struct {
	mu    sync.Mutex
	wakes []hook.Wake
}

func (q *queue) Send(_ context.Context, wakes []hook.Wake) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.wakes = append(q.wakes, wakes...)
	return nil
}

// receive takes everything that waits for the hook of the first message.
func (q *queue) receive() (wakes []hook.Wake) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var rest []hook.Wake
	for _, w := range q.wakes {
		if w.Group() == q.wakes[0].Group() {
			wakes = append(wakes, w)
		} else {
			rest = append(rest, w)
		}
	}
	q.wakes = rest
	return wakes
}
