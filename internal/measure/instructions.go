package measure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"parley/internal/config"
)

const (
	// counter counts the instructions of a process. Debian and others have a package of this name.
	instructionTool = "valgrind"
	// fewRuns and manyRuns are the numbers of runs of a load. The difference is free of what a
	// process does but once.
	fewRuns, manyRuns = 30, 130
	// defaultGarbage is Go's default of GOGC.
	defaultGarbage = 100
	noGarbage      = "off"
)

// Instructions counts the instructions of the functions' loads, which are the same on any machine,
// however busy. self is the bench, which runs a load with the arguments of Instructed.
func Instructions(ctx context.Context, self, endpoint, table string) ([]Figure, error) {
	c := instructionCounter{self: self, endpoint: endpoint, table: table}
	if !installed(instructionTool) {
		return []Figure{{Name: "instructions", Value: "make instructions counts them; " + instructionTool + " is not installed"}}, nil
	}
	each := map[string]float64{}
	for _, load := range []string{loadPost, loadPostBare, loadPage, loadPageBare, loadFeed, loadGather} {
		n, err := c.each(ctx, load, noGarbage)
		if err != nil {
			return nil, err
		}
		each[load] = n
	}
	figures := []Figure{
		timesBare("post", each[loadPost], each[loadPostBare], 1.15),
		timesBare("page of 50", each[loadPage], each[loadPageBare], 1.4),
		{Name: fmt.Sprintf("instructions of a record of the feed, %d in a batch", feedRecords), Value: thousands(each[loadFeed] / feedRecords)},
		{Name: fmt.Sprintf("instructions of %d items from %d shards", gatherItems, gatherShards), Value: thousands(each[loadGather])},
	}
	for _, load := range []string{loadPost, loadPage} {
		var collected [2]float64
		for n, garbage := range []int{config.GarbagePercent, defaultGarbage} {
			var err error
			if collected[n], err = c.each(ctx, load, strconv.Itoa(garbage)); err != nil {
				return nil, err
			}
		}
		figures = append(figures, Figure{
			Name:  fmt.Sprintf("instructions of a %s, GOGC=%d", load, config.GarbagePercent),
			Value: fmt.Sprintf("%s, %.2f of the default", thousands(collected[0]), collected[0]/collected[1]), Naive: thousands(collected[1]),
		})
	}
	return figures, nil
}

// timesBare compares a load with the bare calls of the SDK.
func timesBare(name string, n, bare, goal float64) Figure {
	return Figure{
		Name: "instructions of a " + name + " over its calls of the SDK alone", Goal: fmt.Sprintf("≤ %.2f", goal),
		Value: fmt.Sprintf("%.2f, %s%s", n/bare, thousands(n), over(n/bare, goal)), Naive: thousands(bare),
	}
}

func thousands(n float64) string { return fmt.Sprintf("%.0f thousand", n/1000) }

// instructionCounter counts the instructions of processes.
type instructionCounter struct{ self, endpoint, table string }

// each returns the instructions of one run of a load.
func (c instructionCounter) each(ctx context.Context, load, garbage string) (float64, error) {
	few, err := c.count(ctx, load, fewRuns, garbage)
	if err != nil {
		return 0, err
	}
	many, err := c.count(ctx, load, manyRuns, garbage)
	return (many - few) / (manyRuns - fewRuns), err
}

var countedText = regexp.MustCompile(`I +refs: +([0-9,]+)`)

// count returns the instructions of a process that runs a load n times.
func (c instructionCounter) count(ctx context.Context, load string, n int, garbage string) (float64, error) {
	table := fmt.Sprintf("%s-%s-%d-%s", c.table, load, n, garbage)
	cmd := exec.CommandContext(ctx, instructionTool, "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
		c.self, "instructed", load, strconv.Itoa(n), c.endpoint, table)
	cmd.Env = append(os.Environ(), "GOGC="+garbage, "GOMAXPROCS=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("count the instructions of %s: %w\n%s", load, err, out)
	}
	found := countedText.FindSubmatch(out)
	if found == nil {
		return 0, errors.New("the count of " + instructionTool + " is not understood")
	}
	return strconv.ParseFloat(strings.ReplaceAll(string(found[1]), ",", ""), 64)
}
