package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/parley/internal/chat"
)

// listed returns the deliveries that a server's page shows, newest first, and the text of the list.
func listed(t *testing.T, s *server) (list []delivery, text string) {
	t.Helper()
	status, text := asPage(t, s, "/local/deliveries", "{}")
	var answer struct{ Items []delivery }
	if err := json.Unmarshal([]byte(text), &answer); err != nil || status != 200 {
		t.Fatalf("the deliveries: %d %s, %v", status, text, err)
	}
	return answer.Items, text
}

// TestServe_ListsDeliveriesAndReplaysThem sends a message to the hook of a service, whose receiver
// refuses the first request.
func TestServe_ListsDeliveriesAndReplaysThem(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	var mu sync.Mutex
	var bodies []string
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		if bodies = append(bodies, string(body)); len(bodies) == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(receiver.Close)
	received := func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string{}, bodies...)
	}
	ann, service := tokenOf(t, s.dir, "ann"), tokenOf(t, s.dir, "mirror", "--service")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", ann, `{"name":"Seattle"}`)
	mustCall(t, 201, "PUT", s.url+"/hooks/copy", service, `{"rooms":["seattle"],"url":"`+receiver.URL+`"}`)
	if list, _ := listed(t, s); len(list) != 0 {
		t.Errorf("before any change: %+v", list)
	}
	message := `{"id":"` + chat.NewUUID(time.Now(), [10]byte{1}).String() + `","text":"a secret of ann"}`
	mustCall(t, 201, "POST", s.url+"/rooms/seattle/messages", ann, message)
	waitFor(t, "the second try", func() bool { list, _ := listed(t, s); return len(list) > 1 })
	list, text := listed(t, s)
	first, second := list[len(list)-1], list[len(list)-2]
	if first.Hook != "copy" || first.Service != "mirror" || first.Type != "changes" || first.Changes != 1 ||
		len(first.Rooms) != 1 || first.Rooms[0] != "seattle" || first.Number != 1 {
		t.Errorf("the first delivery is %+v", first)
	}
	if first.Try != 1 || first.OK || first.Answer != "503 Service Unavailable" {
		t.Errorf("the first try is %+v", first)
	}
	if second.Try != 2 || !second.OK || second.Answer != "200 OK" {
		t.Errorf("the second try is %+v", second)
	}
	if strings.Contains(text, "secret") || strings.Contains(text, receiver.URL) {
		t.Errorf("the list has a text or an address: %s", text)
	}

	before := len(received())
	if status, text := asPage(t, s, "/local/deliveries/replay", `{"number":1}`); status != 204 {
		t.Fatalf("the replay: %d %s", status, text)
	}
	waitFor(t, "the message is sent again", func() bool {
		all := received()
		return len(all) > before && strings.Contains(all[len(all)-1], "a secret of ann")
	})
	if status, text := asPage(t, s, "/local/deliveries/replay", `{"number":1000}`); status != 404 {
		t.Errorf("the replay of an unknown delivery: %d %s", status, text)
	}
	mustCall(t, 403, "POST", s.url+"/local/deliveries", "", `{}`) // without an origin
	mustCall(t, 403, "POST", s.url+"/local/deliveries/replay", "", `{"number":1}`)
}
