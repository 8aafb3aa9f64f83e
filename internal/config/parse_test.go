package config_test

import (
	"log/slog"
	"testing"
	"time"

	"example.com/parley/internal/config"
)

func TestRequestLevel_FailedAndSlowRequestsHaveALine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		quiet  bool
		status int
		took   time.Duration
		want   slog.Level
	}{
		{"an answer in time", true, 200, config.SlowRequest - 1, slog.LevelDebug},
		{"a refusal in time", true, 429, 0, slog.LevelDebug},
		{"a slow answer", true, 200, config.SlowRequest, slog.LevelInfo},
		{"a failure", true, 500, 0, slog.LevelInfo},
		{"a store that is unavailable", true, 503, 0, slog.LevelInfo},
		{"an answer on a laptop", false, 200, 0, slog.LevelInfo},
	} {
		if got := config.RequestLevel(tt.quiet, tt.status, tt.took); got != tt.want {
			t.Errorf("%s: the line is at %v, want %v", tt.name, got, tt.want)
		}
	}
}
