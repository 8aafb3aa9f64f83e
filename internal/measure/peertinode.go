package measure

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"

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

const (
	// tinodeApp identifies a demo app, signed with tinodeSalt. Tinode publishes both.
	tinodeSalt = "T713/rYYgW7g4m3vG6zGRh7+FM1t0T8j13koXScOAj4="
	tinodeApp  = "AQEAAAABAAD_rAp4DJh05a1HAwFT3A6K"
	// tinodeNew asks for a new room.
	tinodeNew = "newroom"
	// tinodeMaxFrame is larger than each of its frames.
	tinodeMaxFrame = 1 << 24
	// tinodeSubscribers is more than the room ever has.
	tinodeSubscribers = 30_000
)

// tinodeConfig returns the settings of Tinode's server and of tinode-db.
func tinodeConfig(address, databasePort string) ([]byte, error) {
	type object = map[string]any
	return json.Marshal(object{
		"listen": address, "api_path": "/", "static_mount": "/", "grpc_listen": "", "expvar": "-",
		"api_key_salt": tinodeSalt, "ws_compression_disabled": true, "default_country_code": "US",
		"max_message_size": 131072, "max_tag_count": 16, "max_subscriber_count": tinodeSubscribers,
		"push": []string{}, "plugins": []string{}, "acc_validation": object{},
		"acc_gc_config": object{"enabled": false},
		"webrtc":        object{"enabled": false}, "cluster_config": object{"self": ""},
		"tls": object{"enabled": false},
		"auth_config": object{
			"logical_names": []string{},
			"basic":         object{"min_login_length": 2, "min_password_length": 3},
			"token":         object{"expire_in": 1209600, "serial_num": 1, "key": make([]byte, 32)},
			"code":          object{"expire_in": 900, "max_retries": 3, "code_length": 6},
		},
		"store_config": object{
			"uid_key": make([]byte, 16), "max_results": 1024, "use_adapter": "postgres",
			"adapters": object{"postgres": object{
				"User": postgresUser, "Passwd": postgresUser, "Host": "127.0.0.1", "Port": databasePort,
				"DBName": "tinode", "SSLMode": "disable", "max_open_conns": 50, "max_idle_conns": 50,
				"conn_max_lifetime": 60, "sql_timeout": 10,
			}},
		},
	})
}

// tinodeClient is a connection of one account.
type tinodeClient struct {
	replies[tinodeReply]
	conn  *websocket.Conn
	heard func(frame []byte) // not nil for a listener

	page            sync.Mutex
	count           int // of the messages that arrived since the last request for some
	lowest, highest int // of their numbers
}

// tinodeReply is the ctrl of a reply.
type tinodeReply struct {
	ID    string
	Code  int
	Text  string
	Topic string
}

// read handles frames until the connection ends.
func (c *tinodeClient) read(ctx context.Context) {
	for {
		_, frame, err := c.conn.Read(ctx)
		if err != nil {
			return
		}
		var in struct {
			Ctrl *tinodeReply
			Data *struct{ Seq int }
		}
		switch err := json.Unmarshal(frame, &in); {
		case err != nil:
			return // the request then has no reply
		case in.Ctrl != nil:
			c.got(in.Ctrl.ID, *in.Ctrl)
		case in.Data != nil && c.heard != nil:
			c.heard(frame)
		case in.Data != nil:
			c.page.Lock()
			c.count++
			c.lowest, c.highest = min(c.lowest, in.Data.Seq), max(c.highest, in.Data.Seq)
			c.page.Unlock()
		}
	}
}

// request sends a request of a kind and waits for its reply.
func (c *tinodeClient) request(ctx context.Context, kind string, body map[string]any) (tinodeReply, error) {
	reply, err := c.ask(ctx, func(id string) error {
		body["id"] = id
		text, err := json.Marshal(map[string]any{kind: body})
		if err != nil {
			return err
		}
		return c.conn.Write(ctx, websocket.MessageText, text)
	})
	if err == nil && reply.Code >= 300 {
		err = fmt.Errorf("%s: %d %s", kind, reply.Code, reply.Text)
	}
	return reply, err
}

// messages reads a page, and returns how many messages arrived before the reply, and their lowest
// and highest number.
func (c *tinodeClient) messages(
	ctx context.Context, topic string, page map[string]any,
) (n, lowest, highest int, err error) {
	c.page.Lock()
	c.count, c.lowest, c.highest = 0, math.MaxInt, 0
	c.page.Unlock()
	_, err = c.request(ctx, "get", map[string]any{"topic": topic, "what": "data", "data": page})
	c.page.Lock()
	defer c.page.Unlock()
	return c.count, c.lowest, c.highest, err
}
