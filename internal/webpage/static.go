package webpage

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Document is a document with its compressed form. API Gateway's HTTP APIs do not compress.
type Document struct {
	form              Form
	plain, compressed representation
}

// Form is how a document is sent.
type Form struct {
	ContentType  string
	CacheControl string
}

type representation struct {
	body []byte
	etag string
}

// NewDocument compresses a document.
func NewDocument(form Form, body []byte) (*Document, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("compress a document: %w", err)
	}
	if _, err := w.Write(body); err != nil {
		return nil, fmt.Errorf("compress a document: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("compress a document: %w", err)
	}
	// The ETag covers the content and the coding, because each representation needs its own.
	sum := sha256.Sum256(body)
	name := hex.EncodeToString(sum[:8])
	return &Document{
		form:       form,
		plain:      representation{body: body, etag: strconv.Quote(name)},
		compressed: representation{body: b.Bytes(), etag: strconv.Quote(name + "-gzip")},
	}, nil
}

// ServeHTTP answers with the document, or with 304 to a client that has it.
func (d *Document) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", d.form.ContentType)
	h.Set("Cache-Control", d.form.CacheControl)
	h.Set("Vary", "Accept-Encoding")
	as := d.plain
	if AcceptsGzip(r.Header.Values("Accept-Encoding")) {
		as = d.compressed
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Etag", as.etag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(as.body))
}

// AcceptsGzip reports whether a client accepts gzip by its Accept-Encoding (RFC 9110, 12.5.3). An
// entry for gzip takes precedence over an entry for every coding.
func AcceptsGzip(header []string) bool {
	every := false
	for part := range strings.SplitSeq(strings.Join(header, ","), ",") {
		coding, parameters, _ := strings.Cut(part, ";")
		switch strings.ToLower(strings.TrimSpace(coding)) {
		case "gzip", "x-gzip":
			return hasWeight(parameters)
		case "*":
			every = hasWeight(parameters)
		}
	}
	return every
}

// hasWeight reports whether the parameters of a coding give it a weight above zero. An unreadable
// weight counts as zero.
func hasWeight(parameters string) bool {
	name, value, found := strings.Cut(strings.TrimSpace(parameters), "=")
	if !found || !strings.EqualFold(strings.TrimSpace(name), "q") {
		return strings.TrimSpace(parameters) == ""
	}
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	return err == nil && q > 0 && q <= 1
}
