package searching

import (
	"bufio"
	"bytes"
	"context"
	_ "embed" // for the script
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"example.com/parley/internal/search"
)

//go:embed fts5.py
var ftsScript string

// ripgrep is where scripts/python-tools installs it.
const ripgrep = "tools/python/.venv/ripgrep/bin/rg"

// FTS5 indexes the corpus with SQLite FTS5 in a folder, and answers the queries.
func (b *Bench) FTS5(ctx context.Context, dir string) (r Run, err error) {
	err = writeLines(filepath.Join(dir, "texts"), b.Len(), func(i int) string {
		m := b.Message(i)
		return ftsName(string(m.Room)) + "\t" + ftsName(string(m.ID.User)) + "\t" + inPairs(search.Fold(m.Text), true)
	})
	if err != nil {
		return r, err
	}
	if err := writeLines(filepath.Join(dir, "queries"), len(b.Queries), func(i int) string { return b.Queries[i].fts5() }); err != nil {
		return r, err
	}
	cmd := exec.CommandContext(ctx, "python3", "-c", ftsScript, dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return r, fmt.Errorf("SQLite FTS5: %w", err)
	}
	first, rest, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if r.Bytes, err = strconv.ParseInt(first, 10, 64); err != nil {
		return r, err
	}
	for line := range strings.SplitSeq(rest, "\n") {
		took, _, _ := strings.Cut(line, " ")
		milliseconds, err := strconv.ParseFloat(took, 64)
		if err != nil {
			return r, err
		}
		r.Times = append(r.Times, time.Duration(milliseconds*float64(time.Millisecond)))
	}
	return r, nil
}

// writeLines writes a file of n lines.
func writeLines(path string, n int, line func(i int) string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for i := range n {
		_, _ = w.WriteString(line(i) + "\n") // Flush returns the error
	}
	return errors.Join(w.Flush(), f.Close())
}

// fts5 returns the query in the language of FTS5.
func (q Query) fts5() string {
	var parts []string
	if q.parsed.Room != "" {
		parts = append(parts, "room : "+ftsName(string(q.parsed.Room)))
	}
	if q.parsed.From != "" {
		parts = append(parts, "person : "+ftsName(string(q.parsed.From)))
	}
	for _, t := range q.parsed.Terms {
		parts = append(parts, ftsTerm(t))
	}
	all := strings.Join(parts, " AND ")
	for _, t := range q.parsed.Without {
		all = "(" + all + ") NOT (" + ftsTerm(t) + ")"
	}
	return all
}

// ftsTerm returns a word as the beginning of a word, and a phrase as it is.
func ftsTerm(t search.Term) string {
	text := `text : "` + inPairs(t.Text, false) + `"`
	if t.Phrase || strings.IndexFunc(t.Text, isHan) >= 0 && len([]rune(t.Text)) > 1 {
		return text
	}
	return text + " *"
}

// ftsName returns the token of a room or a person: FTS5 splits other names.
func ftsName(name string) string {
	return "n" + fmt.Sprintf("%x", name)
}

// inPairs returns a text with each pair of adjacent Chinese characters as a word. In a text that is
// indexed, the last one is a word, too.
func inPairs(text string, indexed bool) string {
	var b strings.Builder
	letters := []rune(text)
	for i, r := range letters {
		if !isHan(r) {
			b.WriteRune(r)
			continue
		}
		next := i+1 < len(letters) && isHan(letters[i+1])
		before := i > 0 && isHan(letters[i-1])
		switch {
		case next:
			b.WriteString(" " + string(letters[i:i+2]) + " ")
		case indexed || !before:
			b.WriteString(" " + string(r) + " ")
		}
	}
	return b.String()
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

// Grep answers the first n queries with ripgrep, from a file in a folder with a room, a person and
// a folded text in each line. ripgrep finds the lines with one word of a query. The other words are
// left to its caller, as to a pipe of several greps.
func (b *Bench) Grep(ctx context.Context, dir string, n int) (r Run, err error) {
	path := filepath.Join(dir, "flat")
	err = writeLines(path, b.Len(), func(i int) string {
		m := b.Message(i)
		return string(m.Room) + "\t" + string(m.ID.User) + "\t" + search.Fold(m.Text)
	})
	if err != nil {
		return r, err
	}
	for _, q := range b.Queries[:n] {
		began := time.Now()
		cmd := exec.CommandContext(ctx, ripgrep, "--no-config", "--no-line-number", "-e", q.pattern(), path)
		out, err := cmd.Output()
		if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) { // 1 is nothing found
			return r, fmt.Errorf("ripgrep, which scripts/python-tools ripgrep installs: %w", err)
		}
		q.newest(out)
		r.Times = append(r.Times, time.Since(began))
	}
	return r, nil
}

// pattern returns the regular expression for the line of a query's longest word.
func (q Query) pattern() string {
	longest := q.parsed.Terms[0]
	for _, t := range q.parsed.Terms[1:] {
		if len(t.Text) > len(longest.Text) {
			longest = t
		}
	}
	room, person := "[^\t]*", "[^\t]*"
	if q.parsed.Room != "" {
		room = regexp.QuoteMeta(string(q.parsed.Room))
	}
	if q.parsed.From != "" {
		person = regexp.QuoteMeta(string(q.parsed.From))
	}
	boundary := `\b`
	if isHan([]rune(longest.Text)[0]) {
		boundary = ""
	}
	return "^" + room + "\t" + person + "\t.*" + boundary + regexp.QuoteMeta(longest.Text)
}

// newest returns the last lines that have all words of the query.
func (q Query) newest(lines []byte) (found [][]byte) {
	for len(lines) > 0 && len(found) < pageSize {
		lines = bytes.TrimSuffix(lines, []byte("\n"))
		at := bytes.LastIndexByte(lines, '\n')
		line := lines[at+1:]
		if lines = lines[:max(0, at)]; q.inText(string(line[bytes.LastIndexByte(line, '\t')+1:])) {
			found = append(found, line)
		}
	}
	return found
}
