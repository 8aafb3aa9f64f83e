package client_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"example.com/parley/client"
	"example.com/parley/internal/follow"
	"example.com/parley/internal/problem"
)

// room is a server with one room. It stores a message once under its id.
type room struct {
	ids, texts []string
	faults     []fault // of the next requests
	ahead      time.Duration
	requests   []time.Time
}

// fault is a response to a request. With stored, the message is stored nevertheless.
type fault struct {
	status int // zero breaks the connection
	after  int // seconds of Retry-After
	stored bool
}

// maxAhead is how far a client's clock may be ahead.
const maxAhead = 2 * time.Second

func (s *room) RoundTrip(r *http.Request) (*http.Response, error) {
	s.requests = append(s.requests, time.Now())
	var body struct{ ID, Text string }
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return nil, err
	}
	var f fault
	if len(s.faults) > 0 {
		f, s.faults = s.faults[0], s.faults[1:]
	}
	failed := f != fault{}
	if failed && !f.stored {
		return answer(f)
	}
	id := uuid.MustParse(body.ID)
	seconds, nanos := id.Time().UnixTime()
	now := time.Now().Add(s.ahead)
	if sent := time.Unix(seconds, nanos); sent.Sub(now) > maxAhead || now.Sub(sent) > 24*time.Hour {
		return reply(http.StatusConflict, fmt.Sprintf(`{"type":%q,"serverTime":%q}`, problem.ClockSkewURI, now.Format(time.RFC3339Nano)), 0), nil
	}
	status := http.StatusOK
	if !slices.Contains(s.ids, body.ID) {
		s.ids, s.texts, status = append(s.ids, body.ID), append(s.texts, body.Text), http.StatusCreated
	}
	if failed {
		return answer(f)
	}
	return reply(status, fmt.Sprintf(`{"id":%q}`, body.ID+"~amsg"), 0), nil
}

func answer(f fault) (*http.Response, error) {
	if f.status == 0 {
		return nil, errors.New("the connection broke")
	}
	return reply(f.status, `{"message":"no"}`, f.after), nil
}

func reply(status int, body string, after int) *http.Response {
	r := &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
	if after > 0 {
		r.Header.Set("Retry-After", fmt.Sprint(after))
	}
	return r
}

func newSender(t interface{ Fatal(...any) }, s *room) *client.Sender {
	c, err := client.New("http://127.0.0.1", client.Fixed("token"), s)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.NewChaCha8([32]byte{1})
	return &client.Sender{Client: c, Clock: time.Now, Rand: random, Jitter: rand.New(random).Float64, Patience: time.Hour}
}

// TestSenderPost_StoresEachTextOnceInOrder posts texts through random faults.
func TestSenderPost_StoresEachTextOnceInOrder(t *testing.T) {
	t.Parallel()
	faults := rapid.Custom(func(t *rapid.T) fault {
		f := fault{status: rapid.SampledFrom([]int{0, 429, 500, 502, 503, 504}).Draw(t, "status")}
		f.stored = f.status != 429 && (f.status == 0 || rapid.Bool().Draw(t, "stored"))
		if !f.stored {
			f.after = rapid.IntRange(0, 5).Draw(t, "after")
		}
		return f
	})
	rapid.Check(t, func(rt *rapid.T) {
		s := &room{ahead: time.Duration(rapid.IntRange(-90_000, 90_000).Draw(rt, "ahead")) * time.Second}
		script := rapid.SliceOfN(rapid.SliceOfN(faults, 0, 6), 5, 5).Draw(rt, "faults")
		var failure error
		synctest.Test(t, func(t *testing.T) {
			sender := newSender(t, s)
			for n, faults := range script {
				s.faults = faults
				id, err := sender.Post(t.Context(), "seattle", fmt.Sprint(n))
				if err != nil || id != s.ids[len(s.ids)-1]+"~amsg" {
					failure = errors.Join(failure, fmt.Errorf("post %d: %s, %w", n, id, err))
				}
			}
		})
		if got := strings.Join(s.texts, ""); failure != nil || got != "01234" {
			rt.Fatalf("the server has %s: %v", got, failure)
		}
	})
}

func TestSenderPost_WaitsAsLongAsItIsTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &room{faults: []fault{{status: 429, after: 3600 * 2}}}
		sender := newSender(t, s)
		sender.Patience = 3 * time.Hour
		if _, err := sender.Post(t.Context(), "seattle", "hello"); err != nil {
			t.Fatal(err)
		}
		if pause := s.requests[1].Sub(s.requests[0]); pause < 2*time.Hour || pause > 2*time.Hour+follow.LongestPause {
			t.Errorf("the retry came after %v", pause)
		}
	})
}

func TestSenderPost_SaysOnceThatItWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &room{}
		sender := newSender(t, s)
		waits := 0
		sender.Waiting = func(error) { waits++ }
		for failures, want := range []int{0, 0, 1, 1, 1} {
			waits, s.faults = 0, slices.Repeat([]fault{{status: 503}}, failures)
			if _, err := sender.Post(t.Context(), "seattle", "hello"); err != nil || waits != want {
				t.Errorf("after %d failures it has said so %d times, want %d: %v", failures, waits, want, err)
			}
		}
	})
}

// TestSenderPost_EndsInDoubtOnlyWhereThereIsSome exhausts a sender's patience.
func TestSenderPost_EndsInDoubtOnlyWhereThereIsSome(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		fault    fault
		doubtful bool
		requests int // at least
	}{
		"busy":         {fault{status: 429}, false, 10},
		"broken":       {fault{status: 502}, true, 10},
		"unreachable":  {fault{}, true, 10},
		"forbidden":    {fault{status: 403}, false, 1},
		"unauthorized": {fault{status: 401}, false, 1},
		"a busy hour":  {fault{status: 429, after: 3601}, false, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &room{}
			for range 10_000 {
				f := tt.fault
				if (f == fault{}) {
					f.stored = true // the zero fault is none
				}
				s.faults = append(s.faults, f)
			}
			_, err := newSender(t, s).Post(t.Context(), "seattle", "hello")
			var doubt *client.Doubtful
			if err == nil || errors.As(err, &doubt) != tt.doubtful {
				t.Errorf("%s: %v", name, err)
			}
			if n := len(s.requests); n < tt.requests || tt.requests == 1 && n > 1 {
				t.Errorf("%s: %d requests, want %d", name, n, tt.requests)
			}
		})
	}
}

// TestSenderPost_KeepsADoubtfulID lets a second server, whose clock is behind, refuse an id that
// the first one has stored.
func TestSenderPost_KeepsADoubtfulID(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &room{faults: []fault{{status: 504, stored: true}, {status: 409}}}
		slow := &skewed{room: s, behind: 2}
		c, err := client.New("http://127.0.0.1", client.Fixed("token"), slow)
		if err != nil {
			t.Fatal(err)
		}
		sender := newSender(t, s)
		sender.Client = c
		if _, err := sender.Post(t.Context(), "seattle", "hello"); err != nil || len(s.ids) != 1 {
			t.Errorf("stored %d times, %v", len(s.ids), err)
		}
	})
}

// skewed answers one request like a server whose clock is behind.
type skewed struct {
	*room
	behind int // the number of that request
	n      int
}

func (s *skewed) RoundTrip(r *http.Request) (*http.Response, error) {
	if s.n++; s.n == s.behind {
		now := time.Now().Add(-time.Minute)
		return reply(http.StatusConflict, fmt.Sprintf(`{"type":%q,"serverTime":%q}`, problem.ClockSkewURI, now.Format(time.RFC3339Nano)), 0), nil
	}
	s.faults = slices.DeleteFunc(s.faults, func(f fault) bool { return f.status == http.StatusConflict })
	return s.room.RoundTrip(r)
}

func TestBackoff_StaysWithinItsBounds(t *testing.T) {
	t.Parallel()
	for failures := range 100 {
		bound := min(follow.FirstPause<<min(max(failures-1, 0), 20), follow.LongestPause)
		if least, most := follow.Backoff(failures, 0), follow.Backoff(failures, 0.999); least != 0 || most > bound || most < bound*9/10 {
			t.Errorf("after %d failures: %v to %v, want 0 to %v", failures, least, most, bound)
		}
	}
}

// TestSenderPostDraft_KeepsAGivenID posts a message twice under an id that depends on its cause, and
// one whose time the server refuses.
func TestSenderPostDraft_KeepsAGivenID(t *testing.T) {
	t.Parallel()
	s := &room{}
	sender := newSender(t, s)
	now := time.Now()
	id := client.IDOf(now, "cause")
	if u := uuid.MustParse(id); u.Version() != 7 || u.Variant() != uuid.RFC4122 || id == client.IDOf(now, "other") {
		t.Errorf("%s is no UUIDv7 of its own", id)
	}
	for range 2 {
		if posted, err := sender.PostDraft(t.Context(), "seattle", client.Draft{ID: client.IDOf(now, "cause"), Text: "one"}); err != nil || posted != id+"~amsg" {
			t.Errorf("posted %s, %v", posted, err)
		}
	}
	var refused *client.Refusal
	_, err := sender.PostDraft(t.Context(), "seattle", client.Draft{ID: client.IDOf(now.Add(-25*time.Hour), "cause"), Text: "old"})
	if !errors.As(err, &refused) || refused.Type != problem.ClockSkewURI || !slices.Equal(s.ids, []string{id}) {
		t.Errorf("an old id: %v; stored %q", err, s.ids)
	}
}
