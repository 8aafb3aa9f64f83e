package measure

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"net"
	"regexp"
	"strings"
	"sync/atomic"
)

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
