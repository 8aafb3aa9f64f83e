package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"example.com/parley/internal/docs"
	"example.com/parley/internal/problem"
)

// wanted holds the strings that each page's output must contain. Without them, a command with
// wrong output would pass.
var wanted = map[string][]string{
	"README.md": {`"name":"Seattle"`, `"room":"seattle"`, `"text":"hello"`, `"items":[`},
	"docs/api.md": {
		`"items":[`, `"deletedBy":"amsg"`, `"type":"message.created"`, `"type":"message.edited"`, `"seq":2`,
		`"unread":`, "owner",
	},
	"docs/sign-in.md": {`"user":"ada"`, `"text":"Hello, Bob"`, `"items":[`},
	"docs/search.md":  {`"text":"`, `"marks":[{"from":`, `"before":{"id":"`},
	"docs/connect.md": {`"ok":true`, "seattle ['message.created']"},
	"docs/hooks.md": {
		`"waiting":1`, `"text":"Keep this"`, " changes in Go", " changes in Python",
	},
	"docs/performance.md": {"posts ", "all 25 acknowledged messages are in the room once"},
	"docs/operations.md": {
		"imported", "mallory is suspended since", "mallory is not suspended any more",
		"stored files without an owner to be removed",
	},
	dockerPage: {
		`"statusCode": 201`, `"batchItemFailures": []`,
		// The authorizer refuses, and the services of the other two do not run.
		failed + `"Unauthorized"`, failed + `"sign in: read the password`, failed + `"Put \"%7B%7Banswer`,
		logged + `,"msg":"canary"`, logged + `,"msg":"page"`,
	},
}

// Functions print failures in their answers, as sam formats them, and in their logs.
const (
	failed = `"errorMessage": `
	logged = `"level":"ERROR"`
)

// check returns an error unless the output of a page's commands has the wanted strings, no refusal,
// and no failure of a function that is not wanted.
func check(file, printed string) error {
	if strings.Contains(printed, problem.Prefix) {
		return fmt.Errorf("%s: a command was refused", file)
	}
	for _, want := range wanted[file] {
		if !strings.Contains(printed, want) {
			return fmt.Errorf("%s: the answers do not contain %s", file, want)
		}
	}
	for _, failure := range []string{failed, logged} {
		expected := 0
		for _, want := range wanted[file] {
			expected += strings.Count(want, failure)
		}
		if n := strings.Count(printed, failure); n != expected {
			return fmt.Errorf("%s: %s is printed %d times, not %d", file, failure, n, expected)
		}
	}
	return nil
}

// Scripts around blocks. serve starts the commands of $BLOCK and waits until they print that the
// server is ready. stop ends the server, which must still run. inCI looks for the targets of make
// in the gate's script.
const (
	serve = `: >../server.log # of the last server
bash -eu -o pipefail -c "$BLOCK" >>../server.log 2>&1 &
until grep -q '^ready http://' ../server.log; do
  sleep 0.1
  kill -0 $! || { cat ../server.log; echo 'it ended before the server was ready'; false; }
done
`
	stop = `kill -0 $! || { cat ../server.log; echo 'the server ended by itself'; false; }
trap '' TERM; kill 0; wait
`
	inCI = `while read -r make target _; do
  [ "$make" = make ] && grep -Eq "make .*\b$target( |$)" .ci/run || { echo ".ci/run does not run $make $target"; false; }
done <<'EOF'
`
)

// runner runs the blocks of a clone.
type runner struct {
	dir    string // the clone
	env    []string
	out    io.Writer
	server *docs.Shell // of the last serve block, or nil
}

// pages runs the blocks of the named pages, or else of all that need no Docker, page by page. It
// continues after a failure, so that one run reports all.
func (r *runner) pages(ctx context.Context, names []string) error {
	blocks, err := docs.Read(r.dir)
	errs := []error{err}
	blocks = slices.DeleteFunc(blocks, func(b docs.Block) bool {
		return len(names) == 0 && b.File == dockerPage || len(names) > 0 && !slices.Contains(names, b.File)
	})
	if len(blocks) == 0 {
		errs = append(errs, fmt.Errorf("no page %q has a block", names))
	}
	for len(blocks) > 0 {
		n := slices.IndexFunc(blocks, func(b docs.Block) bool { return b.File != blocks[0].File })
		if n < 0 {
			n = len(blocks)
		}
		errs = append(errs, r.page(ctx, blocks[:n]))
		blocks = blocks[n:]
	}
	return errors.Join(append(errs, r.stopServer())...)
}

// page runs the blocks of a page in one shell.
func (r *runner) page(ctx context.Context, blocks []docs.Block) (err error) {
	shell, err := docs.NewShell(ctx, r.dir, r.env)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, shell.Close()) }()
	var all strings.Builder
	for _, b := range blocks {
		started := time.Now()
		var printed string
		switch b.Kind {
		case docs.CI:
			b.Text = inCI + b.Text + "EOF\n"
			printed, err = shell.Run(b)
		case docs.Serve:
			err = r.startServer(ctx, b)
		case docs.Local:
			printed, err = shell.Run(b)
		default:
			continue
		}
		fmt.Fprintf(r.out, "== %s: %s, %.1f s\n%s", b, b.Kind, time.Since(started).Seconds(), printed)
		if err != nil {
			return err
		}
		all.WriteString(printed)
	}
	return check(blocks[0].File, all.String())
}

// startServer starts a server in a separate shell, after stopping the last one.
func (r *runner) startServer(ctx context.Context, b docs.Block) (err error) {
	if err := r.stopServer(); err != nil {
		return err
	}
	if r.server, err = docs.NewShell(ctx, r.dir, append(slices.Clone(r.env), "BLOCK="+b.Text)); err != nil {
		return err
	}
	b.Text = serve
	_, err = r.server.Run(b)
	return err
}

// stopServer ends the last server, if there is one.
func (r *runner) stopServer() error {
	if r.server == nil {
		return nil
	}
	_, err := r.server.Run(docs.Block{File: "the server", Text: stop})
	err = errors.Join(err, r.server.Close())
	r.server = nil
	return err
}
