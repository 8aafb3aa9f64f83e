package engine

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	// answerTimeout limits one request to an engine on this machine.
	answerTimeout = 2 * time.Second
	// answerPause is the wait between two requests.
	answerPause = 10 * time.Millisecond
	// answerAttempts limits the number of requests. A child process answers the first one. The
	// others allow for an engine at $DYNAMODB_ENDPOINT that is still starting.
	answerAttempts = 50
)

// awaitAnswer sends requests until the engine answers. Any response counts: DynamoDB Local refuses
// a bare GET, which proves that it runs.
func awaitAnswer(ctx context.Context, endpoint string) error {
	transport := &http.Transport{DisableKeepAlives: true}
	client := &http.Client{Transport: transport, Timeout: answerTimeout}
	for attempt := 1; ; attempt++ {
		err := ask(ctx, client, endpoint)
		if err == nil {
			return nil
		}
		if attempt == answerAttempts {
			return fmt.Errorf("no engine answers: %w", err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("no engine answers: %w", err)
		case <-time.After(answerPause):
		}
	}
}

func ask(ctx context.Context, client *http.Client, endpoint string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, endpoint, nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<10))
	_ = resp.Body.Close()
	return err
}
