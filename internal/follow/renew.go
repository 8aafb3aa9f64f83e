package follow

import (
	"context"
	"time"
)

// renew fetches a new token for the connection. A connection that is almost as old as it may be is
// replaced by another one.
func (f *follower) renew(ctx context.Context, now time.Time) error {
	l := &f.link
	if now.Sub(l.begun) >= oldAge {
		return f.disconnected(false)
	}
	l.renewAt = now.Add(ackTime)
	conn := l.conn
	f.work.Go(func() {
		token, err := f.Client.Token(ctx)
		f.post(ctx, func(ctx context.Context) error {
			if f.link.conn != conn {
				return nil // another connection has taken its place
			}
			return f.renewWith(ctx, token, err)
		})
	})
	return nil
}

// renewWith sends a new token. The connection is replaced if there is none, which another attempt
// to connect finds out.
func (f *follower) renewWith(ctx context.Context, token string, err error) error {
	l := &f.link
	if err != nil || token == l.token {
		return f.disconnected(false)
	}
	l.token = token
	l.syncAt = f.Clock().Add(syncEvery) // the answer is as that of a sync
	err = f.send(ctx, request{Type: typeRenew, Token: token})
	if l.conn != nil {
		l.renewal = lastID(l)
	}
	return err
}

// renewLater sets the time of the next renewal of a connection with a token.
func (f *follower) renewLater(token string) {
	l, now, random := &f.link, f.Clock(), f.Random()
	l.token = token
	share := renewFrom + renewSpread*random
	life := time.Duration(float64(tokenLife(token, now)) * share)
	left := time.Duration(float64(longestLife)*(1+share)/2) - now.Sub(l.begun)
	l.renewAt = now.Add(min(life, left))
}
