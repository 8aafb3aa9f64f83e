package live

import (
	"context"
	"time"
)

// Poster sends frames to connections. It is safe for concurrent use.
type Poster interface {
	// Post sends a frame. The error is ErrGone if the connection has ended. It wraps ErrRefused if
	// the frame was refused, and ErrBusy if there was no answer in time; the frame may then have
	// arrived.
	Post(ctx context.Context, to ConnectionID, frame []byte) error
	// Close ends a connection. The errors are as for Post.
	Close(ctx context.Context, id ConnectionID) error
}

// Pacing is how a poster has kept within the account's rate of requests since it was created.
type Pacing struct {
	Waited time.Duration // how long all requests in total have waited for their turn
	// Throttled is how often the poster has lowered its pace, because the service refused the
	// requests to many connections.
	Throttled int
}
