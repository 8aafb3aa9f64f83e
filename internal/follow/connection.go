package follow

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// answerTime is how long a response usually takes at most. After it the connection may be dead, and
// the follower opens another one.
const answerTime = 2 * time.Second

// connection is one socket, and the requests on it that have no response yet.
type connection struct {
	Socket
	begun   time.Time
	token   string               // the last token
	hello   string               // the id of the hello
	renewal string               // the id of the last request to renew the connection
	waiting map[string]time.Time // when each request was sent, by its id
	named   map[string]naming    // the requests in waiting that name rooms
	surplus []string             // rooms to unsubscribe from
	leaveAt time.Time            // the earliest time for that
	closing string               // the reason that the server gave
}

// waitsSince returns when the oldest request without a response was sent, or zero.
func (c *connection) waitsSince() (oldest time.Time) {
	for _, at := range c.waiting {
		if oldest.IsZero() || at.Before(oldest) {
			oldest = at
		}
	}
	return oldest
}

// late reports whether a response takes longer than a limit.
func (c *connection) late(now time.Time, limit time.Duration) bool {
	oldest := c.waitsSince()
	return !oldest.IsZero() && now.Sub(oldest) >= limit
}

// read posts each message of a connection to the follower, until the connection is closed. The end
// of ctx does not interrupt a read, so that the connection closes cleanly.
func (f *follower) read(ctx context.Context, c *connection) {
	for {
		text, err := c.Read(context.WithoutCancel(ctx))
		posted := f.post(ctx, func(context.Context) error {
			if c != f.link.conn && c != f.link.next {
				return nil // another connection has replaced it
			}
			if err != nil {
				return f.lost(c)
			}
			return f.received(c, text)
		})
		if err != nil || !posted {
			return
		}
	}
}

// send sends a request on a connection, and returns the request's id. A connection that cannot be
// written to ends.
func (f *follower) send(ctx context.Context, c *connection, r request) (string, error) {
	f.link.requests++
	r.ID = strconv.Itoa(f.link.requests)
	text, err := json.Marshal(r)
	if err != nil {
		return "", err
	}
	c.waiting[r.ID] = f.Clock()
	if err := c.Write(ctx, text); err != nil {
		return "", f.lost(c)
	}
	return r.ID, nil
}

// lost handles that a connection has failed. If it is the next one, the current one does not answer
// either.
func (f *follower) lost(c *connection) error {
	if c == f.link.next {
		f.abandon()
	}
	return f.disconnected(true)
}

// hangUp closes both connections.
func (f *follower) hangUp() {
	for _, c := range []*connection{f.link.conn, f.link.next} {
		if c != nil {
			f.work.Go(c.Close)
		}
	}
	f.link.conn, f.link.next = nil, nil
}

// renew fetches a new token for the connection. A connection near its maximum age is replaced by a
// new one.
func (f *follower) renew(ctx context.Context, now time.Time) error {
	l := &f.link
	if now.Sub(l.conn.begun) >= oldAge {
		return f.disconnected(false)
	}
	l.renewAt = now.Add(ackTime)
	conn := l.conn
	f.work.Go(func() {
		token, err := f.Client.Token(ctx)
		f.post(ctx, func(ctx context.Context) error {
			if f.link.conn != conn {
				return nil // another connection has replaced it
			}
			return f.renewWith(ctx, token, err)
		})
	})
	return nil
}

// renewWith sends a new token. If there is none, the connection is replaced; the next attempt to
// connect reports why.
func (f *follower) renewWith(ctx context.Context, token string, err error) error {
	l := &f.link
	if err != nil || token == l.conn.token {
		return f.disconnected(false)
	}
	c := l.conn
	c.token = token
	l.syncAt = f.Clock().Add(syncEvery) // the response is the same as for a sync
	c.renewal, err = f.send(ctx, c, request{Type: typeRenew, Token: token})
	return err
}

// renewLater sets the time of the next renewal of the connection.
func (f *follower) renewLater() {
	l, now, random := &f.link, f.Clock(), f.Random()
	share := renewFrom + renewSpread*random
	life := time.Duration(float64(tokenLife(l.conn.token, now)) * share)
	left := time.Duration(float64(longestLife)*(1+share)/2) - now.Sub(l.conn.begun)
	l.renewAt = now.Add(min(life, left))
}

// tokenLife returns how long a connection with a token may last. The server verifies the token;
// here its expiry only determines the time of the renewal. A token without an expiry counts as
// valid for the whole connection.
func tokenLife(token string, now time.Time) time.Duration {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return longestLife
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return longestLife
	}
	var claims struct {
		Exp float64 `json:"exp"`
	}
	if json.Unmarshal(text, &claims) != nil || claims.Exp == 0 {
		return longestLife
	}
	life := time.Unix(int64(claims.Exp), 0).Sub(now)
	if life <= 0 || life > longestLife {
		return longestLife
	}
	return life
}
