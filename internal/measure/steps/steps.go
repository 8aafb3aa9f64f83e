// Package steps counts the calls to DynamoDB that wait for one another.
package steps

import (
	"context"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
)

// Meter counts the steps of a client's calls: calls made at once are one step. It is safe for
// concurrent use.
type Meter struct {
	// Pause delays every call, so that calls made at once begin before one of them ends.
	Pause time.Duration

	mu    sync.Mutex
	ended int // the last step in which a call has ended
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

func (m *Meter) handle(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
	m.mu.Lock()
	step := m.ended + 1
	m.mu.Unlock()
	time.Sleep(m.Pause)
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.ended = max(m.ended, step)
	}()
	return next.HandleInitialize(ctx, in)
}
