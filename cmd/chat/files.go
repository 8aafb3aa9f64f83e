package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
	_ "time/tzdata" // for machines without time zones

	"github.com/aws/aws-sdk-go-v2/aws"
	smithytime "github.com/aws/smithy-go/time"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/httpapi"
	localbucket "example.com/parley/internal/local/bucket"
	"example.com/parley/internal/repair"
)

const (
	// filesFolder is the folder of the files of messages in the data folder.
	filesFolder = "files"
	// filesPath begins the addresses of files.
	filesPath = "/files"
	// filesRegion is the Region for which requests are signed.
	filesRegion = "us-east-1"
	// fileStall ends the transfer of a file of which no byte has moved for so long.
	fileStall = time.Minute
	// firstSweep is how long after the start of a server the first sweep of files begins. By then
	// clients have connected again and caught up.
	firstSweep = time.Minute
	// sweepInterval is how often expired uploads and empty objects are removed. Nobody waits for
	// that.
	sweepInterval = time.Hour
)

// localFiles are the files of messages: the handler that stores them, and a client of it.
type localFiles struct {
	handler http.Handler
	client  *bucket.Client
}

// openFiles returns the files in the data folder. The keys that sign links are new each time, so
// links end with the process.
func (d data) openFiles(origins ...string) localFiles {
	keys := aws.Credentials{AccessKeyID: "local", SecretAccessKey: rand.Text()}
	handler := localbucket.New(localbucket.Config{
		Dir: d.files(), Region: filesRegion, Credentials: keys, Clock: time.Now, Origins: origins,
	})
	client := bucket.New(bucket.Config{
		Base: localbucket.Base, Shown: filesPath, Region: filesRegion, HTTP: handler,
		Credentials: dynamo.StaticCredentials(keys.AccessKeyID, keys.SecretAccessKey, ""),
	})
	return localFiles{handler, client}
}

// files returns the folder of the files of messages.
func (d data) files() string { return filepath.Join(d.Data, filesFolder) }

// withFiles answers requests for files, and passes other requests on. A file may take any time, as
// long as its bytes move.
func withFiles(files, next http.Handler, stall time.Duration) http.Handler {
	files = http.StripPrefix(filesPath, files)
	// A ServeMux would redirect other paths that are not clean.
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, filesPath+"/") {
			next.ServeHTTP(w, r)
			return
		}
		moving := movingFile{ResponseWriter: w, body: r.Body, conn: http.NewResponseController(w), stall: stall}
		r.Body = moving
		files.ServeHTTP(moving, r)
	})
}

// movingFile extends the deadlines of a connection with each part of a file that is sent or
// received.
type movingFile struct {
	http.ResponseWriter
	body  io.ReadCloser
	conn  *http.ResponseController
	stall time.Duration
}

// extend leaves the deadlines of a connection that has none.
func (m movingFile) extend() {
	until := time.Now().Add(m.stall)
	_ = m.conn.SetReadDeadline(until)
	_ = m.conn.SetWriteDeadline(until)
}

func (m movingFile) Read(b []byte) (int, error) {
	m.extend()
	return m.body.Read(b)
}

func (m movingFile) Close() error { return m.body.Close() }

func (m movingFile) Write(b []byte) (int, error) {
	m.extend()
	return m.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (m movingFile) Unwrap() http.ResponseWriter { return m.ResponseWriter }

// startSweep removes what a killed server left of files. After a while, and then hourly, it removes
// expired uploads, which the engine keeps, and old empty objects. The returned function ends that.
func (c *serveCmd) startSweep(
	ctx context.Context, log *slog.Logger, endpoint string, wait time.Duration,
) (stop func(), err error) {
	if err := localbucket.Tidy(c.data.files()); err != nil {
		return nil, fmt.Errorf("remove incomplete files: %w", err)
	}
	rows := dynamo.NewTable(c.client(endpoint), localTable, nil)
	return every(ctx, wait, sweepInterval, func(ctx context.Context) {
		if err := c.removeExpired(ctx, rows); err != nil {
			log.WarnContext(ctx, "expired uploads were not removed", "error", err)
		}
		if err := localbucket.RemoveEmpty(c.data.files(), time.Now()); err != nil {
			log.WarnContext(ctx, "empty objects were not removed", "error", err)
		}
	}), nil
}

// removeExpired removes the expired uploads of the rooms that ever had a file, each of which has a
// folder. An upload in another room has no bytes, and stays until the room has a file.
func (c *serveCmd) removeExpired(ctx context.Context, rows *dynamo.Table) error {
	folders, err := os.ReadDir(c.data.files())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, folder := range folders {
		room, err := chat.ParseRoomID(folder.Name())
		if err != nil {
			continue // pictures, or indexes of searches
		}
		if err := repair.RemoveExpired(ctx, rows, room, time.Now()); err != nil {
			return err
		}
	}
	return nil
}

// every calls do after a while, and then at intervals. The returned function ends that.
func every(ctx context.Context, wait, interval time.Duration, do func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ; smithytime.SleepWithContext(ctx, wait) == nil; wait = interval {
			do(ctx)
		}
	}()
	return func() { cancel(); <-done }
}

const (
	// firstIndexSweep is how long after the start of a server its first sweep of the index begins.
	// Servers on laptops may never run for a day.
	firstIndexSweep = 5 * time.Minute
	// indexSweepInterval is the interval of the schedule in AWS.
	indexSweepInterval = 24 * time.Hour
)

// startIndexSweep sweeps the index of searches after a while and then daily, as the schedule in AWS
// does. The returned function ends that.
func (c *serveCmd) startIndexSweep(
	ctx context.Context, log *slog.Logger, endpoint string, wait time.Duration,
) (stop func()) {
	return every(ctx, wait, indexSweepInterval, func(ctx context.Context) {
		_ = c.function(log, endpoint, httpapi.Search).Search().Sweep(ctx) // it logs a failure
	})
}
