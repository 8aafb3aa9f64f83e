package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"strings"

	"golang.org/x/term"

	"example.com/parley/internal/config"
)

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// serverLogger returns the logger of the server. It writes text to a terminal, and JSON lines for
// programs.
func serverLogger(level string, w io.Writer, terminal bool) (*slog.Logger, error) {
	log, err := config.Logger(level, w)
	if err != nil {
		return nil, err
	}
	if !terminal {
		return slog.New(cancelHandler{log.Handler()}), nil
	}
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		return nil, err
	}
	return slog.New(cancelHandler{slog.NewTextHandler(w, &slog.HandlerOptions{Level: l})}), nil
}

// cancelHandler logs interrupted work at info: it did not fail if its own context was canceled,
// because the server stops or the client has left.
type cancelHandler struct{ slog.Handler }

// Handle lowers the level of a line about the cancellation of ctx.
func (h cancelHandler) Handle(ctx context.Context, r slog.Record) error {
	if r.Level > slog.LevelInfo && errors.Is(ctx.Err(), context.Canceled) && reportsCancel(r) {
		if r.Level = slog.LevelInfo; !h.Enabled(ctx, r.Level) {
			return nil
		}
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h cancelHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return cancelHandler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h cancelHandler) WithGroup(name string) slog.Handler {
	return cancelHandler{h.Handler.WithGroup(name)}
}

// reportsCancel reports whether a value of the line is the error of a canceled context, or its
// text.
func reportsCancel(r slog.Record) (found bool) {
	r.Attrs(func(a slog.Attr) bool {
		err, _ := a.Value.Any().(error)
		found = errors.Is(err, context.Canceled) || strings.Contains(a.Value.String(), context.Canceled.Error())
		return !found
	})
	return found
}
