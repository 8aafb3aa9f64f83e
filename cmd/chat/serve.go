package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/apifn"
	"example.com/parley/internal/auth"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/config"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/gateway"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/local"
	"example.com/parley/internal/local/engine"
	"example.com/parley/internal/local/folder"
	localstream "example.com/parley/internal/local/stream"
	"example.com/parley/internal/local/throttle"
	"example.com/parley/internal/people"
)

const (
	// headerTime limits how long a client may take to send its headers.
	headerTime = 10 * time.Second
	// readTime limits how long a client may take to send a whole request. The largest request, 10
	// MB, takes that long at 1.5 Mbit/s.
	readTime = time.Minute
	// writeTime limits a request from the end of its headers to the end of its response. After
	// readTime for the body and half a minute for the function, a page of 1 MB still has a minute.
	writeTime = readTime + 30*time.Second + time.Minute
	// drainTime is how long running requests may take when the server shuts down. It equals a
	// function's timeout.
	drainTime = 20 * time.Second
	// startTime limits the start of the engine and the creation of the tables.
	startTime = 30 * time.Second
)

// defaultAddr is the address of the API.
const defaultAddr = "127.0.0.1:8080"

type serveCmd struct {
	data
	Addr         string   `default:"${addr}" help:"The address of the API. Port 0 picks a free port."`
	SendRate     int      `default:"10" help:"How many messages a user may send per second. Bursts may be three times as large, and the other limits of a user go with it."`
	RoomCreators string   `default:"everyone" help:"Who may create rooms: everyone, or user ids separated by commas."`
	EnginePort   int      `default:"0" help:"The port of the DynamoDB engine, for sam local invoke and the AWS CLI. Programs and web pages on this machine can then read and change all data. 0 picks a free port and tells nobody."`
	EngineHost   string   `default:"127.0.0.1" help:"The address that the engine listens on at --engine-port: 127.0.0.1, or the address of Docker's bridge on Linux, for sam local invoke. Every container can then read and change all data."`
	Grow         bool     `help:"Let rooms grow to several shards with the rate of their messages, as in an account. The local engine accepts any rate in one shard, and pages of one shard are faster."`
	TableWrites  int      `default:"0" help:"Limit each table to so many write units a second, and three times as many read units, as DynamoDB does: a new table has 4000. 0 is no limit."`
	Origin       []string `help:"An origin whose pages may call the API, such as http://localhost:3000, which allows http://127.0.0.1:3000 too. May be repeated."`
	Issuer       string   `help:"Accept the tokens of this issuer instead of tokens of chat token. It must equal the iss of the tokens, an https address."`
	Audience     []string `help:"With --issuer or --keys: an accepted aud or client_id. May be repeated."`
	Keys         []string `sep:"none" placeholder:"[ID=]FILE" help:"Accept the tokens that an app signs with the private key of this public key, instead of tokens of chat token. Without an ID, the kid is the key's thumbprint. May be repeated."`
	UserClaim    string   `default:"sub" help:"With --issuer or --keys: the claim of a token that is the user."`
	Directory    string   `default:"everyone" enum:"everyone,services,off" help:"Who may list people and search for them: everyone, services or off."`
	Profiles     string   `default:"everyone" enum:"everyone,services" help:"Who may change the names, titles and other facts of profiles: everyone their own, or only services."`
	Hooks        string   `default:"on,owners" help:"Whether services may have hooks: off, on, or private, which gives hooks the changes of private and direct rooms, too. Followed by \",owners\", owners of rooms may have hooks of their rooms."`
	NameClaim    string   `default:"username" help:"The claim of a token with the name of a user who has not saved a profile."`
	AvatarHost   []string `help:"A host whose pictures the web app shows as avatars, such as pictures.example.com; others are initials. It learns who reads when. May be repeated."`
	Page         string   `type:"path" help:"Serve the web app from this folder, such as web/dist, instead of the built-in one. For work on the page."`
	SignedPosts  bool     `help:"Send frames to WebSocket connections as functions do in AWS: by signed requests, at most 5000 a second, instead of within the process."`
	Profile      string   `placeholder:"ADDR" help:"Serve profiles of the server (net/http/pprof) at this loopback address, such as 127.0.0.1:6060. Port 0 picks a free port."`
	LogLevel     string   `default:"warn" enum:"debug,info,warn,error" help:"The lowest level to log: debug, info, warn or error. Requests are logged at info."`
	Verbose      bool     `short:"v" help:"Log each request: short for --log-level info."`

	DeliveryTime time.Duration `hidden:"" help:"How long the delivery of live changes may take, for tests that must lose none. 0 keeps the usual limits."`

	demo           *demoCmd         // the demo that it serves; nil for other data
	limits         *throttle.Limits // of the tables; nil means no limits
	disk           *diskWatch       // of the data folder
	bell           localstream.Bell // rings after each write
	files          localFiles
	deliveries     *deliveries
	mayCreateRooms func(chat.UserID) bool // nil allows everyone
	directory      people.Directory
	hooks          config.HookRules
	socketClock    func() time.Time // measures the age of connections; nil is the machine's
	overtaking     time.Duration    // of posted messages by the deletion of their connection; 0 means none
	writeLimit     time.Duration    // for one request; 0 means writeTime
}

// Run serves until ctx ends or the engine exits.
func (c *serveCmd) Run(ctx context.Context, s streams) error {
	setCollector()
	if c.SendRate < 1 {
		return errors.New("--send-rate must be at least 1")
	}
	mayCreateRooms, err := apifn.RoomCreators(c.RoomCreators)
	if err != nil {
		return fmt.Errorf("--room-creators: %w", err)
	}
	c.mayCreateRooms = mayCreateRooms
	if err := c.checkHosts(); err != nil {
		return err
	}
	c.Origin = withLoopbackNames(c.Origin)
	if err := c.parseChoices(); err != nil {
		return err
	}
	if c.TableWrites != 0 {
		if c.limits, err = throttle.New(c.TableWrites, time.Now); err != nil {
			return fmt.Errorf("--table-writes: %w", err)
		}
	}
	if c.socketClock == nil {
		c.socketClock = time.Now
	}
	if c.Verbose && c.LogLevel != "debug" {
		c.LogLevel = "info"
	}
	log, err := serverLogger(c.LogLevel, s.Err, isTerminal(s.Err))
	if err != nil {
		return err
	}
	if err := c.checkEngineHost(); err != nil {
		return err
	}
	listener, err := listen(c.Addr)
	if err != nil {
		return err
	}
	defer listener.Close()
	stopProfiles, err := c.startProfiles(s.Out)
	if err != nil {
		return err
	}
	defer stopProfiles()
	if !isLoopback(listener.Addr()) {
		log.WarnContext(ctx, "other machines can reach this address without TLS, so tokens and messages can be "+
			"read on the network", "addr", listener.Addr().String())
	}
	c.disk, c.bell = &diskWatch{log: log, folder: c.Data}, localstream.NewBell()
	e, err := c.startEngine(ctx, log, s.Err)
	if err == nil {
		err = c.serve(ctx, s, log, listener, e)
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
		defer cancel()
		err = errors.Join(err, e.Stop(stop))
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil // interrupted while it started
	}
	return c.explain(err)
}

// parseChoices parses the flags that choose who may do what.
func (c *serveCmd) parseChoices() (err error) {
	if c.directory, err = apifn.Directory(c.Directory); err != nil {
		return fmt.Errorf("--directory: %w", err)
	}
	if c.hooks, err = config.ParseHooks(c.Hooks); err != nil {
		return fmt.Errorf("--hooks: %w", err)
	}
	return nil
}

// localEngine is a running engine and the stream of its table.
type localEngine struct {
	*engine.Engine
	stream string
}

// startEngine installs the engine if it is missing, claims the data folder, starts its engine and
// creates missing tables. It writes to messages how the engine is installed.
func (c *serveCmd) startEngine(ctx context.Context, log *slog.Logger, messages io.Writer) (l localEngine, err error) {
	if _, err := engine.Ensure(ctx, os.Getenv, messages); err != nil {
		return l, err
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	if l.Engine, err = folder.Own(
		ctx, folder.Config{Dir: c.Data, EngineHost: c.EngineHost, EnginePort: c.EnginePort, Log: log},
	); err != nil {
		return l, err
	}
	if err = c.demo.empty(ctx, l.Endpoint()); err == nil {
		l.stream, err = createLocalTables(ctx, dynamo.LocalClient(l.Endpoint()))
	}
	if err != nil {
		return l, errors.Join(err, l.Stop(context.WithoutCancel(ctx)))
	}
	return l, nil
}

// serve handles requests on the listener and updates the feeds.
func (c *serveCmd) serve(ctx context.Context, s streams, log *slog.Logger, listener net.Listener, e localEngine) error {
	c.files, c.deliveries = c.openFiles(c.Origin...), &deliveries{}
	verifier, keySet, err := c.tokens(log)
	if err != nil {
		return err
	}
	api, err := c.api(log, e.Endpoint(), verifier, keySet)
	if err != nil {
		return err
	}
	front, err := c.signIn(
		log, listener.Addr(), people.NewStore(dynamo.NewTable(c.client(e.Endpoint()), localTable, nil)), api,
	)
	if err == nil {
		front, err = c.page(listener.Addr(), front)
	}
	if err != nil {
		return err
	}
	front = withFiles(c.files.handler, front, fileStall)
	live, err := c.startSockets(log, verifier, listener.Addr(), e.Endpoint())
	if err != nil {
		return err
	}
	defer live.close() // after the rest of the feed has been delivered
	stopFeed, err := c.startFeed(ctx, log, e, live.poster)
	if err != nil {
		return err
	}
	defer stopFeed()
	stopSweep, err := c.startSweep(ctx, log, e.Endpoint(), firstSweep)
	if err != nil {
		return err
	}
	defer stopSweep()
	defer c.startIndexSweep(ctx, log, e.Endpoint(), firstIndexSweep)()
	if err := c.demo.fill(ctx, e, c.files.client); err != nil {
		return err
	}
	server := &http.Server{
		Handler: live.front(front), ReadHeaderTimeout: headerTime, ReadTimeout: readTime,
		WriteTimeout: cmp.Or(c.writeLimit, writeTime),
		ErrorLog:     slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	conns := trackConns(server)
	served := make(chan error, 1)
	clients := live.gateway.Prepare(server, listener)
	go func() { served <- server.Serve(clients) }()

	if err := c.announce(s.Out, listener.Addr(), e.Endpoint(), isTerminal(s.Out)); err != nil {
		return errors.Join(err, server.Close())
	}
	defer returnMemory(ctx)()
	select {
	case err = <-served:
	case <-e.Done(): // its Stop reports the reason
	case <-ctx.Done():
	}
	return errors.Join(err, conns.drain(server, log, drainTime))
}

// api returns the complete HTTP API: a local gateway in front of the functions' handlers.
func (c *serveCmd) api(
	log *slog.Logger, endpoint string, verifier *auth.Verifier, keySet func() ([]byte, error),
) (http.Handler, error) {
	return local.New(local.Config{
		Routes: c.routes(log, endpoint), Verifier: verifier, KeySet: keySet,
		CORS: local.CORS{
			Origins: c.Origin, Headers: config.AllowedHeaders(), Exposed: config.ExposedHeaders(),
			MaxAge: config.PreflightAge,
		},
		Log: log, Clock: time.Now, Rand: rand.Reader,
	})
}

// client returns a client of the engine, within the limits of the tables. Its writes wake the feed.
func (c *serveCmd) client(endpoint string) *dynamodb.Client {
	return dynamodb.New(c.silentClient(endpoint).Options(), c.bell.Options)
}

// silentClient returns a client whose writes do not wake the feed.
func (c *serveCmd) silentClient(endpoint string) *dynamodb.Client {
	if c.limits == nil {
		return dynamo.LocalClient(endpoint, c.disk.options)
	}
	return dynamo.LocalClient(endpoint, c.disk.options, c.limits.Options)
}

// routes maps every route of the gateway to its function. Each function has separate parts,
// like a separate process.
func (c *serveCmd) routes(log *slog.Logger, endpoint string) []local.Route {
	functions := map[httpapi.Function]local.Invoke{}
	for _, o := range httpapi.All() {
		functions[o.Function()] = gateway.Handler(c.function(log, endpoint, o.Function()).HTTP(o))
	}
	var routes []local.Route
	for _, r := range httpapi.GatewayRoutes() {
		routes = append(routes, local.Route{
			Method: r.Method, Path: r.Path, Public: r.Public, Ends: r.Function == httpapi.Search,
			Invoke: functions[r.Function],
		})
	}
	return routes
}

// function returns the configuration of a function behind the API.
func (c *serveCmd) function(log *slog.Logger, endpoint string, f httpapi.Function) apifn.Config {
	return apifn.Config{
		DB: c.client(endpoint), Table: localTable, LogTable: localLogTable, LiveTable: localLiveTable,
		Log:      log.With("function", f),
		SendRate: c.SendRate, MayCreateRooms: c.mayCreateRooms, Directory: c.directory,
		ProfilesByServices: c.Profiles == config.Services, NameClaim: c.NameClaim, Bucket: c.files.client,
		TokenRules: c.tokenRules(), Hooks: c.hooks,
		HookAddresses: localAddresses,
	}
}
