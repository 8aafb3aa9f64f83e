package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"
)

// patience returns how long the follower waits for a response.
func (f *follower) patience() time.Duration {
	if f.steady {
		return readyTime
	}
	return answerTime
}

// read reads a page of the feed.
func (f *follower) read(ctx context.Context, token, since string) (changesPage, error) {
	ctx, cancel := context.WithTimeout(ctx, f.patience())
	defer cancel()
	return readChanges(ctx, f.url+"/rooms/"+f.room+"/changes", token, since)
}

// changesPage is a response of list-changes.
type changesPage struct {
	Items []liveChange `json:"items"`
	Head  int64        `json:"head"`
	Since string       `json:"since"`
	Reset bool         `json:"reset"`
}

func readChanges(ctx context.Context, address, token, since string) (page changesPage, err error) {
	if since != "" {
		address += "?since=" + url.QueryEscape(since)
	}
	status, text, err := call(ctx, http.MethodGet, address, token, "")
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("status %d: %s", status, text)
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &page)
	}
	return page, err
}

// wholeFeed returns a room's changes as in the feed.
func wholeFeed(t *testing.T, address, token string) (all []liveChange) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), readyTime)
	defer cancel()
	since := ""
	for {
		page, err := readChanges(ctx, address, token, since)
		if err != nil {
			t.Fatal(err)
		}
		all, since = append(all, page.Items...), page.Since
		if int64(len(all)) >= page.Head {
			return all
		}
	}
}

// wantFeed waits until the follower has everything in the feed, which is every text in any order,
// each once.
func (f *follower) wantFeed(t *testing.T, address, token string, texts []string) {
	t.Helper()
	var want []liveChange
	for range int(readyTime / pollInterval) {
		want = wholeFeed(t, address, token)
		messages := slices.DeleteFunc(slices.Clone(want), func(c liveChange) bool { return c.Message == nil })
		if len(messages) >= len(texts) && f.last() >= int64(len(want)) {
			break
		}
		time.Sleep(pollInterval)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	same := func(a, b liveChange) bool { return a.Seq == b.Seq && a.Type == b.Type && a.ID == b.ID }
	if !slices.EqualFunc(f.seen, want, same) {
		t.Errorf("followed %d changes, but the feed has %d", len(f.seen), len(want))
	}
	var got []string
	for n, c := range f.seen {
		if c.Seq != int64(n)+1 {
			t.Errorf("change %d has number %d", n, c.Seq)
		}
		if c.Message != nil {
			got = append(got, c.Message.Text)
		}
	}
	slices.Sort(got)
	texts = slices.Sorted(slices.Values(texts))
	if !slices.Equal(got, texts) {
		t.Errorf("followed %d messages, but %d were posted", len(got), len(texts))
	}
}
