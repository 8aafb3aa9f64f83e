package measure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
)

const (
	// latencyPosts are enough for a 99th percentile of more than one message. All talkers together
	// post this many.
	latencyPosts = 480
	// lookPause is the pause between two reads of the feed, and so the precision of the figures.
	lookPause = 3 * time.Millisecond
	// latencyGoal is for the 99th percentile.
	latencyGoal = 100 * time.Millisecond
	latencyRoom = "latency"
)

// latency measures, in a new room, the time from a message's 201 until it is in the feed. One load
// is a single slow talker, the other several talkers that never pause.
func (s *runningServer) latency(ctx context.Context) ([]Figure, error) {
	if _, err := s.call(ctx, http.MethodPut, "/rooms/"+latencyRoom, "{}"); err != nil {
		return nil, err
	}
	var figures []Figure
	for _, load := range []struct {
		name    string
		talkers int
		pause   time.Duration
	}{{"one message every 50 ms", 1, 50 * time.Millisecond}, {"eight talkers without a pause", 8, 0}} {
		waits, err := s.waits(ctx, load.talkers, load.pause)
		if err != nil {
			return nil, err
		}
		figures = append(figures, percentiles("in the feed after its 201, "+load.name, waits, 0, latencyGoal)...)
	}
	return figures, nil
}

// waits posts messages and returns the time that each took into the feed, shortest first.
func (s *runningServer) waits(ctx context.Context, talkers int, pause time.Duration) ([]time.Duration, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	each := s.scale.of(latencyPosts / talkers)
	var mu sync.Mutex
	answered := map[string]time.Time{}
	seen := make(chan map[string]time.Time, 1)
	watching, post := errgroup.Group{}, errgroup.Group{}
	watching.Go(func() error {
		all, err := s.watch(ctx, each*talkers)
		seen <- all
		return err
	})
	for range talkers {
		post.Go(func() error {
			for range each {
				id, err := s.call(ctx, http.MethodPost, "/rooms/"+latencyRoom+"/messages", `{"text":"hello"}`)
				if err != nil {
					return err
				}
				mu.Lock()
				answered[id] = time.Now()
				mu.Unlock()
				time.Sleep(pause)
			}
			return nil
		})
	}
	if err := post.Wait(); err != nil {
		return nil, err
	}
	if err := watching.Wait(); err != nil {
		return nil, err
	}
	var waits []time.Duration
	all := <-seen
	for id, at := range answered {
		waits = append(waits, max(0, all[id].Sub(at)))
	}
	slices.Sort(waits)
	return waits, nil
}

// watch reads the feed until it has n more changes, and returns when each message was first seen.
func (s *runningServer) watch(ctx context.Context, n int) (map[string]time.Time, error) {
	store := dynamo.New(dynamo.LocalClient(s.engine), dynamo.Options{Table: s.table, Clock: time.Now})
	seen := map[string]time.Time{}
	for len(seen) < n {
		_, segments, err := store.FeedFrom(ctx, latencyRoom, s.last+1, feed.MaxSegmentChanges)
		if err != nil {
			return nil, err
		}
		now := time.Now()
		for _, segment := range segments {
			for i, c := range segment.Changes {
				if segment.First+int64(i) > s.last && c.Type == feed.MessageCreated {
					seen[c.Message.String()] = now
				}
			}
			s.last = max(s.last, segment.Last())
		}
		time.Sleep(lookPause)
	}
	return seen, nil
}

// call sends one request and returns the id in the response, if any.
func (s *runningServer) call(ctx context.Context, method, path, body string) (id string, err error) {
	r, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+s.token)
	res, err := s.client.Do(r)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(res.Body)
	if err = errors.Join(err, res.Body.Close()); err != nil {
		return "", err
	}
	if res.StatusCode != http.StatusCreated {
		return "", fmt.Errorf("%s %s: %d %s", method, path, res.StatusCode, text)
	}
	var made struct {
		ID string `json:"id"`
	}
	err = json.Unmarshal(text, &made)
	return made.ID, err
}
