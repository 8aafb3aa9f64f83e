package main

import (
	"io"
	"log/slog"
	"os"

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
	if err != nil || !terminal {
		return log, err
	}
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		return nil, err
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: l})), nil
}
