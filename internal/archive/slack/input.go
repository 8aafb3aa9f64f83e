package slack

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/slacktext"
)

// maxFile limits how much of one file is read, because a zip entry can expand to any size. The
// busiest day of a Slack channel needs a tenth of it.
const maxFile = 64 << 20

var errTooBig = fmt.Errorf("is larger than %d MB", maxFile>>20)

// openTree opens a folder or a zip file. Neither gives access to anything outside: an os.Root
// does not follow links out of its folder, and a zip.Reader refuses names that contain "..".
func openTree(name string) (fs.FS, func() error, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	if info.IsDir() {
		root, err := os.OpenRoot(name)
		if err != nil {
			return nil, nil, err
		}
		return root.FS(), root.Close, nil
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s: %w", name, archive.ErrNotRegular)
	}
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	repair(&z.Reader)
	return z, z.Close, nil
}

// repair gives the entries of a zip file the names that they should have: some tools separate
// folders by backslashes, or write an entry again to replace it.
func repair(z *zip.Reader) {
	last := map[string]*zip.File{}
	for _, f := range z.File {
		f.Name = strings.ReplaceAll(f.Name, `\`, "/")
		last[f.Name] = f
	}
	z.File = slices.DeleteFunc(z.File, func(f *zip.File) bool { return last[f.Name] != f })
}

// byteOrderMark begins the files of some tools.
var byteOrderMark = []byte("\uFEFF")

// readFile reads one regular file of at most maxFile bytes, without a byte order mark. It adds
// the number of bytes to read unless read is nil.
func readFile(fsys fs.FS, name string, read *atomic.Int64) ([]byte, error) {
	if info, err := fs.Stat(fsys, name); err != nil {
		return nil, archive.FileError(err)
	} else if !info.Mode().IsRegular() {
		return nil, archive.FileError(archive.ErrNotRegular)
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, archive.FileError(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if read != nil {
		read.Add(int64(len(data)))
	}
	if err != nil {
		return nil, archive.FileError(err)
	}
	if len(data) > maxFile {
		return nil, errTooBig
	}
	return bytes.TrimPrefix(data, byteOrderMark), nil
}

var errNoList = errors.New("is not a JSON list")

// elements yields the elements of a JSON list, each valid until the next. It ends at the first
// error, which gives the position but quotes nothing from the list. The list may be empty or
// null, and so may the file.
func elements(r io.Reader) iter.Seq2[jsontext.Value, error] {
	return func(yield func(jsontext.Value, error) bool) {
		d := jsontext.NewDecoder(r, slacktext.Lenient())
		t, err := d.ReadToken()
		if errors.Is(err, io.EOF) || err == nil && t.Kind() == 'n' {
			return
		}
		if err != nil || t.Kind() != '[' {
			yield(nil, errNoList)
			return
		}
		for d.PeekKind() != ']' {
			v, err := d.ReadValue()
			if err != nil {
				yield(nil, fmt.Errorf("is not valid JSON after byte %d; the rest is not read", d.InputOffset()))
				return
			}
			if !yield(v, nil) {
				return
			}
		}
		_, err = d.ReadToken() // the "]" that PeekKind found
		if err == nil {
			_, err = d.ReadToken()
		}
		if !errors.Is(err, io.EOF) {
			yield(nil, fmt.Errorf("has data after its list, which ends at byte %d", d.InputOffset()))
		}
	}
}
