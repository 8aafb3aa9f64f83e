package measure

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"example.com/parley/internal/follow"
	"example.com/parley/internal/local/issuer"
)

const (
	// peerTime bounds the measurements, and peerStartTime the builds and starts before them. The
	// first build of Tinode takes minutes.
	peerTime, peerStartTime = 5 * time.Minute, 10 * time.Minute
	// peerRounds are enough for a median. The servers take turns in each, so that the machine is
	// equally busy for all.
	peerRounds = 3
	// peerSettle lets a server finish the work that follows its answers.
	peerSettle    = time.Second
	peerClients   = 8
	peerListeners = 10
	// peerMessages are sent in a round. All rounds together are enough for a catch-up.
	peerMessages = 2500
	// peerReads are made in a round, unless peerReadTime ends it.
	peerReads, peerReadTime = 1000, 2 * time.Second
	// peerPosts are delivered in a round, peerRate a second.
	peerPosts, peerRate = 50, 20
)

// peer is a chat server on this machine, with one room and peerClients clients.
type peer interface {
	// send posts a message to the room, and returns when the server has stored it.
	send(ctx context.Context, client int, text string) error
	// newest reads the newest pageMessages messages, and returns how many it got.
	newest(ctx context.Context, client int) (int, error)
	// behind returns the position of a client that has missed the last n messages.
	behind(ctx context.Context, n int) (position string, err error)
	// since reads n messages after a position, in pages of 200.
	since(ctx context.Context, position string, n int) error
	// backwards reads the whole room in pages of 200, and returns the number of messages.
	backwards(ctx context.Context) (int, error)
	// listen connects another client, and calls got with each frame of the room.
	listen(ctx context.Context, got func(frame []byte)) (hangUp func(), err error)
	stop()
}

// PeerPrograms names the programs of the peers.
type PeerPrograms struct {
	Tinode   string // a folder with its source, which is built
	Postgres string // the folder of PostgreSQL's programs, for Tinode
	Prosody  string // the program
}

// namedPeer is a peer that runs, with its name.
type namedPeer struct {
	name string
	peer
}

// Peers measures Parley and other chat servers on this machine in turn. It returns the rows of a
// table: a header, a row for each figure, and a row for each peer that is absent, with the reason.
// After an error, rows are missing.
func Peers(ctx context.Context, programs PeerPrograms, scale Scale) (rows [][]string, err error) {
	start, cancel := context.WithTimeout(ctx, peerStartTime)
	defer cancel()
	own, err := startParley(ctx, scale)
	if err != nil {
		return nil, err
	}
	defer own.stop()
	running := []namedPeer{{"Parley", own}}
	var absent [][]string
	for _, other := range []struct {
		name  string
		start func() (peer, error)
	}{
		{"Tinode", func() (peer, error) { return startTinode(start, programs) }},
		{"Prosody", func() (peer, error) { return startProsody(start, programs.Prosody) }},
	} {
		p, err := other.start()
		if err != nil {
			absent = append(absent, []string{other.name, "absent: " + err.Error()})
			continue
		}
		defer p.stop()
		running = append(running, namedPeer{other.name, p})
	}
	if start.Err() != nil {
		return nil, context.Cause(start)
	}
	ctx, end := context.WithTimeoutCause(ctx, peerTime, fmt.Errorf("the measurements took longer than %v", peerTime))
	defer end()
	rows, err = comparePeers(ctx, running, scale)
	return append(rows, absent...), errors.Join(err, context.Cause(ctx))
}

// comparePeers measures each figure of all peers, and returns the header and a row for each figure.
// After an error, it returns the rows that are complete.
func comparePeers(ctx context.Context, running []namedPeer, scale Scale) ([][]string, error) {
	header := []string{""}
	for i, p := range running {
		if header = append(header, p.name); i > 0 {
			header = append(header, "Parley is")
		}
	}
	rows := [][]string{header}
	for _, f := range peerFigures() {
		values := make([][]float64, len(running))
		for range scale.of(peerRounds) {
			for i, p := range running {
				value, err := f.measure(ctx, p, scale)
				if err != nil {
					return rows, fmt.Errorf("%s: %s: %w", p.name, f.name, err)
				}
				values[i] = append(values[i], value)
			}
		}
		rows = append(rows, f.row(values))
	}
	return rows, nil
}

// row returns the medians of each server's values, the first server's first, and how the first one
// compares with each other one.
func (f peerFigure) row(values [][]float64) []string {
	row := []string{f.name}
	var first float64
	for i, of := range values {
		slices.Sort(of)
		median := of[len(of)/2]
		row = append(row, fmt.Sprintf(f.format, median))
		if i == 0 {
			first = median
			continue
		}
		ratio := median / first // of two times
		if f.rate {
			ratio = first / median
		}
		if ratio >= 1 {
			row = append(row, fmt.Sprintf("%.1f × faster", ratio))
		} else {
			row = append(row, fmt.Sprintf("%.1f × slower", 1/ratio))
		}
	}
	return row
}

// parley is a chat serve as a peer. Its room is localRoom.
type parley struct {
	server    *runningServer
	clients   []*runningServer // the same server, with each client's token
	tokens    *issuer.Issuer
	sent      atomic.Int64
	listeners atomic.Int64
}

func startParley(ctx context.Context, scale Scale) (*parley, error) {
	s, err := startServer(ctx, scale)
	if err != nil {
		return nil, err
	}
	// The answers of the peers are not compressed either.
	s.client.Transport.(*http.Transport).DisableCompression = true
	p := &parley{server: s}
	if err := p.connect(ctx); err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

// connect makes the room and the clients' tokens.
func (p *parley) connect(ctx context.Context) (err error) {
	if p.tokens, err = p.server.tokens(); err != nil {
		return err
	}
	for n := range peerClients {
		client := *p.server
		if client.token, err = p.tokens.Token(fmt.Sprintf("client-%d", n), tokensLife); err != nil {
			return err
		}
		p.clients = append(p.clients, &client)
	}
	_, err = p.server.call(ctx, http.MethodPut, "/rooms/"+localRoom, "{}")
	return err
}

func (p *parley) send(ctx context.Context, client int, text string) error {
	_, err := p.clients[client].call(
		ctx, http.MethodPost, "/rooms/"+localRoom+"/messages", fmt.Sprintf(`{"text":%q}`, text),
	)
	if err == nil {
		p.sent.Add(1)
	}
	return err
}

func (p *parley) newest(ctx context.Context, client int) (int, error) {
	got, err := p.clients[client].page(ctx, fmt.Sprintf("messages?limit=%d", pageMessages))
	return len(got.Items), err
}

func (p *parley) behind(ctx context.Context, n int) (string, error) {
	return p.server.behind(ctx, int(p.sent.Load()), n)
}

func (p *parley) since(ctx context.Context, position string, n int) error {
	return p.server.catchUp(ctx, position, n)
}

func (p *parley) backwards(ctx context.Context) (int, error) { return p.server.backwards(ctx) }

func (p *parley) listen(ctx context.Context, got func([]byte)) (func(), error) {
	token, err := p.tokens.Token(listenerOf(localRoom, int(p.listeners.Add(1))), tokensLife)
	if err != nil {
		return nil, err
	}
	conn, err := follow.DialSocket(ctx, follow.SocketAddress(p.server.url), token)
	if err != nil {
		return nil, err
	}
	if err := conn.Write(
		ctx, []byte(`{"type":"hello","id":"1","rooms":[{"id":"`+localRoom+`","mode":"full"}]}`),
	); err != nil {
		return nil, err
	}
	if ack, err := conn.Read(ctx); err != nil || !strings.Contains(string(ack), `"ack"`) {
		return nil, errors.Join(err, fmt.Errorf("no ack: %s", ack))
	}
	go func() {
		for {
			frame, err := conn.Read(context.WithoutCancel(ctx))
			if err != nil {
				return
			}
			got(frame)
		}
	}()
	return conn.Close, nil
}

func (p *parley) stop() { p.server.end() }
