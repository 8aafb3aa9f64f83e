package main

import (
	"context"
	"io"
	"log/slog"
	"os"

	"golang.org/x/term"

	"parley/internal/config"
	"parley/internal/httpapi"
	"parley/internal/live"
	"parley/internal/socketapi"
)

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// serverLogger returns the logger of the server. Other programs read JSON lines. A person at a
// terminal reads text, in which requests and deliveries appear at the level debug alone: they would
// hide the rest.
func serverLogger(level string, w io.Writer, terminal bool) (*slog.Logger, error) {
	log, err := config.Logger(level, w)
	if err != nil || !terminal {
		return log, err
	}
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		return nil, err
	}
	text := slog.NewTextHandler(w, &slog.HandlerOptions{Level: l})
	if l <= slog.LevelDebug {
		return slog.New(text), nil
	}
	return slog.New(withoutRequests{text}), nil
}

// withoutRequests drops the line of each request and of each delivery.
type withoutRequests struct{ slog.Handler }

func (h withoutRequests) Handle(ctx context.Context, r slog.Record) error {
	if r.Message == httpapi.RequestLine || r.Message == socketapi.RequestLine || r.Message == live.DeliveryLine {
		return nil
	}
	return h.Handler.Handle(ctx, r)
}

func (h withoutRequests) WithAttrs(attrs []slog.Attr) slog.Handler {
	return withoutRequests{h.Handler.WithAttrs(attrs)}
}

func (h withoutRequests) WithGroup(name string) slog.Handler {
	return withoutRequests{h.Handler.WithGroup(name)}
}
