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
)

// readme is the name of the first file.
const readme = "README.md"

// Files returns the Markdown files to check: README.md, then the others beside it, then those of
// docs, each by name.
func Files(root string) ([]string, error) {
	beside, err := filepath.Glob(filepath.Join(root, "*.md"))
	if err != nil {
		return nil, fmt.Errorf("list the documentation: %w", err)
	}
	top := []string{readme}
	for _, file := range beside {
		if name := filepath.Base(file); name != readme {
			top = append(top, name)
		}
	}
	var files []string
	err = filepath.WalkDir(filepath.Join(root, "docs"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".md") {
			return err
		}
		file, err := filepath.Rel(root, path)
		files = append(files, filepath.ToSlash(file))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the documentation: %w", err)
	}
	slices.Sort(files)
	return append(top, files...), nil
}

// Read returns the blocks of all files that Files returns.
func Read(root string) ([]Block, error) {
	files, err := Files(root)
	if err != nil {
		return nil, err
	}
	var blocks []Block
	var errs []error
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			return nil, fmt.Errorf("read the documentation: %w", err)
		}
		found, err := Parse(file, text)
		errs = append(errs, err)
		blocks = append(blocks, found...)
	}
	return blocks, errors.Join(errs...)
}

// Parse returns the blocks of one file. The error names every fence that the package comment does
// not allow.
func Parse(file string, text []byte) ([]Block, error) {
	p := parser{file: file, names: map[string]bool{}}
	for i, line := range bytes.Split(text, []byte("\n")) {
		p.line(i+1, strings.TrimSuffix(string(line), "\r"))
	}
	if p.open != nil {
		p.refuse(p.open.Line, errors.New("the fence is never closed"))
	}
	return p.blocks, errors.Join(p.errs...)
}

const fence = "```"

// parser holds the state while a file is parsed.
type parser struct {
	file   string
	blocks []Block
	errs   []error
	names  map[string]bool
	open   *Block // the block that the next line belongs to
}

func (p *parser) refuse(line int, err error) {
	p.errs = append(p.errs, fmt.Errorf("%s:%d: %w", p.file, line, err))
}

func (p *parser) line(number int, line string) {
	info, isFence := strings.CutPrefix(line, fence)
	switch {
	case p.open == nil && isFence:
		p.begin(number, info)
	case p.open == nil && strings.Contains(line, "~~~"):
		p.refuse(number, errors.New("fences are written with ``` only"))
	case strings.HasPrefix(strings.TrimLeft(line, " \t>*-"), fence) && !isFence:
		p.refuse(number, errors.New("a fence must be at the beginning of its line"))
	case p.open != nil && isFence && info == "":
		p.end()
	case p.open != nil && isFence:
		p.refuse(number, fmt.Errorf("the fence of line %d is not closed before this one", p.open.Line))
	case p.open != nil:
		p.open.Text += line + "\n"
	}
}

// begin opens a block even if its info string is refused. Otherwise its end would open another
// block.
func (p *parser) begin(number int, info string) {
	p.open = &Block{File: p.file, Line: number}
	var err error
	if p.open.Kind, p.open.Name, err = parseInfo(info); err != nil {
		p.refuse(number, err)
		return
	}
	if name := p.open.Name; name != "" {
		if p.names[name] {
			p.refuse(number, fmt.Errorf("two blocks of this file are called %s", name))
		}
		p.names[name] = true
	}
}

func (p *parser) end() {
	block := *p.open
	p.open = nil
	if block.Kind == "" {
		return
	}
	if err := checkText(block); err != nil {
		p.refuse(block.Line, err)
	}
	p.blocks = append(p.blocks, block)
}

// placeholder matches text that a reader would have to replace. Redirections such as <in >out have
// a blank before the closing bracket.
var placeholder = regexp.MustCompile(`<[a-zA-Z]([^<>|&;\n]*[^<>|&;\s])?>`)

// command matches lines of a sample that a reader would paste.
var command = regexp.MustCompile(`(?m)^\s*(\$ |(aws|bin/chat|cdk|curl|docker|git|go|make|npm|npx|sam|scripts/[a-z-]+)\s)`)

// account matches commands that call AWS. Synthesizing a stack does not.
var account = regexp.MustCompile(`(?m)(^|[\s(|;&])(aws|cdk (bootstrap|deploy|diff|destroy|import)|make deploy)\s`)

// diagram matches the first line of a diagram.
var diagram = regexp.MustCompile(`^(flowchart (LR|TD)|sequenceDiagram|stateDiagram-v2)\n`)

func checkText(b Block) error {
	switch {
	case strings.TrimSpace(b.Text) == "":
		return errors.New("the block is empty")
	case b.Kind == JSON && !json.Valid([]byte(b.Text)):
		return errors.New("the sample is not valid JSON")
	case b.Kind == Mermaid && !diagram.MatchString(b.Text):
		return errors.New("the diagram does not begin with flowchart, sequenceDiagram or stateDiagram-v2")
	case b.Kind == Text && command.MatchString(b.Text):
		return fmt.Errorf("%q is a command: mark the block as sh, so that it is run", strings.TrimSpace(command.FindString(b.Text)))
	case b.Kind == Local && account.MatchString(b.Text):
		return fmt.Errorf("%q needs an account: mark the block as sh aws NAME or sh account NAME", strings.TrimSpace(account.FindString(b.Text)))
	case b.Commands() && placeholder.MatchString(b.Text):
		return fmt.Errorf("%s is a placeholder: use a variable, which a script can set", placeholder.FindString(b.Text))
	}
	return nil
}
