package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/parley/internal/test/nightly"
)

// provisioning is what examples/provision creates in a test. At night it is the size that
// docs/api.md states.
func provisioning() (people, rooms, members int) {
	return nightly.Times(200, 5000), nightly.Times(10, 500), nightly.Times(400, 20_000)
}

// TestServe_ProvisionedByTheExample runs the example twice. The first run creates everything but
// the membership of a misspelt user, and the second nothing.
func TestServe_ProvisionedByTheExample(t *testing.T) {
	t.Parallel()
	dir, folder := dataDir(t), t.TempDir()
	s := serve(t, dir, "--send-rate", "100000")
	people, rooms, members := provisioning()
	persons := [][]string{{"user", "name", "title", "hired"}}
	for i := range people {
		persons = append(persons, []string{fmt.Sprint("e", i), fmt.Sprintf(`Ann "%d" Lee, Jr.`, i), "Clerk", ""})
	}
	list := [][]string{{"id", "topic", "place", "slowModeSeconds"}}
	for i := range rooms {
		list = append(list, []string{fmt.Sprint("room-", i), "rain", "USA/WA", "5"})
	}
	memberships := []map[string]string{{"room": "room-0", "user": "misspelt", "role": "member"}}
	for i := range members {
		role := "member"
		if i < rooms {
			role = "moderator"
		}
		memberships = append(memberships, map[string]string{"room": fmt.Sprint("room-", i%rooms), "user": fmt.Sprint("e", (i+i/people)%people), "role": role})
	}
	writeCSV(t, filepath.Join(folder, "people.csv"), persons)
	writeCSV(t, filepath.Join(folder, "rooms.csv"), list)
	text, err := json.Marshal(memberships)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "members.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	desk := tokenOf(t, dir, "desk", "--service")
	for _, run := range []string{"%d created, 0 found or changed, %d refused", "0 created, %d found or changed, %d refused"} {
		node := exec.CommandContext(t.Context(), "node", "../../examples/provision/provision.mjs", s.url, folder)
		node.Env = append(os.Environ(), "TOKEN="+desk)
		out, err := node.CombinedOutput()
		t.Logf("%s", out)
		if node.ProcessState.ExitCode() != 1 || strings.Count(string(out), "misspelt") != 1 {
			t.Fatalf("it ends with %v, and must refuse one membership\n%s", err, s.logs)
		}
		for kind, n := range map[string]int{"people": people, "rooms": rooms, "memberships": members} {
			refused := 0
			if kind == "memberships" {
				refused = 1
			}
			if want := kind + ": " + fmt.Sprintf(run, n, refused); !strings.Contains(string(out), want) {
				t.Errorf("it does not print %q", want)
			}
		}
	}
	if text := mustCall(t, 200, "GET", s.url+"/people/e1", desk, ""); !strings.Contains(text, `"name":"Ann \"1\" Lee, Jr."`) {
		t.Errorf("a person is %s", text)
	}
	if text := mustCall(t, 200, "GET", s.url+"/rooms/room-1?include=count", desk, ""); !strings.Contains(text, fmt.Sprintf(`"memberCount":%d`, members/rooms)) || !strings.Contains(text, `"place":["USA","WA"]`) {
		t.Errorf("a room is %s", text)
	}
	if text := mustCall(t, 200, "GET", s.url+"/people/e1/rooms", desk, ""); strings.Count(text, `"role":`) != members/people {
		t.Errorf("a person's rooms are %s", text)
	}
}

func writeCSV(t *testing.T, path string, rows [][]string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := csv.NewWriter(f).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
