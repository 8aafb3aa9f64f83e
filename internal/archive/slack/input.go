package slack

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/parley/internal/archive"
)

// maxFile limits how much of one file is read, because a zip entry can expand to any size. The
// busiest day of a Slack channel needs a tenth of it.
const maxFile = 64 << 20

var errTooBig = fmt.Errorf("is larger than %d MB", maxFile>>20)

// readFile reads one regular file of at most maxFile bytes. It adds the number of bytes to read
// unless read is nil.
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
	return data, nil
}

var errNoList = errors.New("is not a JSON list")

// elements yields the elements of a JSON list, each valid until the next. It ends at the first
// error, which gives the position but quotes nothing from the list. Elements may contain invalid
// UTF-8.
func elements(r io.Reader) iter.Seq2[jsontext.Value, error] {
	return func(yield func(jsontext.Value, error) bool) {
		d := jsontext.NewDecoder(r, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
		if t, err := d.ReadToken(); err != nil || t.Kind() != '[' {
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
		_, err := d.ReadToken() // the "]" that PeekKind found
		if err == nil {
			_, err = d.ReadToken()
		}
		if !errors.Is(err, io.EOF) {
			yield(nil, fmt.Errorf("has data after its list, which ends at byte %d", d.InputOffset()))
		}
	}
}
