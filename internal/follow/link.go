package follow

import (
	"context"
	"time"
)

const (
	// ackTime is how long the response to a request may take before the connection is given up. One
	// of a Lambda function that starts takes some seconds.
	ackTime = 10 * time.Second
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
	// maxRooms is how many rooms one connection may follow: those that changed last. The heads of
	// others are compared, or they are polled.
	maxRooms = 100
	// unwelcome is the number of failures that causes the longest pause.
	unwelcome = 7
)

// link is the state of the connection.
type link struct {
	conn     *connection // nil if there is none
	next     *connection // replaces conn once the server has acknowledged its hello
	dialing  bool
	polling  bool // the last attempts to connect failed
	failures int  // of connections, in a row
	dialAt   time.Time
	helloed  bool // the server has acknowledged the hello of conn
	syncAt   time.Time
	heardAt  time.Time // of the last frame
	renewAt  time.Time
	requests int // the number of requests sent, for their ids
}

// deadlines calls earlier with every time at which there is something to do.
func (l *link) deadlines(f *follower, earlier func(time.Time)) {
	if l.conn == nil {
		if f.Socket != "" && !l.dialing {
			earlier(l.dialAt)
		}
		return
	}
	earlier(l.syncAt)
	earlier(l.renewAt)
	earlier(f.roomSyncAt())
	earlier(f.subscribeAt())
	switch since := l.conn.waitsSince(); {
	case l.next != nil:
		earlier(l.next.waitsSince().Add(ackTime))
	case since.IsZero():
	case l.dialing:
		earlier(since.Add(ackTime))
	default:
		earlier(since.Add(answerTime))
	}
}

// tend does everything that is due for the connection.
func (f *follower) tend(ctx context.Context) error {
	l, now := &f.link, f.Clock()
	if l.conn == nil {
		return f.connect(ctx, now)
	}
	switch {
	case l.next != nil && l.next.late(now, ackTime):
		return f.lost(l.next)
	case l.conn.late(now, ackTime) && l.next == nil:
		return f.disconnected(true)
	case l.conn.late(now, answerTime) && l.next == nil && !l.dialing:
		f.dial(ctx)
		return nil
	case !now.Before(l.renewAt):
		return f.renew(ctx, now)
	case !now.Before(l.syncAt):
		l.syncAt = now.Add(syncEvery)
		_, err := f.send(ctx, l.conn, request{Type: typeSync})
		return err
	}
	if at := f.roomSyncAt(); !at.IsZero() && !now.Before(at) {
		return f.syncRooms(ctx)
	}
	return f.subscribe(ctx)
}

// connect dials when it is time, or begins to poll.
func (f *follower) connect(ctx context.Context, now time.Time) error {
	l := &f.link
	if f.Socket == "" {
		return f.poll()
	}
	if !l.dialing && !now.Before(l.dialAt) {
		f.dial(ctx)
	}
	return nil
}

// dial opens a connection in the background.
func (f *follower) dial(ctx context.Context) {
	begun := f.Clock()
	f.link.dialing = true
	f.work.Go(func() {
		token, err := f.Client.Token(ctx)
		var socket Socket
		if err == nil {
			socket, err = f.Dial(ctx, f.Socket, token)
		}
		c := &connection{
			Socket: socket, begun: begun, token: token, waiting: map[string]time.Time{}, named: map[string]naming{},
		}
		posted := f.post(ctx, func(ctx context.Context) error { return f.dialed(ctx, c, err) })
		if !posted && err == nil {
			socket.Close()
		}
	})
}

// dialed handles the outcome of an attempt to connect.
func (f *follower) dialed(ctx context.Context, c *connection, err error) error {
	l := &f.link
	l.dialing = false
	switch {
	case err == nil && l.conn != nil && !l.conn.late(f.Clock(), answerTime): // it has answered
		f.work.Go(c.Close)
		return nil
	case err == nil:
		return f.connected(ctx, c)
	case l.conn != nil:
		return f.disconnected(true)
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
	f.compareAt = f.Clock()
	for _, r := range f.rooms {
		if !r.compared() {
			r.fetchBy(f.Clock())
		}
	}
	return f.report(Polling)
}

// connected begins a connection with a hello for the first rooms.
func (f *follower) connected(ctx context.Context, c *connection) error {
	l := &f.link
	if l.conn == nil {
		l.conn, l.helloed = c, false
		f.begin()
	} else {
		l.next = c
	}
	f.work.Go(func() { f.read(ctx, c) })
	hello := request{Type: typeHello, Rooms: []wantedRoom{}}
	for _, id := range f.firstRooms() {
		f.rooms[id].askAt = time.Time{}
		hello.Rooms = append(hello.Rooms, f.wanted(id))
	}
	id, err := f.send(ctx, c, hello)
	c.hello = id
	return err
}

// begin sets the times of the current connection.
func (f *follower) begin() {
	l, now := &f.link, f.Clock()
	l.syncAt, l.heardAt = now.Add(syncEvery), now
	f.renewLater()
}

// replace lets the next connection take the place of one that does not answer.
func (f *follower) replace() {
	l := &f.link
	f.work.Go(l.conn.Close)
	l.conn, l.next = l.next, nil
	f.begin()
}

// abandon closes the next connection, because the current one has answered, or the next one fails.
func (f *follower) abandon() {
	f.work.Go(f.link.next.Close)
	f.link.next = nil
}

// disconnected ends a connection and decides when the next one begins: immediately if this one was
// renewed in time, otherwise after a pause. A next connection that was already begun stays.
func (f *follower) disconnected(failed bool) error {
	l, now := &f.link, f.Clock()
	last := l.conn
	f.work.Go(last.Close)
	l.conn, l.next, l.helloed = l.next, nil, false
	for _, r := range f.rooms {
		r.live = false
	}
	if l.conn != nil {
		f.begin()
		return nil
	}
	if now.Sub(last.begun) >= steadyTime {
		l.failures = 0
	} else {
		failed = true
	}
	l.dialAt = now
	if failed {
		l.failures++
		if last.closing == "too-many-connections" {
			l.failures = unwelcome
		}
		l.dialAt = now.Add(Backoff(l.failures, f.Random()))
	}
	if l.failures > 1 {
		return f.poll()
	}
	return nil
}

const (
	// FirstPause is the longest pause after the first failure.
	FirstPause = 500 * time.Millisecond
	// LongestPause bounds every pause, so that a client is back soon after a long outage.
	LongestPause = 20 * time.Second
)

// Backoff returns a random pause below a bound that doubles with each failure in a row. The whole
// range is random, so that the clients of a failed server do not return together. The random number
// is in [0, 1).
func Backoff(failures int, random float64) time.Duration {
	bound := LongestPause
	if failures < 7 { // 0.5 s doubled six times exceeds the longest pause
		bound = min(bound, FirstPause<<max(failures-1, 0))
	}
	return time.Duration(random * float64(bound))
}

// Sleep waits, or returns the context's error if the context ends first.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

const (
	// wakeEvery is how often the follower compares its clock with the time that it has waited.
	wakeEvery = 5 * time.Second
	// sleptTime is how much later than planned the follower runs after its machine has slept.
	sleptTime = 3 * time.Second
	// maxNamed is the most rooms that a sync may name. As many with their positions fit in the 4 KB
	// of every request.
	maxNamed = 20
)

// roomSyncAt returns when a sync of the rooms is due, or zero.
func (f *follower) roomSyncAt() time.Time {
	if l := &f.link; f.Quiet > 0 && l.conn != nil && l.helloed && len(l.conn.waiting) == 0 {
		return l.heardAt.Add(f.Quiet)
	}
	return time.Time{}
}

// syncRooms asks for the positions of the rooms, after a time without a frame.
func (f *follower) syncRooms(ctx context.Context) error {
	l := &f.link
	sync := request{Type: typeSync}
	for _, id := range f.order[:min(len(f.order), maxNamed)] {
		sync.Rooms = append(sync.Rooms, wantedRoom{ID: id, Since: f.rooms[id].since})
	}
	l.heardAt = f.Clock()
	_, err := f.send(ctx, l.conn, sync)
	return err
}

// woke handles that the machine has slept: whatever was under way may never end.
func (f *follower) woke(ctx context.Context) error {
	l := &f.link
	f.interrupt(f.Clock())
	if l.conn == nil {
		l.failures, l.dialAt = 0, f.Clock()
		return nil
	}
	_, err := f.send(ctx, l.conn, request{Type: typeSync})
	return err
}

// interrupt aborts requests that began before a time, and repeats them.
func (f *follower) interrupt(before time.Time) {
	for _, r := range f.rooms {
		if r.fetching && r.fetchBegun.Before(before) {
			r.abort()
		}
	}
}

// slept reports whether a pause from a time took much longer than planned, by the wall clock,
// which advances while the machine sleeps.
func slept(from, to time.Time, planned time.Duration) bool {
	return to.Round(0).Sub(from.Round(0))-planned > sleptTime
}
