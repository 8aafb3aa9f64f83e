package live

import "context"

// Poster sends frames to connections. It is safe for concurrent use.
type Poster interface {
	// Post sends a frame. The error is ErrGone if the connection has ended. It wraps ErrBusy if the
	// frame was refused, or not answered in time and may have arrived.
	Post(ctx context.Context, to ConnectionID, frame []byte) error
	// Close ends a connection. The errors are those of Post.
	Close(ctx context.Context, id ConnectionID) error
}
