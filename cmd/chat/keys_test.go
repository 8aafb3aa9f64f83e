package main

import (
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/parley/infra/config"
	shared "example.com/parley/internal/config"
	"example.com/parley/internal/local/issuer"
	"example.com/parley/internal/publickey"
	"example.com/parley/internal/test/owntokens"
)

// printedKeys matches the settings that chat keys new prints.
var printedKeys = regexp.MustCompile("^Issuer: \"(keys)\",\nKeys: \\[\\]config\\.Key\\{\\{ID: \"([^\"]+)\", PEM: `([^`]+)`\\}\\},\n$")

// newKeys writes a pair into a folder, and returns the printed settings.
func newKeys(t *testing.T, dir string) string {
	t.Helper()
	out, err := command(t, "keys", "new", "--dir", dir).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestKeys_NewWritesAPair deploys with the printed settings, as far as the synth. Only the owner
// may read the private key, and it is never replaced or printed.
func TestKeys_NewWritesAPair(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "app")
	printed := printedKeys.FindStringSubmatch(newKeys(t, dir))
	if printed == nil {
		t.Fatal("the settings have another form")
	}
	cfg, err := config.Settings{Issuer: printed[1], Keys: []config.Key{{ID: printed[2], PEM: printed[3]}}}.Resolve(config.Dev)
	if err != nil || !cfg.Tokens.OwnKeys() {
		t.Errorf("the synth refuses the printed settings: %v", err)
	}
	if out, err := command(t, "keys", "id", filepath.Join(dir, "public.pem")).Output(); err != nil || strings.TrimSpace(string(out)) != printed[2] {
		t.Errorf("the id is %s, %v, and in the settings %s", out, err, printed[2])
	}
	private := filepath.Join(dir, "private.pem")
	before, err := os.ReadFile(private)
	if err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]os.FileMode{"private.pem": 0o600, "public.pem": 0o644} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm()&^mode != 0 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	out, err := command(t, "keys", "new", "--dir", dir).CombinedOutput()
	if after, _ := os.ReadFile(private); err == nil || !strings.Contains(string(out), "private.pem") || string(after) != string(before) || strings.Contains(string(out), "PRIVATE KEY") {
		t.Errorf("a second pair: %v\n%s", err, out)
	}
	if err := os.Remove(private); err != nil {
		t.Fatal(err)
	}
	if out, err := command(t, "keys", "new", "--dir", dir).CombinedOutput(); err == nil || fileExists(private) {
		t.Errorf("half of a pair is replaced: %v\n%s", err, out)
	}
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestServe_AcceptsTheAppsTokens signs tokens with chat token --key. The server then
// accepts neither tokens of the data folder nor a sign-in by name.
func TestServe_AcceptsTheAppsTokens(t *testing.T) {
	t.Parallel()
	dir, app := dataDir(t), t.TempDir()
	newKeys(t, app)
	key := filepath.Join(app, "private.pem")
	sign := func(args ...string) string {
		t.Helper()
		out, err := command(t, append([]string{"token", "--key", key}, args...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	s := serve(t, dir, "--keys", filepath.Join(app, "public.pem"))
	if text := mustCall(t, 200, "GET", s.url+"/people/me", sign("--user", "bob", "--name", "Bob Lee"), ""); !strings.Contains(text, `"name":"Bob Lee"`) {
		t.Errorf("bob is %s", text)
	}
	mustCall(t, 200, "GET", s.url+"/people/me", sign("--user", "desk", "--service", "--url", s.url), "")
	mustCall(t, 401, "GET", s.url+"/people/me", tokenOf(t, dir, "bob"), "")
	mustCall(t, 401, "GET", s.url+"/people/me", sign("--user", "bob", "--issuer", "https://d1.cloudfront.net"), "")
	mustCall(t, 401, "GET", s.url+"/people/me", sign("--user", "bob", "--audience", "chat"), "")
	mustCall(t, 401, "GET", s.url+"/people/me", sign("--user", "bob", "--key-id", "another"), "")
	if status, text, err := call(t.Context(), "POST", s.url+shared.SignInPath, "", `{"name":"eve"}`); err != nil || status < 400 {
		t.Errorf("sign-in by name: %d %s, %v", status, text, err)
	}
	if status, text := asPage(t, s, shared.DeliveriesPath, "{}"); status != 401 {
		t.Errorf("the deliveries: %d %s", status, text)
	}
	if text := mustCall(t, 200, "GET", s.url+publickey.SetPath, "", ""); strings.Count(text, `"kid"`) != 1 {
		t.Errorf("the key set is %s", text)
	}
}

// TestServe_TakesTheUserFromTheClaim serves with another claim, over HTTP and for connections.
func TestServe_TakesTheUserFromTheClaim(t *testing.T) {
	t.Parallel()
	app := t.TempDir()
	newKeys(t, app)
	s := serve(t, dataDir(t), "--keys", filepath.Join(app, "public.pem"), "--user-claim", "username")
	out, err := command(t, "token", "--key", filepath.Join(app, "private.pem"), "--user", "pairwise-7", "--name", "ada").Output()
	if err != nil {
		t.Fatal(err)
	}
	token := strings.TrimSpace(string(out))
	if text := mustCall(t, 200, "GET", s.url+"/people/me", token, ""); !strings.Contains(text, `"user":"ada"`) {
		t.Errorf("the person is %s", text)
	}
	if _, _, err := dialSocket(t, s.line(t, "live  "), token, ""); err != nil {
		t.Error(err)
	}
}

// TestServe_AcceptsOrRefusesOwnTokens sends the tokens of package owntokens over HTTP, and opens
// connections with them. No log, answer or address has a token.
func TestServe_AcceptsOrRefusesOwnTokens(t *testing.T) {
	t.Parallel()
	args := []string{"-v", "--log-level", "debug"}
	for _, key := range owntokens.Keys() {
		text, err := publickey.PEM(key.Public)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "public.pem")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--keys", key.ID+"="+file)
	}
	s := serve(t, dataDir(t), args...)
	i := owntokens.Issuer{Name: issuer.Name, Audience: shared.OwnAudience, Life: shared.OwnTokenLife, Now: time.Now()}
	cases, live := i.Cases(t), s.line(t, "live  ")
	said := strings.Builder{}
	for _, c := range cases {
		want := map[bool]int{true: 200, false: 401}[c.OK]
		status, text, err := call(t.Context(), "GET", s.url+"/people/me", c.Token, "")
		if err != nil || status != want {
			t.Errorf("%s: %d, want %d, %v", c.Name, status, want, err)
		}
		said.WriteString(text)
		conn, resp, err := dialSocket(t, live, c.Token, "")
		if (err == nil) != c.OK || !c.OK && (resp == nil || resp.StatusCode != http.StatusUnauthorized) {
			t.Errorf("%s: a connection: %v", c.Name, err)
		}
		if err == nil {
			_ = conn.CloseNow()
		} else {
			said.WriteString(err.Error())
		}
	}
	for _, c := range cases {
		for part := range strings.SplitSeq(c.Token, ".") {
			if len(part) > 0 && strings.Contains(s.logs.String()+said.String(), part) && part != strings.Split(cases[0].Token, ".")[0] {
				t.Errorf("%s: a log, an answer or an error has a part of the token", c.Name)
			}
		}
	}
	if !strings.Contains(s.logs.String(), "unauthorized") {
		t.Error("the log names no check")
	}
}

// TestServe_RefusesKeys starts no server with a bad key.
func TestServe_RefusesKeys(t *testing.T) {
	t.Parallel()
	app, other := t.TempDir(), t.TempDir()
	newKeys(t, app)
	newKeys(t, other)
	public, private := filepath.Join(app, "public.pem"), filepath.Join(app, "private.pem")
	secret, err := os.ReadFile(private)
	if err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"it holds a private key":            {"--keys", private},
		"no such file":                      {"--keys", filepath.Join(app, "none.pem")},
		`another key has the id \"a\" too`:  {"--keys", "a=" + public, "--keys", "a=" + filepath.Join(other, "public.pem")},
		"--user-claim needs":                {"--user-claim", "oid"},
		"--issuer and --audience need each": {"--issuer", "https://id.example"},
		"the id of a key has 1 to 64":       {"--keys", "a b=" + public},
	} {
		out, err := command(t, append([]string{"serve", "--addr", "127.0.0.1:0", "--data", dataDir(t)}, args...)...).CombinedOutput()
		exit := &exec.ExitError{}
		if !errors.As(err, &exit) || !strings.Contains(string(out), strings.ReplaceAll(want, `\"`, `"`)) || strings.Contains(string(out), string(secret[40:80])) {
			t.Errorf("%q: %v\n%s\nwant %q", args, err, out, want)
		}
	}
}
