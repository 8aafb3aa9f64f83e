package local_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
)

func TestAPI_EnforcesTheServicesQuotas(t *testing.T) {
	t.Parallel()
	a := serve(t)
	bearer := "Authorization: Bearer " + a.token
	const most = 10 << 20
	if got := a.ask(t, "POST", "/rooms/x/messages", bytes.NewReader(make([]byte, most)), bearer); got.status != 200 ||
		!strings.HasSuffix(got.body, fmt.Sprintf("body=%d", most)) {
		t.Errorf("10 MB: %d %s", got.status, got.body)
	}
	over := io.MultiReader(bytes.NewReader(make([]byte, most)), strings.NewReader("x")) // of unknown length
	wantMessage(t, a.ask(t, "POST", "/rooms/x/messages", over, bearer), 413)
	wantMessage(t, a.ask(t, "GET", "/docs", nil, "X-Long: "+strings.Repeat("x", 10_240)), 431)
}

func TestAPI_BadlyFramedBodyIsTheClientsFault(t *testing.T) {
	t.Parallel()
	a := serve(t)
	conn, err := net.Dial("tcp", strings.TrimPrefix(a.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_, err = fmt.Fprintf(conn, "POST /rooms/x/messages HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer %s\r\n"+
		"Transfer-Encoding: chunked\r\n\r\nnot a length\r\n", a.token)
	if err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, " 400 ") {
		t.Errorf("answer = %q, %v, want 400", line, err)
	}
}

// TestAPI_BoundsTheBodiesInMemory holds as many of the largest bodies open as fit. A small body
// still does, one more large body does not, and it does when the others have gone.
func TestAPI_BoundsTheBodiesInMemory(t *testing.T) {
	t.Parallel()
	a := serve(t)
	const most, together = 10 << 20, 6
	var senders []*io.PipeWriter
	var answers sync.WaitGroup
	for range together {
		r, w := io.Pipe()
		senders = append(senders, w)
		answers.Go(func() {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.url+"/rooms/x/messages", r)
			if err != nil {
				t.Error(err)
				return
			}
			req.ContentLength = most
			req.Header.Set("Authorization", "Bearer "+a.token)
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Error(err)
				return
			}
			if resp.StatusCode != http.StatusOK {
				t.Errorf("a body that was let in is answered %d", resp.StatusCode)
			}
			_ = resp.Body.Close()
		})
		if _, err := w.Write(make([]byte, most/2)); err != nil {
			t.Fatal(err)
		}
	}
	bearer := "Authorization: Bearer " + a.token
	large := func() answer {
		return a.ask(t, "POST", "/rooms/x/messages", bytes.NewReader(make([]byte, most)), bearer)
	}
	refused := large()
	for refused.status == http.StatusOK && t.Context().Err() == nil {
		refused = large() // the server may not have seen all of the others yet
	}
	wantMessage(t, refused, http.StatusServiceUnavailable)
	if got := a.ask(t, "POST", "/rooms/x/messages", strings.NewReader("small"), bearer); got.status != http.StatusOK {
		t.Errorf("a small body among large ones: %d %s", got.status, got.body)
	}
	for _, w := range senders {
		if _, err := w.Write(make([]byte, most-most/2)); err != nil {
			t.Fatal(err)
		}
		_ = w.Close()
	}
	answers.Wait()
	if got := large(); got.status != http.StatusOK {
		t.Errorf("a large body after the others: %d %s", got.status, got.body)
	}
}
