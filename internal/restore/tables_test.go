package restore_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/restore"
	"example.com/parley/internal/scan"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/tabletest"
)

// snapshot copies a table as a restore from a backup does: without its stream.
func (w *world) snapshot(from, to string) {
	w.Helper()
	tabletest.Create(w.T, w.db, to)
	for _, item := range w.items(from) {
		if _, err := w.db.PutItem(w.Context(), &dynamodb.PutItemInput{TableName: &to, Item: item}); err != nil {
			w.Fatal(err)
		}
	}
}

func (w *world) items(name string) []table.Item {
	w.Helper()
	var all []table.Item
	pages := dynamodb.NewScanPaginator(w.db, &dynamodb.ScanInput{TableName: &name, ConsistentRead: aws.Bool(true)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(w.Context())
		if err != nil {
			w.Fatal(err)
		}
		all = append(all, page.Items...)
	}
	return all
}

// lose deletes items without a trace in the stream.
func (w *world) lose(name string, items ...table.Item) {
	w.Helper()
	for _, item := range items {
		key := table.Item{table.PK: item[table.PK], table.SK: item[table.SK]}
		if _, err := w.db.DeleteItem(w.Context(), &dynamodb.DeleteItemInput{TableName: &name, Key: key}); err != nil {
			w.Fatal(err)
		}
	}
}

// dump returns every item of a table, except feeds' items, as text by key.
func (w *world) dump(name string) map[string]string {
	w.Helper()
	all := map[string]string{}
	for _, item := range w.items(name) {
		switch table.KindOf(item) {
		case table.FeedKind, table.FeedHeadKind, table.SlowKind:
			continue
		}
		all[table.KeyText(item)] = textOf(w, item)
	}
	return all
}

func textOf(w *world, item table.Item) string {
	w.Helper()
	plain := map[string]any{}
	for name, v := range item {
		switch v := v.(type) {
		case *types.AttributeValueMemberS:
			plain[name] = v.Value
		case *types.AttributeValueMemberB:
			plain[name] = v.Value
		default:
			plain[name] = v
		}
	}
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(plain); err != nil {
		w.Fatal(err)
	}
	return b.String()
}

// holds reports whether any item of a table has a text.
func holds(dump map[string]string, text string) bool {
	for _, item := range dump {
		if strings.Contains(item, `"`+text+`"`) {
			return true
		}
	}
	return false
}

// options returns the options of a restore that writes.
func (w *world) options(from, to string, point time.Time) restore.Options {
	return restore.Options{
		DB: dynamo.LocalClient(w.endpoint, recorded), From: from, To: to, Point: point, Clock: w.clock,
		Reads: scan.NewRateLimiter(1e9, time.Now), Writes: scan.NewRateLimiter(1e9, time.Now),
	}
}

// restored runs an operation until it is complete.
func (w *world) restored(o restore.Options, do func(restore.Job, *restore.Progress) error) restore.Counts {
	w.Helper()
	var p restore.Progress
	if err := do(restore.Job{Options: o, Save: func(restore.Progress) error { return nil }}, &p); err != nil {
		w.Fatal(err)
	}
	return p.Counts
}

func (w *world) copied(o restore.Options) restore.Counts {
	w.Helper()
	return w.restored(o, func(j restore.Job, p *restore.Progress) error { return j.Copy(w.Context(), p) })
}

func (w *world) deletions(o restore.Options) restore.Counts {
	w.Helper()
	o.Memberships = true
	return w.restored(o, func(j restore.Job, p *restore.Progress) error { return j.Deletions(w.Context(), p) })
}

// reset restores a table to a dump, except for feeds. It removes later items.
func (w *world) reset(name string, whole map[string]string) {
	w.Helper()
	for _, item := range w.items(name) {
		switch table.KindOf(item) {
		case table.FeedKind, table.FeedHeadKind, table.SlowKind:
			continue
		}
		w.lose(name, item)
	}
	for _, item := range w.items("whole-" + name) {
		if whole[table.KeyText(item)] == "" {
			continue
		}
		if _, err := w.db.PutItem(w.Context(), &dynamodb.PutItemInput{TableName: &name, Item: item}); err != nil {
			w.Fatal(err)
		}
	}
}
