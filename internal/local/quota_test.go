package local_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"strings"
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
