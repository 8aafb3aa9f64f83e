package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"parley/internal/apifn"
	"parley/internal/chat"
	"parley/internal/config"
	"parley/internal/dynamo"
	"parley/internal/gateway"
	"parley/internal/httpapi"
	"parley/internal/local"
	"parley/internal/local/engine"
	"parley/internal/local/folder"
)

const (
	// headerTime bounds how long a client may take over its headers.
	headerTime = 10 * time.Second
	// readTime bounds how long it may take over a whole request: the largest that
	// is let in, 10 MB, by a line of 1.5 Mbit/s.
	readTime = time.Minute
	// drainTime is what requests under way get when the server is asked to
	// end: as long as a function may take.
	drainTime = 20 * time.Second
	// startTime bounds the start of the engine and the making of the table.
	startTime = 30 * time.Second
)

// localLogTable is the activity log's name on the local engine.
const localLogTable = "parley-log"

type serveCmd struct {
	data
	Addr       string   `default:"127.0.0.1:8080" help:"Where the API listens; port 0 picks a free one."`
	SendRate   int      `default:"10" help:"How many messages a second one person may send; ten times as many at once."`
	RoomMakers string   `default:"everyone" help:"Who may make rooms: everyone, or user ids separated by commas."`
	EnginePort int      `default:"0" help:"Where the DynamoDB engine listens on 127.0.0.1, for sam local invoke and the AWS CLI; 0 picks a free port."`
	Origin     []string `help:"An origin that browsers may call from, such as http://localhost:3000. May be repeated."`
	Issuer     string   `help:"Accept the tokens of this issuer, an https address exactly as in their iss, and not those of chat token."`
	Audience   []string `help:"With --issuer: the aud or client_id of its tokens. May be repeated."`
	LogLevel   string   `default:"info" enum:"debug,info,warn,error" help:"What is logged: debug, info, warn or error."`

	makers func(chat.UserID) bool // nil is everyone
}

// Run serves until it is asked to end or the engine has ended.
func (c *serveCmd) Run(ctx context.Context, s streams) error {
	if c.SendRate < 1 {
		return errors.New("--send-rate must be at least 1")
	}
	makers, err := apifn.RoomCreators(c.RoomMakers)
	if err != nil {
		return fmt.Errorf("--room-makers: %w", err)
	}
	c.makers = makers
	log, err := config.Logger(c.LogLevel, s.Err)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return fmt.Errorf("%w (--addr chooses another address)", err)
	}
	defer listener.Close()
	e, err := c.startEngine(ctx, log)
	if err != nil {
		return err
	}
	err = c.serve(ctx, s, log, listener, e)
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	return errors.Join(err, e.Stop(stop))
}

// localEngine is the running engine, and its table's stream.
type localEngine struct {
	*engine.Engine
	stream string
}

// startEngine owns the data folder, and sees that its tables are there.
func (c *serveCmd) startEngine(ctx context.Context, log *slog.Logger) (l localEngine, err error) {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	if l.Engine, err = folder.Own(ctx, folder.Config{Dir: c.Data, EnginePort: c.EnginePort, Log: log}); err != nil {
		return l, err
	}
	client := dynamo.LocalClient(l.Endpoint())
	if l.stream, err = createLocalTable(ctx, client); err == nil {
		err = dynamo.CreateLogTable(ctx, client, localLogTable)
	}
	if err != nil {
		return l, errors.Join(err, l.Stop(context.WithoutCancel(ctx)))
	}
	return l, nil
}

// serve answers requests on the listener, and keeps the feeds.
func (c *serveCmd) serve(ctx context.Context, s streams, log *slog.Logger, listener net.Listener, e localEngine) error {
	api, err := c.api(log, e.Endpoint())
	if err != nil {
		return err
	}
	stopFeed, err := c.startFeed(ctx, log, e)
	if err != nil {
		return err
	}
	defer stopFeed()
	server := &http.Server{
		Handler: api, ReadHeaderTimeout: headerTime, ReadTimeout: readTime,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	requests := watched(server)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()

	c.announce(s, listener, e.Endpoint())
	select {
	case err = <-served:
	case <-e.Done():
		err = errors.New("the engine has ended")
	case <-ctx.Done():
	}
	return errors.Join(err, requests.drain(server, log, drainTime))
}

// api is the whole HTTP API: the gateway's stand-in before the handlers
// that run as functions.
func (c *serveCmd) api(log *slog.Logger, endpoint string) (http.Handler, error) {
	verifier, keySet, err := c.tokens(log)
	if err != nil {
		return nil, err
	}
	return local.New(local.Config{
		Routes: c.routes(log, endpoint), Verifier: verifier, KeySet: keySet,
		CORS: local.CORS{
			Origins: c.Origin, Headers: config.AllowedHeaders(), Exposed: config.ExposedHeaders(), MaxAge: config.PreflightAge,
		},
		Log: log, Clock: time.Now, Rand: rand.Reader,
	})
}

// routes sends every route to its function, each with parts of its own, as
// separate processes have.
func (c *serveCmd) routes(log *slog.Logger, endpoint string) []local.Route {
	functions := map[httpapi.Function]local.Invoke{}
	for _, f := range []httpapi.Function{httpapi.Write, httpapi.Read} {
		parts := apifn.Parts{
			DB: dynamo.LocalClient(endpoint), Table: localTable, LogTable: localLogTable, Log: log.With("function", f),
			SendRate: c.SendRate, MayCreateRooms: c.makers,
		}
		functions[f] = gateway.Handler(parts.HTTP(f))
	}
	var routes []local.Route
	for _, r := range append(httpapi.Routes(), httpapi.CatchAlls(len(c.Origin) > 0)...) {
		routes = append(routes, local.Route{Method: r.Method, Path: r.Path, Public: r.Public, Invoke: functions[r.Function]})
	}
	return routes
}
