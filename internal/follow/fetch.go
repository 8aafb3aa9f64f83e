package follow

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"
)

const (
	// maxFetches bounds the concurrent requests, so that a return after a long time does not cause
	// a flood.
	maxFetches = 4
	// requestTime bounds a request. One that takes longer is repeated.
	requestTime = 15 * time.Second
	// pageSize is the API's maximum page size.
	pageSize = 200
	// gapWait is how long a gap in the numbers may last before the feed is queried: two frames can
	// arrive out of order.
	gapWait = 500 * time.Millisecond
	// maxRefused is how many times in a row a token may be refused. The first time it may just
	// have expired.
	maxRefused = 3
)

// page is a page of the feed.
type page struct {
	Items []Change
	Head  int64
	Since string
	Reset bool
}

// fetch queries the feed for changes after the room's position.
func (f *follower) fetch(whole context.Context, r *room) {
	query := url.Values{"limit": {fmt.Sprint(pageSize)}}
	if r.since != "" {
		query.Set("since", r.since)
	}
	path := "/rooms/" + url.PathEscape(r.id) + "/changes?" + query.Encode()
	ctx, cancel := context.WithTimeout(whole, requestTime)
	r.fetching, r.fetchAt, r.fetchBegun, r.abort = true, time.Time{}, f.Clock(), cancel
	f.fetching++
	f.later(whole, func() func(context.Context) error {
		defer cancel()
		var p page
		err := f.Client.Get(ctx, path, &p)
		aborted := errors.Is(err, context.Canceled)
		return func(context.Context) error {
			r.fetching, r.abort = false, nil
			f.fetching--
			if f.rooms[r.id] == nil { // it was removed meanwhile
				return nil
			}
			if aborted {
				r.fetchBy(f.Clock())
				return nil
			}
			if err != nil {
				return f.failed(r, err)
			}
			return f.fetched(r, p)
		}
	})
}

// fetched delivers the new changes of a page, and decides when to query the feed next.
func (f *follower) fetched(r *room, p page) error {
	f.refused = 0
	if p.Reset {
		r.reset, r.fetchAt = true, f.Clock()
		return nil
	}
	known := r.known
	next := r.takePage(p)
	switch {
	case !r.behind():
		r.failures = 0
		r.fetchAt = f.nextPoll(r)
	case len(next) > 0:
		r.failures = 0
		r.fetchAt = f.Clock()
	default: // the feed is briefly behind its own head
		r.failures++
		r.fetchAt = f.Clock().Add(Backoff(r.failures, f.Random()))
	}
	if known && len(next) > 0 { // not only since an earlier run
		f.front(r)
	}
	return f.deliver(r, next)
}

// nextPoll returns when a room is polled, or zero while frames arrive for it or its head is
// compared.
func (f *follower) nextPoll(r *room) time.Time {
	if r.live || r.compared() || f.link.conn == nil && !f.link.polling && f.Socket != "" {
		return time.Time{}
	}
	return f.after(f.pollPause())
}

// pollLater schedules the next poll of a room.
func (f *follower) pollLater(r *room) {
	if at := f.nextPoll(r); !at.IsZero() {
		r.fetchBy(at)
	}
}

// failed decides how a failed request affects a room.
func (f *follower) failed(r *room, err error) error {
	var refused Refused
	isRefusal := errors.As(err, &refused)
	r.failures++
	pause := Backoff(r.failures, f.Random())
	switch {
	case !isRefusal: // a network failure
	case refused.StatusCode() == http.StatusUnauthorized:
		if f.refused++; f.refused >= maxRefused {
			return err
		}
	case isGone(refused.StatusCode()):
		return f.remove(r)
	case refused.StatusCode() == http.StatusUnprocessableEntity && !r.reset: // the position is refused
		r.reset, pause = true, 0
	case refused.Passing():
		pause += refused.Wait()
	default:
		return err
	}
	r.fetchAt = f.Clock().Add(pause)
	return nil
}

// isGone reports whether a status means that the person may not see the room.
func isGone(status int) bool {
	return status == http.StatusForbidden || status == http.StatusNotFound || status == http.StatusGone
}

// reload lets the caller start a room over.
func (f *follower) reload(ctx context.Context, r *room) error {
	r.fetchAt = time.Time{}
	limited, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	since, err := f.Reload(limited, r.id)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return f.failed(r, err)
	}
	r.restart(since)
	r.fetchAt = f.Clock()
	return nil
}

// deliver passes changes to the caller.
func (f *follower) deliver(r *room, next []Change) error {
	if len(next) == 0 {
		return nil
	}
	return f.Handle(Event{Type: Changes, Room: r.id, Changes: next, Since: r.since})
}

// remove forgets a room that the person may not see.
func (f *follower) remove(r *room) error {
	delete(f.rooms, r.id)
	f.order = slices.DeleteFunc(f.order, func(id string) bool { return id == r.id })
	f.choose()
	return f.Handle(Event{Type: Removed, Room: r.id})
}
