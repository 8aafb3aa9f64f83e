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

const (
	// throughputGoal is the longest 99th percentile, from a post's 201 until its frame.
	throughputGoal = 500 * time.Millisecond
	// promptGoal is a delay that nobody notices.
	promptGoal = 200 * time.Millisecond
	// stepTime is how long each rate is tried, after leadTime at that rate.
	stepTime = 6 * time.Second
	leadTime = time.Second
	// lastFrames is how long frames may follow the last 201.
	lastFrames = 2 * time.Second
	// firstStep is the first rate, as a part of the goal, and stepFactor leads to the next.
	firstStep, stepFactor = 0.5, 1.15
	// maxSteps bounds a measurement.
	maxSteps = 12
)

// throughputs are numbers of listeners in one room, and the goals of posts a second.
var throughputs = []listening{{10, 700}, {100, 250}, {1000, 150}}

type listening struct {
	listeners int
	goal      float64
}

// kept is the highest rate at which frames kept up, and what a post then cost.
type kept struct {
	rate           float64
	prompt         float64 // the highest rate with a 99th percentile of at most promptGoal
	p99            time.Duration
	server, engine float64 // ms of processor time for each post
}

func (k kept) String() string {
	if k.rate == 0 {
		return "none"
	}
	return fmt.Sprintf(
		"%.0f (%.0f with %s; a post took %.2f ms, and %.2f ms of the engine)", k.rate, k.prompt,
		milliseconds(promptGoal), k.server, k.engine,
	)
}

// LiveThroughput measures how many posts a second a server on this machine delivers within half a
// second. A second server posts its frames by signed requests. They take turns, so that the machine
// is equally busy for both.
func LiveThroughput(ctx context.Context, scale Scale) (figures []Figure, err error) {
	direct, err := startServer(ctx, scale)
	if err != nil {
		return nil, err
	}
	defer direct.end()
	signed, err := startServer(ctx, scale, "--signed-posts")
	if err != nil {
		return nil, err
	}
	defer signed.end()
	for _, l := range throughputs[:scale.of(len(throughputs))] {
		k, err := direct.keepsUp(ctx, l)
		if err != nil {
			return nil, err
		}
		former, err := signed.keepsUp(ctx, l)
		if err != nil {
			return nil, err
		}
		figures = append(figures, Figure{
			Name: fmt.Sprintf(
				"posts a second until p99 exceeds %s, %d listeners", milliseconds(throughputGoal), l.listeners,
			),
			Goal: fmt.Sprintf("≥ %.0f", l.goal), Value: k.String() + under(k.rate, l.goal),
			Other: "signed posts: " + former.String(),
		})
	}
	return figures, nil
}

// keepsUp raises the rate of posts until frames no longer keep up.
func (s *runningServer) keepsUp(ctx context.Context, l listening) (best kept, err error) {
	room := fmt.Sprintf("throughput-%d", l.listeners)
	tokens, err := s.tokens()
	if err != nil {
		return best, err
	}
	if _, err := s.call(ctx, http.MethodPut, "/rooms/"+room, "{}"); err != nil {
		return best, err
	}
	all, err := s.listenAll(ctx, tokens, l.listeners, room)
	if err != nil {
		return best, err
	}
	defer hangUp(all)
	rate := l.goal * firstStep
	for range s.scale.of(maxSteps) {
		k, held := s.step(ctx, all, room, rate)
		if !held { // other programs may have disturbed it
			k, held = s.step(ctx, all, room, rate)
		}
		if !held {
			break
		}
		k.prompt = best.prompt
		if k.p99 <= promptGoal {
			k.prompt = k.rate
		}
		best = k
		rate *= stepFactor
	}
	return best, ctx.Err()
}

// step posts at a rate, and reports whether all posts were accepted and the frames kept up.
func (s *runningServer) step(ctx context.Context, all []*listener, room string, rate float64) (k kept, held bool) {
	every, stepTime := time.Duration(float64(time.Second)/rate), s.scale.during(stepTime)
	if _, err := s.postFor(ctx, room, every, s.scale.during(leadTime)); err != nil {
		return k, false
	}
	before, began := s.spent(), time.Now()
	answered, err := s.postFor(ctx, room, every, stepTime)
	if err != nil {
		return k, false
	}
	took := time.Since(began)
	sorted := waits(all, answered)
	now, posts := s.spent(), float64(len(answered))
	k = kept{
		rate: posts / stepTime.Seconds(), p99: sorted[len(sorted)*99/100],
		server: ms(now.server-before.server) / posts, engine: ms(now.engine-before.engine) / posts,
	}
	return k, k.p99 <= throughputGoal && took < stepTime+throughputGoal
}

// waits returns the sorted times from the 201 of each message to its frame at each listener. It
// counts a message that still has no frame after lastFrames as if the frame came then.
func waits(all []*listener, answered map[string]time.Time) (waits []time.Duration) {
	time.Sleep(lastFrames)
	seqs := map[string]int64{}
	for seq, id := range all[0].frames.messages() {
		seqs[id] = seq
	}
	for _, l := range all {
		l.locked(func() {
			for id, sent := range answered {
				if at, seen := l.arrived[seqs[id]]; seen {
					waits = append(waits, max(0, at.Sub(sent)))
				} else {
					waits = append(waits, lastFrames)
				}
			}
		})
	}
	slices.Sort(waits)
	return waits
}
