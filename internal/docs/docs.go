// Package docs reads the fenced blocks of the repository's Markdown and runs them in bash. make
// readme and make test-deploy run every command that the documentation prints.
//
// The info string of a fence states the kind of the block, and so how far it is run:
//
//	sh                pasted into one shell for each page, in order, in a clean clone
//	sh serve          starts the server for the blocks that follow, and stops the previous one
//	sh ci             every line is a command that .ci/run runs
//	sh aws NAME       needs an account: make test-deploy runs it against the emulator
//	sh account NAME   needs a real account: the AWS CLI checks its commands (make test-deploy)
//	sh provider NAME  needs an identity provider: run against stand-ins (make test-extra)
//	html client       a page, which web/test/readme.test.mjs shows in a browser
//	json              a sample, valid JSON, not run
//	go                lines of a settings file; a test of infra/config finds their fields
//	text              a sample or an output, not run
//	mermaid           a diagram, not run
//
// Everything else is refused, and so is a command in a sample.
package docs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// The kinds of blocks that code asks for; the package comment describes them.
const (
	Local    = "sh"
	Serve    = "sh serve"
	CI       = "sh ci"
	AWS      = "sh aws"
	Account  = "sh account"
	Provider = "sh provider"
	JSON     = "json"
	Go       = "go"
)

// info matches an info string: a kind and a name, or a kind without names.
var info = regexp.MustCompile(`^(?:(sh (?:aws|account|provider)) ([a-z][a-z0-9-]*)|(sh(?: serve| ci)?|html client|json|go|text|mermaid))$`)

// command matches lines of a sample that a reader would paste.
var command = regexp.MustCompile(`(?m)^\s*(\$|aws|bin/chat|cdk|curl|docker|git|go|make|npm|npx|sam|scripts/[a-z-]+) `)

// Block is one fenced block.
type Block struct {
	File string // relative to the repository, with slashes
	Line int    // of the opening fence, from 1
	Kind string
	Name string // empty where the kind has no names
	Text string // ends in a newline
}

// String identifies the block in messages: the file, the line, and its name.
func (b Block) String() string {
	return strings.TrimSuffix(fmt.Sprintf("%s:%d (%s)", b.File, b.Line, b.Name), " ()")
}

// pages are the patterns of the documentation's files.
var pages = []string{"*.md", "docs/*.md", "docs/*/*.md"}

// Read returns the blocks of all pages, by the names of the files.
func Read(root string) ([]Block, error) {
	var files []string
	var errs []error
	for _, pattern := range pages {
		found, err := fs.Glob(os.DirFS(root), pattern)
		files, errs = append(files, found...), append(errs, err)
	}
	slices.Sort(files)
	var blocks []Block
	for _, file := range files {
		page, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			return nil, err
		}
		found, err := Parse(file, page)
		blocks, errs = append(blocks, found...), append(errs, err)
	}
	return blocks, errors.Join(errs...)
}

// Parse returns the blocks of one page. The error names every block that the package comment does
// not allow.
func Parse(file string, page []byte) ([]Block, error) {
	var blocks []Block
	var errs []error
	for _, n := range nodes(page) {
		fence, ok := n.(*ast.FencedCodeBlock)
		if !ok && n.Kind() != ast.KindCodeBlock {
			continue
		}
		b := Block{File: file, Line: line(page, n), Text: string(n.Lines().Value(page))}
		if ok && fence.Info != nil {
			if found := info.FindSubmatch(fence.Info.Value(page)); found != nil {
				b.Kind, b.Name = string(found[1])+string(found[3]), string(found[2])
			}
		}
		if err := check(b); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", b, err))
		}
		blocks = append(blocks, b)
	}
	return blocks, errors.Join(errs...)
}

func check(b Block) error {
	switch {
	case b.Kind == "":
		return errors.New("the block's fence has no info string that internal/docs allows")
	case strings.Contains(b.Text, "```"):
		return errors.New("the block contains a fence: is it closed?")
	case b.Kind == JSON && !json.Valid([]byte(b.Text)):
		return errors.New("the sample is not valid JSON")
	case b.Kind == "text" && command.MatchString(b.Text):
		found := strings.TrimSpace(command.FindString(b.Text))
		return fmt.Errorf("%q is a command: mark the block as sh, so that it is run", found)
	}
	return nil
}

// nodes returns the nodes of a page in order.
func nodes(page []byte) []ast.Node {
	markdown := goldmark.New(goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	var all []ast.Node
	root := markdown.Parser().Parse(text.NewReader(page))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			all = append(all, n)
		}
		return ast.WalkContinue, nil
	})
	return all
}

// line returns the line at which a node begins.
func line(page []byte, n ast.Node) int { return bytes.Count(page[:max(n.Pos(), 0)], []byte("\n")) + 1 }

// Book tracks which blocks of a kind were run.
type Book struct{ left, all []Block }

// NewBook tracks the blocks of a kind.
func NewBook(blocks []Block, kind string) *Book {
	all := slices.DeleteFunc(slices.Clone(blocks), func(b Block) bool { return b.Kind != kind })
	return &Book{left: slices.Clone(all), all: all}
}

// Take returns the block of a file by its name, and marks it as run. A block can be taken more than
// once.
func (b *Book) Take(file, name string) (Block, error) {
	i := slices.IndexFunc(b.all, func(b Block) bool { return b.File == file && b.Name == name })
	if i < 0 {
		return Block{}, fmt.Errorf("%s has no block called %s", file, name)
	}
	b.left = slices.DeleteFunc(b.left, func(left Block) bool { return left == b.all[i] })
	return b.all[i], nil
}

// Left returns an error that names the blocks that were never taken, or nil.
func (b *Book) Left() error {
	var errs []error
	for _, block := range b.left {
		errs = append(errs, fmt.Errorf("%s was not run", block))
	}
	return errors.Join(errs...)
}
