package local

import (
	"bytes"
	"errors"
	"io"
	"net/http"

	"golang.org/x/sync/semaphore"
)

// maxBodies bounds the bodies in memory, by their declared sizes: six of the largest fit. The
// functions' events hold further copies of a body, so the memory in use is about four times as
// much.
const maxBodies = 64 << 20

// errBusy is the error for a body that would exceed maxBodies.
var errBusy = errors.New("too many bytes of requests are in flight")

// bodies bounds the bodies that an API holds in memory.
type bodies struct{ free *semaphore.Weighted }

func newBodies() bodies { return bodies{semaphore.NewWeighted(maxBodies)} }

// read reads the body of a request, of at most maxBody bytes. The caller calls done when it no
// longer needs the body. A body of undeclared length counts as one of maxBody. The error is
// errBusy if the bodies in flight leave no room. Waiting would let slow senders of large bodies
// delay everybody.
func (b bodies) read(w http.ResponseWriter, r *http.Request) (body []byte, done func(), err error) {
	size := r.ContentLength
	if size < 0 || size > maxBody {
		size = maxBody
	}
	if !b.free.TryAcquire(size) {
		// A client that is still sending would lose the answer with its connection.
		_, _ = io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, maxBody))
		return nil, nil, errBusy
	}
	done = func() { b.free.Release(size) }
	read := bytes.NewBuffer(make([]byte, 0, min(size, bytes.MinRead)))
	if _, err = io.Copy(read, http.MaxBytesReader(w, r.Body, maxBody)); err != nil {
		done()
		return nil, nil, err
	}
	return read.Bytes(), done, nil
}
