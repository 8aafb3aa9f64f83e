// Package env reads what every function's environment has in common.
package env

import (
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"time"
)

// maxDays bounds how long anything can be set to be kept, so that a slip is noticed.
const maxDays = 3650

// Days reads a number of days; empty is the default.
func Days(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxDays {
		return 0, fmt.Errorf("%q is no number of days from 1 to %d", text, maxDays)
	}
	return time.Duration(n) * 24 * time.Hour, nil
}

// Logger writes structured logs of a level by its name; empty is info.
func Logger(level string, w io.Writer) (*slog.Logger, error) {
	var l slog.Level
	if level != "" {
		if err := l.UnmarshalText([]byte(level)); err != nil {
			return nil, err
		}
	}
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: l})), nil
}
