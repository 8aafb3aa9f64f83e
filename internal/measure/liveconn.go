package measure

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/follow"
	"example.com/parley/internal/local/issuer"
)

const (
	// connectionsOfAPerson is the most that the service accepts.
	connectionsOfAPerson = 10
	// dialsAtOnce keeps the handshakes below the 500 a second of API Gateway.
	dialsAtOnce = 16
	// tokensLife is longer than the measurement.
	tokensLife = time.Hour
)

// listener is a connection that notes when each change arrives.
type listener struct {
	conn   follow.Socket
	user   string
	frames *frames

	mu       sync.Mutex
	head     int64 // before which nothing is delivered
	arrived  map[int64]time.Time
	repeated int
	gone     time.Time // of the frame unsubscribed
}

// frame is what listeners read of a frame.
type frame struct {
	Type  string
	Rooms []struct {
		Head    int64
		Problem json.RawMessage
		Changes []struct {
			Seq      int64
			Type, ID string
		}
	}
}

// frames decodes the frames of a room. All its listeners get the same, and each is decoded once.
type frames struct {
	mu      sync.Mutex
	decoded map[string]frame
}

func (f *frames) read(text []byte) (in frame, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	in, seen := f.decoded[string(text)]
	if !seen {
		err = json.Unmarshal(text, &in)
		f.decoded[string(text)] = in
	}
	return in, err
}

// messages returns the messages in all frames by their numbers.
func (f *frames) messages() map[int64]string {
	f.mu.Lock()
	defer f.mu.Unlock()
	found := map[int64]string{}
	for _, in := range f.decoded {
		if in.Type != "changes" {
			continue
		}
		for _, c := range in.Rooms[0].Changes {
			if c.Type == "message.created" {
				found[c.Seq] = c.ID
			}
		}
	}
	return found
}

// listen connects and subscribes a user to a room.
func (s *runningServer) listen(
	ctx context.Context, tokens *issuer.Issuer, user, room string, frames *frames,
) (*listener, error) {
	token, err := tokens.Token(user, tokensLife)
	if err != nil {
		return nil, err
	}
	conn, err := follow.DialSocket(ctx, follow.SocketAddress(s.url), token)
	if err != nil {
		return nil, err
	}
	l := &listener{conn: conn, user: user, frames: frames, arrived: map[int64]time.Time{}}
	hello := fmt.Sprintf(`{"type":"hello","id":"1","rooms":[{"id":%q,"mode":"full"}]}`, room)
	if err := conn.Write(ctx, []byte(hello)); err != nil {
		return nil, err
	}
	acked := make(chan error, 1)
	go l.read(ctx, acked)
	return l, <-acked
}

// read notes what arrives until the connection ends.
func (l *listener) read(ctx context.Context, acked chan<- error) {
	for {
		text, err := l.conn.Read(context.WithoutCancel(ctx))
		now := time.Now()
		if err != nil {
			select {
			case acked <- fmt.Errorf("no ack: %w", err):
			default:
			}
			return
		}
		in, err := l.frames.read(text)
		if err != nil {
			continue
		}
		switch in.Type {
		case "ack", "problem":
			if in.Type == "problem" || len(in.Rooms) != 1 || in.Rooms[0].Problem != nil {
				acked <- fmt.Errorf("refused: %s", text)
				return
			}
			l.head = in.Rooms[0].Head
			acked <- nil
		case "unsubscribed":
			l.locked(func() { l.gone = now })
		case "changes":
			l.locked(func() {
				for _, c := range in.Rooms[0].Changes {
					if _, seen := l.arrived[c.Seq]; seen {
						l.repeated++
						continue
					}
					l.arrived[c.Seq] = now
				}
			})
		}
	}
}

func (l *listener) locked(do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	do()
}

// last returns when the last change arrived.
func (l *listener) last() (last time.Time) {
	l.locked(func() {
		for _, at := range l.arrived {
			if at.After(last) {
				last = at
			}
		}
	})
	return last
}

// listenAll connects n listeners, ten for each person.
func (s *runningServer) listenAll(ctx context.Context, tokens *issuer.Issuer, n int, room string) ([]*listener, error) {
	all, shared := make([]*listener, n), &frames{decoded: map[string]frame{}}
	var g errgroup.Group
	g.SetLimit(dialsAtOnce)
	for i := range n {
		g.Go(func() (err error) {
			all[i], err = s.listen(ctx, tokens, listenerOf(room, i/connectionsOfAPerson), room, shared)
			return err
		})
	}
	return all, g.Wait()
}

func hangUp(all []*listener) {
	var g errgroup.Group
	for _, l := range all {
		g.Go(func() error { l.conn.Close(); return nil })
	}
	_ = g.Wait() // no function fails
}

// tokens opens the issuer of the server's data folder.
func (s *runningServer) tokens() (*issuer.Issuer, error) {
	return issuer.Open(issuer.Config{Dir: s.data(), Clock: time.Now, Rand: rand.Reader})
}

// memory returns the resident memory of the server in bytes, or zero where the system does not
// report it.
func (s *runningServer) memory() int64 { return residentBytes(s.cmd.Process.Pid) }

// listenerOf returns the nth person who listens to a room.
func listenerOf(room string, n int) string { return fmt.Sprintf("%s-%d", room, n) }
