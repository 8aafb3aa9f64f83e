package smoke

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	smithytime "github.com/aws/smithy-go/time"
	"github.com/google/uuid"

	"example.com/parley/client"
)

// text is the text of the message. It names the origin to anyone who finds it in a table.
const text = "smoke test"

// ownRooms bounds the user's rooms that are searched for the room called RoomName.
const ownRooms = 200

// run is the state of one run, as a client would hold it.
type run struct {
	api      *client.Client
	clock    func() time.Time
	random   io.Reader
	patience time.Duration

	steps   []Step
	room    string
	since   string // its position in the feed
	seq     int64  // the number of the change there
	uuid    string
	message string // its id, once it is posted
}

// step is one step of the plan.
type step struct {
	name string
	do   func(context.Context) (string, error)
}

func (r *run) plan() []step {
	return []step{
		{"room", r.findRoom},
		{"position", r.position},
		{"post", r.post},
		{"retry", r.retry},
		{"read", r.read},
		{"list", r.list},
		{"change", r.change},
	}
}

// message is the part of a message in the API that the steps check.
type message struct{ ID, Text, User string }

// findRoom looks for the user's room, and creates it on the first run.
func (r *run) findRoom(ctx context.Context) (string, error) {
	var mine struct{ Items []struct{ ID, Role string } }
	if err := r.get(ctx, fmt.Sprintf("/people/me/rooms?limit=%d", ownRooms), &mine); err != nil {
		return "", err
	}
	for _, m := range mine.Items {
		if m.Role != "owner" {
			continue
		}
		var room struct{ Name, Visibility string }
		if err := r.get(ctx, "/rooms/"+url.PathEscape(m.ID), &room); err != nil {
			return "", err
		}
		if room.Name == RoomName && room.Visibility == "private" {
			r.room = m.ID
			return r.room, nil
		}
	}
	var created struct{ ID string }
	draft := map[string]string{"visibility": "private", "name": RoomName, "topic": "Its messages are deleted at once"}
	if _, err := r.api.Do(ctx, client.Call{
		Method: http.MethodPost, Path: "/rooms", Body: draft, Want: []int{http.StatusCreated}, Into: &created,
	}); err != nil {
		return "", err
	}
	r.room = created.ID
	return r.room + " is new", nil
}

// post posts a new message.
func (r *run) post(ctx context.Context) (string, error) {
	id, err := uuid.NewV7FromReader(r.random)
	if err != nil {
		return "", err
	}
	r.uuid = id.String()
	m, a, err := r.send(ctx)
	if err != nil {
		return "", err
	}
	r.message = m.ID
	switch {
	case a.Status != http.StatusCreated:
		return "", fmt.Errorf("a new message was answered with %d instead of 201", a.Status)
	case !strings.HasPrefix(m.ID, r.uuid+"~") || m.Text != text:
		return "", fmt.Errorf("the response contains another message, %s", m.ID)
	}
	return "201", nil
}

// retry posts the same message again, like a client that received no response.
func (r *run) retry(ctx context.Context) (string, error) {
	m, a, err := r.send(ctx)
	switch {
	case err != nil:
		return "", err
	case a.Status != http.StatusOK || a.Header.Get("Idempotent-Replay") != "true":
		return "", fmt.Errorf("the retry was answered with %d; want 200 with Idempotent-Replay", a.Status)
	case m.ID != r.message:
		return "", fmt.Errorf("the message is stored twice, as %s and %s", r.message, m.ID)
	}
	return "200, not stored twice", nil
}

func (r *run) send(ctx context.Context) (m message, a client.Answer, err error) {
	a, err = r.api.Do(ctx, client.Call{
		Method: http.MethodPost, Path: r.path("/messages"), Body: map[string]string{"id": r.uuid, "text": text},
		Want: []int{http.StatusCreated, http.StatusOK}, Into: &m,
	})
	return m, a, err
}

// read reads the message by its id.
func (r *run) read(ctx context.Context) (string, error) {
	var m message
	if err := r.get(ctx, r.messagePath(), &m); err != nil {
		return "", err
	}
	if m.ID != r.message || m.Text != text {
		return "", fmt.Errorf("the response contains another message, %s", m.ID)
	}
	return "by its id", nil
}

// list waits until the message is on the room's newest page. The page comes from an index that
// lags.
func (r *run) list(ctx context.Context) (string, error) {
	return r.until(ctx, "the message is not on the room's newest page", func(ctx context.Context) (string, error) {
		var page struct{ Items []message }
		if err := r.get(ctx, r.path("/messages?limit=10"), &page); err != nil {
			return "", err
		}
		for _, m := range page.Items {
			if m.ID == r.message {
				return "on the newest page", nil
			}
		}
		return "", nil
	})
}

// get decodes the answer to a path.
func (r *run) get(ctx context.Context, path string, into any) error {
	_, err := r.api.Do(
		ctx, client.Call{Method: http.MethodGet, Path: path, Want: []int{http.StatusOK}, Into: into},
	)
	return err
}

// until repeats attempt until it returns a result or an error, or the run's patience is over.
func (r *run) until(
	ctx context.Context, missing string, attempt func(context.Context) (string, error),
) (string, error) {
	limit := r.clock().Add(r.patience)
	for {
		if detail, err := attempt(ctx); detail != "" || err != nil {
			return detail, err
		}
		if r.clock().After(limit) {
			return "", fmt.Errorf("after %v %s", r.patience, missing)
		}
		if err := smithytime.SleepWithContext(ctx, pollPause); err != nil {
			return "", errors.Join(errors.New(missing), err)
		}
	}
}

// remove deletes the message. Only its id and times remain, without the text.
func (r *run) remove(ctx context.Context) (string, error) {
	_, err := r.api.Do(
		ctx, client.Call{Method: http.MethodDelete, Path: r.messagePath(), IfMatch: "*", Want: []int{http.StatusOK}},
	)
	if err != nil {
		return "", err
	}
	return "the text is gone, the room stays", nil
}

func (r *run) path(rest string) string { return "/rooms/" + url.PathEscape(r.room) + rest }

func (r *run) messagePath() string { return r.path("/messages/" + url.PathEscape(r.message)) }
