package socketapi_test

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/docs"
	"example.com/parley/internal/live"
	"example.com/parley/internal/socketapi"
	"example.com/parley/internal/test/asyncapitest"
)

func schemas(t testing.TB) *asyncapitest.Schemas {
	t.Helper()
	s, err := asyncapitest.Load()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// checkFrame fails the test if a frame is not as the AsyncAPI document describes it.
func checkFrame(t testing.TB, frame string) {
	t.Helper()
	if err := schemas(t).CheckFrame([]byte(frame)); err != nil {
		t.Errorf("%s is not as described: %v", frame, err)
	}
}

// TestAsyncAPI_DescribesEveryField compares the document with the types of Go.
func TestAsyncAPI_DescribesEveryField(t *testing.T) {
	t.Parallel()
	s := schemas(t)
	for name, typ := range socketapi.Described() {
		schema := s.Components[name]
		if schema == nil {
			t.Errorf("%s is not described", name)
			continue
		}
		var fields, required, described []string
		for _, f := range reflect.VisibleFields(typ) {
			tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			if tag == "" {
				continue // its fields are inline
			}
			fields = append(fields, tag)
			if !strings.Contains(options, "omitzero") {
				required = append(required, tag)
			}
		}
		for field := range schema.Value.Properties {
			described = append(described, field)
		}
		slices.Sort(fields)
		slices.Sort(described)
		if !slices.Equal(fields, described) {
			t.Errorf("%s has the fields %q, described %q", name, fields, described)
		}
		want := slices.Sorted(slices.Values(schema.Value.Required))
		if slices.Sort(required); strings.HasSuffix(name, "Frame") && !slices.Equal(required, want) {
			t.Errorf("%s always has %q, described %q", name, required, want)
		}
	}
}

// TestAsyncAPI_StatesTheBounds compares the bounds of requests with the decoder's.
func TestAsyncAPI_StatesTheBounds(t *testing.T) {
	t.Parallel()
	s := schemas(t)
	if got := s.Types(true); !slices.Equal(got, []string{"hello", "renew", "subscribe", "sync", "typing", "unsubscribe"}) {
		t.Errorf("described requests: %q", got)
	}
	if got := s.Types(false); !slices.Equal(got, []string{"ack", "changes", "closing", "counts", "heads", "personal", "presence", "problem", "typing", "unsubscribed"}) {
		t.Errorf("described frames: %q", got)
	}
	for _, name := range []string{"HelloRequest", "SubscribeRequest", "UnsubscribeRequest", "TypingRequest", "SyncRequest", "RenewRequest"} {
		schema := s.Components[name].Value
		if id := schema.Properties["id"].Value; id.MaxLength == nil || *id.MaxLength != socketapi.MaxID || id.MinLength != 1 {
			t.Errorf("%s: the id has %d to %v bytes", name, id.MinLength, id.MaxLength)
		}
		maxRooms := uint64(live.MaxRooms)
		if name == "SyncRequest" {
			maxRooms = socketapi.MaxSyncedRooms
		}
		if rooms := schema.Properties["rooms"]; rooms != nil && (rooms.Value.MaxItems == nil || *rooms.Value.MaxItems != maxRooms) {
			t.Errorf("%s: at most %v rooms", name, rooms.Value.MaxItems)
		}
	}
	var modes []string
	for _, m := range s.Components["WantedRoom"].Value.Properties["mode"].Value.Enum {
		modes = append(modes, fmt.Sprint(m))
	}
	if !slices.Equal(modes, []string{live.Full.String(), live.Counts.String()}) {
		t.Errorf("described modes: %q", modes)
	}
	var reasons []string
	for _, r := range s.Components["ClosingFrame"].Value.Properties["reason"].Value.Enum {
		reasons = append(reasons, fmt.Sprint(r))
	}
	if want := []string{socketapi.ReasonExpired, socketapi.ReasonRefusals, socketapi.ReasonTooManyConnections, socketapi.ReasonGoingAway, socketapi.ReasonSuspended}; !slices.Equal(reasons, want) {
		t.Errorf("described reasons: %q, want %q", reasons, want)
	}
}

// TestAsyncAPI_ExamplesHold checks the examples of the document against its schemas, and sends
// those that are requests.
func TestAsyncAPI_ExamplesHold(t *testing.T) {
	t.Parallel()
	s := schemas(t)
	w := newWorld(t)
	c := w.connect("amsg").hello()
	since, token := position("seattle", 0), w.token("amsg")
	for _, e := range s.Examples {
		check := s.CheckFrame
		if e.Request {
			check = s.CheckRequest
		}
		if err := check(e.Payload); err != nil {
			t.Errorf("%s: %v", e.Message, err)
		}
		if e.Request {
			// The position and the token of the example are of another server.
			body := sinceField.ReplaceAllString(string(e.Payload), `"since": "`+since+`"`)
			body = tokenField.ReplaceAllString(body, `"token": "`+token+`"`)
			if got := problemOf(t, c.send(body)); strings.Contains(got, " 4") && !strings.Contains(got, "404") {
				t.Errorf("%s: %s", body, got)
			}
		}
	}
	if len(s.Examples) < 16 {
		t.Errorf("%d examples", len(s.Examples))
	}
}

// TestCheckFrame_RefusesWhatIsNotDescribed proves that the check of frames has an effect.
func TestCheckFrame_RefusesWhatIsNotDescribed(t *testing.T) {
	t.Parallel()
	s := schemas(t)
	good := `{"type":"ack","id":"1","now":"2018-08-29T12:00:00.000Z","rooms":[{"id":"a","head":1,"since":"x"}]}`
	if err := s.CheckFrame([]byte(good)); err != nil {
		t.Error(err)
	}
	for _, change := range [][2]string{
		{`"type":"ack"`, `"type":"hello"`}, {`"id":"1",`, ``}, {`"head":1`, `"head":"1"`}, {`"head":1`, `"haed":1`}, {`"now":`, `"more":1,"now":`},
		{`"head":1`, `"problem":{"type":"x"}`},
	} {
		bad := strings.Replace(good, change[0], change[1], 1)
		if !json.Valid([]byte(bad)) || bad == good || s.CheckFrame([]byte(bad)) == nil {
			t.Errorf("%s passes", bad)
		}
	}
}

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
