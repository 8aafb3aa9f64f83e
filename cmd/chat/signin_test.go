package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/parley/internal/people"
)

// signInAs signs in with a field as a server's page does. It returns the status and the body.
func signInAs(t *testing.T, s *server, field, value string) (int, string) {
	t.Helper()
	return ask(t, s, "/local/sign-in", field, value)
}

// ask sends a field to a path as a server's page does. It returns the status and the body.
func ask(t *testing.T, s *server, path, field, value string) (int, string) {
	t.Helper()
	return asPage(t, s, path, fmt.Sprintf(`{%q:%q}`, field, value))
}

// asPage posts a body to a path as a server's page does. It returns the status and the body.
func asPage(t *testing.T, s *server, path, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", s.url)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

// session is the response to a sign-in.
type session struct {
	User, Token string
	Expires     time.Time
}

func mustSignIn(t *testing.T, s *server, user string) session {
	t.Helper()
	status, text := signInAs(t, s, "user", user)
	var got session
	if err := json.Unmarshal([]byte(text), &got); status != http.StatusOK || err != nil || got.User != user {
		t.Fatalf("the sign-in of %s: %d %s, %v", user, status, text, err)
	}
	return got
}

// roomsOf returns the ids of the rooms of a user.
func roomsOf(t *testing.T, s *server, token string) string {
	t.Helper()
	var list struct{ Items []struct{ ID string } }
	if err := json.Unmarshal([]byte(mustCall(t, 200, "GET", s.url+"/people/me/rooms", token, "")), &list); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, room := range list.Items {
		ids = append(ids, room.ID)
	}
	return strings.Join(ids, " ")
}

// TestSignIn_FirstPeopleMeetInGeneral signs eight people in concurrently, each of them twice.
func TestSignIn_FirstPeopleMeetInGeneral(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	var all sync.WaitGroup
	tokens := make([]string, 8)
	for i := range 2 * len(tokens) {
		all.Go(func() {
			got := mustSignIn(t, s, fmt.Sprintf("user%d", i%len(tokens)))
			if left := time.Until(got.Expires); left < 11*time.Hour || left > 12*time.Hour {
				t.Errorf("the token lasts for %s", left)
			}
			if i < len(tokens) {
				tokens[i] = got.Token
			}
		})
	}
	all.Wait()
	owners := 0
	for i, token := range tokens {
		if got := roomsOf(t, s, token); got != "general" {
			t.Errorf("user%d is in the rooms %q", i, got)
		}
		owners += strings.Count(mustCall(t, 200, "GET", s.url+"/rooms/general/members/user"+fmt.Sprint(i), token, ""), `"role":"owner"`)
	}
	if room := mustCall(t, 200, "GET", s.url+"/rooms/general", tokens[0], ""); owners != 1 || !strings.Contains(room, `"name":"General"`) || !strings.Contains(room, `"visibility":"public"`) {
		t.Errorf("the room has %d owners: %s", owners, room)
	}
	if logs := s.logs.String() + s.out.String(); strings.Contains(logs, tokens[0]) || strings.Contains(logs, "eyJ") {
		t.Error("the log contains a token")
	}
}

// TestSignIn_ByName signs one person in under several spellings, and a person whom others know by
// an id.
func TestSignIn_ByName(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	mustSignIn(t, s, "bob")
	for _, c := range []struct{ typed, user, name string }{
		{"Dana  Scott ", "dana-scott", "Dana Scott"}, {"DANA SCOTT", "dana-scott", "Dana Scott"}, {"dana-scott", "dana-scott", "Dana Scott"},
		{"Bob", "bob", "bob"},
	} {
		status, text := signInAs(t, s, "name", c.typed)
		var got session
		if err := json.Unmarshal([]byte(text), &got); status != http.StatusOK || err != nil || got.User != c.user {
			t.Fatalf("the sign-in of %q: %d %s, %v", c.typed, status, text, err)
		}
		people := mustCall(t, 200, "GET", s.url+"/people?ids="+c.user, tokenOf(t, dir, "eve"), "")
		if !strings.Contains(people, fmt.Sprintf(`"name":%q`, c.name)) || roomsOf(t, s, got.Token) != "general" {
			t.Errorf("%q is in %q, and others see %s", c.typed, roomsOf(t, s, got.Token), people)
		}
	}
	if status, text := signInAs(t, s, "name", " "); status != 422 || !strings.Contains(text, `"location":"name"`) {
		t.Errorf("the sign-in without a name: %d %s", status, text)
	}
}

// TestSignIn_ByTheNameOfAnImportedPerson signs in people of an imported team, whose ids are not made
// from their names.
func TestSignIn_ByTheNameOfAnImportedPerson(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	if _, lines, err := runImport(t, "slack", teamFixture, "--data", dir); err != nil {
		t.Fatalf("%v\n%s", err, lines)
	}
	s := serve(t, dir)
	status, text := ask(t, s, "/local/sign-in/people", "name", "lov")
	if want := `{"items":[{"user":"U1","name":"Ada Lovelace"}]}`; status != 200 || text != want {
		t.Errorf("the people: %d %s, want %s", status, text, want)
	}
	for _, c := range []struct{ typed, user, name, rooms string }{
		{"ada LOVELACE", "U1", "Ada Lovelace", "general dev"},
		{"Builder", "builder", "Builder", "general"}, // a program is not found, and its id is made from the name
		{"Grace Hopper", "grace-hopper", "Grace Hopper", "general"},
	} {
		status, text := signInAs(t, s, "name", c.typed)
		var got session
		if err := json.Unmarshal([]byte(text), &got); status != http.StatusOK || err != nil || got.User != c.user {
			t.Fatalf("the sign-in of %q: %d %s, %v", c.typed, status, text, err)
		}
		me := mustCall(t, 200, "GET", s.url+"/people/me", got.Token, "")
		if rooms := roomsOf(t, s, got.Token); rooms != c.rooms || !strings.Contains(me, fmt.Sprintf(`"name":%q`, c.name)) {
			t.Errorf("%q is in %q, want %q, with the profile %s", c.typed, rooms, c.rooms, me)
		}
	}
	mustCall(t, 200, "PUT", s.url+"/people/me", tokenOf(t, dir, "U2"), `{"name":"Ada Lovelace"}`)
	if status, text := signInAs(t, s, "name", "Ada Lovelace"); status != 409 || !strings.Contains(text, "U1 or U2") {
		t.Errorf("the sign-in by the name of two people: %d %s", status, text)
	}
	const offered = `{"items":[{"user":"U1","name":"Ada Lovelace","messages":8},{"user":"U2","name":"Bobby","messages":5},{"user":"U7","name":"U7","messages":1}]}`
	if status, text := ask(t, s, "/local/sign-in/people", "name", ""); status != 200 || text != offered {
		t.Errorf("the people with no name: %d %s, want %s", status, text, offered)
	}
	for field, user := range map[string]string{"user": "import", "name": "Import"} {
		var got session
		if status, text := signInAs(t, s, field, user); status == 200 && (json.Unmarshal([]byte(text), &got) != nil || got.User == "import") {
			t.Errorf("signed in as the import by %s: %s", field, text)
		}
	}
	mustCall(t, 403, "POST", s.url+"/local/sign-in/people", "", `{"name":"ada"}`) // without an origin
}

// TestSignIn_LeadsToAnImportedRoom imports a room other than general.
func TestSignIn_LeadsToAnImportedRoom(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	log := filepath.Join(t.TempDir(), "2020-01-02.txt")
	if err := os.WriteFile(log, []byte("[12:00] <ada> hello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, lines, err := runImport(t, "irc", "--room", "ubuntu", log, "--data", dir); err != nil {
		t.Fatalf("%v\n%s", err, lines)
	}
	s := serve(t, dir)
	if got := roomsOf(t, s, mustSignIn(t, s, "eve").Token); got != "ubuntu" {
		t.Errorf("eve is in %q", got)
	}
}

func TestSignIn_PutsNobodyBackIntoGeneral(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	ann, bob, eve := mustSignIn(t, s, "ann").Token, mustSignIn(t, s, "bob@example.com").Token, mustSignIn(t, s, "eve").Token
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", bob, "")
	mustCall(t, 204, "DELETE", s.url+"/rooms/general/members/bob@example.com", bob, "")
	mustCall(t, 200, "PUT", s.url+"/rooms/general/members/eve", ann, `{"role":"banned"}`)
	if got := roomsOf(t, s, mustSignIn(t, s, "bob@example.com").Token); got != "seattle" {
		t.Errorf("bob, who left general for another room, is in %q", got)
	}
	if got := roomsOf(t, s, mustSignIn(t, s, "eve").Token); got != "" {
		t.Errorf("eve, who is banned from general, is in %q", got)
	}
	mustCall(t, 204, "DELETE", s.url+"/rooms/general", ann, "")
	for _, user := range []string{"ann", "carl"} {
		if got := roomsOf(t, s, mustSignIn(t, s, user).Token); got != "" {
			t.Errorf("%s is in %q after general was deleted", user, got)
		}
	}
	mustCall(t, 404, "GET", s.url+"/rooms/general", eve, "")
}

func TestSignIn_RoomCreators(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t), "--room-creators", "ann")
	for _, c := range []struct{ user, rooms string }{{"bob", ""}, {"ann", "general"}, {"bob", "general"}} {
		if got := roomsOf(t, s, mustSignIn(t, s, c.user).Token); got != c.rooms {
			t.Errorf("%s is in the rooms %q, want %q", c.user, got, c.rooms)
		}
	}
}

func TestSignIn_Refusals(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t), "--origin", "http://localhost:3000")
	for _, user := range []string{"", "Ann Lee", "me", "..", "a#b", strings.Repeat("x", 65)} {
		if status, text := signInAs(t, s, "user", user); status != 422 || !strings.Contains(text, `"location":"user"`) {
			t.Errorf("the sign-in of %q: %d %s", user, status, text)
		}
	}
	if status, _ := signInAs(t, s, "name", strings.Repeat("x", 2000)); status != 413 {
		t.Errorf("a large body: %d", status)
	}
	mustCall(t, 403, "POST", s.url+"/local/sign-in", "", `{"user":"bob"}`) // without an origin
	for _, method := range []string{"GET", "PUT", "DELETE"} {
		mustCall(t, 401, method, s.url+"/local/sign-in", "", "")
	}
}

// TestServeCmd_SignsInByNameOnThisMachineAlone checks the addresses and the issuer for which the
// endpoint exists, and the configuration of the page.
func TestServeCmd_SignsInByNameOnThisMachineAlone(t *testing.T) {
	t.Parallel()
	behind := http.NewServeMux()
	for _, tt := range []struct {
		name, addr, issuer string
		want               bool
	}{
		{"IPv4", "127.0.0.1:80", "", true},
		{"IPv6", "[::1]:80", "", true},
		{"all addresses", "0.0.0.0:80", "", false},
		{"all addresses of both kinds", "[::]:80", "", false},
		{"the network's address", "192.0.2.7:80", "", false},
		{"another issuer", "127.0.0.1:80", "https://issuer.example.com", false},
	} {
		addr, err := net.ResolveTCPAddr("tcp", tt.addr)
		if err != nil {
			t.Fatal(err)
		}
		c := serveCmd{data: data{Data: dataDir(t)}, Issuer: tt.issuer}
		h, err := c.signIn(slog.New(slog.DiscardHandler), addr, people.Store{}, behind)
		if err != nil || (h != http.Handler(behind)) != tt.want {
			t.Errorf("%s: the endpoint exists: %v, want %v, %v", tt.name, h != http.Handler(behind), tt.want, err)
		}
		kind := map[bool]string{true: "local", false: "token"}[tt.want]
		if got := c.pageConfig(addr).SignIn.Kind; got != kind {
			t.Errorf("%s: the page receives %q, want %q", tt.name, got, kind)
		}
	}
}

func TestNamed_OnePersonForEachSpelling(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"dana": "dana", " DANA ": "dana", "Dana\tScott": "dana-scott", "Dana   Scott": "dana-scott", "bob@example.com": "bob@example.com",
		"Zoë O'Neill": "zoe-o-neill", "Łukasz Weiß": "lukasz-weiss", "Ann (work)": "ann-work", "a#b": "a-b", "U024BE7LH": "u024be7lh",
		"me": "me-2744ccd1", "..": "..-5ec1f7e7", "Дана": "931fc70d", "дана": "931fc70d", "Дана Scott": "scott-e9d5436f", "🙂": "d06f1525",
		strings.Repeat("x", 70): strings.Repeat("x", 55) + "-c71bd109",
	} {
		p, rule := named(text)
		if p.User != want || rule != "" || userRule(p.User) != "" || p.Name != strings.Join(strings.Fields(text), " ") {
			t.Errorf("%q gives %+v, %q, want the user %q", text, p, rule, want)
		}
		if again, _ := named(p.User); again.User != p.User {
			t.Errorf("the user id %q as a name gives %q", p.User, again.User)
		}
	}
	for _, text := range []string{"", "   ", "\u200b", "a\x00b", strings.Repeat("é", 51)} {
		if p, rule := named(text); rule == "" {
			t.Errorf("%q gives %+v", text, p)
		}
	}
}
