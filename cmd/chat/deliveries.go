package main

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/local/signin"
	"example.com/parley/internal/problem"
	"example.com/parley/internal/wire"
)

const (
	// keptDeliveries is the number of requests to hooks that the page of a developer can show.
	keptDeliveries = 50
	// replayed is how long before a delivery its replay begins, as the changes were made earlier.
	replayed = time.Hour
)

// deliveries has the last requests to hooks, without what they changed. It is safe for concurrent
// use once hooks is set.
type deliveries struct {
	hooks *hook.Service // is set before a request is served

	mu   sync.Mutex
	all  []hook.Try // oldest first
	lost int        // the number of earlier ones
}

// add adds a request.
func (d *deliveries) add(t hook.Try) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all = append(d.all, t)
	if over := len(d.all) - keptDeliveries; over > 0 {
		d.all, d.lost = slices.Delete(d.all, 0, over), d.lost+over
	}
}

// delivery is a request to a hook, as the page shows it.
type delivery struct {
	Number  int           `json:"number"` // counts the requests since the server was started
	At      string        `json:"at"`
	Millis  int64         `json:"ms"`
	Hook    hook.ID       `json:"hook"`
	Service chat.UserID   `json:"service,omitempty"` // whose hook it is
	Room    chat.RoomID   `json:"room,omitempty"`    // whose hook it is
	Type    string        `json:"type"`
	Rooms   []chat.RoomID `json:"rooms"`
	Changes int           `json:"changes"`
	Try     int           `json:"try"` // 1 unless the request before failed
	Answer  string        `json:"answer"`
	OK      bool          `json:"ok"`
}

// list returns the requests, newest first.
func (d *deliveries) list() []delivery {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := []delivery{}
	for i, t := range slices.Backward(d.all) {
		list = append(list, delivery{
			Number: d.lost + i + 1, At: wire.TimeText(t.At), Millis: t.Took.Milliseconds(), Hook: t.Hook,
			Service: t.Access.Service(), Room: t.Access.Room(), Type: t.Type,
			Rooms: append([]chat.RoomID{}, t.Rooms...), Changes: t.Changes, Try: t.Number, Answer: t.Reason, OK: t.OK,
		})
	}
	return list
}

// replay sends again what changed since an hour before a request.
func (d *deliveries) replay(ctx context.Context, number int) error {
	d.mu.Lock()
	at := number - d.lost - 1
	known := at >= 0 && at < len(d.all)
	var t hook.Try
	if known {
		t = d.all[at]
	}
	d.mu.Unlock()
	if !known {
		return &chat.Error{Kind: chat.NotFound, Detail: "this delivery is no longer among the last ones"}
	}
	return d.hooks.Replay(ctx, t.Access, t.Hook, t.At.Add(-replayed))
}

// serveList answers a POST of {} with the requests.
func (d *deliveries) serveList(w http.ResponseWriter, r *http.Request, log *slog.Logger) {
	var in struct{}
	if p := signin.Read(w, r, log, &in); p != nil {
		signin.WriteProblem(w, p)
		return
	}
	signin.Write(w, http.StatusOK, "application/json", map[string][]delivery{"items": d.list()})
}

// serveReplay answers a POST of {"number"} with 204.
func (d *deliveries) serveReplay(w http.ResponseWriter, r *http.Request, log *slog.Logger) {
	var in struct{ Number int }
	if p := signin.Read(w, r, log, &in); p != nil {
		signin.WriteProblem(w, p)
		return
	}
	err := d.replay(r.Context(), in.Number)
	switch {
	case err == nil:
		w.WriteHeader(http.StatusNoContent)
	case chat.KindOf(err) == chat.NotFound:
		signin.WriteProblem(w, problem.OfStatus(http.StatusNotFound, "the hook or this delivery is no longer known"))
	default:
		log.ErrorContext(r.Context(), "a replay failed", "error", err)
		signin.WriteProblem(w, problem.OfStatus(http.StatusServiceUnavailable, "the server cannot send it again now"))
	}
}
