package measure

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"

	"github.com/coder/websocket"

	"example.com/parley/internal/chat"
)

// tinode is a Tinode with its PostgreSQL, whose room is a group topic.
type tinode struct {
	*peerProcess
	database *postgres
	clients  []*tinodeClient
	topic    string
	accounts int
}

// startTinode builds Tinode and starts it.
func startTinode(ctx context.Context, programs PeerPrograms) (_ *tinode, err error) {
	if programs.Tinode == "" {
		return nil, errors.New("TINODE= names no folder with Tinode's source")
	}
	t := &tinode{}
	defer func() {
		if err != nil {
			t.stop()
		}
	}()
	if t.database, err = startPostgres(ctx, programs.Postgres); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "parley-tinode-")
	if err != nil {
		return nil, err
	}
	t.peerProcess = &peerProcess{dir: dir}
	for _, part := range []string{"server", "tinode-db"} {
		if err := runProgram(
			ctx, programs.Tinode, "go", "build", "-tags", "postgres", "-buildvcs=false", "-o", filepath.Join(dir, part),
			"./"+part,
		); err != nil {
			return nil, err
		}
	}
	if err := t.serve(ctx); err != nil {
		return nil, err
	}
	return t, t.connect(ctx)
}

// serve makes the database and starts the server.
func (t *tinode) serve(ctx context.Context) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	address := net.JoinHostPort("127.0.0.1", port)
	settings, err := tinodeConfig(address, t.database.port)
	if err != nil {
		return err
	}
	config := filepath.Join(t.dir, "tinode.json")
	if err := os.WriteFile(config, settings, 0o600); err != nil {
		return err
	}
	if err := runProgram(ctx, t.dir, filepath.Join(t.dir, "tinode-db"), "-config", config); err != nil {
		return err
	}
	process, err := startPeer(
		ctx, t.dir, address, filepath.Join(t.dir, "server"), "-config", config, "-static_data", t.dir,
	)
	if err == nil {
		t.peerProcess = process
	}
	return err
}

// connect makes the room and subscribes the clients to it, without which they could not post.
func (t *tinode) connect(ctx context.Context) error {
	t.topic = tinodeNew
	for range peerClients {
		c, err := t.client(ctx, nil)
		if err != nil {
			return err
		}
		t.clients = append(t.clients, c)
	}
	return nil
}

// client connects a new account that is subscribed to the room. The first one makes the room.
func (t *tinode) client(ctx context.Context, got func([]byte)) (*tinodeClient, error) {
	t.accounts++
	name := fmt.Sprintf("account%d", t.accounts)
	conn, _, err := websocket.Dial(ctx, "ws://"+t.address+"/v0/channels?apikey="+tinodeApp, nil) //nolint:bodyclose // Dial documents that the body need not be closed
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(tinodeMaxFrame)
	c := &tinodeClient{replies: replies[tinodeReply]{name: name}, conn: conn, heard: got}
	go c.read(context.WithoutCancel(ctx))
	room := map[string]any{"topic": t.topic}
	if t.topic == tinodeNew {
		room["set"] = map[string]any{"desc": map[string]any{"defacs": map[string]any{"auth": "JRWPS", "anon": "N"}}}
	}
	secret := base64.StdEncoding.EncodeToString([]byte(name + ":secret"))
	for _, request := range []struct {
		kind string
		body map[string]any
	}{
		{"hi", map[string]any{"ver": "0.25"}},
		{"acc", map[string]any{"user": "new" + name, "scheme": "basic", "secret": secret, "login": true}},
		{"sub", room},
	} {
		reply, err := c.request(ctx, request.kind, request.body)
		if err != nil {
			return nil, err
		}
		if request.kind == "sub" {
			t.topic = reply.Topic
		}
	}
	return c, nil
}

func (t *tinode) send(ctx context.Context, client int, text string) error {
	_, err := t.clients[client].request(ctx, "pub", map[string]any{"topic": t.topic, "noecho": true, "content": text})
	return err
}

func (t *tinode) newest(ctx context.Context, client int) (int, error) {
	n, _, _, err := t.clients[client].messages(ctx, t.topic, map[string]any{"limit": pageMessages})
	return n, err
}

func (t *tinode) behind(ctx context.Context, n int) (string, error) {
	_, _, last, err := t.clients[0].messages(ctx, t.topic, map[string]any{"limit": 1})
	return strconv.Itoa(last - n), err
}

func (t *tinode) since(ctx context.Context, position string, n int) error {
	from, err := strconv.Atoi(position)
	if err != nil {
		return err
	}
	for seen := 0; seen < n; {
		begin := from + 1 + seen
		got, _, _, err := t.clients[0].messages(
			ctx, t.topic, map[string]any{"since": begin, "before": begin + chat.MaxLimit, "limit": chat.MaxLimit},
		)
		if err != nil {
			return err
		}
		if got == 0 {
			return fmt.Errorf("%d of %d messages", seen, n)
		}
		seen += got
	}
	return nil
}

func (t *tinode) backwards(ctx context.Context) (seen int, err error) {
	page := map[string]any{"limit": chat.MaxLimit}
	for {
		n, lowest, _, err := t.clients[0].messages(ctx, t.topic, page)
		if err != nil {
			return 0, err
		}
		if seen += n; n == 0 || lowest <= 1 {
			return seen, nil
		}
		page["before"] = lowest
	}
}

func (t *tinode) listen(ctx context.Context, got func([]byte)) (func(), error) {
	c, err := t.client(ctx, got)
	if err != nil {
		return nil, err
	}
	return func() { _ = c.conn.CloseNow() }, nil
}

// stop ends both servers. Either may not have started.
func (t *tinode) stop() {
	if t.peerProcess != nil {
		t.peerProcess.stop()
	}
	if t.database != nil {
		t.database.stop()
	}
}
