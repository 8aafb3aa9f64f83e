// Package docs reads the fenced blocks of the repository's Markdown, so that scripts can run every
// command that the documentation prints.
//
// The info string of a fence states the kind of the block, and so how far it is run:
//
//	sh               pasted into one shell for each file, in order, in a clean clone
//	sh serve         starts the server for the blocks that follow, and stops the previous one
//	sh ci            every line is a command that .ci/run runs
//	sh aws NAME      needs an account: make test-deploy runs it against the emulator
//	sh sam NAME      needs Docker: its functions, events and template are checked
//	sh account NAME  needs a real account or provider: its parameters are validated
//	html NAME        a page, which the tests of web/test show in a browser
//	json             a sample, valid JSON, not run
//	go               lines of a settings file; a test of infra/config finds their fields
//	text             a sample or an output, not run
//	mermaid          a diagram, not run
//
// Everything else is refused: a fence without an info string, another language or kind, an indented
// or tilde fence. So are a command in a sample, an AWS command in a local block, and a placeholder
// such as <room> in a command. A command uses a variable instead, which a script can set.
package docs

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Kind classifies a block by how far it is run.
type Kind string

// The kinds of blocks; the package comment describes them.
const (
	Local   Kind = "local"
	Serve   Kind = "serve"
	CI      Kind = "ci"
	AWS     Kind = "aws"
	SAM     Kind = "sam"
	Account Kind = "account"
	HTML    Kind = "html"
	JSON    Kind = "json"
	Go      Kind = "go"
	Text    Kind = "text"
	Mermaid Kind = "mermaid"
)

// Block is one fenced block.
type Block struct {
	File string // relative to the repository, with slashes
	Line int    // of the opening fence, from 1
	Kind Kind
	Name string // unique in its file; empty where the kind has no names
	Text string // ends in a newline
}

// String identifies the block in messages: the file, the line, and its name.
func (b Block) String() string {
	at := fmt.Sprintf("%s:%d", b.File, b.Line)
	if b.Name != "" {
		at += " (" + b.Name + ")"
	}
	return at
}

// Commands reports whether the block holds commands rather than a page, a sample or a diagram.
func (b Block) Commands() bool { return b.Kind != HTML && !slices.Contains(samples, b.Kind) }

// samples are the kinds whose info string is the kind alone.
var samples = []Kind{Go, JSON, Text, Mermaid}

// named are the kinds whose blocks must have a name, by which code outside this package finds them.
var named = map[Kind]bool{AWS: true, SAM: true, Account: true}

var validName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// parseInfo parses a fence's info string.
func parseInfo(info string) (Kind, string, error) {
	fields := strings.Fields(info)
	switch {
	case len(fields) == 0:
		return "", "", fmt.Errorf("the fence has no info string: see internal/docs for the valid ones")
	case slices.Contains(samples, Kind(fields[0])):
		if len(fields) > 1 {
			return "", "", fmt.Errorf("a %s block takes no more words, but this one is %q", fields[0], info)
		}
		return Kind(fields[0]), "", nil
	case fields[0] == string(HTML):
		if len(fields) != 2 {
			return "", "", fmt.Errorf("an html block has a name, but this one is %q", info)
		}
		return withName(HTML, fields[1])
	case fields[0] != "sh":
		return "", "", fmt.Errorf("%q is no info string: see internal/docs for the valid ones", info)
	case len(fields) == 1:
		return Local, "", nil
	}
	return parseShell(info, fields[1:])
}

// parseShell parses the words after sh.
func parseShell(info string, fields []string) (Kind, string, error) {
	kind := Kind(fields[0])
	switch kind {
	case Serve, CI, AWS, SAM, Account:
	default:
		return "", "", fmt.Errorf("%q is no info string: %q is no kind of sh block", info, fields[0])
	}
	want := 1
	if named[kind] {
		want = 2
	}
	if len(fields) != want {
		return "", "", fmt.Errorf("%q has %d words after sh; want %d", info, len(fields), want)
	}
	if want == 1 {
		return kind, "", nil
	}
	return withName(kind, fields[1])
}

// withName returns a kind and a block's name, which it checks.
func withName(kind Kind, name string) (Kind, string, error) {
	if !validName.MatchString(name) {
		return "", "", fmt.Errorf("%q is no valid block name: use a-z, 0-9 and inner -", name)
	}
	return kind, name, nil
}
