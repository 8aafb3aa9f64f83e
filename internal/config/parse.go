// Package config reads the environment variables that several functions share.
package config

import (
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"time"
)

// maxDays bounds every setting that is a number of days, so that a slip is noticed.
const maxDays = 3650

// Days parses a number of days. Empty is 0, which stands for the default.
func Days(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxDays {
		return 0, fmt.Errorf("%q is not a number of days from 1 to %d", text, maxDays)
	}
	return time.Duration(n) * 24 * time.Hour, nil
}

// Logger returns a logger that writes JSON lines of a level, given by its name, and above. Empty is
// info.
func Logger(level string, w io.Writer) (*slog.Logger, error) {
	var l slog.Level
	if level != "" {
		if err := l.UnmarshalText([]byte(level)); err != nil {
			return nil, err
		}
	}
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: l})), nil
}
