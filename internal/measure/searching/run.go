// Package searching measures searches in large histories of one person's rooms. The texts are those
// of real archives, repeated with shifted words.
package searching

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/search"
)

const (
	// S3Time is how long S3 takes for a call.
	S3Time = 30 * time.Millisecond
	// builders is the number of rooms that are indexed concurrently.
	builders = 2
)

// Bench is a corpus with its index.
type Bench struct {
	*Corpus
	Queries []Query
	dir     string // of the index
}

// Index is the index of a corpus.
type Index struct {
	Text, Bytes int64
	Took        time.Duration
}

// NewBench returns a bench with n queries, whose index will be in a folder.
func NewBench(c *Corpus, n int, dir string) *Bench {
	return &Bench{Corpus: c, Queries: c.Queries(n), dir: dir}
}

// service returns a service of a process that has just started. Its store and its bucket take as
// long as given for a call.
func (b *Bench) service(table, s3 time.Duration) (*search.Service, *store, *S3) {
	end := b.at(b.Len() - 1).Add(time.Hour)
	clock := func() time.Time { return end }
	from, files := &store{Corpus: b.Corpus, wait: table}, NewS3(b.dir, s3, clock)
	return search.New(search.Options{
		Store: from, Rooms: from, Access: from, Blocks: from, Bucket: files.Client, Clock: clock,
	}), from, files
}

// Build indexes all rooms.
func (b *Bench) Build(ctx context.Context) (x Index, err error) {
	began := time.Now()
	service, _, _ := b.service(0, 0)
	building, inner := errgroup.WithContext(ctx)
	building.SetLimit(builders)
	for r := range rooms {
		building.Go(func() error {
			for {
				p, err := service.Extend(inner, roomName(r))
				if err != nil || p.Complete {
					return err
				}
			}
		})
	}
	if err := building.Wait(); err != nil {
		return x, fmt.Errorf("build the index: %w", err)
	}
	x.Took = time.Since(began)
	for i := range b.Len() {
		x.Text += int64(len(b.text(i)))
	}
	x.Bytes, err = sizeOf(b.dir)
	return x, err
}

// sizeOf returns the bytes of all files of a folder.
func sizeOf(dir string) (size int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}

// Run is how searches went.
type Run struct {
	Times   []time.Duration // of each query
	Traffic                 // of the bucket
	Calls   int64           // to the table
	Stopped int             // searches that stopped before the end without a full page

	Processor time.Duration // of this process
}

// Cold answers the first queries, each in a process that has just started.
func (b *Bench) Cold(ctx context.Context, n int) (all Run, err error) {
	began := processorTime()
	defer func() { all.Processor = processorTime() - began }()
	for _, q := range b.Queries[:n] {
		service, from, files := b.service(tableTime, S3Time)
		if err := all.search(ctx, service, q); err != nil {
			return all, err
		}
		all.add(files.Take(), from.calls.Load())
	}
	return all, nil
}

// Warm answers all queries in a process that has answered the first ones before.
func (b *Bench) Warm(ctx context.Context, before int) (all Run, err error) {
	service, from, files := b.service(tableTime, S3Time)
	for _, q := range b.Queries[:before] {
		if err := (&Run{}).search(ctx, service, q); err != nil {
			return all, err
		}
	}
	files.Take()
	from.calls.Store(0)
	began := processorTime()
	for _, q := range b.Queries {
		if err := all.search(ctx, service, q); err != nil {
			return all, err
		}
	}
	all.Processor = processorTime() - began
	all.add(files.Take(), from.calls.Load())
	return all, nil
}

// processorTime returns the processor time of this process.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func (r *Run) add(t Traffic, calls int64) {
	r.Reads, r.Writes, r.Sent, r.Calls = r.Reads+t.Reads, r.Writes+t.Writes, r.Sent+t.Sent, r.Calls+calls
}

// search answers a query.
func (r *Run) search(ctx context.Context, service *search.Service, q Query) error {
	began := time.Now()
	found, err := service.Search(ctx, Caller, search.Request{Query: q.parsed, Page: chat.PageRequest{Limit: pageSize}})
	if err != nil {
		return fmt.Errorf("search %s: %w", q.Text, err)
	}
	r.Times = append(r.Times, time.Since(began))
	if found.Next != "" && len(found.Items) < pageSize {
		r.Stopped++
	}
	return nil
}

// TimesOf returns the times of the queries of a kind.
func (r *Run) TimesOf(queries []Query, kind int) (times []time.Duration) {
	for i, took := range r.Times {
		if queries[i].Kind == kind {
			times = append(times, took)
		}
	}
	return times
}

// Differences compares the results of the first n queries with a plain scan of all texts: the
// newest ones of each, or all of those with few. It returns the number of messages that only one
// way finds.
func (b *Bench) Differences(ctx context.Context, n int) (differences, results int, err error) {
	service, _, _ := b.service(0, 0)
	folded := make([]string, b.Len())
	for i := range folded {
		folded[i] = search.Fold(b.text(i))
	}
	for _, q := range b.Queries[:n] {
		got, whole, err := b.pages(ctx, service, q)
		if err != nil {
			return 0, 0, err
		}
		var want []int
		for i := len(folded) - 1; i >= 0 && (whole || len(want) < len(got)); i-- {
			if q.inText(folded[i]) && q.matches(b.Message(i)) {
				want = append(want, i)
			}
		}
		results += len(want)
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				differences++
			}
		}
	}
	return differences, results, nil
}

// pages returns the numbers of the messages on the first pages of a query's results, and whether
// they are all.
func (b *Bench) pages(ctx context.Context, service *search.Service, q Query) (found []int, whole bool, err error) {
	const pages = 5
	page := chat.PageRequest{Limit: chat.MaxLimit}
	for range pages {
		results, err := service.Search(ctx, Caller, search.Request{Query: q.parsed, Page: page})
		if err != nil {
			return nil, false, err
		}
		for _, r := range results.Items {
			i, ok := b.number(r.Message.ID)
			if !ok {
				i = -1
			}
			found = append(found, i)
		}
		if page.Cursor = results.Next; page.Cursor == "" {
			return found, true, nil
		}
	}
	return found, false, nil
}

// Kinds returns the kinds of queries.
func Kinds() []string { return slices.Clone(kinds) }
