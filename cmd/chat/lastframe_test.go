package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// overtaking is how shortly before the deletion of its connection a message must be posted to be
// lost.
const overtaking = 500 * time.Millisecond

// TestServe_LastFrameArrives ends connections for each reason, with a gateway in which a deletion
// overtakes the messages of the half second before it. The clients do not close the connections, so
// the server does.
func TestServe_LastFrameArrives(t *testing.T) {
	t.Parallel()
	c := serveCmd{
		data: data{Data: dataDir(t)}, SendRate: 1000, RoomCreators: "everyone", Directory: "everyone", NameClaim: "username", LogLevel: "error",
		overtaking: overtaking,
	}
	i, err := openIssuer(c.Data)
	if err != nil {
		t.Fatal(err)
	}
	url, stop := serveWithin(t, c)
	defer stop()
	token := func(user string) string { return signs(t, i, user, time.Hour)() }
	mustCall(t, 201, "PUT", url+"/rooms/seattle", token("amsg"), "{}")
	post := func() {
		mustCall(t, 201, "POST", url+"/rooms/seattle/messages", token("amsg"), `{"text":"x"}`)
	}
	t.Run("all", func(t *testing.T) { // ends before the server does
		for name, end := range map[string]func(t *testing.T, user string) string{
			"refusals": func(t *testing.T, user string) string {
				ws := greets(t, url, token(user))
				return lastReason(t, ws, func() { says(ws, "nonsense") })
			},
			"too-many-connections": func(t *testing.T, user string) string {
				for range 10 {
					greets(t, url, token(user))
				}
				return lastReason(t, greets(t, url, token(user)), func() {})
			},
			"suspended": func(t *testing.T, user string) string {
				ws := greets(t, url, token(user))
				says(ws, "sync") // its response follows the hello's
				mustCall(t, 200, "PUT", url+"/people/"+user+"/suspension", tokenOf(t, c.Data, "desk", "--service"), `{"reason":"spam"}`)
				return lastReason(t, ws, func() {})
			},
			"expired at a message": func(t *testing.T, user string) string {
				ws := greetsBriefly(t, url, func(life time.Duration) string { return signs(t, i, user, life)() })
				return lastReason(t, ws, func() { says(ws, "sync") })
			},
			"expired at a change": func(t *testing.T, user string) string {
				ws := greetsBriefly(t, url, func(life time.Duration) string { return signs(t, i, user, life)() })
				return lastReason(t, ws, post)
			},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				// On a slow machine a post of a frame may time out. A frame that is overtaken never arrives.
				got := ""
				for attempt := 1; got == "" && attempt <= 5; attempt++ {
					got = end(t, fmt.Sprintf("%s-%d", strings.ReplaceAll(name, " ", "-"), attempt))
				}
				if got == "" || got != name && name[:len("expired")] != got {
					t.Errorf("the reason of the last frame is %q", got)
				}
			})
		}
	})
}

// greets connects and says hello.
func greets(t *testing.T, url, token string) *websocket.Conn {
	t.Helper()
	ws, _, err := dialSocket(t, url+socketPath, token, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := hello(ws); err != nil {
		t.Fatal(err)
	}
	return ws
}

func hello(ws *websocket.Conn) error {
	return ws.Write(context.Background(), websocket.MessageText, []byte(`{"type":"hello","id":"h","rooms":[{"id":"seattle"}]}`))
}

// greetsBriefly connects with a short-lived token, whose lifetime is enough for a slow machine to
// get the response to hello.
func greetsBriefly(t *testing.T, url string, token func(life time.Duration) string) *websocket.Conn {
	t.Helper()
	for life := 2 * time.Second; life < readyTime; life *= 2 {
		ws, resp, err := dialSocket(t, url+socketPath, token(life), "")
		if err != nil {
			if resp == nil || resp.StatusCode != http.StatusUnauthorized {
				t.Fatal(err)
			}
			continue
		}
		if err := hello(ws); err != nil {
			t.Fatal(err)
		}
		if f, err := nextFrame(ws); err == nil && f.Type == "ack" {
			return ws
		}
	}
	t.Fatal("no hello is answered before its token expires")
	return nil
}

// says sends a request. The connection may have ended.
func says(ws *websocket.Conn, kind string) {
	_ = ws.Write(context.Background(), websocket.MessageText, fmt.Appendf(nil, `{"type":%q,"id":"1"}`, kind))
}

func nextFrame(ws *websocket.Conn) (f liveFrame, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), readyTime)
	defer cancel()
	_, text, err := ws.Read(ctx)
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	return f, err
}

// lastReason reads until the server ends the connection, which act eventually causes, and returns
// the last reason in a frame.
func lastReason(t *testing.T, ws *websocket.Conn, act func()) string {
	t.Helper()
	last := make(chan string)
	go func() {
		reason := ""
		for {
			f, err := nextFrame(ws)
			if err != nil {
				if websocket.CloseStatus(err) != websocket.StatusNormalClosure {
					t.Errorf("the end is %v", err)
				}
				last <- reason
				return
			}
			reason = cmp.Or(f.Reason, reason) // a change may still follow
		}
	}()
	for {
		act()
		select {
		case reason := <-last:
			return reason
		case <-time.After(10 * pollInterval):
		}
	}
}
