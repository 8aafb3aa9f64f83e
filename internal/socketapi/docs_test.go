package socketapi_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"example.com/parley/internal/docs"
	"example.com/parley/internal/live"
	"example.com/parley/internal/socketapi"
)

// TestAsyncAPI_DocsExamplesHold checks every example of the guide, and sends its requests.
func TestAsyncAPI_DocsExamplesHold(t *testing.T) {
	t.Parallel()
	const file = "docs/live.md"
	text, err := os.ReadFile("../../" + file)
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := docs.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	s := schemas(t)
	w := newWorld(t)
	c := w.connect("amsg")
	seen := map[string]bool{}
	for _, b := range blocks {
		if b.Kind != docs.JSON {
			continue
		}
		if asRequest := s.CheckRequest([]byte(b.Text)); asRequest == nil {
			seen["request "+typeOf(t, b.Text)] = true
			body := tokenField.ReplaceAllString(b.Text, `"token": "`+w.token("amsg")+`"`)
			if got := problemOf(t, c.send(body)); strings.Contains(got, " 4") && !strings.Contains(got, "404") {
				t.Errorf("%s: %s", b, got)
			}
		} else if asFrame := s.CheckFrame([]byte(b.Text)); asFrame == nil {
			seen["frame "+typeOf(t, b.Text)] = true
		} else {
			t.Errorf("%s is neither a request (%v) nor a frame (%v)", b, asRequest, asFrame)
		}
	}
	for _, kind := range s.Types(true) {
		if !seen["request "+kind] {
			t.Errorf("%s has no example of the request %s", file, kind)
		}
	}
	for _, kind := range s.Types(false) {
		if !seen["frame "+kind] {
			t.Errorf("%s has no example of the frame %s", file, kind)
		}
	}
	page := strings.Join(strings.Fields(string(text)), " ")
	for _, row := range []string{
		fmt.Sprintf("| rooms of a connection | %d |", live.MaxRooms), fmt.Sprintf("| connections of a person | %d |", live.MaxConnections),
		fmt.Sprintf("| a `hello` or a `renew` | %d KB |", socketapi.MaxHello>>10), fmt.Sprintf("| any other request | %d KB |", socketapi.MaxMessage>>10),
		fmt.Sprintf("| requests of a connection | %d a second, in bursts of %d |", socketapi.MessageRate, socketapi.MessageBurst),
		fmt.Sprintf("| refused requests of a connection | %d |", socketapi.MaxRefusals),
		fmt.Sprintf("once in %.0f seconds", live.TypingInterval.Seconds()), fmt.Sprintf("rooms of more than %d connections", live.MaxAudience),
		fmt.Sprintf("| a frame of the server | %d KB |", live.MaxFrame>>10), "1 to 64 bytes",
		fmt.Sprintf("the person's %d rooms", socketapi.DefaultRooms),
		fmt.Sprintf("| rooms of a `sync` | %d |", socketapi.MaxSyncedRooms), fmt.Sprintf("may name 1 to %d rooms", socketapi.MaxSyncedRooms),
	} {
		if !strings.Contains(page, row) {
			t.Errorf("%s does not say %q", file, row)
		}
	}
}
