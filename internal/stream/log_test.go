package stream_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/stream"
)

// TestHandle_LogsTheBusiestRoom checks the fields that the dashboard adds up. No line may hold
// contents.
func TestHandle_LogsTheBusiestRoom(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 1)
	w.room("portland", 1)
	for n := range 3 {
		w.post("seattle", "amsg", n)
	}
	var log bytes.Buffer
	h := stream.NewHandler(stream.Options{
		Store:    dynamo.New(dynamo.LocalClient(w.endpoint), dynamo.Options{Table: w.table, Clock: time.Now}),
		Failures: w.failures, Clock: time.Now, Log: slog.New(slog.NewJSONHandler(&log, nil)),
	})
	w.deliver(h, w.stream.Next(t))
	var line map[string]any
	if err := json.Unmarshal(log.Bytes(), &line); err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	// Two records create the room, and three are messages.
	if line["msg"] != "batch" || line[stream.LogBusiest] != "seattle" || line[stream.LogBusiestChanges] != 5.0 {
		t.Errorf("line: %s", log.String())
	}
	if strings.Contains(log.String(), "amsg 1") {
		t.Errorf("the line contains a message: %s", log.String())
	}

	log.Reset()
	if _, err := h.Handle(t.Context(), events.DynamoDBEvent{}); err != nil || !strings.Contains(log.String(), `"busiest":"","busiestChanges":0`) {
		t.Errorf("empty batch: %v, %s", err, log.String())
	}
}
