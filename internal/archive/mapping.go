package archive

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/parley/internal/chat"
)

// Mapping is a line of a map of people.
type Mapping struct {
	From string // a person of the archive, as it names them
	To   chat.UserID
	line int
}

// Fault returns the prefix of an error about m, which names its line.
func (m Mapping) Fault() error { return lineFault(m.line) }

func lineFault(line int) error { return fmt.Errorf("line %d of the map of people", line) }

// The columns of a map of people that are read. A map of two columns has from and to.
const (
	fromColumn    = "from"
	toColumn      = "to"
	idColumn      = "id"
	subjectColumn = "subject"
)

// MapColumns returns the columns of a list of people that becomes a map by filling in the last
// one.
func MapColumns() []string { return []string{idColumn, "handle", "name", "email", subjectColumn} }

// ReadMap reads a map of people: CSV with two columns, a person of the archive and the subject of
// their tokens, or with the columns that its first line names, of which it reads id and subject.
// A person whose subject is empty in such a file is not mapped. An error names the line.
func ReadMap(r io.Reader) ([]Mapping, error) {
	table := csv.NewReader(r)
	table.FieldsPerRecord, table.Comment, table.TrimLeadingSpace = -1, '#', true
	var all []Mapping
	from, to, width, first := 0, 1, 2, true
	for {
		fields, err := table.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if e := new(csv.ParseError); errors.As(err, &e) {
			return nil, fmt.Errorf("%w: %w", lineFault(e.Line), e.Err)
		}
		if err != nil {
			return nil, err
		}
		line, _ := table.FieldPos(0)
		for i, field := range fields {
			fields[i] = strings.TrimSpace(strings.TrimPrefix(field, "\uFEFF"))
		}
		if first {
			first = false
			if named, ok := columns(fields); ok {
				from, to, width = named[0], named[1], len(fields)
				continue
			}
		}
		if len(fields) != width {
			return nil, fmt.Errorf("%w: has %d fields, and needs %d", lineFault(line), len(fields), width)
		}
		if width > 2 && fields[to] == "" {
			continue
		}
		user, err := chat.ParseUserID(fields[to])
		if err != nil {
			return nil, fmt.Errorf("%w: %q: %w", lineFault(line), fields[to], err)
		}
		all = append(all, Mapping{From: fields[from], To: user, line: line})
	}
}

// columns returns the indices of the two columns that the first line of a map names. It reports
// false if the line is not of names.
func columns(fields []string) (at [2]int, ok bool) {
	for _, names := range [][2]string{{fromColumn, toColumn}, {idColumn, subjectColumn}} {
		for i, name := range names {
			at[i] = slices.IndexFunc(fields, func(f string) bool { return strings.EqualFold(f, name) })
		}
		if at[0] >= 0 && at[1] >= 0 {
			return at, true
		}
	}
	return at, false
}
