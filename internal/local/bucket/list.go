package bucket

import (
	"encoding/xml"
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

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
