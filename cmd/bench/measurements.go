package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/bill"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/measure"
)

// allTime bounds all measurements of make bench.
const allTime = 10 * time.Minute

// The groups of measurements that a command prints together.
const (
	inAll  = "all"  // make bench
	inLive = "live" // make bench-live
)

// measurement prints one aspect of Parley.
type measurement struct {
	name, about string
	group       string
	print       func(context.Context, measure.Scale) error
}

// measurements returns all measurements, in the order in which a group prints them.
func measurements() []measurement {
	return []measurement{
		{
			"local", "a server on this machine: sends, pages, catching up, start, memory, delay of the feed", inAll,
			figures(measure.Local),
		},
		{"depth", "sequential calls and units of operations", inAll, depths},
		{"warm", "read units of calls of the API in a warm process", inAll, onBench((*measure.Bench).WarmCalls)},
		{"changes", "read units of catching up", inAll, onBench((*measure.Bench).CatchUps)},
		{"operations", "units of common operations", inAll, onBench((*measure.Bench).OperationFigures)},
		{"messages", "units of operations on messages", inAll, onBench((*measure.Bench).MessageFigures)},
		{"reads", "pages and whole rooms by the number of shards", inAll, onBench((*measure.Bench).Reads)},
		{"feeds", "changes of one feed", inAll, onBench((*measure.Bench).Feeds)},
		{"sizes", "size and start of functions", inAll, figures(sizes)},
		{"readers", "a million random reads of rooms that grow, on the pure model", inAll, figures(readers)},
		{
			"sockets", "frames to a thousand connections, and to one in a quiet room", inLive,
			figures(measure.LiveSockets),
		},
		{"throughput", "posts a second; takes seven minutes", inLive, figures(measure.LiveThroughput)},
		{"device", "pages on a bad network, in Chromium; takes three minutes", inLive, figures(devices)},
		{
			"deliveries", "delivery beside connections that hang or are gone", inLive,
			onBench((*measure.Bench).Deliveries),
		},
		{"posts", "processor time of a post", inLive, figures(posts)},
		{"gaps", "random orders of subscriptions and removals on the pure model", inLive, figures(gaps)},
		{
			"files", "files of messages: transfers, pictures until others see them, and units; takes a minute", "",
			figures(fileFigures),
		},
		{"hooks", "deliveries to the address of a hook, and their cost; takes a minute", "", figures(hookFigures)},
		{"search", "searches in a million messages, and their cost; takes five minutes", "", figures(searchFigures)},
		{"searchmore", "searches in ten million messages; takes ten minutes", "", figures(moreSearchFigures)},
		{"peers", "Parley, Tinode and Prosody in turn; takes four minutes", "", peers},
		{"connections", "the price of connections, for docs/quotas.md", "", printed(bill.LiveMarkdown)},
		{"attack", "what one person can cost, for docs/security.md", "", printed(bill.AttackMarkdown)},
	}
}

// usage returns the list of the measurements.
func usage() error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "bench MEASUREMENT\tprints one of these, or all of a group")
	for _, m := range measurements() {
		fmt.Fprintf(w, "  %s\t%s\t%s\n", m.name, m.group, m.about)
	}
	return w.Flush()
}

// printGroup prints the measurements of a group. A failed measurement does not stop the others.
func printGroup(ctx context.Context, group string) error {
	began := time.Now()
	var errs []error
	for _, m := range measurements() {
		if m.group != group {
			continue
		}
		fmt.Printf("\n== %s: %s (%.0f s)\n", m.name, m.about, time.Since(began).Seconds())
		if err := m.print(ctx, measure.Full); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", m.name, err))
		}
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return errors.Join(errs...)
}

// figures returns a print of measured figures.
func figures(measured func(context.Context, measure.Scale) ([]measure.Figure, error)) func(
	context.Context, measure.Scale,
) error {
	return func(ctx context.Context, scale measure.Scale) error {
		all, err := measured(ctx, scale)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "figure\tmeasured\tgoal\tcompare")
		for _, f := range all {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", f.Name, f.Value, f.Goal, f.Other)
		}
		return w.Flush()
	}
}

// onBench returns a print of figures that are measured on a new engine.
func onBench(what func(*measure.Bench, context.Context) ([]measure.Figure, error)) func(
	context.Context, measure.Scale,
) error {
	return figures(func(ctx context.Context, scale measure.Scale) ([]measure.Figure, error) {
		return onEngine(ctx, scale, what)
	})
}

// printed returns a print of a text that needs no measurement.
func printed(text func() string) func(context.Context, measure.Scale) error {
	return func(context.Context, measure.Scale) error {
		_, err := fmt.Print(text())
		return err
	}
}

func sizes(ctx context.Context, scale measure.Scale) ([]measure.Figure, error) {
	return measure.Sizes(
		ctx, []string{string(httpapi.Write), string(httpapi.Read), string(httpapi.Search), "feed"}, scale,
	)
}

// devices measures at the full scale only: its scripts are tests of the page.
func devices(ctx context.Context, _ measure.Scale) ([]measure.Figure, error) {
	return measure.Devices(ctx)
}

// fileFigures measures the files of messages.
func fileFigures(ctx context.Context, scale measure.Scale) ([]measure.Figure, error) {
	figures, err := onEngine(ctx, scale, (*measure.Bench).FilePages)
	if err != nil {
		return nil, err
	}
	transfers, err := measure.Files(ctx, scale)
	return append(figures, transfers...), err
}

const (
	// interleavings is the number of random orders in the goal, on the pure model.
	interleavings = 1_000_000
	// modelTest is the test that tries them at night.
	modelTest = "TestSubscribe_NoGapAndNoLeak"
)

// posts measures posts by processes of this command.
func posts(ctx context.Context, scale measure.Scale) ([]measure.Figure, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return measure.LivePosts(ctx, self, scale)
}

// gaps tries random orders of steps by subscribers, senders and removals on the pure model.
func gaps(ctx context.Context, scale measure.Scale) ([]measure.Figure, error) {
	name := fmt.Sprintf("gaps and leaks in %d random interleavings", interleavings)
	return model{"./internal/live", modelTest}.figure(ctx, name, scale)
}

const (
	// modelTime bounds one test of a pure model.
	modelTime = 5 * time.Minute
	// randomReads is the number of reads in the goal. readsTest makes them at night.
	randomReads = 1_000_000
	readsTest   = "TestReads_MissAndRepeatNothing"
)

// readers reads rooms that grow and shrink, at random times, on the pure model.
func readers(ctx context.Context, scale measure.Scale) ([]measure.Figure, error) {
	name := fmt.Sprintf("missed or repeated in %d random reads of rooms that grow", randomReads)
	return model{"./internal/growth", readsTest}.figure(ctx, name, scale)
}

// model is a test of a pure model.
type model struct{ folder, test string }

// figure runs the test, at the full scale all of it. The figure is 0 if it passes.
func (m model) figure(ctx context.Context, name string, scale measure.Scale) ([]measure.Figure, error) {
	ctx, cancel := context.WithTimeout(ctx, modelTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "test", m.folder, "-run", "^"+m.test+"$", "-count=1", "-v") //nolint:gosec // the arguments are constants
	if scale == measure.Full {
		cmd.Env = append(os.Environ(), "NIGHTLY=1")
	}
	out, err := cmd.CombinedOutput()
	f := measure.Figure{Name: name, Goal: "0", Value: "0"}
	switch {
	case err != nil && ctx.Err() == nil:
		f.Value = "found: " + strings.Join(strings.Fields(string(out)), " ")
	case err != nil:
		return nil, err
	case !strings.Contains(string(out), "--- PASS: "+m.test):
		return nil, errors.New("there is no test " + m.test)
	}
	return []measure.Figure{f}, nil
}

// archives returns the folder of real archives.
func archives() string { return cmp.Or(os.Getenv("CHAT_DATA"), "../shared/data") }

func searchFigures(ctx context.Context, scale measure.Scale) ([]measure.Figure, error) {
	fmt.Println("A million messages in 20 rooms of one person: the real archives of CHAT_DATA, repeated with shifted " +
		"words. They are in")
	fmt.Println("English, so three rooms have made-up Chinese instead. Messages are in memory, and a call to the " +
		"table takes 4 ms, one to S3 30 ms.")
	all, err := measure.Searches(ctx, archives(), scale)
	if err != nil {
		return nil, err
	}
	cost, err := searchCost(ctx, scale)
	return append(all, cost...), err
}

func moreSearchFigures(ctx context.Context, scale measure.Scale) ([]measure.Figure, error) {
	return measure.MoreSearches(ctx, archives(), scale)
}

// searchCost counts what a search consumes.
func searchCost(ctx context.Context, scale measure.Scale) (figures []measure.Figure, err error) {
	var counted measure.SearchCost
	err = withTable(ctx, func(db *dynamodb.Client) (err error) {
		counted, err = measure.New(db, benchTable, scale).Searches(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, of := range []struct {
		name string
		measure.SearchOperation
	}{{"the first one, which builds the index", counted.First}, {"cold", counted.Cold}, {"warm", counted.Warm}} {
		figures = append(figures, measure.Figure{
			Name:  "a search in 10 rooms, " + of.name + ": read units, reads and writes of S3",
			Value: fmt.Sprintf("%.1f, %d, %d", of.Reads, of.Gets, of.Puts),
		})
	}
	return figures, nil
}

// depths prints the table of sequential calls, next to the goals for a warm process.
func depths(ctx context.Context, scale measure.Scale) error {
	var all []measure.Depth
	err := withTable(ctx, func(db *dynamodb.Client) (err error) {
		all, err = measure.New(db, benchTable, scale).Depths(ctx)
		return err
	})
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "sequential calls, and units\tcold\t3 s later\twarm\tgoal, warm")
	for _, d := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\n", d.Name, depthText(d.Cold), depthText(d.Later), depthText(d.Warm), d.Goal)
	}
	return w.Flush()
}

func depthText(o measure.Operation) string {
	if o.Writes == 0 {
		return fmt.Sprintf("%d (%.1f R)", o.Steps, o.Reads)
	}
	return fmt.Sprintf("%d (%.1f R, %.1f W)", o.Steps, o.Reads, o.Writes)
}

// peerPrograms are the peers' programs: Tinode's source, and what Debian's packages install.
func peerPrograms() measure.PeerPrograms {
	return measure.PeerPrograms{
		Tinode:   os.Getenv("TINODE"),
		Postgres: cmp.Or(os.Getenv("POSTGRES"), "/usr/lib/postgresql/15/bin"),
		Prosody:  cmp.Or(os.Getenv("PROSODY"), "prosody"),
	}
}

// peers prints the table of Parley and other chat servers.
func peers(ctx context.Context, scale measure.Scale) error {
	rows, err := measure.Peers(ctx, peerPrograms(), scale)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return errors.Join(err, w.Flush())
}
