package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/dynamo"
	localbucket "example.com/parley/internal/local/bucket"
	"example.com/parley/internal/repair"
	"example.com/parley/internal/scan"
	"example.com/parley/internal/search"
)

type repairCmd struct {
	Attachments repairAttachmentsCmd `cmd:"" help:"Compare the files of messages with the table, and remove those that no message has."`
}

type repairAttachmentsCmd struct {
	bucketTarget
	work
	DryRun bool `help:"Only count, and change nothing."`
}

// bucketTarget is a table with the bucket of its files.
type bucketTarget struct {
	target
	Bucket string `help:"With --table: the bucket of the files, as in the stack's output FilesBucketName."`
}

func (t *bucketTarget) validate() error {
	if (t.Bucket == "") != (t.Table == "") {
		return errors.New("--bucket and --table belong together")
	}
	return t.target.validate()
}

// bucketFlag returns the flag that selects the same bucket.
func (t *bucketTarget) bucketFlag() string {
	if t.Bucket == "" {
		return ""
	}
	return " --bucket " + quoted(t.Bucket)
}

// openBucket returns the bucket, of which nothing is read yet.
func (t *bucketTarget) openBucket(ctx context.Context) (*bucket.Client, error) {
	if t.Table == "" {
		return t.openFiles().client, nil
	}
	cfg, err := t.config(ctx)
	if err != nil {
		return nil, err
	}
	return bucket.New(bucket.Config{
		Base: bucket.Address(t.Bucket, cfg.Region, aws.ToString(cfg.BaseEndpoint)), Region: cfg.Region,
		Credentials: cfg.Credentials,
	}), nil
}

// Run compares the files. It can run alongside a running server or the deployed functions.
func (c *repairAttachmentsCmd) Run(ctx context.Context, s streams) (err error) {
	if err := errors.Join(c.validate(), c.check()); err != nil {
		return err
	}
	o, err := c.open(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.close()) }()
	var p repair.FilesProgress
	j, err := c.begin("repair-attachments", &c.target, c.command(), &p)
	if err != nil {
		return err
	}
	if p.Table != "" && p.Table != o.table {
		return fmt.Errorf("%s has the progress of table %s, not of %s", j.path, p.Table, o.table)
	}
	p.Table = o.table
	limiter := scan.NewRateLimiter(c.rate(c.ReadUnits), time.Now)
	files := repair.Files{
		Source: scan.Source{DB: o.db, Table: o.table}, Limiter: limiter, Budget: c.Budget, DryRun: c.DryRun,
		Store: dynamo.New(o.db, dynamo.Options{Table: o.table, Clock: time.Now, Observe: limit(limiter)}),
		Save:  func(p repair.FilesProgress) error { return j.save(p) },
	}
	if files.Bucket, err = c.openBucket(ctx); err != nil {
		return err
	}
	if files.Keys, err = c.keys(ctx, &p.Result); err != nil {
		return err
	}
	err = files.Run(ctx, &p)
	fmt.Fprintln(s.Out, c.report(p.Result))
	return j.end(s.Out, interrupted(err))
}

// command returns the command line without the flags of the table.
func (c *repairAttachmentsCmd) command() string {
	text := quoted(os.Args[0]) + " repair attachments"
	if c.DryRun {
		text += " --dry-run"
	}
	return text + c.bucketFlag()
}

// report describes what was found.
func (c *repairAttachmentsCmd) report(r repair.FilesReport) string {
	removed, putBack := "removed", "put back"
	if c.DryRun {
		removed, putBack = "to be removed", "to be put back"
	}
	return fmt.Sprintf("%d files of messages, %d of them missing; %d uploads of them %s; %d uploads without a "+
		"message %s; %d stored files without an owner %s",
		r.Files, r.Missing, r.PutBack, putBack, r.Unused, removed, r.Strays, removed)
}

// keys returns the keys of a bucket's files, or of the files after a key, without empty objects.
type keys func(ctx context.Context, after string) iter.Seq2[string, error]

// keys returns how the keys of the bucket are listed.
func (c *repairAttachmentsCmd) keys(ctx context.Context, found *repair.FilesReport) (keys, error) {
	if c.Table == "" {
		return func(context.Context, string) iter.Seq2[string, error] { return localbucket.Keys(c.files()) }, nil
	}
	cfg, err := c.config(ctx)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, after string) iter.Seq2[string, error] {
		all := listKeys(
			ctx, s3.NewFromConfig(cfg, func(o *s3.Options) { o.UsePathStyle = cfg.BaseEndpoint != nil }), c.Bucket,
			after,
		)
		if found.Files > found.Missing {
			return all
		}
		return func(yield func(string, error) bool) {
			for key, err := range all { // all files of another stack would be strays
				if err == nil && strings.HasPrefix(key, search.Folder) {
					continue
				}
				yield("", cmp.Or(err, fmt.Errorf("no file of a message is in %s, so perhaps it is not the bucket of "+
					"%s; nothing was removed from it", c.Bucket, c.Table)))
				return
			}
		}
	}, nil
}

// listKeys returns the keys in a bucket after a key.
func listKeys(ctx context.Context, client *s3.Client, name, after string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		in := &s3.ListObjectsV2Input{Bucket: &name}
		if after != "" {
			in.StartAfter = &after
		}
		for pages := s3.NewListObjectsV2Paginator(client, in); pages.HasMorePages(); {
			page, err := pages.NextPage(ctx)
			if err != nil {
				yield("", fmt.Errorf("list the bucket %s: %w", name, err))
				return
			}
			for _, object := range page.Contents {
				if aws.ToInt64(object.Size) > 0 && !yield(aws.ToString(object.Key), nil) {
					return
				}
			}
		}
	}
}
