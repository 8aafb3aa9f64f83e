package engine

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	// answerTimeout bounds one question to an engine on this machine.
	answerTimeout = 2 * time.Second
	// answerPause is the wait between two questions.
	answerPause = 10 * time.Millisecond
	// answerAttempts bounds the questions: an engine that listens answers the first one, so this is
	// patience with $DYNAMODB_ENDPOINT's.
	answerAttempts = 50
)

// awaitAnswer asks the engine until it answers. Any answer will do: DynamoDB Local refuses a bare
// GET, and that too proves that it is there.
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
