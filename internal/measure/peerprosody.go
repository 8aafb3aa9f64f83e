package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"

	"example.com/parley/internal/chat"
)

const (
	prosodyRoom = "room@rooms.localhost"
	// prosodyConfig has the folder and the port as parameters. It keeps the archive of the room in
	// SQLite, which flushes each message.
	prosodyConfig = `
run_as_root = true
pidfile = "%[1]s/pid"
data_path = "%[1]s/data"
interfaces = { "127.0.0.1" }
c2s_ports = { %[2]s }
s2s_ports = {}
modules_enabled = { "saslauth" }
modules_disabled = { "s2s", "tls" }
c2s_require_encryption = false
authentication = "anonymous"
storage = { default = "internal"; muc_log = "sql" }
sql = { driver = "SQLite3", database = "%[1]s/prosody.sqlite" }
sqlite_tune = "safe"
limits = {}
log = { warn = "*console" }
max_archive_query_results = 250
VirtualHost "localhost"
Component "rooms.localhost" "muc"
  modules_enabled = { "muc_mam" }
  muc_log_by_default = true
  restrict_room_creation = false
  muc_room_locking = false
  max_history_messages = 0
`
)

// prosody is a Prosody, whose room is a multi-user chat with an archive.
type prosody struct {
	*peerProcess
	clients []*prosodyClient
	people  int
}

func startProsody(ctx context.Context, program string) (_ *prosody, err error) {
	if _, err := exec.LookPath(program); err != nil {
		return nil, fmt.Errorf("%q is not installed: install Debian's prosody and lua-dbi-sqlite3", program)
	}
	dir, err := os.MkdirTemp("", "parley-prosody-")
	if err != nil {
		return nil, err
	}
	p := &prosody{peerProcess: &peerProcess{dir: dir}}
	defer func() {
		if err != nil {
			p.stop()
		}
	}()
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	config := filepath.Join(dir, "prosody.cfg.lua")
	if err := os.WriteFile(config, fmt.Appendf(nil, prosodyConfig, dir, port), 0o600); err != nil {
		return nil, err
	}
	process, err := startPeer(ctx, dir, net.JoinHostPort("127.0.0.1", port), program, "--config", config, "-F")
	if err != nil {
		return nil, err
	}
	p.peerProcess = process
	for range peerClients {
		c, err := p.client(ctx, nil)
		if err != nil {
			return nil, err
		}
		p.clients = append(p.clients, c)
	}
	// Without lua-dbi-sqlite3, the server starts but has no archive.
	if err := p.send(ctx, 0, "hello"); err != nil {
		return nil, err
	}
	if n, _, err := p.clients[0].messages(ctx, "<max>1</max>"); err != nil || n != 1 {
		return nil, errors.Join(errors.New("there is no archive: install Debian's lua-dbi-sqlite3"), err)
	}
	return p, nil
}

func (p *prosody) send(ctx context.Context, client int, text string) error {
	_, err := p.clients[client].request(
		ctx, "<message id='%s' type='groupchat' to='"+prosodyRoom+"'><body>"+text+"</body></message>",
	)
	return err
}

func (p *prosody) newest(ctx context.Context, client int) (int, error) {
	n, _, err := p.clients[client].messages(ctx, fmt.Sprintf("<max>%d</max><before/>", pageMessages))
	return n, err
}

// behind pages back to the message before the last n.
func (p *prosody) behind(ctx context.Context, n int) (string, error) {
	_, first, err := p.back(ctx, n+1)
	return first, err
}

func (p *prosody) since(ctx context.Context, position string, n int) error {
	for seen := 0; seen < n; {
		got, page, err := p.clients[0].messages(
			ctx, fmt.Sprintf("<max>%d</max><after>%s</after>", chat.MaxLimit, position),
		)
		if err != nil {
			return err
		}
		if got == 0 {
			return fmt.Errorf("%d of %d messages", seen, n)
		}
		seen, position = seen+got, page.last
	}
	return nil
}

func (p *prosody) backwards(ctx context.Context) (int, error) {
	n, _, err := p.back(ctx, math.MaxInt)
	return n, err
}

// back reads the last messages, n at most, and returns their number and the first one's id.
func (p *prosody) back(ctx context.Context, n int) (seen int, first string, err error) {
	for seen < n {
		got, page, err := p.clients[0].messages(
			ctx, fmt.Sprintf("<max>%d</max><before>%s</before>", min(n-seen, chat.MaxLimit), first),
		)
		if err != nil || got == 0 {
			return seen, first, err
		}
		seen, first = seen+got, page.first
	}
	return seen, first, nil
}

func (p *prosody) listen(ctx context.Context, got func([]byte)) (func(), error) {
	c, err := p.client(ctx, got)
	if err != nil {
		return nil, err
	}
	return func() { _ = c.conn.Close() }, nil
}

// client connects a new person and joins the room. The first one makes it.
func (p *prosody) client(ctx context.Context, heard func([]byte)) (*prosodyClient, error) {
	p.people++
	return dialProsody(ctx, p.address, fmt.Sprintf("person%d", p.people), heard)
}
