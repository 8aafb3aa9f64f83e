package measure

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"

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

// prosodyClient is a connection of one person, who is in the room.
type prosodyClient struct {
	replies[stanza]
	conn    net.Conn
	stream  *xml.Decoder
	heard   func(message []byte) // not nil for a listener
	results atomic.Int64         // of the archive, since the last request for some
}

// stanza is an element of XMPP's stream.
type stanza struct {
	XMLName xml.Name
	ID      string `xml:"id,attr"`
	Type    string `xml:"type,attr"`
	Inner   string `xml:",innerxml"`
}

// dialProsody connects, logs in as somebody new, and joins the room.
func dialProsody(ctx context.Context, address, name string, heard func([]byte)) (*prosodyClient, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	c := &prosodyClient{replies: replies[stanza]{name: name}, conn: conn, heard: heard}
	if err := c.logIn(); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	go c.read()
	for _, request := range []string{
		"<iq type='set' id='%s'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>",
		"<presence id='%s' to='" + prosodyRoom + "/" + name + "'><x xmlns='http://jabber.org/protocol/muc'><history " +
			"maxstanzas='0'/></x></presence>",
	} {
		if _, err := c.request(ctx, request); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
	}
	return c, nil
}

// logIn opens the stream, logs in, and opens it again, as XMPP wants it.
func (c *prosodyClient) logIn() error {
	if err := c.open(); err != nil {
		return err
	}
	if _, err := c.conn.Write([]byte("<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' " +
		"mechanism='ANONYMOUS'/>")); err != nil {
		return err
	}
	if s, err := c.next(); err != nil || s.XMLName.Local != "success" {
		return errors.Join(err, fmt.Errorf("no login: %s", s.Inner))
	}
	return c.open()
}

// open opens a stream, and reads its start and its features.
func (c *prosodyClient) open() error {
	if _, err := c.conn.Write([]byte("<?xml version='1.0'?><stream:stream to='localhost' xmlns='jabber:client' " +
		"xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>")); err != nil {
		return err
	}
	c.stream = xml.NewDecoder(c.conn)
	for {
		token, err := c.stream.Token()
		if err != nil {
			return err
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "stream" {
			_, err := c.next()
			return err
		}
	}
}

// next reads the next element.
func (c *prosodyClient) next() (s stanza, err error) {
	for {
		token, err := c.stream.Token()
		if err != nil {
			return s, err
		}
		if start, ok := token.(xml.StartElement); ok {
			return s, c.stream.DecodeElement(&s, &start)
		}
	}
}

// read handles elements until the connection ends.
func (c *prosodyClient) read() {
	for {
		s, err := c.next()
		if err != nil {
			return
		}
		switch {
		case s.XMLName.Local == "message" && c.heard != nil:
			c.heard([]byte(s.Inner))
		case s.XMLName.Local == "message" && strings.Contains(s.Inner, "<result"):
			c.results.Add(1)
		default:
			c.got(s.ID, s)
		}
	}
}

// request sends an element, whose id is to be filled in, and waits for its reply. The reply to a
// message is the message as the room sends it to all.
func (c *prosodyClient) request(ctx context.Context, format string) (stanza, error) {
	reply, err := c.ask(ctx, func(id string) error {
		_, err := fmt.Fprintf(c.conn, format, id)
		return err
	})
	if err == nil && reply.Type == "error" {
		err = errors.New(reply.Inner)
	}
	return reply, err
}

// prosodyPage has the ids of the first and the last message of a page.
type prosodyPage struct{ first, last string }

var prosodyFirst, prosodyLast = regexp.MustCompile(`<first[^>]*>([^<]*)</first>`),
	regexp.MustCompile(`<last[^>]*>([^<]*)</last>`)

// messages reads a page of the archive, and returns the number of messages that came before the
// reply.
func (c *prosodyClient) messages(ctx context.Context, page string) (n int, at prosodyPage, err error) {
	c.results.Store(0)
	reply, err := c.request(
		ctx,
		"<iq type='set' id='%s' to='"+prosodyRoom+"'><query xmlns='urn:xmpp:mam:2'><set "+
			"xmlns='http://jabber.org/protocol/rsm'>"+page+"</set></query></iq>",
	)
	if m := prosodyFirst.FindStringSubmatch(reply.Inner); m != nil {
		at.first = m[1]
	}
	if m := prosodyLast.FindStringSubmatch(reply.Inner); m != nil {
		at.last = m[1]
	}
	return int(c.results.Load()), at, err
}
