package live

import "context"

// Poster sends frames to connections. It is safe for concurrent use.
type Poster interface {
	// Post sends a frame. The error is ErrGone if the connection has ended. It wraps ErrBusy if
	// the frame was refused, or if there was no answer in time; the frame may then have arrived.
	Post(ctx context.Context, to ConnectionID, frame []byte) error
	// Close ends a connection. The errors are as for Post.
	Close(ctx context.Context, id ConnectionID) error
}
