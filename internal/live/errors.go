package live

import "errors"

// ErrGone reports that a connection has ended. Nothing can be sent to it any more.
var ErrGone = errors.New("the connection has ended")

// ErrBusy reports that a frame was not sent, because the service refused it or did not answer in
// time.
var ErrBusy = errors.New("the frame was not sent in time")
