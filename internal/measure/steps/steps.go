// Package steps counts the calls to DynamoDB that wait for one another.
package steps

import (
	"context"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
)

// Meter counts the steps of a client's calls: concurrent calls are one step. It holds the answers
// of a step until all its calls have one. So every call takes equally long, and the number of
// steps is the length of the longest chain of calls, however slow the machine is. If the machine
// is too busy to start the calls of a step within Pause, the meter counts too many steps, never
// too few. The lowest count of several runs is thus the most accurate. It is safe for concurrent
// use.
type Meter struct {
	// Pause is how long a step continues after its calls are answered, for calls that start late.
	Pause time.Duration

	mu    sync.Mutex
	ended int
	open  *step // nil between two steps
}

// step is a set of concurrent calls.
type step struct {
	begun   int // calls
	running int // calls that have no answer yet
	ended   chan struct{}
}

// Reset returns the number of steps since its previous call.
func (m *Meter) Reset() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	steps := m.ended
	m.ended = 0
	return steps
}

// Options adds the meter to a client.
func (m *Meter) Options(o *dynamodb.Options) {
	o.APIOptions = append(o.APIOptions, func(s *middleware.Stack) error {
		return s.Initialize.Add(middleware.InitializeMiddlewareFunc("steps", m.handle), middleware.After)
	})
}

func (m *Meter) handle(
	ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
) (middleware.InitializeOutput, middleware.Metadata, error) {
	s := m.begin()
	out, metadata, err := next.HandleInitialize(ctx, in)
	m.answered(s)
	select {
	case <-s.ended:
	case <-ctx.Done():
	}
	return out, metadata, err
}

// begin adds a call to the open step.
func (m *Meter) begin() *step {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.open == nil {
		m.open = &step{ended: make(chan struct{})}
	}
	m.open.begun++
	m.open.running++
	return m.open
}

// answered ends the step after Pause, if all its calls then have an answer.
func (m *Meter) answered(s *step) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s.running--
	begun := s.begun
	time.AfterFunc(m.Pause, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if s != m.open || s.running > 0 || s.begun > begun {
			return
		}
		m.open = nil
		m.ended++
		close(s.ended)
	})
}
