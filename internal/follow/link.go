package follow

import (
	"context"
	"encoding/json"
	"strconv"
	"time"
)

const (
	// ackTime is how long the response to a request may take. API Gateway gives up after 29 s.
	ackTime = 30 * time.Second
	// syncEvery is below the 10 minutes after which an idle connection is closed.
	syncEvery = 8 * time.Minute
	// longestLife is how long API Gateway keeps a connection.
	longestLife = 2 * time.Hour
	// renewFrom and renewSpread choose when a connection is renewed: at 85 to 95 % of its token's
	// lifetime, so that a deployment's clients do not return together.
	renewFrom, renewSpread = 0.85, 0.10
	// oldAge is the age from which a connection is replaced instead of renewed: about 95 % of the
	// longest lifetime.
	oldAge = longestLife * 925 / 1000
	// steadyTime is how long a connection must last for earlier failures to be forgotten.
	steadyTime = 30 * time.Second
	// askAgain is the pause before a failed subscription is retried.
	askAgain = 20 * time.Second
	// maxRooms is how many rooms one connection may follow. Others are polled.
	maxRooms = 100
	// unwelcome is the number of failures that causes the longest pause.
	unwelcome = 7
)

// link is the state of the connection.
type link struct {
	conn     Socket // nil if there is none
	dialing  bool
	polling  bool // the last attempts to connect failed
	failures int  // of connections, in a row
	dialAt   time.Time
	begun    time.Time // of the connection
	helloed  time.Time // zero until the server has acknowledged the hello
	syncAt   time.Time
	renewAt  time.Time
	token    string               // the last token
	renewal  string               // the id of the last request to renew the connection
	requests int                  // the number of requests sent, for their ids
	waiting  map[string]time.Time // the deadline of each request's response, by its id
	hello    string               // the id of the hello
	closing  string               // the reason that the server gave
}

// deadlines calls earlier with every time at which there is something to do.
func (l *link) deadlines(dials bool, earlier func(time.Time)) {
	if l.conn == nil {
		if dials && !l.dialing {
			earlier(l.dialAt)
		}
		return
	}
	earlier(l.syncAt)
	earlier(l.renewAt)
	for _, until := range l.waiting {
		earlier(until)
	}
}

// tend does everything that is due for the connection.
func (f *follower) tend(ctx context.Context) error {
	l, now := &f.link, f.Clock()
	if l.conn == nil {
		return f.connect(ctx, now)
	}
	for _, until := range l.waiting {
		if !now.Before(until) {
			return f.disconnected(true)
		}
	}
	if !now.Before(l.renewAt) {
		return f.renew(ctx, now)
	}
	if !now.Before(l.syncAt) {
		l.syncAt = now.Add(syncEvery)
		return f.send(ctx, request{Type: typeSync})
	}
	return nil
}

// connect dials when it is time, or begins to poll.
func (f *follower) connect(ctx context.Context, now time.Time) error {
	l := &f.link
	if f.Socket == "" {
		return f.poll()
	}
	if l.dialing || now.Before(l.dialAt) {
		return nil
	}
	l.dialing = true
	f.work.Go(func() {
		token, err := f.Client.Token(ctx)
		var conn Socket
		if err == nil {
			conn, err = f.Dial(ctx, f.Socket, token)
		}
		posted := f.post(ctx, func(ctx context.Context) error { return f.dialed(ctx, conn, token, err) })
		if !posted && conn != nil {
			conn.Close()
		}
	})
	return nil
}

// dialed handles the outcome of an attempt to connect.
func (f *follower) dialed(ctx context.Context, conn Socket, token string, err error) error {
	l := &f.link
	l.dialing = false
	if err == nil {
		return f.connected(ctx, conn, token)
	}
	l.failures++
	l.dialAt = f.Clock().Add(Backoff(l.failures, f.Random()))
	return f.poll()
}

// poll starts polling all rooms.
func (f *follower) poll() error {
	if f.link.polling {
		return nil
	}
	f.link.polling = true
	for _, r := range f.rooms {
		r.fetchBy(f.Clock())
	}
	return f.report(Polling)
}

// connected begins a connection with a hello for all rooms.
func (f *follower) connected(ctx context.Context, conn Socket, token string) error {
	l, now := &f.link, f.Clock()
	l.conn, l.begun, l.helloed, l.closing = conn, now, time.Time{}, ""
	l.renewal = ""
	l.waiting = map[string]time.Time{}
	l.syncAt = now.Add(syncEvery)
	f.renewLater(token)
	f.work.Go(func() { f.read(ctx, conn) })
	hello := request{Type: typeHello}
	for _, id := range f.order[:min(len(f.order), maxRooms)] {
		hello.Rooms = append(hello.Rooms, wantedRoom{ID: id, Since: f.rooms[id].since, Mode: "full"})
	}
	l.hello = strconv.Itoa(l.requests + 1)
	return f.send(ctx, hello)
}

// read posts each message of a connection to the follower, until the connection is closed. The end
// of ctx does not interrupt a read, so that the connection closes cleanly.
func (f *follower) read(ctx context.Context, conn Socket) {
	for {
		text, err := conn.Read(context.WithoutCancel(ctx))
		posted := f.post(ctx, func(context.Context) error {
			if f.link.conn != conn {
				return nil // another connection has replaced it
			}
			if err != nil {
				return f.disconnected(true)
			}
			return f.received(text)
		})
		if err != nil || !posted {
			return
		}
	}
}

// send sends a request and expects a response.
func (f *follower) send(ctx context.Context, r request) error {
	l := &f.link
	l.requests++
	r.ID = lastID(l)
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	l.waiting[r.ID] = f.Clock().Add(ackTime)
	if err := l.conn.Write(ctx, text); err != nil {
		return f.disconnected(true)
	}
	return nil
}

// lastID returns the id of the last request.
func lastID(l *link) string { return strconv.Itoa(l.requests) }

// disconnected ends a connection and decides when the next one begins: immediately if this one was
// renewed in time, otherwise after a pause.
func (f *follower) disconnected(failed bool) error {
	f.hangUp()
	l, now := &f.link, f.Clock()
	if now.Sub(l.begun) >= steadyTime {
		l.failures = 0
	} else {
		failed = true
	}
	l.dialAt = now
	if failed {
		l.failures++
		if l.closing == "too-many-connections" {
			l.failures = unwelcome
		}
		l.dialAt = now.Add(Backoff(l.failures, f.Random()))
	}
	for _, r := range f.rooms {
		r.live = false
	}
	if l.failures > 1 {
		return f.poll()
	}
	return nil
}

// hangUp closes the connection, if there is one.
func (f *follower) hangUp() {
	if conn := f.link.conn; conn != nil {
		f.link.conn = nil
		f.work.Go(conn.Close)
	}
}
