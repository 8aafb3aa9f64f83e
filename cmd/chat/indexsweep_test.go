package main

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/tabletest"
)

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
