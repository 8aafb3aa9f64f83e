package measure

import (
	"context"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
)

// stepPause delays every call, so that calls made at once begin before one of them ends.
const stepPause = 5 * time.Millisecond

// stepMeter counts the calls to DynamoDB that wait for one another.
type stepMeter struct {
	mu    sync.Mutex
	ended int // the last step in which a call has ended
}

// reset returns the number of steps since its previous call.
func (m *stepMeter) reset() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	steps := m.ended
	m.ended = 0
	return steps
}

// client returns a copy of a client whose calls are counted.
func (m *stepMeter) client(db *dynamodb.Client) *dynamodb.Client {
	return dynamodb.New(db.Options(), func(o *dynamodb.Options) {
		o.APIOptions = append(o.APIOptions, func(s *middleware.Stack) error {
			return s.Initialize.Add(middleware.InitializeMiddlewareFunc("steps", m.handle), middleware.After)
		})
	})
}

func (m *stepMeter) handle(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
	m.mu.Lock()
	step := m.ended + 1
	m.mu.Unlock()
	time.Sleep(stepPause)
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.ended = max(m.ended, step)
	}()
	return next.HandleInitialize(ctx, in)
}
