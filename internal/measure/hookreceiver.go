package measure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"example.com/parley/internal/feed"
)

// hookReceiver is the program behind the addresses of hooks. It accepts each request at once.
type hookReceiver struct {
	url    string
	server *http.Server

	mu      sync.Mutex
	news    chan struct{} // closed when a request was accepted, and then replaced
	rooms   map[string]hookRoom
	bytes   int // of the bodies and the headers
	defects []error
}

// hookRoom is what a receiver has accepted of a room.
type hookRoom struct {
	seq      int // of the last change
	messages int
	at       time.Time // when the last request was accepted
}

// startHookReceiver serves at a free port of this machine.
func startHookReceiver(ctx context.Context) (*hookReceiver, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &hookReceiver{
		url: "http://" + l.Addr().String() + "/", news: make(chan struct{}), rooms: map[string]hookRoom{},
	}
	r.server = &http.Server{Handler: r, ReadHeaderTimeout: time.Second}
	go func() { _ = r.server.Serve(l) }() // it ends with the server
	return r, nil
}

func (r *hookReceiver) close() { _ = r.server.Close() }

// ServeHTTP accepts a request. A change that does not follow the last one of its room is a defect.
func (r *hookReceiver) ServeHTTP(w http.ResponseWriter, in *http.Request) {
	var request struct {
		Data struct {
			Items []struct {
				ID      string
				Changes []struct {
					Seq  int
					Type string
				}
			}
		}
	}
	err := json.NewDecoder(in.Body).Decode(&request)
	w.WriteHeader(http.StatusNoContent)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.defects = append(r.defects, err)
	}
	for _, in := range request.Data.Items {
		room := r.rooms[in.ID]
		for _, c := range in.Changes {
			switch {
			case room.seq > 0 && c.Seq > room.seq+1:
				r.defects = append(r.defects, fmt.Errorf("change %d of %s after %d", c.Seq, in.ID, room.seq))
			case c.Seq > room.seq && c.Type == feed.MessageCreated.String():
				room.messages++
			}
			room.seq = max(room.seq, c.Seq)
		}
		room.at = time.Now()
		r.rooms[in.ID] = room
	}
	r.bytes += int(in.ContentLength)
	for name, values := range in.Header {
		r.bytes += len(name) + len(values[0])
	}
	close(r.news)
	r.news = make(chan struct{})
}

// wait waits until n messages of a room are accepted, and returns when the last one was.
func (r *hookReceiver) wait(ctx context.Context, room string, n int) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, hookPatience)
	defer cancel()
	for {
		r.mu.Lock()
		news, got, err := r.news, r.rooms[room], errors.Join(r.defects...)
		r.mu.Unlock()
		if err != nil || got.messages >= n {
			return got.at, err
		}
		select {
		case <-ctx.Done():
			return got.at, fmt.Errorf("the receiver has %d of %d messages of %s: %w", got.messages, n, room, ctx.Err())
		case <-news:
		}
	}
}
