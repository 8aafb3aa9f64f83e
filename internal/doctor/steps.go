package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"example.com/parley/client"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/ratelimit"
)

// emoji is the reaction of the run.
const emoji = "👍"

// join adds the guest to the room. The caller's own role is part of the transaction.
func (r *exercise) join(ctx context.Context) error {
	return r.call(
		ctx,
		client.Call{
			Method: http.MethodPut, Path: r.path("/members/" + Guest), Body: map[string]string{"role": "member"},
		},
		http.StatusCreated,
	)
}

// leave asks to leave, which is refused after a search for another owner.
func (r *exercise) leave(ctx context.Context) error {
	return r.call(
		ctx, client.Call{Method: http.MethodDelete, Path: r.path("/members/" + url.PathEscape(r.user))},
		http.StatusConflict,
	)
}

// unarchive leaves the room as it is, and looks for members for whom it does not count.
func (r *exercise) unarchive(ctx context.Context) error {
	return r.call(
		ctx, client.Call{Method: http.MethodPatch, Path: r.path(""), Body: map[string]any{"archived": false}},
		http.StatusOK,
	)
}

func (r *exercise) online(ctx context.Context) error {
	return r.call(ctx, client.Call{Method: http.MethodGet, Path: r.path("/online")}, http.StatusOK)
}

// largePage reads a page that costs more than may pass unrecorded, regardless of what else the
// process has served. A SendRate above 400 requires more than a page's 1 MB, and chance decides.
func (r *exercise) largePage(ctx context.Context) error {
	reads := ratelimit.For(r.SendRate)[ratelimit.Reads]
	text := strings.Repeat("x", chat.MaxText)
	const unit = 4 << 10 // of an answer, as internal/httpapi charges it
	for size := int(reads.Sampled/reads.Each) * unit; size >= 0; size -= len(text) {
		id, err := r.post(ctx, map[string]any{"text": text})
		if err != nil {
			return err
		}
		r.root = id
	}
	return r.call(ctx, client.Call{Method: http.MethodGet, Path: r.path("/messages?limit=100")}, http.StatusOK)
}

// search finds the messages of largePage, which costs as much.
func (r *exercise) search(ctx context.Context) error {
	var found struct{ Items []any }
	err := r.call(
		ctx, client.Call{Method: http.MethodGet, Path: r.path("/search?q=x&limit=50"), Into: &found}, http.StatusOK,
	)
	if err == nil && len(found.Items) == 0 {
		err = errors.New("the search finds none of the messages")
	}
	return err
}

// webhook posts as a program does.
func (r *exercise) webhook(ctx context.Context) error {
	var made struct{ Secret string }
	body := map[string]string{"name": "doctor"}
	err := r.call(
		ctx, client.Call{Method: http.MethodPost, Path: r.path("/incoming"), Body: body, Into: &made},
		http.StatusCreated,
	)
	if err != nil {
		return err
	}
	post := client.Call{
		Method: http.MethodPost, Path: "/in/" + made.Secret + "?thread=doctor", Body: map[string]string{"text": "x"},
	}
	return r.call(ctx, post, http.StatusOK)
}

// shown is the part of a message that the steps check.
type shown struct {
	Replies   struct{ Count int }
	Reactions []struct{ Emoji string }
}

// see waits until a message is as expected.
func (r *exercise) see(ctx context.Context, id, missing string, as func(shown) bool) error {
	return r.until(ctx, missing, func(ctx context.Context) (bool, error) {
		var m shown
		err := r.call(ctx, client.Call{Method: http.MethodGet, Path: r.path(message(id)), Into: &m}, http.StatusOK)
		return as(m), err
	})
}

// reply begins a thread, and waits for its count and for the caller's own list.
func (r *exercise) reply(ctx context.Context) (err error) {
	if r.root, err = r.post(ctx, map[string]any{"text": "doctor"}); err != nil {
		return err
	}
	if _, err := r.post(ctx, map[string]any{"text": "doctor", "thread": r.root}); err != nil {
		return err
	}
	if err := r.see(
		ctx, r.root, "the reply is not counted", func(m shown) bool { return m.Replies.Count == 1 },
	); err != nil {
		return err
	}
	return r.until(ctx, "the thread is not followed", func(ctx context.Context) (bool, error) {
		var page struct {
			Items []struct{ Message struct{ ID string } }
		}
		err := r.call(
			ctx, client.Call{Method: http.MethodGet, Path: "/people/me/threads?limit=100", Into: &page}, http.StatusOK,
		)
		for _, thread := range page.Items {
			if thread.Message.ID == r.root {
				return true, err
			}
		}
		return false, err
	})
}

func (r *exercise) react(ctx context.Context) error {
	path := r.path(message(r.root) + "/reactions/" + url.PathEscape(emoji))
	if err := r.call(ctx, client.Call{Method: http.MethodPut, Path: path}, http.StatusOK); err != nil {
		return err
	}
	if err := r.see(
		ctx, r.root, "the reaction is not counted", func(m shown) bool { return len(m.Reactions) == 1 },
	); err != nil {
		return err
	}
	if err := r.call(ctx, client.Call{Method: http.MethodDelete, Path: path}, http.StatusOK); err != nil {
		return err
	}
	return r.see(
		ctx, r.root, "the reaction that was taken back is still counted",
		func(m shown) bool { return len(m.Reactions) == 0 },
	)
}

func (r *exercise) save(ctx context.Context) error {
	path := "/people/me/saved/" + r.room + "/" + url.PathEscape(r.root)
	if err := r.call(ctx, client.Call{Method: http.MethodPut, Path: path}, http.StatusNoContent); err != nil {
		return err
	}
	return r.call(ctx, client.Call{Method: http.MethodDelete, Path: path}, http.StatusNoContent)
}

// unpin deletes a pinned message, and waits until the feed function has removed its pin.
func (r *exercise) unpin(ctx context.Context) error {
	id, err := r.post(ctx, map[string]any{"text": "doctor"})
	if err != nil {
		return err
	}
	if err := r.call(
		ctx, client.Call{Method: http.MethodPut, Path: r.path(message(id) + "/pin")}, http.StatusNoContent,
	); err != nil {
		return err
	}
	if err := r.erase(ctx, id); err != nil {
		return err
	}
	return r.until(ctx, "the pin of the deleted message is still there", func(ctx context.Context) (bool, error) {
		var page struct{ Items []struct{} }
		err := r.call(ctx, client.Call{Method: http.MethodGet, Path: r.path("/pins"), Into: &page}, http.StatusOK)
		return len(page.Items) == 0, err
	})
}

// erase deletes a message.
func (r *exercise) erase(ctx context.Context, id string) error {
	return r.call(ctx, client.Call{Method: http.MethodDelete, Path: r.path(message(id)), IfMatch: "*"}, http.StatusOK)
}

// mention names the guest, and waits for the message's change: the feed function enters it after
// the mention.
func (r *exercise) mention(ctx context.Context) error {
	id, err := r.post(ctx, map[string]any{"text": "doctor", "mentions": []string{Guest}})
	if err != nil {
		return err
	}
	return r.change(ctx, id)
}

// change waits until a message's change is in the room's feed.
func (r *exercise) change(ctx context.Context, id string) error {
	since := ""
	return r.until(ctx, "the message's change is not in the feed", func(ctx context.Context) (bool, error) {
		var page struct {
			Items []struct{ ID string }
			Since string
		}
		path := r.path("/changes")
		if since != "" {
			path += "?" + url.Values{"since": {since}}.Encode()
		}
		if err := r.call(ctx, client.Call{Method: http.MethodGet, Path: path, Into: &page}, http.StatusOK); err != nil {
			return false, err
		}
		since = page.Since
		for _, c := range page.Items {
			if c.ID == id {
				return true, nil
			}
		}
		return false, nil
	})
}

// removeMember removes the guest, and waits for a change after that. The feed function reads
// whether they may still listen.
func (r *exercise) removeMember(ctx context.Context) error {
	if err := r.call(
		ctx, client.Call{Method: http.MethodDelete, Path: r.path("/members/" + Guest)}, http.StatusNoContent,
	); err != nil {
		return err
	}
	id, err := r.post(ctx, map[string]any{"text": "doctor"})
	if err != nil {
		return fmt.Errorf("post after the removal: %w", err)
	}
	return r.change(ctx, id)
}
