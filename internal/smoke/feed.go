package smoke

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"example.com/parley/client"
)

// position finds the end of the feed, as a client does when it opens a room.
func (r *run) position(ctx context.Context) (string, error) {
	var page struct{ Since string }
	if _, err := r.api.Do(
		ctx,
		client.Call{Method: http.MethodGet, Path: r.path("/messages?limit=1"), Want: []int{http.StatusOK}, Into: &page},
	); err != nil {
		return "", err
	}
	r.since = page.Since
	feed, err := r.changes(ctx)
	if err != nil {
		return "", err
	}
	r.since, r.seq = feed.Since, feed.Head
	if n := len(feed.Items); n > 0 {
		r.seq = feed.Items[n-1].Seq
	}
	return "since " + strconv.FormatInt(r.seq, 10), nil
}

// feed is the part of a page of changes that the steps check.
type feed struct {
	Items []struct {
		Seq      int64
		Type, ID string
	}
	Head  int64
	Since string
	Reset bool
}

// changes reads the changes after the run's position.
func (r *run) changes(ctx context.Context) (f feed, err error) {
	path := r.path("/changes?" + url.Values{"since": {r.since}}.Encode())
	if _, err := r.api.Do(
		ctx, client.Call{Method: http.MethodGet, Path: path, Want: []int{http.StatusOK}, Into: &f},
	); err != nil {
		return feed{}, err
	}
	if f.Reset {
		return feed{}, fmt.Errorf("the feed does not continue from number %d, which it returned itself", r.seq)
	}
	return f, nil
}

// change waits until the message's change is in the feed.
func (r *run) change(ctx context.Context) (string, error) {
	return r.until(ctx, "the message's change is not in the feed: check that the feed function reads the table's "+
		"stream", func(ctx context.Context) (string, error) {
		page, err := r.changes(ctx)
		if err != nil {
			return "", err
		}
		if len(page.Items) == 0 && page.Head > r.seq {
			return "", fmt.Errorf("the feed has a gap: no change follows %d, but its head is %d", r.seq, page.Head)
		}
		r.since = page.Since
		for _, c := range page.Items {
			if c.Seq != r.seq+1 {
				return "", fmt.Errorf("the feed has a gap: %d follows %d", c.Seq, r.seq)
			}
			r.seq = c.Seq
			if c.Type == "message.created" && c.ID == r.message {
				return "number " + strconv.FormatInt(c.Seq, 10), nil
			}
		}
		return "", nil
	})
}
