package measure

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"parley/internal/chat"
	"parley/internal/config"
	"parley/internal/dynamo"
	"parley/internal/gateway"
	"parley/internal/httpapi"
	"parley/internal/test/runtimestub"
)

const (
	// collectorCalls are enough for some hundred collections of a process without the settings.
	collectorCalls = 3000
	// collectorRuns alternate between the settings. The figure is the least of each, because other
	// processes add time and never take any.
	collectorRuns = 3
	// collectorMemory is the memory of the functions in prod whose processes are measured, in MB.
	collectorMemory = 512
	// collectorRate is the highest rate that the functions accept. One person makes all calls.
	collectorRate = 1000
	collectorRoom = chat.RoomID("collected")
)

// Collector measures the processor time of the functions with the collector's settings of the stack
// and without, for posts and for pages of 50. Starts are left out.
func Collector(ctx context.Context, db *dynamo.Store, endpoint, table string) ([]Figure, error) {
	dir, err := os.MkdirTemp("", "collector")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	made := chat.Room{ID: collectorRoom, Name: "bench", CreatedBy: "bench", CreatedAt: start, Shards: 1, DigestKey: []byte("k")}
	if _, err := db.CreateRoom(ctx, made, chat.OwnerOf(made, "bench")); err != nil {
		return nil, err
	}
	var figures []Figure
	for _, c := range []struct{ name, function, method, body string }{
		{"posts", string(httpapi.Write), http.MethodPost, `{"text":"` + typicalWords() + `"}`},
		{"pages of 50", string(httpapi.Read), http.MethodGet, ""},
	} {
		binary := filepath.Join(dir, c.function)
		if err := buildFunction(ctx, c.function, runtime.GOARCH, binary); err != nil {
			return nil, err
		}
		event, err := collectorEvent(c.method, c.body)
		if err != nil {
			return nil, err
		}
		least := map[bool]time.Duration{}
		for run := range 2 * collectorRuns {
			set := run%2 == 0
			took, err := collectorTime(ctx, binary, collectorEnv(endpoint, table, set), event)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			if known, ok := least[set]; !ok || took < known {
				least[set] = took
			}
		}
		figures = append(figures, Figure{
			Name:  fmt.Sprintf("processor time of %d %s, GOGC=%d", collectorCalls, c.name, config.GarbagePercent),
			Value: fmt.Sprintf("%.0f ms, %.2f of the default", ms(least[true]), float64(least[true])/float64(least[false])),
			Goal:  "≤ 0.80 of the default", Naive: fmt.Sprintf("%.0f ms", ms(least[false])),
		})
	}
	return figures, nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// collectorEvent returns the event of a request to the messages of collectorRoom.
func collectorEvent(method, body string) ([]byte, error) {
	r := httptest.NewRequest(method, "/rooms/"+string(collectorRoom)+"/messages", nil)
	r.Header.Set("Content-Type", "application/json")
	e := gateway.Event(gateway.Incoming{
		Request: r, Body: []byte(body), Route: method + " /rooms/{room}/messages",
		Parameters: map[string]string{"room": string(collectorRoom)}, Claims: map[string]string{"sub": "bench"},
	})
	return json.Marshal(e)
}

// collectorEnv returns the environment of a function, with the collector's settings or without.
func collectorEnv(endpoint, table string, set bool) []string {
	env := []string{
		"AWS_REGION=us-east-1", "AWS_ACCESS_KEY_ID=x", "AWS_SECRET_ACCESS_KEY=x", config.EnvDynamoDBEndpoint + "=" + endpoint,
		config.EnvTable + "=" + table, config.EnvLogTable + "=" + table, config.EnvLiveTable + "=" + table,
		config.EnvSendRate + "=" + strconv.Itoa(collectorRate),
	}
	if set {
		env = append(env, config.EnvGarbagePercent+"="+strconv.Itoa(config.GarbagePercent), config.EnvMemoryLimit+"="+config.MemoryLimit(collectorMemory))
	}
	return env
}

// collectorTime returns the processor time that a process of a function needs for its calls.
func collectorTime(ctx context.Context, binary string, env []string, event []byte) (time.Duration, error) {
	fn, err := runtimestub.Start(runtimestub.Config{Command: []string{binary}, Env: env, Logs: io.Discard})
	if err != nil {
		return 0, err
	}
	defer fn.Stop() //nolint:errcheck // it has stopped already, unless a call failed
	for range collectorCalls {
		answer, err := fn.Invoke(ctx, event)
		if err != nil {
			return 0, err
		}
		var response events.APIGatewayV2HTTPResponse
		if err := json.Unmarshal(answer, &response); err != nil || response.StatusCode >= http.StatusBadRequest {
			return 0, fmt.Errorf("%d %s: %w", response.StatusCode, response.Body, err)
		}
	}
	if err := fn.Stop(); err != nil {
		return 0, err
	}
	return fn.ProcessorTime(), nil
}
