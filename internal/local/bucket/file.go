package bucket

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"example.com/parley/internal/bucket"
)

const (
	// private denies access to other users.
	private = 0o700
	// maxHeader bounds the line at the beginning of a file.
	maxHeader = 4 << 10
	// newFile is the pattern of the names of files that are not complete.
	newFile = ".new-*"
	// pdf is the media type of the files that browsers show in a viewer of their own. It isolates
	// them, and does not start in a sandbox.
	pdf = "application/pdf"
	// policy lets browsers show a file, but run nothing in it.
	policy = "sandbox; default-src 'none'; media-src 'self'; style-src 'unsafe-inline'"
)

// header is the first line of a file, before its bytes.
type header struct {
	Type   string `json:"type"`
	SHA256 []byte `json:"sha256"`
}

// version returns the ETag of a file.
func (h header) version() string { return `"` + hex.EncodeToString(h.SHA256) + `"` }

// errPrecondition is returned for a file that If-None-Match or If-Match refuses.
var errPrecondition = errors.New("a file with another version has the key")

// put stores a file, in place of the one with its key unless If-None-Match or If-Match forbids
// that. The file is complete and on the disk before its name exists. The whole body is read even of
// a file that is refused, because a client may read no answer before it has sent everything.
func (h *Handler) put(w http.ResponseWriter, r *http.Request, path string) error {
	want, err := base64.StdEncoding.DecodeString(r.Header.Get(bucket.ChecksumHeader))
	once := r.Header.Get("If-None-Match") == "*"
	if err != nil || len(want) != sha256.Size || r.ContentLength < 0 {
		http.Error(w, "a checksum and a length are required", http.StatusBadRequest)
		return nil
	}
	if _, err := os.Stat(path); once && err == nil {
		_, _ = io.Copy(io.Discard, r.Body)
		return errPrecondition
	}
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), newFile)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close(); _ = os.Remove(f.Name()) }()
	whole, err := write(
		f, header{r.Header.Get("Content-Type"), want}, http.MaxBytesReader(w, r.Body, r.ContentLength), r.ContentLength,
	)
	if err != nil {
		return err
	}
	if !whole {
		http.Error(w, "the bytes do not have the stated length and checksum", http.StatusBadRequest)
		return nil
	}
	now := h.cfg.Clock()
	if err := os.Chtimes(f.Name(), now, now); err != nil {
		return err
	}
	if err := h.name(f.Name(), path, once, r.Header.Get("If-Match")); err != nil {
		return err
	}
	w.Header().Set("ETag", header{SHA256: want}.version())
	return syncFolder(filepath.Dir(path))
}

// name gives a complete file its name, once or only in place of a file with a version if there is
// one.
func (h *Handler) name(from, to string, once bool, version string) error {
	if once {
		err := os.Link(from, to)
		if errors.Is(err, fs.ErrExist) {
			return errPrecondition
		}
		return err
	}
	if version == "" {
		return os.Rename(from, to)
	}
	return h.locked(filepath.Dir(to), func() error {
		f, err := os.Open(to)
		if err != nil {
			return err
		}
		head, _, err := readObject(f)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
		if head.version() != version {
			return errPrecondition
		}
		return os.Rename(from, to)
	})
}

// locked calls a function while no other process, and no other call, removes or compares files in a
// folder.
func (h *Handler) locked(dir string, do func() error) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // which releases the lock
	if err := lock(f); err != nil {
		return err
	}
	return do()
}

// write writes a file to the disk. whole is false if the body does not have the checksum, or ends
// too early or too late. An empty object has no header.
func write(f *os.File, head header, body io.Reader, length int64) (whole bool, err error) {
	line, err := json.Marshal(head)
	if err != nil {
		return false, fmt.Errorf("write the header of a file: %w", err)
	}
	if length > 0 {
		if _, err := f.Write(append(line, '\n')); err != nil {
			return false, err
		}
	}
	sum, given := sha256.New(), &source{r: body}
	if _, err := io.Copy(io.MultiWriter(f, sum), given); given.err == nil && err != nil {
		return false, err
	}
	if given.err != nil || !slices.Equal(sum.Sum(nil), head.SHA256) {
		return false, nil //nolint:nilerr // the client's fault
	}
	return true, f.Sync()
}

// source keeps the error of a body, which is the client's fault.
type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(b []byte) (int, error) {
	n, err := s.r.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

// makeFolder creates a folder on the disk.
func makeFolder(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, private); err != nil {
		return err
	}
	return errors.Join(syncFolder(filepath.Dir(dir)), syncFolder(filepath.Dir(filepath.Dir(dir))))
}

// syncFolder writes the names in a folder to the disk.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // which cannot, and does not need it
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// get sends a file, or a range of it. For a link, an empty object is no file.
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
	read := readHeader
	if r.Method == http.MethodGet && r.URL.Query().Get("X-Amz-Signature") == "" {
		read = readObject
	} else if info.Size() == 0 {
		return fs.ErrNotExist
	}
	head, start, err := read(f)
	if err != nil {
		return err
	}
	headers := w.Header()
	headers.Set("Content-Type", head.Type)
	headers.Set("ETag", head.version())
	headers.Set(bucket.ChecksumHeader, base64.StdEncoding.EncodeToString(head.SHA256))
	for name, header := range map[string]string{
		"response-content-type": "Content-Type", "response-content-disposition": "Content-Disposition",
		"response-cache-control": "Cache-Control",
	} {
		if value := r.URL.Query().Get(name); value != "" {
			headers.Set(header, value)
		}
	}
	// Files share their origin with the page.
	headers.Set("X-Content-Type-Options", "nosniff")
	if headers.Get("Content-Type") != pdf {
		headers.Set("Content-Security-Policy", policy)
	}
	http.ServeContent(w, r, "", info.ModTime(), io.NewSectionReader(f, start, info.Size()-start))
	return nil
}

// readObject is readHeader for a file that only functions read, such as an index. If its first line
// is damaged, its bytes begin there: their reader finds out that they are damaged, and replaces
// them.
func readObject(f io.ReadSeeker) (head header, start int64, err error) {
	if head, start, err = readHeader(f); err == nil {
		return head, start, nil
	}
	sum := sha256.New()
	if _, err = f.Seek(0, io.SeekStart); err == nil {
		_, err = io.Copy(sum, f)
	}
	return header{"application/octet-stream", sum.Sum(nil)}, 0, err
}

// readHeader reads the first line of a file, and returns where its bytes begin.
func readHeader(f io.ReadSeeker) (head header, start int64, err error) {
	line, err := bufio.NewReaderSize(f, maxHeader).ReadSlice('\n')
	if err == nil {
		err = json.Unmarshal(line, &head)
	}
	if err != nil {
		return header{}, 0, fmt.Errorf("read the header of a file: %w", err)
	}
	return head, int64(len(line)), nil
}
