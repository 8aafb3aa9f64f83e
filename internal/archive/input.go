package archive

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"
)

// maxFile bounds what is read of one file of an export: a day of a channel
// at Slack's densest is a tenth of it, and a zip entry may unfold to anything.
const maxFile = 64 << 20

var errTooBig = fmt.Errorf("is larger than %d MB", maxFile>>20)

// readFile reads one file of at most maxFile bytes and counts them in read,
// if it is not nil.
func readFile(fsys fs.FS, name string, read *atomic.Int64) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, reading(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if read != nil {
		read.Add(int64(len(data)))
	}
	if err != nil {
		return nil, reading(err)
	}
	if len(data) > maxFile {
		return nil, errTooBig
	}
	return data, nil
}

// reading says what went wrong without the path, which a Place names already.
func reading(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("cannot be read: %w", err)
}

var errNoList = errors.New("is not a JSON list")

// elements yields the elements of a JSON list, each valid until the next. It
// ends at the first error, which says where the list breaks but repeats nothing
// of it. Elements may hold invalid UTF-8.
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
				yield(nil, fmt.Errorf("is not valid JSON after byte %d, and is not read on", d.InputOffset()))
				return
			}
			if !yield(v, nil) {
				return
			}
		}
		_, err := d.ReadToken() // the "]" that was seen
		if err == nil {
			_, err = d.ReadToken()
		}
		if !errors.Is(err, io.EOF) {
			yield(nil, fmt.Errorf("goes on after its list ends at byte %d", d.InputOffset()))
		}
	}
}
