package growth_test

import (
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/growth"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/tabletest"
)

// storeWorld is a table with the processes that use it. Each has its own clock and cache.
type storeWorld struct {
	clock                         *chattest.Clock
	processes                     []*process
	reads, changes, late, retries int
}

// process is one process. While it is armed, its next put of a message waits until it is released.
type process struct {
	store  *dynamo.Store
	clock  func() time.Time
	owners *growth.OwnerSetting
	armed  atomic.Bool
	held   chan struct{} // receives when a put is waiting
	free   chan struct{} // releases it
}

func (p *process) hold(o *dynamodb.Options) {
	next := o.HTTPClient
	o.HTTPClient = doer(func(r *http.Request) (*http.Response, error) {
		if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".PutItem") && p.armed.CompareAndSwap(true, false) {
			p.held <- struct{}{}
			<-p.free
		}
		return next.Do(r)
	})
}

type doer func(*http.Request) (*http.Response, error)

func (d doer) Do(r *http.Request) (*http.Response, error) { return d(r) }

func newStoreWorld(t *testing.T) *storeWorld {
	t.Helper()
	w := &storeWorld{clock: chattest.NewClock()}
	endpoint := enginetest.Start(t)
	tabletest.Create(t, dynamo.LocalClient(endpoint), "chat")
	for _, off := range []time.Duration{-skew, 0, skew} {
		p := &process{held: make(chan struct{}), free: make(chan struct{})}
		p.clock = func() time.Time { return w.clock.Now().Add(off) }
		p.store = dynamo.New(dynamo.LocalClient(endpoint, p.hold), dynamo.Options{Table: "chat", Clock: p.clock})
		p.owners = growth.NewOwnerSetting(p.store, p.clock, slog.New(slog.DiscardHandler))
		w.processes = append(w.processes, p)
	}
	return w
}
