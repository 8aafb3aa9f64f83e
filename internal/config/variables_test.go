package config_test

import (
	"testing"

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
