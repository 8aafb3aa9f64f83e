package config

import (
	"fmt"
	"hash/fnv"
	"io"
	"log/slog"
	"strconv"
	"time"
)

// maxDays bounds every setting that is a number of days, to catch typos.
const maxDays = 3650

// Days parses a number of days. It returns 0, which means the default, for an empty text.
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

// maxSendRate is the number of messages that one partition accepts per second. A higher setting is
// an error.
const maxSendRate = 1000

// SendRate parses a number of messages a second. It returns 0, which means the default, for an
// empty text.
func SendRate(s string) (int, error) {
	if s == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > maxSendRate {
		return 0, fmt.Errorf("%q is not a number from 1 to %d", s, maxSendRate)
	}
	return n, nil
}

// maxPostRate is the number of requests a second that an account may send to API Gateway.
const maxPostRate = 10_000

// PostRate parses a number of frames a second. It returns 0, which means the default, for an empty
// text.
func PostRate(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxPostRate {
		return 0, fmt.Errorf("%q is not a number of frames from 1 to %d", text, maxPostRate)
	}
	return n, nil
}

// SlowRequest is the time from which a request is slow. With immediate responses from DynamoDB, a
// request takes a tenth of it, even in a process that has just started.
const SlowRequest = 500 * time.Millisecond

// serverFailure is the first HTTP status of a server failure. This package does not link net/http.
const serverFailure = 500

// SampleOf is how many ordinary requests each logged one stands for: enough for the
// percentiles of a route, at a sixteenth of the lines' price.
const SampleOf = 16

// Sampled reports whether an ordinary request is logged nevertheless, by its id.
func Sampled(id string) bool {
	h := fnv.New32a()
	_, _ = io.WriteString(h, id)
	return h.Sum32()%SampleOf == 0
}

// RequestLevel returns the level at which a request is logged. A request that failed or was slow
// is logged at info. If quiet is set, others are logged at debug, because the gateway's access log
// has a line for each with its status and time.
func RequestLevel(quiet bool, status int, took time.Duration) slog.Level {
	if quiet && status < serverFailure && took < SlowRequest {
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// Logger returns a logger that writes JSON lines at or above a level. level is the level's name;
// an empty name means info.
func Logger(level string, w io.Writer) (*slog.Logger, error) {
	var l slog.Level
	if level != "" {
		if err := l.UnmarshalText([]byte(level)); err != nil {
			return nil, err
		}
	}
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: l})), nil
}
