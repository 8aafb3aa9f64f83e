package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestServe_ChecksTokens(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	good := tokenOf(t, dir, "amsg")
	head, rest, _ := strings.Cut(good, ".")
	for name, token := range map[string]string{
		"none": "", "garbage": "x", "cut": good[:len(good)-9], "another issuer's": tokenOf(t, dataDir(t), "amsg"), "alg none": "eyJhbGciOiJub25lIn0." + rest, "no body": head + "..",
	} {
		text := mustCall(t, 401, "PUT", s.url+"/rooms/seattle", token, "")
		if text != `{"message":"Unauthorized"}` {
			t.Errorf("%s: %s", name, text)
		}
	}
	mustCall(t, 200, "GET", s.url+"/openapi.json", "", "")
	mustCall(t, 200, "GET", s.url+"/docs", "", "")
	mustCall(t, 404, "GET", s.url+"/nothing", good, "")
	mustCall(t, 404, "GET", s.url+"/rooms/seattle", good, "")
	if logs := s.logs.String(); strings.Contains(logs, good) || strings.Contains(logs, rest) {
		t.Error("the log contains a token")
	}
}

func TestServe_RefusesAFolderInUse(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	out, err := command(t, "serve", "--addr", "127.0.0.1:0", "--data", dir).CombinedOutput()
	want := fmt.Sprintf("folder %s is in use by process %d: stop it with Ctrl-C, or choose another", dir, s.cmd.Process.Pid)
	if text := string(out); err == nil || !strings.Contains(text, want) || strings.Count(text, "\n") != 1 {
		t.Errorf("second server: %v\n%s", err, out)
	}
	mustCall(t, 200, "GET", s.url+"/openapi.json", "", "")
}

// TestServe_AddressInUse uses the address of a running server, with the command and with make,
// which must fail before it installs and builds.
func TestServe_AddressInUse(t *testing.T) {
	t.Parallel()
	addr := strings.TrimPrefix(serve(t, dataDir(t)).url, "http://")
	again := exec.CommandContext(t.Context(), "make", "-C", "../..", "run", "ADDR="+addr)
	again.Env = append(os.Environ(), "MAKEFLAGS=")
	for _, cmd := range []*exec.Cmd{again, command(t, "serve", "--addr", addr, "--data", dataDir(t))} {
		out, err := cmd.CombinedOutput()
		if text := string(out); err == nil || !strings.Contains(text, "in use") || !strings.Contains(text, "ADDR=") || !strings.Contains(text, "DATA=") || strings.Contains(text, "go build") {
			t.Errorf("%v: %v\n%s", cmd.Args, err, out)
		}
	}
}

func TestServe_EnginePort(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	_, port, _ := net.SplitHostPort(addr)
	out, err := command(t, "serve", "--addr", "127.0.0.1:0", "--data", dataDir(t), "--engine-port", port).CombinedOutput()
	if err == nil || !strings.Contains(string(out), port+": the port is in use") {
		t.Errorf("port in use: %v\n%s", err, out)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	s := serve(t, dataDir(t), "--engine-port", port)
	if line := s.line(t, "table "); !strings.Contains(line, addr) || !strings.Contains(line, "every web page on this machine") {
		t.Errorf("it prints %q", line)
	}
	if _, _, err := call(t.Context(), "GET", "http://"+addr, "", ""); err != nil {
		t.Errorf("the engine does not answer at %s: %v", addr, err)
	}
}

func TestRun_ExplainsMistakes(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		args []string
		says string
	}{
		"no command":                {nil, "serve"},
		"unknown command":           {[]string{"dance"}, "dance"},
		"no user":                   {[]string{"token"}, "--user"},
		"invalid origin":            {[]string{"serve", "--origin", "http://localhost:3000/", "--data", dataDir(t)}, "--origin"},
		"invalid host of pictures":  {[]string{"serve", "--avatar-host", "https://pictures.example.com", "--data", dataDir(t)}, "--avatar-host must be"},
		"invalid creator":           {[]string{"serve", "--room-creators", "ann,b#b", "--data", dataDir(t)}, "--room-creators"},
		"an invalid user":           {[]string{"token", "--user", "a#b", "--data", dataDir(t)}, "user"},
		"an engine for all":         {[]string{"serve", "--engine-host", "0.0.0.0", "--engine-port", "8000", "--data", dataDir(t)}, "--engine-host must be"},
		"an engine on the internet": {[]string{"serve", "--engine-host", "203.0.113.7", "--engine-port", "8000", "--data", dataDir(t)}, "--engine-host must be"},
		"an engine by a name":       {[]string{"serve", "--engine-host", "docker0", "--engine-port", "8000", "--data", dataDir(t)}, "--engine-host must be"},
		"an engine at no address":   {[]string{"serve", "--engine-host", "", "--engine-port", "8000", "--data", dataDir(t)}, "--engine-host must be"},
		"an engine without a port":  {[]string{"serve", "--engine-host", "172.17.0.1", "--data", dataDir(t)}, "--engine-host needs --engine-port"},
		"a table without capacity":  {[]string{"serve", "--table-writes=-1", "--data", dataDir(t)}, "--table-writes: a table has"},
		"an address in use":         {[]string{"serve", "--addr", "127.0.0.1:1", "--data", dataDir(t)}, "127.0.0.1:1"},
	} {
		if name == "an address in use" && os.Geteuid() == 0 {
			continue // root may listen on this port
		}
		out, err := command(t, tt.args...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), tt.says) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	if out, err := command(t, "--help").CombinedOutput(); err != nil || !strings.Contains(string(out), "import") {
		t.Errorf("help: %v\n%s", err, out)
	}
}

func TestServe_RoomCreators(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir, "--room-creators", "ann, bob")
	for user, status := range map[string]int{"ann": 201, "bob": 201, "eve": 403} {
		mustCall(t, status, "PUT", s.url+"/rooms/of-"+user, tokenOf(t, dir, user), "")
		mustCall(t, status, "POST", s.url+"/rooms", tokenOf(t, dir, user), `{"visibility":"private","name":"x"}`)
	}
}
