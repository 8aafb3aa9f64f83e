package measure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
)

const (
	// localRoom is read completely, so it has as many messages as the figure states.
	localRoom     = "local"
	localMessages = 10_000
	localSenders  = 8
	// localStarts and localReads are enough for a median.
	localStarts, localReads = 5, 300
	// localCatchUps is the number of times that a client catches up.
	localCatchUps = 9
	// feedPatience bounds the wait for the feed after the last message.
	feedPatience = 30 * time.Second

	sendGoal    = 1500   // messages a second
	readGoal    = 50_000 // messages a second
	pageGoal    = 1500 * time.Microsecond
	catchUpGoal = 30 * time.Millisecond
	startGoal   = 150 * time.Millisecond
	memoryGoal  = 30 // MB
)

// Local measures a server on this machine, as its clients see it. Times are comparable only within
// a run.
func Local(ctx context.Context, scale Scale) ([]Figure, error) {
	s, err := startServer(ctx, scale)
	if err != nil {
		return nil, err
	}
	defer s.end()
	var figures []Figure
	for _, measured := range []func(context.Context) (
		[]Figure, error,
	){s.starts, s.idle, s.sends, s.newest, s.wholeRoom, s.caughtUp, s.latency} {
		more, err := measured(ctx)
		if err != nil {
			return nil, err
		}
		figures = append(figures, more...)
	}
	return figures, nil
}

// starts measures the start of a server with tables.
func (s *runningServer) starts(ctx context.Context) ([]Figure, error) {
	var times []time.Duration
	for range s.scale.of(localStarts) {
		s.stop()
		if err := s.serve(ctx); err != nil {
			return nil, err
		}
		times = append(times, s.ready)
	}
	slices.Sort(times)
	return []Figure{atMost(fmt.Sprintf("start until ready, median of %d", len(times)), times[len(times)/2], startGoal)},
		nil
}

// idle measures the memory of a server that has answered nothing.
func (s *runningServer) idle(context.Context) ([]Figure, error) {
	time.Sleep(s.scale.during(settleTime))
	own, engine := float64(s.memory())/megabyte, 0.0
	for _, child := range childrenOf(s.cmd.Process.Pid) {
		engine += float64(residentBytes(child)) / megabyte
	}
	f := Figure{
		Name: "memory of an idle server", Goal: fmt.Sprintf("≤ %d MB", memoryGoal), Value: "this system does not tell",
	}
	if own > 0 {
		f.Value = fmt.Sprintf("%.0f MB, of which the engine %.0f%s", own+engine, engine, over(own+engine, memoryGoal))
	}
	return []Figure{f}, nil
}

// sends posts the messages of localRoom.
func (s *runningServer) sends(ctx context.Context) ([]Figure, error) {
	if _, err := s.call(ctx, http.MethodPut, "/rooms/"+localRoom, "{}"); err != nil {
		return nil, err
	}
	body, messages := `{"text":"`+typicalWords()+`"}`, s.scale.of(localMessages)
	var all errgroup.Group
	before, began := s.spent(), time.Now()
	for range localSenders {
		all.Go(func() error {
			for range messages / localSenders {
				if _, err := s.call(ctx, http.MethodPost, "/rooms/"+localRoom+"/messages", body); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err := all.Wait()
	sent := atLeast(
		fmt.Sprintf("durable messages a second, %d clients", localSenders), rate(messages, time.Since(began)), sendGoal,
	)
	return []Figure{sent, s.processor("a message, with its feed", messages, before)}, err
}

// newest reads the newest page.
func (s *runningServer) newest(ctx context.Context) ([]Figure, error) {
	before := s.spent()
	var times []time.Duration
	for range s.scale.of(localReads) {
		began := time.Now()
		p, err := s.page(ctx, "messages?limit=50")
		if err != nil {
			return nil, err
		}
		if len(p.Items) != pageMessages {
			return nil, fmt.Errorf("the newest page has %d messages", len(p.Items))
		}
		times = append(times, time.Since(began))
	}
	slices.Sort(times)
	return []Figure{
		atMost(fmt.Sprintf("the newest 50, median of %d", len(times)), times[len(times)/2], pageGoal),
		s.processor("the newest 50", len(times), before),
	}, nil
}

// wholeRoom reads all pages of localRoom, newest first.
func (s *runningServer) wholeRoom(ctx context.Context) ([]Figure, error) {
	before, began := s.spent(), time.Now()
	seen, err := s.backwards(ctx)
	if err != nil {
		return nil, err
	}
	if want := s.scale.of(localMessages); seen != want {
		return nil, fmt.Errorf("the room has %d messages, want %d", seen, want)
	}
	read := atLeast(fmt.Sprintf("a whole room of %d, messages a second", seen), rate(seen, time.Since(began)), readGoal)
	return []Figure{read, s.processor("a whole room", 1, before)}, nil
}

// backwards reads all pages of localRoom, newest first, and returns the number of messages.
func (s *runningServer) backwards(ctx context.Context) (seen int, err error) {
	path := fmt.Sprintf("messages?limit=%d", chat.MaxLimit)
	for next := ""; ; {
		p, err := s.page(ctx, path+next)
		if err != nil {
			return 0, err
		}
		if seen += len(p.Items); p.Next == "" {
			return seen, nil
		}
		next = "&cursor=" + p.Next
	}
}

// caughtUp reads the changes of a client that has missed the last ones.
func (s *runningServer) caughtUp(ctx context.Context) ([]Figure, error) {
	missed := s.scale.of(catchUp)
	position, err := s.behind(ctx, s.scale.of(localMessages), missed)
	if err != nil {
		return nil, err
	}
	before := s.spent()
	var times []time.Duration
	for range s.scale.of(localCatchUps) {
		began := time.Now()
		if err := s.catchUp(ctx, position, missed); err != nil {
			return nil, err
		}
		times = append(times, time.Since(began))
	}
	slices.Sort(times)
	return []Figure{
		atMost(
			fmt.Sprintf("catch-up of %d changes, median of %d", missed, len(times)), times[len(times)/2], catchUpGoal,
		),
		s.processor("a catch-up", len(times), before),
	}, nil
}

// catchUp reads n changes after a position.
func (s *runningServer) catchUp(ctx context.Context, since string, n int) error {
	for seen := 0; seen < n; {
		p, err := s.page(ctx, fmt.Sprintf("changes?limit=%d&since=%s", chat.MaxLimit, since))
		if err != nil {
			return err
		}
		if len(p.Items) == 0 {
			return fmt.Errorf("the feed ends after %d of %d changes", seen, n)
		}
		seen, since = seen+len(p.Items), p.Since
	}
	return nil
}

// behind waits until the feed of localRoom has n changes, and returns the position before the last
// of them that a client missed.
func (s *runningServer) behind(ctx context.Context, n, missed int) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, feedPatience)
	defer cancel()
	for {
		p, err := s.page(ctx, "changes?limit=1")
		if err != nil {
			return "", err
		}
		if p.Head < int64(n) {
			time.Sleep(lookPause)
			continue
		}
		position, err := chat.ParseFeedPosition(localRoom, p.Since)
		position.Seq = p.Head - int64(missed)
		return position.Text(localRoom), err
	}
}

// localPage is a page of messages, or one of changes.
type localPage struct {
	Items       []struct{ ID string }
	Next, Since string
	Head        int64
}

// page reads a page of localRoom.
func (s *runningServer) page(ctx context.Context, path string) (p localPage, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/rooms/"+localRoom+"/"+path, nil)
	if err != nil {
		return p, err
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	res, err := s.client.Do(r)
	if err != nil {
		return p, err
	}
	if res.StatusCode != http.StatusOK {
		return p, errors.Join(fmt.Errorf("GET %s: %s", path, res.Status), res.Body.Close())
	}
	return p, errors.Join(json.NewDecoder(res.Body).Decode(&p), res.Body.Close())
}
