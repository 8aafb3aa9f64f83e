package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parley/internal/docs"
	"parley/internal/problem"
)

// wholeTime bounds the run. It builds everything, perhaps on a busy machine.
const wholeTime = 15 * time.Minute

// ciScript is the script that runs the blocks of kind ci.
const ciScript = ".ci/run"

// wanted holds the strings that each file's output must contain. Without them, a command with a
// wrong answer would pass.
var wanted = map[string][]string{
	"README.md": {`"name":"Seattle"`, `"room":"seattle"`, `"text":"hello"`, `"messages":[`, `"changes":[`},
	"docs/api.md": {
		`"versions":[`, `"deletedBy":"amsg"`, `"type":"message.created"`, `"type":"message.edited"`, `"seq":2`, `"unread":`, "owner",
	},
	"docs/performance.md": {"posts ", "all 25 acknowledged messages are in the room once"},
	"docs/operations.md": {
		"imported", "mallory is suspended since", "mallory is not suspended any more", `"statusCode":201`, `"batchItemFailures":[]`,
		// The authorizer refuses, and nothing stands in for the services of the other two.
		`"errorMessage":"Unauthorized"`, `"errorMessage":"sign in: read the password`, `"errorMessage":"Put \"%7B%7Banswer`,
	},
}

// failed is part of what sam prints about a function that failed.
const failed = `"errorMessage":`

// refused is part of every problem document. No documented command may be answered with one.
const refused = problem.Prefix

// runner runs the blocks of a clone.
type runner struct {
	dir    string // the clone
	env    []string
	out    io.Writer
	server *server // of the last serve block, or nil
}

// runAll runs every block of the repository as its kind allows.
func runAll(ctx context.Context, root string, out io.Writer) (err error) {
	ctx, cancel := context.WithTimeout(ctx, wholeTime)
	defer cancel()
	folder, err := os.MkdirTemp("", "docs")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for _, name := range []string{"sam", "docker"} {
		if err := os.Symlink(self, filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	r := &runner{env: environment(folder), out: out}
	if r.dir, err = cloned(ctx, root, folder); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.stopServer()) }()
	return r.files(ctx)
}

// files runs the blocks file by file. It continues after a failure, so that one run reports all.
func (r *runner) files(ctx context.Context) error {
	blocks, err := docs.Read(r.dir)
	if err != nil {
		return err
	}
	names, err := docs.Files(r.dir)
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range names {
		var own []docs.Block
		for _, b := range blocks {
			if b.File == name {
				own = append(own, b)
			}
		}
		errs = append(errs, r.file(ctx, name, own))
	}
	return errors.Join(errs...)
}

// file runs the blocks of one file in one shell.
func (r *runner) file(ctx context.Context, name string, blocks []docs.Block) (err error) {
	shell, err := docs.NewShell(ctx, r.dir, r.env)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, shell.Close()) }()
	var all strings.Builder
	for _, b := range blocks {
		printed, err := r.block(ctx, shell, b)
		fmt.Fprint(r.out, printed)
		if err != nil {
			return err
		}
		all.WriteString(printed)
	}
	return check(name, all.String())
}

// check checks that the output of a file's commands contains the wanted strings and no problem
// document.
func check(file, printed string) error {
	var errs []error
	for _, want := range wanted[file] {
		if !strings.Contains(printed, want) {
			errs = append(errs, fmt.Errorf("%s: the answers do not contain %s", file, want))
		}
	}
	expected := 0
	for _, want := range wanted[file] {
		expected += strings.Count(want, failed)
	}
	if n := strings.Count(printed, failed); n > expected {
		errs = append(errs, fmt.Errorf("%s: %d functions failed, not %d", file, n, expected))
	}
	if strings.Contains(printed, refused) {
		errs = append(errs, fmt.Errorf("%s: a command was refused", file))
	}
	return errors.Join(errs...)
}

// block runs one block according to its kind, and returns its output.
func (r *runner) block(ctx context.Context, shell *docs.Shell, b docs.Block) (string, error) {
	started := time.Now()
	tell := func(what string) { fmt.Fprintf(r.out, "== %s: %s\n", b, what) }
	switch b.Kind {
	case docs.Go, docs.HTML, docs.JSON, docs.Text, docs.Mermaid:
		return "", nil
	case docs.AWS:
		tell("left to make test-deploy")
		return "", nil
	case docs.Account:
		answer := docs.Answers()[b.File][b.Name]
		tell("needs " + answer.Why + "; " + answer.Ran)
		return "", nil
	case docs.CI:
		err := inCI(r.dir, b)
		tell("looked for in " + ciScript)
		return "", err
	case docs.Serve:
		err := r.stopServer()
		if err == nil {
			r.server, err = startServer(ctx, b, r.dir, r.env)
		}
		tell(fmt.Sprintf("ready after %.1f s", time.Since(started).Seconds()))
		return "", err
	case docs.Local, docs.SAM:
		printed, err := shell.Run(b)
		tell(fmt.Sprintf("ran in %.1f s", time.Since(started).Seconds()))
		return printed, err
	}
	return "", fmt.Errorf("%s: nothing runs blocks of kind %s", b, b.Kind)
}

func (r *runner) stopServer() error {
	if r.server == nil {
		return nil
	}
	s := r.server
	r.server = nil
	return s.stop()
}

// inCI returns an error unless CI runs every command of the block: make with targets of a stage.
func inCI(dir string, b docs.Block) error {
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(ciScript)))
	if err != nil {
		return err
	}
	run := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if _, targets, ok := strings.Cut(line, "make "); ok {
			for target := range strings.FieldsSeq(targets) {
				run["make "+target] = true
			}
		}
	}
	var errs []error
	for line := range strings.Lines(b.Text) {
		command, _, _ := strings.Cut(line, " #")
		command = strings.TrimSpace(command)
		if command != "" && !run[command] {
			errs = append(errs, fmt.Errorf("%s: %s does not run %q", b, ciScript, command))
		}
	}
	return errors.Join(errs...)
}
