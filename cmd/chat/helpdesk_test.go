package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestServe_HelpDeskOfTheExample opens tickets at the server of examples/helpdesk, answers one as an
// agent, and closes it. Somebody who gives herself an agent's title sees none.
func TestServe_HelpDeskOfTheExample(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	desk, ann, carl := tokenOf(t, dir, "desk", "--service"), tokenOf(t, dir, "ann"), tokenOf(t, dir, "carl")
	url := startHelpDesk(t, s.url, desk)
	open := func(want, number int, customer string) string {
		t.Helper()
		return mustCall(t, want, "POST", url+"/tickets", "", fmt.Sprintf(`{"number":%d,"customer":%q,"subject":"Printer","text":"It is on fire"}`, number, customer))
	}
	tickets := func(want string) {
		t.Helper()
		var got string
		waitFor(t, "the tickets "+want, func() bool {
			got = ticketsIn(t, mustCall(t, 200, "GET", url+"/agents/ann/tickets", "", ""))
			return got == want
		})
	}
	mustCall(t, 200, "PATCH", s.url+"/people/me", tokenOf(t, dir, "eve"), `{"name":"Eve","title":"Agent"}`)
	tickets("")
	if text := open(422, 4711, "misspelt"); !strings.Contains(text, "misspelt") {
		t.Errorf("an unknown customer is refused with %s", text)
	}
	for range 2 {
		open(200, 4711, "carl")
	}
	open(200, 4712, "carl")
	tickets("4712 Printer 1, 4711 Printer 1")

	ticket := s.url + "/rooms/p-ticket-4711"
	if text := mustCall(t, 200, "GET", ticket+"/messages", ann, ""); strings.Count(text, "It is on fire") != 1 || !strings.Contains(text, `"via":"desk"`) {
		t.Errorf("an agent reads %s", text)
	}
	mustCall(t, 404, "GET", ticket, tokenOf(t, dir, "eve"), "")
	var hurry struct{ ID string }
	if err := json.Unmarshal([]byte(mustCall(t, 201, "POST", ticket+"/messages", carl, `{"text":"Hurry"}`)), &hurry); err != nil {
		t.Fatal(err)
	}
	tickets("4711 Printer 2, 4712 Printer 1")
	mustCall(t, 201, "POST", ticket+"/messages", ann, `{"text":"Throw it out of the window"}`)
	mustCall(t, 200, "PUT", ticket+"/read", ann, fmt.Sprintf(`{"message":%q}`, hurry.ID))
	tickets("4711 Printer 0, 4712 Printer 1")
	for range 2 {
		mustCall(t, 200, "POST", url+"/tickets/4711/close", "", "")
	}
	tickets("4712 Printer 1")
	if text := mustCall(t, 200, "GET", ticket, carl, ""); !strings.Contains(text, `"archived":true`) || !strings.Contains(text, `"service":"desk"`) {
		t.Errorf("a closed ticket is %s", text)
	}
	mustCall(t, 404, "POST", url+"/tickets/4713/close", "", "")
}

// startHelpDesk starts the example with its sample, and returns its address.
func startHelpDesk(t *testing.T, server, token string) string {
	t.Helper()
	node := exec.Command("node", "../../examples/helpdesk/helpdesk.mjs", server, "0", "../../examples/helpdesk/sample")
	node.Env = append(os.Environ(), "TOKEN="+token)
	node.Stderr = os.Stderr
	out, err := node.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = node.Process.Kill()
		_ = node.Wait()
	})
	var printed []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if url, ok := strings.CutPrefix(lines.Text(), "ready "); ok {
			return url
		}
		printed = append(printed, lines.Text())
	}
	t.Fatalf("the help desk ended: %q", printed)
	return ""
}

// ticketsIn returns the numbers, subjects and unread counts of a list of tickets.
func ticketsIn(t *testing.T, text string) string {
	t.Helper()
	var list struct {
		Items []struct {
			Number, Subject string
			Unread          int
		}
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, i := range list.Items {
		all = append(all, fmt.Sprint(i.Number, " ", i.Subject, " ", i.Unread))
	}
	return strings.Join(all, ", ")
}
