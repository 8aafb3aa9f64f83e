// Package bucket replaces Amazon S3 on a laptop: it keeps files in a folder, and checks signatures,
// lengths and checksums as the service does. It answers the requests that package bucket of the
// product makes and signs, and no others. ADR 71 says why it is not a server of somebody else.
package bucket

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/config"
)

const (
	// private denies access to other users.
	private = 0o700
	// maxHeader bounds the line at the beginning of a file.
	maxHeader = 4 << 10
	// Base is the address for which requests are signed. No request is sent there.
	Base = "http://files.local"
)

// Config configures a Handler. All fields but Origins are required.
type Config struct {
	Dir         string // of the files; it is created with the first one
	Region      string
	Credentials aws.Credentials
	Clock       func() time.Time
	Origins     []string // of pages that may send and read files besides the handler's own
}

// Handler answers requests for files. The path of a request is "/" and the file's key.
type Handler struct{ cfg Config }

// New returns a handler.
func New(cfg Config) *Handler { return &Handler{cfg} }

// header is the first line of a file, before its bytes.
type header struct {
	Type   string `json:"type"`
	SHA256 []byte `json:"sha256"`
}

// ServeHTTP answers a request as S3 would.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if origin := r.Header.Get("Origin"); slices.Contains(h.cfg.Origins, origin) {
		w.Header().Set("Access-Control-Allow-Origin", origin)
		w.Header().Add("Vary", "Origin")
		if r.Method == http.MethodOptions {
			w.Header().Set("Access-Control-Allow-Methods", "GET, PUT")
			w.Header().Set("Access-Control-Allow-Headers", strings.Join(config.FileHeaders(), ", "))
			w.WriteHeader(http.StatusNoContent)
			return
		}
	}
	if !h.signed(r) {
		http.Error(w, "the signature is wrong or has expired", http.StatusForbidden)
		return
	}
	path, ok := h.path(r.URL.Path)
	if !ok {
		http.Error(w, "there is no such file", http.StatusNotFound)
		return
	}
	var err error
	switch r.Method {
	case http.MethodPut:
		err = h.put(w, r, path)
	case http.MethodGet, http.MethodHead:
		err = h.get(w, r, path)
	case http.MethodDelete:
		if err = os.Remove(path); err == nil || errors.Is(err, fs.ErrNotExist) {
			w.WriteHeader(http.StatusNoContent)
			return
		}
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	if errors.Is(err, fs.ErrNotExist) {
		http.Error(w, "there is no such file", http.StatusNotFound)
	} else if err != nil {
		http.Error(w, "the file cannot be stored or read: "+err.Error(), http.StatusInternalServerError)
	}
}

// path returns the path of the file with a key. A key has a room, in whose folder the file is.
func (h *Handler) path(key string) (string, bool) {
	room, rest, ok := strings.Cut(strings.TrimPrefix(key, "/"), "/")
	if !ok || rest == "" || room != url.PathEscape(room) || strings.HasPrefix(room, ".") {
		return "", false
	}
	return filepath.Join(h.cfg.Dir, room, url.QueryEscape(rest)), true
}

// put stores a file, unless one has its key. The file is complete and on the disk before its name
// exists.
func (h *Handler) put(w http.ResponseWriter, r *http.Request, path string) error {
	if _, err := os.Stat(path); err == nil {
		w.WriteHeader(http.StatusPreconditionFailed)
		return nil
	}
	want, err := base64.StdEncoding.DecodeString(r.Header.Get(bucket.ChecksumHeader))
	if err != nil || len(want) != sha256.Size || r.Header.Get("If-None-Match") != "*" || r.ContentLength < 0 {
		http.Error(w, "a checksum, a length and If-None-Match are required", http.StatusBadRequest)
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), private); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer func() { _ = f.Close(); _ = os.Remove(f.Name()) }()
	line, err := json.Marshal(header{r.Header.Get("Content-Type"), want})
	if err != nil {
		return err
	}
	sum := sha256.New()
	if _, err = f.Write(append(line, '\n')); err == nil {
		_, err = io.Copy(f, io.TeeReader(r.Body, sum))
	}
	if err != nil {
		return err
	}
	if !slices.Equal(sum.Sum(nil), want) {
		http.Error(w, "the bytes do not have the checksum", http.StatusBadRequest)
		return nil
	}
	if err := f.Sync(); err != nil {
		return err
	}
	err = os.Link(f.Name(), path)
	if errors.Is(err, fs.ErrExist) {
		w.WriteHeader(http.StatusPreconditionFailed)
		return nil
	}
	return err
}

// get sends a file, or a range of it.
func (h *Handler) get(w http.ResponseWriter, r *http.Request, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	line, err := bufio.NewReaderSize(f, maxHeader).ReadSlice('\n')
	if err != nil {
		return fmt.Errorf("read the header of a file: %w", err)
	}
	var head header
	if err := json.Unmarshal(line, &head); err != nil {
		return fmt.Errorf("read the header of a file: %w", err)
	}
	headers := w.Header()
	headers.Set("Content-Type", head.Type)
	headers.Set(bucket.ChecksumHeader, base64.StdEncoding.EncodeToString(head.SHA256))
	// Files share their origin with the page.
	headers.Set("X-Content-Type-Options", "nosniff")
	headers.Set("Content-Security-Policy", "sandbox; default-src 'none'; media-src 'self'; style-src 'unsafe-inline'")
	for name, header := range map[string]string{
		"response-content-type": "Content-Type", "response-content-disposition": "Content-Disposition", "response-cache-control": "Cache-Control",
	} {
		if value := r.URL.Query().Get(name); value != "" {
			headers.Set(header, value)
		}
	}
	http.ServeContent(w, r, "", info.ModTime(), io.NewSectionReader(f, int64(len(line)), info.Size()-int64(len(line))))
	return nil
}

// RoundTrip lets the functions call the handler within the process.
func (h *Handler) RoundTrip(r *http.Request) (*http.Response, error) {
	w := &answer{header: http.Header{}, code: http.StatusOK}
	h.ServeHTTP(w, r)
	length := int64(-1)
	if n := w.header.Get("Content-Length"); n != "" {
		if _, err := fmt.Sscan(n, &length); err != nil {
			return nil, fmt.Errorf("length of an answer: %w", err)
		}
	}
	return &http.Response{StatusCode: w.code, Header: w.header, ContentLength: length, Body: http.NoBody, Request: r}, nil
}

// answer is an http.ResponseWriter that keeps no body: the functions read none.
type answer struct {
	header http.Header
	code   int
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) WriteHeader(code int)        { a.code = code }
func (a *answer) Write(b []byte) (int, error) { return len(b), nil }
