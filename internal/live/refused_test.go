package live_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"

	"example.com/parley/internal/apigw"
	"example.com/parley/internal/live"
)

// pipes is an in-memory listener, so that a bubble of synctest knows when its connections are idle.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	conn, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (p pipes) Close() error   { close(p); return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{} }

func (p pipes) dial(context.Context, string, string) (net.Conn, error) {
	here, there := net.Pipe()
	p <- there
	return here, nil
}

// serveSilent returns a client of a service that answers 429 to posts to connections whose ids begin
// with "silent", as API Gateway does when their buffers are full. Other posts take their usual time.
func serveSilent(t *testing.T) *apigw.Client {
	t.Helper()
	listener := make(pipes)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if strings.HasPrefix(path.Base(r.URL.Path), "silent") {
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		time.Sleep(usualPost)
	})}
	go func() { _ = server.Serve(listener) }()
	c, err := apigw.New(apigw.Config{
		Endpoint: "http://service", Credentials: credentials.NewStaticCredentialsProvider("AKID", "secret", ""), Dial: listener.dial,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		time.Sleep(time.Second) // until all handlers have returned
		synctest.Wait()
		c.CloseIdle()
		_ = server.Close()
	})
	return c
}

// TestConsume_SilentListenersSlowNobody delivers four messages a second for half a minute, through
// the client of API Gateway. Connections that read nothing are among the listeners from the first
// message on: of one person, or of three who have ten each. Each message reaches all others before
// the next one is due.
func TestConsume_SilentListenersSlowNobody(t *testing.T) {
	t.Parallel()
	const listeners, messages, interval = 80, 120, time.Second / 4
	for _, silent := range []int{1, live.MaxConnections, 3 * live.MaxConnections} {
		t.Run(fmt.Sprint(silent), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h, client := newHall(), serveSilent(t)
				h.post = func(ctx context.Context, id live.ConnectionID) error { return client.Post(ctx, id, []byte("frame")) }
				h.join("seattle", live.Full, connections(listeners)...)
				for i := range silent {
					h.join("seattle", live.Full, fmt.Sprint("silent", i))
				}
				d := live.NewDelivery(live.DeliveryOptions{
					Rows: h, Connections: h, Rooms: h, Poster: h, Missed: h, Pacing: client.Pacing, Clock: time.Now, Log: slog.New(slog.NewTextHandler(&h.log, nil)),
				})
				for n := range messages {
					began := time.Now()
					h.posts = nil
					consume(t, d, h.message("seattle", "hello"))
					if wait := time.Until(began.Add(interval)); len(h.posts) != listeners || wait < 0 {
						t.Fatalf("message %d reached %d of %d listeners, %v before the next one; %+v", n+1, len(h.posts), listeners, wait, client.Pacing())
					}
					time.Sleep(time.Until(began.Add(interval)))
				}
				if n := h.tries["silent0"]; n > 6 { // after 0, 2, 6, 14 and 30 s, and once more if the account seemed throttled
					t.Errorf("%d posts to a connection that reads nothing", n)
				}
				if want := fmt.Sprintf("dropped=%d refused=%d cut=0 throttled=0", silent, silent); silent <= live.MaxConnections && !strings.Contains(h.log.String(), want) {
					t.Errorf("log: %.300s", h.log.String())
				}
			})
		})
	}
}

// TestConsume_ThrottledAccountRestsNobody refuses the posts of one batch, in which the poster lowers
// its pace. The next batch reaches every connection, except the one that read nothing before.
func TestConsume_ThrottledAccountRestsNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		ids := connections(40)
		h.join("seattle", live.Full, ids...)
		h.join("seattle", live.Full, "silent")
		throttled, pacing := false, live.Pacing{}
		h.post = func(_ context.Context, id live.ConnectionID) error {
			if throttled || id == "silent" {
				return live.ErrRefused
			}
			return nil
		}
		d := live.NewDelivery(live.DeliveryOptions{
			Rows: h, Connections: h, Rooms: h, Poster: h, Missed: h, Clock: time.Now, Log: slog.New(slog.NewTextHandler(&h.log, nil)),
			Pacing: func() live.Pacing {
				if throttled {
					pacing.Throttled++
				}
				return pacing
			},
		})
		consume(t, d, h.message("seattle", "1"))
		time.Sleep(2 * time.Second)
		throttled = true
		consume(t, d, h.message("seattle", "2"))
		throttled = false
		consume(t, d, h.message("seattle", "3"))
		for _, id := range ids {
			if got := h.seqs(id); !slices.Equal(got, []int64{1, 2, 3}) {
				t.Errorf("%s received %v", id, got)
			}
		}
		if n := h.tries["silent"]; n != 2 {
			t.Errorf("%d posts to the connection that reads nothing", n)
		}
		for _, want := range []string{"dropped=1 refused=1 cut=0 throttled=0", "dropped=1 refused=1 cut=40 throttled=1"} {
			if !strings.Contains(h.log.String(), want) {
				t.Errorf("%s is missing in the log: %s", want, h.log.String())
			}
		}
	})
}
