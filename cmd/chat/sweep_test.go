package main

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/tabletest"
)

// TestRemoveExpired_ReadsOnlyRoomsWithFiles counts the calls to the table. Other processes add
// files too, so each sweep looks again.
func TestRemoveExpired_ReadsOnlyRoomsWithFiles(t *testing.T) {
	t.Parallel()
	db := dynamo.LocalClient(enginetest.Start(t))
	tabletest.Create(t, db, localTable)
	calls := 0
	rows := dynamo.NewTable(db, localTable, func(context.Context, dynamo.Usage) { calls++ })
	c := &serveCmd{data: data{Data: t.TempDir()}}
	sweep := func(want int) {
		t.Helper()
		calls = 0
		if err := c.removeExpired(t.Context(), rows); err != nil || calls != want {
			t.Errorf("a sweep makes %d calls, want %d, and returns %v", calls, want, err)
		}
	}
	now := time.Now()
	put := func(n byte, ttl time.Time) table.Item {
		item := table.UploadKey("seattle", "amsg", chat.NewUUID(now, [10]byte{n}))
		table.Stamp(item, table.UploadKind)
		if !ttl.IsZero() {
			item[table.TTL] = table.Number(ttl.Unix())
		}
		if _, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(localTable), Item: item}); err != nil {
			t.Fatal(err)
		}
		return table.ItemKey(item)
	}
	expired, pending, kept := put(1, now.Add(-time.Minute)), put(2, now.Add(time.Hour)), put(3, time.Time{})
	sweep(0)
	files := c.openFiles().client
	for _, key := range []string{"_search/seattle/index", "_people/amsg/" + uuid.NewString()} {
		if _, err := files.Write(t.Context(), key, []byte("x"), ""); err != nil {
			t.Fatal(err)
		}
	}
	sweep(0)
	other := data{Data: c.Data}.openFiles().client // another process, such as an import
	if _, err := other.Write(t.Context(), "seattle/x", []byte("x"), ""); err != nil {
		t.Fatal(err)
	}
	sweep(2) // one of them removes the upload
	sweep(1)
	for n, key := range []table.Item{expired, pending, kept} {
		if item, err := rows.GetItem(t.Context(), "test", key, dynamo.Strong); err != nil || (item != nil) != (n > 0) {
			t.Errorf("upload %d is %v, %v", n, item, err)
		}
	}
}

// TestEvery_WaitsAndEnds waits before the first call, and then for the interval.
func TestEvery_WaitsAndEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var at []time.Duration
		stop := every(t.Context(), time.Minute, time.Hour, func(context.Context) { at = append(at, time.Since(began)) })
		time.Sleep(3 * time.Hour)
		stop()
		time.Sleep(3 * time.Hour)
		want := []time.Duration{time.Minute, time.Hour + time.Minute, 2*time.Hour + time.Minute}
		if !slices.Equal(at, want) {
			t.Errorf("it calls after %v, want %v", at, want)
		}
	})
}

func TestStartIndexSweep_RemovesWhatHasNoRoom(t *testing.T) {
	t.Parallel()
	endpoint := enginetest.Start(t)
	tabletest.Create(t, dynamo.LocalClient(endpoint), localTable)
	c := &serveCmd{data: data{Data: t.TempDir()}, SendRate: 10}
	c.disk = &diskWatch{log: slog.New(slog.DiscardHandler), folder: c.Data}
	c.files = c.openFiles()
	const key = "_search/gone/index"
	if _, err := c.files.client.Write(t.Context(), key, []byte("an index"), ""); err != nil {
		t.Fatal(err)
	}
	defer c.startIndexSweep(t.Context(), slog.New(slog.DiscardHandler), endpoint, 0)()
	for limit := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		_, _, err := c.files.client.Read(t.Context(), key)
		if errors.Is(err, bucket.ErrNotFound) {
			return
		}
		if err != nil || time.Now().After(limit) {
			t.Fatalf("the index remains, %v", err)
		}
	}
}
