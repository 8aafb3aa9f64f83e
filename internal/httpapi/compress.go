package httpapi

import (
	"compress/gzip"
	"net/http"
	"slices"
	"sync"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/webpage"
)

const (
	// minCompressed is the size from which a response is compressed. Below it, compression costs a
	// function more than the network saves.
	minCompressed = 1 << 10
	// compressionLevel takes half the time of the default level and produces 7 % more bytes.
	compressionLevel = gzip.BestSpeed
)

// compressedOperations are the operations whose responses are compressed, because they are large
// and frequent. Each reads one room.
var compressedOperations = []string{"list-changes", "list-messages", "list-replies"}

// compression compresses a handler's responses. It keeps writers for later responses, since a new
// one allocates a megabyte.
type compression struct {
	patterns map[string]bool // of compressedOperations
	writers  sync.Pool
}

// add records an operation of the handler.
func (c *compression) add(op operation) {
	if slices.Contains(compressedOperations, op.OperationID) {
		c.patterns[op.Method+" "+op.Path] = true
	}
}

// covers reports whether a response may be compressed if it is long enough. The length of
// compressed data reveals how much of it is repeated, so an observer who can add text to a
// response could guess the rest. Responses about public rooms are open to everyone and have
// nothing to guess (ADR 57).
func (c *compression) covers(r *http.Request) bool {
	if !c.patterns[r.Pattern] {
		return false
	}
	room, err := chat.ParseRoomID(r.PathValue("room"))
	return err == nil && !room.Private()
}

// writer returns the writer of the response to a request, whose pattern is set before the response
// begins. The caller closes it.
func (c *compression) writer(w http.ResponseWriter, r *http.Request) *compressedWriter {
	return &compressedWriter{ResponseWriter: w, request: r, by: c}
}

// compressedWriter buffers a response until it has minCompressed bytes, and then compresses it if
// allowed. It sends all other responses unchanged.
type compressedWriter struct {
	http.ResponseWriter
	request *http.Request
	by      *compression
	status  int
	held    []byte
	plain   bool         // sent unchanged
	gzip    *gzip.Writer // nil until the response is compressed
}

func (w *compressedWriter) WriteHeader(status int) {
	if w.status != 0 {
		return
	}
	w.status = status
	if !w.by.covers(w.request) {
		w.sendPlain()
		return
	}
	w.Header().Add("Vary", "Accept-Encoding")
	if status != http.StatusOK || !webpage.AcceptsGzip(w.request.Header.Values("Accept-Encoding")) {
		w.sendPlain()
	}
}

func (w *compressedWriter) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	switch {
	case w.plain:
		return w.ResponseWriter.Write(b)
	case w.gzip != nil:
		return w.gzip.Write(b)
	}
	w.held = append(w.held, b...)
	if len(w.held) < minCompressed {
		return len(b), nil
	}
	w.Header().Set("Content-Encoding", "gzip")
	w.Header().Del("Content-Length")
	w.ResponseWriter.WriteHeader(w.status)
	w.gzip = w.by.get(w.ResponseWriter)
	if _, err := w.gzip.Write(w.held); err != nil {
		return 0, err
	}
	return len(b), nil
}

// close sends the rest of the response. It sends nothing if the handler has written nothing.
func (w *compressedWriter) close() {
	switch {
	case w.gzip != nil:
		_ = w.gzip.Close() // the client may be gone
		w.by.writers.Put(w.gzip)
	case w.status != 0 && !w.plain:
		w.sendPlain()
		_, _ = w.ResponseWriter.Write(w.held) // #nosec G705 -- JSON, which browsers do not render as a page
	}
}

func (w *compressedWriter) sendPlain() {
	w.plain = true
	w.ResponseWriter.WriteHeader(w.status)
}

// get returns a writer of compressed bytes to w.
func (c *compression) get(w http.ResponseWriter) *gzip.Writer {
	if z, ok := c.writers.Get().(*gzip.Writer); ok {
		z.Reset(w)
		return z
	}
	z, err := gzip.NewWriterLevel(w, compressionLevel)
	if err != nil {
		panic(err) // the level is a constant
	}
	return z
}

func (w *compressedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
