package measure

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"sync"

	"github.com/coder/websocket"
)

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
