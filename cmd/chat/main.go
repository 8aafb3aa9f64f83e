// The chat command runs Parley on a laptop and maintains local and deployed tables.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"example.com/parley/api"
	"example.com/parley/internal/config"
)

// commands are the subcommands.
type commands struct {
	Serve  serveCmd  `cmd:"" help:"Run the whole service on this machine."`
	Token  tokenCmd  `cmd:"" help:"Print an access token of the local issuer."`
	Keys   keysCmd   `cmd:"" help:"Create keys with which an app signs its own tokens."`
	Tail   tailCmd   `cmd:"" help:"Show a room in the terminal as it changes, or list your rooms."`
	Listen listenCmd `cmd:"" help:"Print the changes of rooms, and forward them to a program as a hook does."`
	Send   sendCmd   `cmd:"" help:"Post each line of the standard input to a room, exactly once."`
	Rotate rotateCmd `cmd:"" help:"Create a new key for the local issuer. Tokens of the old key remain valid."`
	Demo   demoCmd   `cmd:"" help:"Serve a week of a made-up team, to look around in."`
	Import importCmd `cmd:"" help:"Import archives."`
	Feed   feedCmd   `cmd:"" help:"Maintain the feeds of rooms."`
	Repair repairCmd `cmd:"" help:"Compare data that is stored twice, and repair it."`
	Search searchCmd `cmd:"" help:"Maintain the index of searches for messages."`
	Room   roomCmd   `cmd:"" help:"Maintain rooms."`

	Suspend suspendCmd `cmd:"" help:"Suspend a person, from whom nothing is accepted then, or end their suspension."`
	Restore restoreCmd `cmd:"" help:"Merge two copies of a table after data was lost."`
	Doctor  doctorCmd  `cmd:"" help:"Check an AWS account before a deployment, or with --after the deployment. It changes nothing in the account."`
	Smoke   smokeCmd   `cmd:"" help:"Check that a server or a deployment works: post a message and wait for its change."`
	Bench   benchCmd   `cmd:"" help:"Offer a running server or deployment a load, and check that every acknowledged message is there once."`
	Engine  engineCmd  `cmd:"" help:"Install the local engine unless it is there, and print the path of its program."`
	OpenAPI openAPICmd `cmd:"" name:"openapi" help:"Print the OpenAPI document of the API."`
	Version versionCmd `cmd:"" help:"Print the version of this program and the commit that it was built from."`
}

// data is the flag of each command that works on a data folder.
type data struct {
	Data string `default:".data" type:"path" help:"The data folder."`
}

// streams are the outputs of a command. Results go to Out, logs and progress to Err.
type streams struct {
	Out, Err io.Writer
	Log      *slog.Logger
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	// The first signal asks the command to end. A second one kills the process.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// The exit statuses.
const (
	exitDone = iota
	exitFailed
	exitUsage
)

// helpShown unwinds the parser after it has printed help.
type helpShown struct{}

// run runs one command line and returns the exit status.
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
		kong.Vars{"addr": defaultAddr, "importer": importer},
	)
	if err != nil {
		return fail(stderr, err)
	}
	command, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(stderr, "chat: %v\nRun chat --help for a list of commands.\n", err)
		return exitUsage
	}
	command.BindTo(ctx, (*context.Context)(nil))
	s := streams{Out: stdout, Err: stderr, Log: slog.New(slog.NewJSONHandler(stderr, nil))}
	if err := command.Run(s); err != nil {
		return fail(stderr, err)
	}
	return exitDone
}

// errReported ends a command that has already printed its failure.
var errReported = errors.New("reported")

// fail prints an error in one line, even if it joins several.
func fail(stderr io.Writer, err error) int {
	if !errors.Is(err, errReported) {
		fmt.Fprintln(stderr, "chat:", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return exitFailed
}

// openAPICmd prints the description of the API, for client generators.
type openAPICmd struct {
	Form string `enum:"3.1,3.0" default:"3.1" help:"The version of OpenAPI: 3.1, or 3.0 for older tools."`
}

// Run prints the document, indented.
func (c openAPICmd) Run(s streams) error {
	document := api.OpenAPI()
	if c.Form == "3.0" {
		var err error
		if document, err = api.OpenAPI30(); err != nil {
			return err
		}
	}
	var text bytes.Buffer
	if err := json.Indent(&text, document, "", "  "); err != nil {
		return err
	}
	text.WriteByte('\n')
	_, err := text.WriteTo(s.Out)
	return err
}

// versionCmd prints the version of the program.
type versionCmd struct{}

// Run prints the version, the commit and its date, in UTC, on one line.
func (versionCmd) Run(s streams) error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return errors.New("this program has no build information")
	}
	_, err := fmt.Fprintln(s.Out, version(info))
	return err
}

// version returns "parley <version> <commit> <date>". It adds "modified" if the build had
// uncommitted changes. A build outside a repository has no commit.
func version(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit, date := settings["vcs.revision"], settings["vcs.time"]
	if commit == "" {
		return "parley " + config.Version + ", built outside of a repository"
	}
	text := "parley " + config.Version + " " + commit + " " + date
	if settings["vcs.modified"] == "true" {
		text += " modified"
	}
	return text
}
