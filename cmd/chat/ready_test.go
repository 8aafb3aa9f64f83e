package main

import (
	"bytes"
	"net"
	"os/exec"
	"strings"
	"testing"
)

// TestAnnounce_TokenOnATerminalAlone announces one running server in every way. The printed
// request is run unchanged.
func TestAnnounce_TokenOnATerminalAlone(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	if all := s.out.String() + s.logs.String(); strings.Contains(all, "Bearer") || strings.Contains(all, "eyJ") {
		t.Errorf("a server whose output is no terminal prints a token:\n%s", all)
	}
	addr, err := net.ResolveTCPAddr("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	everywhere := *addr
	everywhere.IP = net.IPv4zero
	for _, tt := range []struct {
		name     string
		issuer   string
		addr     *net.TCPAddr
		terminal bool
		want     bool // the token
		second   bool // the second person
	}{
		{"on a terminal", "", addr, true, true, true},
		{"in a file", "", addr, false, false, true},
		{"for other machines", "", &everywhere, true, false, false},
		{"with another issuer", "https://issuer.example.com", addr, true, false, false},
	} {
		var out bytes.Buffer
		c := serveCmd{data: data{Data: dir}, Issuer: tt.issuer}
		if err := c.announce(&out, tt.addr, "engine", tt.terminal); err != nil {
			t.Fatal(err)
		}
		second := "\nbob   " + s.url + "/#as=bob ("
		if page := "\npage  http://"; strings.Count(out.String(), page) != 1 || strings.Contains(out.String(), second) != tt.second {
			t.Errorf("%s: of the page and a second person it prints\n%s", tt.name, &out)
		}
		_, request, ok := strings.Cut(out.String(), "\ntry   ")
		if ok != tt.want || strings.Contains(out.String(), "Bearer") != tt.want {
			t.Errorf("%s: it prints\n%s", tt.name, &out)
		}
		if !ok {
			continue
		}
		me, err := exec.CommandContext(t.Context(), "sh", "-c", request).CombinedOutput()
		if err != nil || !strings.Contains(string(me), `"user":"amsg"`) {
			t.Errorf("the request answers %s, %v", me, err)
		}
	}
}
