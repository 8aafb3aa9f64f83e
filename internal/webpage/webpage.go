// Package webpage serves the web app, its configuration and the client that pages import.
package webpage

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"example.com/parley/internal/config"
	"example.com/parley/web"
)

// Options configure New. Page and Next are required.
type Options struct {
	Page config.Page
	// Dir is a folder whose files are served instead of the built-in ones, read anew for each
	// request. It is for developing the page.
	Dir string
	// Next answers all other requests.
	Next http.Handler
}

const (
	indexFile  = "index.html"
	configPath = "/config.json"
)

// contentTypes are the types of the page's files by their extension. A file of another extension is
// not served.
var contentTypes = map[string]string{
	".html":        "text/html; charset=utf-8",
	".css":         "text/css; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".svg":         "image/svg+xml",
	".png":         "image/png",
	".txt":         "text/plain; charset=utf-8",
	".webmanifest": "application/manifest+json",
}

// page is the handler of the page.
type page struct {
	find   func(path string) (http.Handler, error) // nil for a path that is not the page's
	policy string
	next   http.Handler
}

// New returns a handler of the page's files, which passes other requests on.
func New(o Options) (http.Handler, error) {
	text, err := json.MarshalIndent(o.Page, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", configPath, err)
	}
	settings, err := NewDocument(form(configPath), append(text, '\n'))
	if err != nil {
		return nil, err
	}
	find, err := finder(o.Dir)
	if err != nil {
		return nil, err
	}
	p := page{policy: o.Page.Policy(), next: o.Next}
	p.find = func(path string) (http.Handler, error) {
		if path == configPath {
			return settings, nil
		}
		return find(path)
	}
	return p, nil
}

// finder returns the function that finds the document of a path, in a folder if one is given.
func finder(dir string) (func(string) (http.Handler, error), error) {
	if dir != "" {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, fmt.Errorf("open the folder of the page: %w", err)
		}
		return func(path string) (http.Handler, error) { return read(root.FS(), path) }, nil
	}
	files, err := web.Files()
	if err != nil {
		return nil, fmt.Errorf("open the page: %w", err)
	}
	documents, err := documentsOf(files)
	return func(path string) (http.Handler, error) {
		if document, ok := documents[path]; ok {
			return document()
		}
		return nil, nil
	}, err
}

// documentsOf returns all files by their paths. A file is compressed at its first request, so
// startup does not pay for it.
func documentsOf(files map[string][]byte) (map[string]func() (http.Handler, error), error) {
	documents := map[string]func() (http.Handler, error){}
	for name, text := range files {
		at := pathOf(name)
		if form(at).ContentType == "" {
			return nil, fmt.Errorf("%s has no known content type", at)
		}
		documents[at] = sync.OnceValues(func() (http.Handler, error) { return NewDocument(form(at), text) })
	}
	return documents, nil
}

// read returns the current document of a path in a folder, or nil.
func read(files fs.FS, at string) (http.Handler, error) {
	name := fileOf(at)
	if _, known := contentTypes[path.Ext(name)]; !known || !fs.ValidPath(name) || at != pathOf(name) {
		return nil, nil
	}
	text, err := fs.ReadFile(files, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	f := form(at)
	f.CacheControl = "no-store"
	return NewDocument(f, text)
}

// pathOf returns the path of a file, and fileOf the file of a path.
func pathOf(name string) string {
	if name == indexFile {
		return "/"
	}
	return "/" + name
}

func fileOf(at string) string {
	if at == "/" {
		return indexFile
	}
	return strings.TrimPrefix(at, "/")
}

// FormOf returns how a file is sent, by its name. It reports false if the page has no files of
// this type.
func FormOf(name string) (Form, bool) {
	f := form("/" + name)
	return f, f.ContentType != ""
}

func form(at string) Form {
	f := Form{ContentType: contentTypes[path.Ext(fileOf(at))], CacheControl: config.PageCache}
	if strings.HasPrefix(at, config.PageAssets) {
		f.CacheControl = config.PageAssetCache
	}
	return f
}

// ServeHTTP answers GET and HEAD of the page's paths.
func (p page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		p.next.ServeHTTP(w, r)
		return
	}
	found, err := p.find(r.URL.Path)
	switch {
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	case found == nil:
		p.serveMissing(w, r)
	default:
		p.setHeaders(w.Header())
		if slices.Contains(config.PageModules(), r.URL.Path) {
			w.Header().Set("Access-Control-Allow-Origin", "*")
		}
		found.ServeHTTP(w, r)
	}
}

// setHeaders sets the headers of every document.
func (p page) setHeaders(h http.Header) {
	h.Set("Content-Security-Policy", p.policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", config.PageReferrer)
	h.Set("Cross-Origin-Opener-Policy", config.PageOpener)
	h.Set("Permissions-Policy", config.PagePermissions)
}

// missingPath is the document for people who open an address that is not the page's.
const missingPath = "/missing.html"

// serveMissing passes a request on. If the answer refuses somebody who opened the address in a
// browser, they get a document that leads to the page, with the same status. Programs get the
// answer itself.
func (p page) serveMissing(w http.ResponseWriter, r *http.Request) {
	if !opensAddress(r) {
		p.next.ServeHTTP(w, r)
		return
	}
	answer := &refusable{ResponseWriter: w, header: http.Header{}}
	p.next.ServeHTTP(answer, r)
	if answer.refusal == 0 {
		return
	}
	document, err := p.find(missingPath)
	if err != nil || document == nil {
		http.Error(w, http.StatusText(answer.refusal), answer.refusal)
		return
	}
	p.setHeaders(w.Header())
	plain := r.Clone(r.Context())
	// no condition: the status is the refusal's
	plain.Header = http.Header{"Accept-Encoding": r.Header["Accept-Encoding"]}
	document.ServeHTTP(withStatus{w, answer.refusal}, plain)
}

// opensAddress reports whether a browser sends a request because a person opened the address.
func opensAddress(r *http.Request) bool {
	accept := strings.Join(r.Header.Values("Accept"), ",")
	return strings.Contains(accept, "text/html") && r.Header.Get("Authorization") == ""
}

// refusable passes an answer on, unless it refuses a path or asks for a token.
type refusable struct {
	http.ResponseWriter
	header  http.Header
	refusal int // the status that was not passed on
	passed  bool
}

func (w *refusable) Header() http.Header { return w.header }

func (w *refusable) WriteHeader(status int) {
	if w.passed || w.refusal != 0 {
		return
	}
	if slices.Contains([]int{http.StatusNotFound, http.StatusUnauthorized}, status) {
		w.refusal = status
		return
	}
	w.passed = status >= http.StatusOK // others are only informational
	maps.Copy(w.ResponseWriter.Header(), w.header)
	w.ResponseWriter.WriteHeader(status)
}

func (w *refusable) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.refusal != 0 {
		return len(b), nil
	}
	return w.ResponseWriter.Write(b)
}

// withStatus gives an answer another status.
type withStatus struct {
	http.ResponseWriter
	status int
}

func (w withStatus) WriteHeader(int) { w.ResponseWriter.WriteHeader(w.status) }
