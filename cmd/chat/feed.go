package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/apigw"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feedfn"
	"example.com/parley/internal/growth"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/live"
	"example.com/parley/internal/local/engine"
	"example.com/parley/internal/local/socket"
	localstream "example.com/parley/internal/local/stream"
	"example.com/parley/internal/outboxfn"
	"example.com/parley/internal/shard"
	"example.com/parley/internal/stream"
)

// The files of the stream's readers in the data folder.
const (
	positionFile = "feed-position.json"   // the feed's position in the stream
	failuresFile = "failures.jsonl"       // records that could not be added to a feed
	outboxFile   = "outbox-position.json" // the outbox's position in the stream
)

// localReadTime bounds reading a batch's audiences. A slow disk also delays the engine. All
// consumers of a batch have one second more.
const localReadTime = 4 * time.Second

// localPostTime bounds the posts of a batch. On a machine that also runs a browser a post may take
// a second, even if the client does not hang.
const localPostTime = 3 * time.Second

// startFeed delivers the table's stream to the handlers of the feed function and of the outbox
// function in the background. The feed's sends changes to connections. The returned function
// delivers the rest within a short time, and waits until that is done.
func (c *serveCmd) startFeed(
	ctx context.Context, log *slog.Logger, l localEngine, poster framePoster,
) (stop func(), err error) {
	log = log.With("function", "feed")
	db := c.silentClient(l.Endpoint()) // the poller reads on after the feed's own writes
	news := localstream.NewBell()
	appending := dynamodb.New(db.Options(), news.Options)
	parts := feedfn.Config{
		DB: appending, Table: localTable, Log: log, Failures: &failures{path: filepath.Join(c.Data, failuresFile)},
		Poster: poster, Pacing: poster.Pacing, LiveTable: localLiveTable, Bucket: c.files.client,
		DeliveryTimes: live.Times{
			Read: cmp.Or(c.DeliveryTime, localReadTime), Post: cmp.Or(c.DeliveryTime, localPostTime),
		},
		After: func(d time.Duration, f func()) { time.AfterFunc(d, f) },
	}
	if !c.Grow {
		store := dynamo.New(db, dynamo.Options{Table: localTable, Clock: time.Now})
		parts.Watcher = growth.NewWatcherBy(shard.OneShard(), store, time.Now, log)
	}
	trimmer := localstream.NewTrimmer(func(ctx context.Context, sequence string) error {
		return engine.Trim(ctx, db, l.stream, sequence)
	})
	feed := localstream.Config{
		ARN: l.stream, Function: parts.Function(), Filter: localstream.TableFilter(),
		File: filepath.Join(c.Data, positionFile), Log: log, Clock: time.Now, Bell: c.bell, Trim: trimmer.Poller(),
	}
	log = log.With("function", "outbox")
	hooks := c.newLocalHooks(ctx, db, log.With("function", "deliver"))
	outboxParts := outboxfn.Config{
		DB: db, Table: localTable, Queue: hooks, Rules: hook.Rules(c.hooks), Log: log, Clock: time.Now,
	}
	outbox := localstream.Config{
		ARN: l.stream, Filter: localstream.OutboxFilter(), File: filepath.Join(c.Data, outboxFile), Log: log,
		Clock: time.Now, Bell: news, Trim: trimmer.Poller(),
		Function: outboxParts.Function(),
	}
	stopOutbox, err := startPoller(ctx, l, outbox)
	if err != nil {
		return nil, err
	}
	stopFeed, err := startPoller(ctx, l, feed)
	if err != nil {
		stopOutbox()
		return nil, err
	}
	hooks.run(outboxParts)
	return func() {
		stopFeed()
		stopOutbox() // it also delivers what the feed has appended last
		hooks.stop()
	}, nil
}

// startPoller delivers the table's stream to a function in the background. The returned function
// delivers the rest within a short time, and waits until that is done.
func startPoller(ctx context.Context, l localEngine, cfg localstream.Config) (stop func(), err error) {
	client, closeClient := localstream.NewClient(l.Endpoint())
	cfg.Streams = client
	poller, err := localstream.Open(ctx, cfg)
	if err != nil {
		closeClient()
		return nil, fmt.Errorf("the engine does not serve its streams, which the feeds need: %w", err)
	}
	// The poller outlives ctx, so that requests still running then also reach the feeds.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		poller.Run(ctx)
	}()
	return func() {
		cancel()
		<-done
		closeClient()
	}, nil
}

// failures implements stream.Failures on a laptop. It writes lines of JSON to a file.
type failures struct {
	mu   sync.Mutex
	path string
}

// Keep appends a line.
func (f *failures) Keep(_ context.Context, failure stream.Failure) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	line, err := json.Marshal(failure)
	if err != nil {
		return fmt.Errorf("keep failure: %w", err)
	}
	file, err := os.OpenFile(f.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("keep failure: %w", err)
	}
	_, err = file.Write(append(line, '\n'))
	return errors.Join(err, file.Sync(), file.Close())
}

// framePoster sends frames to the connections of a gateway. It is used once serve has been called.
type framePoster interface {
	live.Poster
	// Pacing returns how posts have kept within the account's rate of requests.
	Pacing() live.Pacing
	serve(*socket.Gateway)
	close()
}

// framePoster returns the poster that the flags select.
func (c *serveCmd) framePoster(db *dynamodb.Client) (framePoster, error) {
	if c.SignedPosts {
		return newSignedPoster(db, c.DeliveryTime)
	}
	return &directPoster{}, nil
}

// directPoster calls the gateway within the process. It does not pace posts: pacing protects a
// quota of AWS accounts.
type directPoster struct{ gateway *socket.Gateway }

func (p *directPoster) serve(g *socket.Gateway) { p.gateway = g }
func (p *directPoster) close()                  {}

// Pacing returns zeros.
func (p *directPoster) Pacing() live.Pacing { return live.Pacing{} }

// Post implements live.Poster. It never waits for a client.
func (p *directPoster) Post(ctx context.Context, to live.ConnectionID, frame []byte) error {
	if ctx.Err() != nil {
		return live.ErrPaced
	}
	return postError(p.gateway.Post(string(to), frame))
}

// Close implements live.Poster.
func (p *directPoster) Close(ctx context.Context, id live.ConnectionID) error {
	if ctx.Err() != nil {
		return live.ErrPaced
	}
	return postError(p.gateway.Delete(string(id)))
}

// postError returns the error that live.Poster documents for an error of the gateway.
func postError(err error) error {
	switch {
	case errors.Is(err, socket.ErrGone):
		return live.ErrGone
	case errors.Is(err, socket.ErrFull):
		return fmt.Errorf("%w: %w", live.ErrRefused, err)
	case err != nil:
		return fmt.Errorf("post to a connection: %w", err)
	}
	return nil
}

// signedPoster sends frames as the functions do in AWS: by signed requests to the management API,
// which the server serves on a port of its own.
type signedPoster struct {
	*apigw.Client
	listener net.Listener
	signer   socket.Signer
	server   *http.Server
}

// newSignedPoster listens for the requests, which only this machine can make.
func newSignedPoster(db *dynamodb.Client, timeout time.Duration) (*signedPoster, error) {
	o := db.Options()
	credentials, err := o.Credentials.Retrieve(context.Background())
	if err != nil {
		return nil, err
	}
	p := &signedPoster{signer: socket.Signer{Credentials: credentials, Region: o.Region, Clock: time.Now}}
	if p.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	p.Client, err = apigw.New(apigw.Config{
		Endpoint: "http://" + p.listener.Addr().String(), Region: o.Region, Credentials: o.Credentials,
		Timeout: timeout,
	})
	if err != nil {
		return nil, errors.Join(err, p.listener.Close())
	}
	return p, nil
}

func (p *signedPoster) serve(g *socket.Gateway) {
	p.server = &http.Server{
		Handler: socket.NewManagement(g, p.signer), ReadHeaderTimeout: headerTime, ReadTimeout: readTime,
	}
	go func() { _ = p.server.Serve(p.listener) }() // it ends with close
}

func (p *signedPoster) close() {
	p.CloseIdle()
	if p.server != nil {
		_ = p.server.Close() // nothing more is sent
	}
	_ = p.listener.Close()
}
