package live

import (
	"errors"
	"fmt"
)

// ErrGone reports that a connection has ended. Nothing more can be sent to it.
var ErrGone = errors.New("the connection has ended")

// ErrBusy reports that a frame was not sent, because the service refused it or did not answer in
// time.
var ErrBusy = errors.New("the frame was not sent in time")

// ErrRefused is the ErrBusy of a frame that the service refused, as API Gateway does with 429:
// either the client does not read what was sent before, or the account sends too many requests.
var ErrRefused = fmt.Errorf("%w: it was refused", ErrBusy)

// ErrPaced is the ErrBusy of a frame that was still waiting for its turn, so no request was made.
var ErrPaced = fmt.Errorf("%w: it waited for its turn", ErrBusy)

// ErrConnections is the cause of TooManyConnections, by which the edge recognizes it.
var ErrConnections = errors.New("the person has too many connections")
