package loadgen

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"time"

	"example.com/parley/client"
	"example.com/parley/internal/follow"
)

const (
	// readSize is the largest page of messages.
	readSize = 200
	// readPause is the pause before a page that was refused is read again.
	readPause = time.Second
)

// verify reads the room from its first message, and compares it with the messages that were
// acknowledged.
func (r *run) verify(ctx context.Context) error {
	seen := map[string]int{}
	for cursor := ""; ; {
		page, err := r.read(ctx, cursor)
		if err != nil {
			return err
		}
		for _, m := range page.Items {
			if m.Kind == "" { // the room says who joined by system messages
				seen[m.ID]++
			}
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	r.result.Stored = len(seen)
	for id := range r.posted {
		if seen[id] == 0 {
			r.result.Missing++
		}
	}
	for id, n := range seen {
		if n > 1 {
			r.result.Twice++
		}
		if !r.posted[id] {
			r.result.Foreign++
		}
	}
	// A post that failed in the end may have been stored.
	r.result.Foreign = max(0, r.result.Foreign-r.result.Posts.Failed)
	return nil
}

// messages is a page of messages.
type messages struct {
	Items []struct{ ID, Kind string }
	Next  string
}

// read reads a page, oldest first, and again while the caller is too fast.
func (r *run) read(ctx context.Context, cursor string) (page messages, err error) {
	query := url.Values{"order": {"asc"}, "limit": {fmt.Sprint(readSize)}}
	if cursor != "" {
		query.Set("cursor", cursor)
	}
	path := "/rooms/" + url.PathEscape(r.cfg.Room) + "/messages?" + query.Encode()
	for range int(patience / readPause) {
		page = messages{}
		_, err = r.cfg.People[0].Do(
			ctx, client.Call{Method: http.MethodGet, Path: path, Want: []int{http.StatusOK}, Into: &page},
		)
		if err == nil {
			return page, nil
		}
		if slept := follow.Sleep(ctx, readPause); slept != nil {
			return page, slept
		}
	}
	return page, err
}

// Count returns the number of requests that succeeded.
func (t *Times) Count() int { return len(t.taken) }

// Percentile returns the time within which a share of the requests were answered: 0.5 is the
// median. It is zero without requests.
func (t *Times) Percentile(share float64) time.Duration {
	if len(t.taken) == 0 {
		return 0
	}
	slices.Sort(t.taken)
	n := int(math.Ceil(share*float64(len(t.taken)))) - 1
	return t.taken[max(0, n)]
}
