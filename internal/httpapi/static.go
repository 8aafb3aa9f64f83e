package httpapi

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

// documentCache lets browsers and proxies cache the public documents. An upgrade shows within five
// minutes. An unchanged document is then confirmed by its ETag with 304.
const documentCache = "public, max-age=300"

// static is a public document with its compressed form. HTTP APIs do not compress.
type static struct {
	contentType       string
	plain, compressed representation
}

type representation struct {
	body []byte
	etag string
}

func newStatic(contentType string, body []byte) (*static, error) {
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
	// The ETag names the content and the coding, as each representation needs its own.
	sum := sha256.Sum256(body)
	name := hex.EncodeToString(sum[:8])
	return &static{
		contentType: contentType,
		plain:       representation{body: body, etag: strconv.Quote(name)},
		compressed:  representation{body: b.Bytes(), etag: strconv.Quote(name + "-gzip")},
	}, nil
}

// ServeHTTP answers with the document, or with 304 to a client that has it.
func (s *static) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", s.contentType)
	h.Set("Cache-Control", documentCache)
	h.Set("Vary", "Accept-Encoding")
	as := s.plain
	if acceptsGzip(r.Header.Values("Accept-Encoding")) {
		as = s.compressed
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Etag", as.etag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(as.body))
}

// acceptsGzip reports whether a client takes gzip by its Accept-Encoding (RFC 9110, 12.5.3). What
// the header says of gzip counts before what it says of every coding.
func acceptsGzip(header []string) bool {
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

// hasWeight reports whether the parameters of a coding leave it a weight above zero. A weight that
// cannot be read counts as none.
func hasWeight(parameters string) bool {
	name, value, found := strings.Cut(strings.TrimSpace(parameters), "=")
	if !found || !strings.EqualFold(strings.TrimSpace(name), "q") {
		return strings.TrimSpace(parameters) == ""
	}
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	return err == nil && q > 0 && q <= 1
}
