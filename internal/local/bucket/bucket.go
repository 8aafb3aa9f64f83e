// Package bucket replaces Amazon S3 on a laptop: it keeps files in a folder, and checks signatures,
// lengths and checksums as the service does. It answers the requests that package bucket of the
// product makes and signs, and no others. ADR 71 says why it is not a server of somebody else.
package bucket

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"example.com/parley/internal/config"
)

// Base is the address for which requests are signed. No request is sent there.
const Base = "http://files.local"

// Config configures a Handler. All fields but Origins are required.
type Config struct {
	Dir         string // of the files; it is created with the first one
	Region      string
	Credentials aws.Credentials
	Clock       func() time.Time
	Origins     []string // of pages that may send and read files besides the handler's own
}

// Handler answers requests for files. The path of a request is "/" and the file's key.
type Handler struct {
	cfg Config
	// mu is held while a file is removed, or replaced if it has a version. On Unix the lock of its
	// folder excludes other processes.
	mu sync.Mutex
}

// New returns a handler.
func New(cfg Config) *Handler { return &Handler{cfg: cfg} }

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
	if r.Method == http.MethodGet && r.URL.Path == "/" {
		h.list(w, r.URL.Query())
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
		err = h.locked(filepath.Dir(path), func() error { return os.Remove(path) })
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			w.WriteHeader(http.StatusNoContent)
			return
		}
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	if errors.Is(err, fs.ErrNotExist) {
		http.Error(w, "there is no such file", http.StatusNotFound)
	} else if errors.Is(err, errPrecondition) {
		http.Error(w, err.Error(), http.StatusPreconditionFailed)
	} else if err != nil {
		http.Error(w, "the file cannot be stored or read: "+err.Error(), http.StatusInternalServerError)
	}
}

// path returns the path of the file with a key. A key begins with a room, in whose folder the file
// is. Names that begin with a period are no files of messages.
func (h *Handler) path(key string) (string, bool) {
	room, rest, ok := strings.Cut(strings.TrimPrefix(key, "/"), "/")
	name := url.QueryEscape(rest)
	if !ok || room != url.QueryEscape(room) || !isName(room) || !isName(name) {
		return "", false
	}
	return filepath.Join(h.cfg.Dir, room, name), true
}

// maxName is the length of the longest name that file systems accept.
const maxName = 255

func isName(s string) bool { return s != "" && len(s) <= maxName && s[0] != '.' }

// Keys returns the keys of all complete files in a folder, by rooms. An empty object is no file.
func Keys(dir string) iter.Seq2[string, error] { return keysOf(dir, 1) }

// keysOf returns the keys of all objects with at least some bytes in a folder, by rooms.
func keysOf(dir string, least int64) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		err := objects(dir, func(path string, info fs.FileInfo) error {
			if info.Size() < least {
				return nil
			}
			name, err := url.QueryUnescape(info.Name())
			if !yield(filepath.Base(filepath.Dir(path))+"/"+name, err) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield("", err)
		}
	}
}

// objects calls a function with all objects in a folder, by rooms.
func objects(dir string, each func(path string, info fs.FileInfo) error) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		var info fs.FileInfo
		if err == nil && !entry.IsDir() && isName(entry.Name()) {
			info, err = entry.Info()
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil // nothing was stored, or a file is removed
		}
		if err != nil || info == nil {
			return err
		}
		return each(path, info)
	})
}

// emptyLife is how long an empty object lasts at least, as by the rule of the stack's bucket.
const emptyLife = 24 * time.Hour

// RemoveEmpty removes the empty objects in a folder that are older than a day at a time.
func RemoveEmpty(dir string, now time.Time) error {
	return objects(dir, func(path string, info fs.FileInfo) error {
		if info.Size() > 0 || now.Sub(info.ModTime()) < emptyLife {
			return nil
		}
		return os.Remove(path)
	})
}

// Tidy removes what a process that was killed has left in a folder. No handler may use the folder.
func Tidy(dir string) error {
	left, err := filepath.Glob(filepath.Join(dir, "*", newFile))
	for _, path := range left {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

// RoundTrip lets the functions call the handler within the process.
func (h *Handler) RoundTrip(r *http.Request) (*http.Response, error) {
	w, served := &answer{header: http.Header{}, code: http.StatusOK}, *r
	if served.Body == nil {
		served.Body = http.NoBody
	}
	h.ServeHTTP(w, &served)
	_ = served.Body.Close()
	length := int64(-1)
	if n := w.header.Get("Content-Length"); n != "" {
		if _, err := fmt.Sscan(n, &length); err != nil {
			return nil, fmt.Errorf("length of an answer: %w", err)
		}
	}
	return &http.Response{
		StatusCode: w.code, Header: w.header, ContentLength: length, Body: io.NopCloser(&w.body), Request: r,
	}, nil
}

// answer is an http.ResponseWriter that keeps the answer.
type answer struct {
	header http.Header
	code   int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) WriteHeader(code int)        { a.code = code }
func (a *answer) Write(b []byte) (int, error) { return a.body.Write(b) }

// maxListed bounds the files of one list, as in S3.
const maxListed = 1000

// listed is a list of files, as S3 writes it.
type listed struct {
	XMLName     xml.Name `xml:"ListBucketResult"`
	IsTruncated bool
	Contents    []listedFile
}

type listedFile struct {
	Key          string
	LastModified time.Time
	Size         int64
}

// list sends the files whose keys begin with a prefix and follow a key, in the order of keys.
func (h *Handler) list(w http.ResponseWriter, query url.Values) {
	prefix, after := query.Get("prefix"), query.Get("start-after")
	folder, _, ok := strings.Cut(prefix, "/")
	if !ok || !isName(folder) || folder != url.QueryEscape(folder) {
		http.Error(w, "the prefix must name a folder", http.StatusBadRequest)
		return
	}
	var keys []string
	for key, err := range keysOf(filepath.Join(h.cfg.Dir, folder), 0) {
		if err != nil {
			http.Error(w, "the files cannot be listed: "+err.Error(), http.StatusInternalServerError)
			return
		}
		if strings.HasPrefix(key, prefix) && key > after {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	list := listed{IsTruncated: len(keys) > maxListed}
	for _, key := range keys[:min(len(keys), maxListed)] {
		path, _ := h.path(key)
		file, err := describe(key, path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it has just been removed
		}
		if err != nil {
			http.Error(w, "a file cannot be listed: "+err.Error(), http.StatusInternalServerError)
			return
		}
		list.Contents = append(list.Contents, file)
	}
	w.Header().Set("Content-Type", "application/xml")
	_ = xml.NewEncoder(w).Encode(list)
}

// describe returns the description of a file in a list.
func describe(key, path string) (listedFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return listedFile{}, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return listedFile{}, err
	}
	_, start, err := readObject(f)
	return listedFile{key, info.ModTime().UTC(), info.Size() - start}, err
}
