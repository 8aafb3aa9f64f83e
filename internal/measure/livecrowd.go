package measure

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/client"
)

const (
	// crowdSockets listen in one room, where crowdRate messages a second are posted for crowdTime.
	crowdSockets = 1000
	crowdRate    = 20
	crowdTime    = time.Minute
	// quietPosts is the number of messages in the quiet room.
	quietPosts = 200
	// settleTime lets the server come to rest before its memory is read.
	settleTime = 3 * time.Second
	// lateTime is how long frames may follow the last 201.
	lateTime = 5 * time.Second
	// kilobytesGoal is the memory of the server for one connection.
	kilobytesGoal = 30
	// removalGoal is the time from a removal until the last frame.
	removalGoal = 5 * time.Second
	// removalRounds are enough for a removal to fall between a change and its delivery.
	removalRounds = 5
)

// crowd posts into a room with many listeners.
func (s *runningServer) crowd(ctx context.Context) ([]Figure, error) {
	const room = "crowd"
	sockets, long := s.scale.of(crowdSockets), s.scale.during(crowdTime)
	tokens, err := s.tokens()
	if err != nil {
		return nil, err
	}
	if _, err := s.call(ctx, http.MethodPut, "/rooms/"+room, "{}"); err != nil {
		return nil, err
	}
	before := s.memory()
	all, err := s.listenAll(ctx, tokens, sockets, room)
	if err != nil {
		return nil, err
	}
	defer hangUp(all)
	time.Sleep(s.scale.during(settleTime))
	kilobytes := float64(s.memory()-before) / 1024 / float64(sockets)
	answered, err := s.postFor(ctx, room, time.Second/crowdRate, long)
	if err != nil {
		return nil, err
	}
	time.Sleep(s.scale.during(lateTime))
	feed, err := s.messagesOf(ctx, room)
	if err != nil {
		return nil, err
	}
	waits, missed, repeated := compare(all, feed, answered)
	name := fmt.Sprintf("%d sockets, %d messages/s for %v, 201 to frame or question", sockets, crowdRate, long)
	figures := percentiles(name, waits, 0, 500*time.Millisecond)
	memory := fmt.Sprintf("%.0f KB%s", kilobytes, over(kilobytes, kilobytesGoal))
	return append(figures,
		Figure{Name: "entries that frames repeated, left to resume, and lack after " +
			"it", Goal: "0 lack", Value: fmt.Sprintf(
			"%d, %d of %d, %d", repeated, missed, sockets*len(feed), sockets*(len(answered)-len(feed)))},
		Figure{Name: "memory of the server for a socket", Goal: fmt.Sprintf("≤ %d KB", kilobytesGoal), Value: memory},
	), nil
}

// gapWait is how long a client waits for a missing number before it asks the feed.
const gapWait = 500 * time.Millisecond

// compare returns the time of each message to each listener, and counts the messages that frames
// did not deliver. For these it uses the time at which the client would ask: 500 ms after a higher
// number.
func compare(
	all []*listener, feed map[int64]string, answered map[string]time.Time,
) (waits []time.Duration, missed, repeated int) {
	for _, l := range all {
		l.locked(func() {
			repeated += l.repeated
			for seq, id := range feed {
				at, seen := l.arrived[seq]
				sent, ours := answered[id]
				switch {
				case !ours || seq <= l.head:
				case !seen:
					missed++
					if noticed := l.firstAfter(seq); !noticed.IsZero() {
						waits = append(waits, noticed.Add(gapWait).Sub(sent))
					}
				default:
					waits = append(waits, max(0, at.Sub(sent)))
				}
			}
		})
	}
	return waits, missed, repeated
}

// firstAfter returns when the first change with a higher number arrived. The caller holds the lock.
func (l *listener) firstAfter(seq int64) (first time.Time) {
	for other, at := range l.arrived {
		if other > seq && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	return first
}

// postFor posts a message at each interval and returns when each was answered.
func (s *runningServer) postFor(
	ctx context.Context, room string, every, long time.Duration,
) (map[string]time.Time, error) {
	var mu sync.Mutex
	answered := map[string]time.Time{}
	var g errgroup.Group
	ticks := time.NewTicker(every)
	defer ticks.Stop()
	for range int(long / every) {
		<-ticks.C
		g.Go(func() error {
			id, err := s.call(
				ctx, http.MethodPost, "/rooms/"+room+"/messages", `{"text":"hello to everyone in this room"}`,
			)
			now := time.Now()
			mu.Lock()
			defer mu.Unlock()
			answered[id] = now
			return err
		})
	}
	return answered, g.Wait()
}

// messagesOf returns the ids of the messages in a room's feed by their numbers.
func (s *runningServer) messagesOf(ctx context.Context, room string) (map[int64]string, error) {
	api, err := client.New(s.url, client.Fixed(s.token), nil)
	if err != nil {
		return nil, err
	}
	found := map[int64]string{}
	for since := ""; ; {
		var page struct {
			Items []struct {
				Seq      int64
				Type, ID string
			}
			Head  json.Number
			Since string
		}
		path := "/rooms/" + room + "/changes?limit=200&since=" + since
		if since == "" {
			path = "/rooms/" + room + "/changes?limit=200"
		}
		if _, err := api.Do(
			ctx, client.Call{Method: http.MethodGet, Path: path, Want: []int{http.StatusOK}, Into: &page},
		); err != nil {
			return nil, err
		}
		for _, c := range page.Items {
			if c.Type == "message.created" {
				found[c.Seq] = c.ID
			}
		}
		if len(page.Items) == 0 {
			return found, nil
		}
		since = page.Since
	}
}

// quiet posts slowly into a room with one listener.
func (s *runningServer) quiet(ctx context.Context) ([]Figure, error) {
	const room, every = "quiet", 100 * time.Millisecond
	tokens, err := s.tokens()
	if err != nil {
		return nil, err
	}
	if _, err := s.call(ctx, http.MethodPut, "/rooms/"+room, "{}"); err != nil {
		return nil, err
	}
	all, err := s.listenAll(ctx, tokens, 1, room)
	if err != nil {
		return nil, err
	}
	defer hangUp(all)
	answered, err := s.postFor(ctx, room, every, every*time.Duration(s.scale.of(quietPosts)))
	if err != nil {
		return nil, err
	}
	time.Sleep(s.scale.during(lateTime))
	feed, err := s.messagesOf(ctx, room)
	if err != nil {
		return nil, err
	}
	waits, missed, _ := compare(all, feed, answered)
	figures := percentiles("quiet room, 201 to frame", waits, 60*time.Millisecond, 200*time.Millisecond)
	return append(figures, Figure{Name: "quiet room, messages without a frame", Goal: "0", Value: fmt.Sprint(missed)}),
		nil
}

// removals bans listeners of busy rooms, and measures how long frames still arrive. A member's ban
// is a change in the feed; the ban of a reader who never joined is not.
func (s *runningServer) removals(ctx context.Context) (figures []Figure, err error) {
	for _, kind := range []string{"members", "strangers"} {
		f, err := s.removalsOf(ctx, kind)
		if err != nil {
			return nil, err
		}
		figures = append(figures, f)
	}
	return figures, nil
}

// removalsOf returns the figure for one kind of listeners.
func (s *runningServer) removalsOf(ctx context.Context, kind string) (f Figure, err error) {
	room := "removals-of-" + kind
	tokens, err := s.tokens()
	if err != nil {
		return f, err
	}
	if _, err := s.call(ctx, http.MethodPut, "/rooms/"+room, "{}"); err != nil {
		return f, err
	}
	for n := range removalRounds {
		if kind != "members" {
			break
		}
		if err := s.setRole(ctx, room, listenerOf(room, n), "member"); err != nil {
			return f, err
		}
	}
	all, err := s.listenAll(ctx, tokens, removalRounds*connectionsOfAPerson, room)
	if err != nil {
		return f, err
	}
	defer hangUp(all)
	posting := errgroup.Group{}
	posting.Go(func() error {
		_, err := s.postFor(ctx, room, time.Second/crowdRate, s.scale.during(removalRounds*time.Second+removalGoal))
		return err
	})
	banned := map[string]time.Time{}
	for n := range removalRounds {
		time.Sleep(s.scale.during(time.Second))
		user := listenerOf(room, n)
		if err := s.setRole(ctx, room, user, "banned"); err != nil {
			return f, err
		}
		banned[user] = time.Now()
	}
	if err := posting.Wait(); err != nil {
		return f, err
	}
	worst, told := time.Duration(0), 0
	for _, l := range all {
		worst = max(worst, l.last().Sub(banned[l.user]))
		l.locked(func() {
			if !l.gone.IsZero() {
				told++
			}
		})
	}
	return Figure{
		Name:  fmt.Sprintf("from the answer to a ban until the last frame, %d sockets of %s", len(all), kind),
		Goal:  "≤ " + milliseconds(removalGoal),
		Value: fmt.Sprintf("%s%s; %d were told", milliseconds(worst), short(worst, removalGoal), told),
	}, nil
}

// setRole sets the role of a user in a room.
func (s *runningServer) setRole(ctx context.Context, room, user, role string) error {
	api, err := client.New(s.url, client.Fixed(s.token), nil)
	if err != nil {
		return err
	}
	_, err = api.Do(ctx, client.Call{
		Method: http.MethodPut, Path: "/rooms/" + room + "/members/" + user, Body: map[string]string{"role": role},
		Want: []int{http.StatusOK, http.StatusCreated},
	})
	return err
}
