// The chat command runs Parley on a laptop and works on its data.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

// commands are the sub-commands.
type commands struct {
	Serve  serveCmd  `cmd:"" help:"Run everything on this machine."`
	Token  tokenCmd  `cmd:"" help:"Print an access token of the local issuer."`
	Rotate rotateCmd `cmd:"" help:"Make a new key for the local issuer; tokens of the old one stay good."`
	Import importCmd `cmd:"" help:"Bring archives in."`
	Feed   feedCmd   `cmd:"" help:"Look after the feeds of rooms."`

	Restore restoreCmd `cmd:"" help:"Bring two copies of a table together after a loss."`
	Smoke   smokeCmd   `cmd:"" help:"Prove that a server or a deployment works: post a message and wait for its change."`
	Version versionCmd `cmd:"" help:"Print which commit this program was built from."`
}

// data is the flag of every command that works on a data folder.
type data struct {
	Data string `default:".data" type:"path" help:"The folder where data is kept."`
}

// streams are what a command writes to: results to Out, logs and progress
// to Err.
type streams struct {
	Out, Err io.Writer
	Log      *slog.Logger
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	// The first signal asks a command to end; then a second one ends it at once.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// exitStatus are the ways a command ends.
const (
	exitDone = iota
	exitFailed
	exitUsage
)

// helpShown unwinds the parser after it has printed help.
type helpShown struct{}

// run carries out one command line.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (status int) {
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(helpShown); !ok {
				panic(p)
			}
			status = exitDone
		}
	}()
	var c commands
	parser, err := kong.New(&c,
		kong.Name("chat"), kong.Description("Parley: a chat backend that teams own."), kong.UsageOnError(),
		kong.Writers(stdout, stderr), kong.Exit(func(int) { panic(helpShown{}) }),
	)
	if err != nil {
		return fail(stderr, err)
	}
	command, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(stderr, "chat: %v\nchat --help lists what there is.\n", err)
		return exitUsage
	}
	command.BindTo(ctx, (*context.Context)(nil))
	s := streams{Out: stdout, Err: stderr, Log: slog.New(slog.NewJSONHandler(stderr, nil))}
	if err := command.Run(s); err != nil {
		return fail(stderr, err)
	}
	return exitDone
}

// errReported ends a command with a failure that its output has told already.
var errReported = errors.New("reported")

func fail(stderr io.Writer, err error) int {
	if !errors.Is(err, errReported) {
		fmt.Fprintln(stderr, "chat:", err)
	}
	return exitFailed
}
