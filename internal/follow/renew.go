package follow

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
)

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
