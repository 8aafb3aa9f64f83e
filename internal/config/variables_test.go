package config_test

import (
	"log/slog"
	"testing"
	"time"

	"example.com/parley/internal/config"
)

func TestMemoryLimit_LeavesRoomForTheRestOfTheProcess(t *testing.T) {
	t.Parallel()
	for memory, want := range map[int]string{128: "96MiB", 256: "224MiB", 512: "448MiB", 1024: "896MiB"} {
		if got := config.MemoryLimit(memory); got != want {
			t.Errorf("a function of %d MB has a limit of %s, want %s", memory, got, want)
		}
	}
}

func TestEndpoint_PrefersTheServiceAndCanBeIgnored(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		set  map[string]string
		want string
	}{
		"nothing is set":          {nil, ""},
		"the general one":         {map[string]string{"AWS_ENDPOINT_URL": "http://all"}, "http://all"},
		"the service's":           {map[string]string{"AWS_ENDPOINT_URL_SQS": "http://sqs"}, "http://sqs"},
		"the service's wins":      {map[string]string{"AWS_ENDPOINT_URL": "http://all", "AWS_ENDPOINT_URL_SQS": "http://sqs"}, "http://sqs"},
		"another service's":       {map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": "http://db"}, ""},
		"both ignored":            {map[string]string{"AWS_ENDPOINT_URL": "http://all", "AWS_ENDPOINT_URL_SQS": "http://sqs", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true"}, ""},
		"ignored in capitals":     {map[string]string{"AWS_ENDPOINT_URL": "http://all", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "TRUE"}, ""},
		"explicitly not ignored":  {map[string]string{"AWS_ENDPOINT_URL": "http://all", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "false"}, "http://all"},
		"empty counts as not set": {map[string]string{"AWS_ENDPOINT_URL": "http://all", "AWS_ENDPOINT_URL_SQS": ""}, "http://all"},
	} {
		if got := config.Endpoint(func(name string) string { return tt.set[name] }, config.EnvSQSEndpoint); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

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
