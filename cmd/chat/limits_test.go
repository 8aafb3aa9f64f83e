package main

import (
	"strings"
	"sync"
	"testing"
	"time"
)

// TestServe_LimitsItsTables posts faster than the tables of a server allow. Some messages are refused
// for a while, and every one is stored by a retry.
func TestServe_LimitsItsTables(t *testing.T) {
	t.Parallel()
	const posts, atOnce = 40, 40 // 80 units, of which 20 are available immediately and 20 each second
	dir := dataDir(t)
	s := serve(t, dir, "--table-writes", "20", "--send-rate", "1000")
	token := tokenOf(t, dir, "amsg")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", token, `{"shards":1}`)
	var mu sync.Mutex
	refused, due := 0, make(chan struct{}, posts)
	for range posts {
		due <- struct{}{}
	}
	close(due)
	deadline := time.Now().Add(time.Minute)
	var work sync.WaitGroup
	for range atOnce {
		work.Go(func() {
			for range due {
				for posted := false; !posted; {
					status, text, err := call(t.Context(), "POST", s.url+"/rooms/seattle/messages", token, `{"text":"hello"}`)
					switch {
					case err == nil && status == 201:
						posted = true
					case err != nil || status != 503 || !strings.Contains(text, `"retryable":true`) || time.Now().After(deadline):
						t.Errorf("%d %s, %v", status, text, err)
						return
					default:
						mu.Lock()
						refused++
						mu.Unlock()
					}
				}
			}
		})
	}
	work.Wait()
	if refused == 0 {
		t.Error("no message was refused")
	}
}
