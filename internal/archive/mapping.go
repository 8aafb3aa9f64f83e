package archive

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
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

// The first line of a map of people may name the columns.
const (
	fromColumn = "from"
	toColumn   = "to"
)

// ReadMap reads a map of people: CSV with two columns, a person of the archive and the subject of
// their tokens. An error names the line.
func ReadMap(r io.Reader) ([]Mapping, error) {
	table := csv.NewReader(r)
	table.FieldsPerRecord, table.Comment, table.TrimLeadingSpace = -1, '#', true
	var all []Mapping
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
		if len(fields) != 2 {
			return nil, fmt.Errorf("%w: has %d fields, and needs 2: a person of the archive and a subject", lineFault(line), len(fields))
		}
		from, to := strings.TrimSpace(strings.TrimPrefix(fields[0], "\uFEFF")), strings.TrimSpace(fields[1])
		if len(all) == 0 && strings.EqualFold(from, fromColumn) && strings.EqualFold(to, toColumn) {
			continue
		}
		user, err := chat.ParseUserID(to)
		if err != nil {
			return nil, fmt.Errorf("%w: %q: %w", lineFault(line), to, err)
		}
		all = append(all, Mapping{From: from, To: user, line: line})
	}
}
