//go:build deploy

package deploytest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// note is a message and its text.
type note struct{ room, id, text string }

// write posts messages that stay, one that is edited, and one that is deleted after an edit.
func (d *drill) write(t *testing.T, room string, messages int) {
	t.Helper()
	for range messages {
		d.kept = append(d.kept, d.post(t, d.ada, room), d.post(t, d.bob, room))
	}
	edited := d.edit(t, d.ada, d.kept[len(d.kept)-2])
	d.kept = append(d.kept, edited)
	d.remove(t, d.post(t, d.ada, room))
}

// text returns a text that no other message has.
func (d *drill) text() string {
	d.texts++
	return fmt.Sprintf("text-%d.", d.texts)
}

func (d *drill) post(t *testing.T, c *caller, room string) note {
	t.Helper()
	text := d.text()
	answer := d.ask(t, c, call{route: "POST /rooms/{room}/messages", path: map[string]string{"room": room}, body: `{"text":"` + text + `"}`, status: 201})
	return note{room, answer["id"].(string), text}
}

func (d *drill) edit(t *testing.T, c *caller, n note) note {
	t.Helper()
	text := d.text() + "edited."
	d.ask(t, c, call{route: "PATCH /rooms/{room}/messages/{id}", path: map[string]string{"room": n.room, "id": n.id}, body: `{"text":"` + text + `"}`, header: map[string]string{"If-Match": `"1"`}, status: 200})
	return note{n.room, n.id, text}
}

// remove deletes a message that ada posted, with an edit of it.
func (d *drill) remove(t *testing.T, n note) {
	t.Helper()
	edited := d.edit(t, d.ada, n)
	d.ask(t, d.ada, call{route: "DELETE /rooms/{room}/messages/{id}", path: map[string]string{"room": n.room, "id": n.id}, header: map[string]string{"If-Match": "*"}, status: 200})
	d.gone = append(d.gone, n, edited)
}

func (d *drill) document(t *testing.T, room string) {
	t.Helper()
	d.ask(t, d.ada, call{
		route: "PUT /rooms/{room}/documents/{doc}/parts/{part}", path: map[string]string{"room": room, "doc": "charter", "part": "preamble"},
		body: `{"text":"We, the people"}`, status: 201,
	})
}

// wantWhole checks that everything acknowledged exists, and nothing deleted does.
func (d *drill) wantWhole(t *testing.T) {
	t.Helper()
	d.ask(t, d.ada, call{route: "GET /rooms/{room}/documents/{doc}", path: map[string]string{"room": "seattle", "doc": "charter"}, status: 200, holds: "We, the people"})
	for _, n := range append(slices.Clone(d.kept), d.gone...) {
		in := map[string]string{"room": n.room, "id": n.id}
		message := fmt.Sprint(d.ask(t, d.ada, call{route: "GET /rooms/{room}/messages/{id}", path: in, status: 200}))
		versions := fmt.Sprint(d.ask(t, d.ada, call{route: "GET /rooms/{room}/messages/{id}/versions", path: in, status: 200}))
		there := strings.Contains(message+versions, n.text)
		if want := slices.Contains(d.kept, n); there != want {
			t.Errorf("%s of %s can be read: %v", n.text, n.room, there)
		}
	}
	if items := d.scan(t); slices.ContainsFunc(d.gone, func(n note) bool { return strings.Contains(items, `"`+n.text+`"`) }) {
		t.Error("the table contains a deleted text")
	}
}

// scan returns the whole table, as JSON.
func (d *drill) scan(t *testing.T) string {
	t.Helper()
	return d.sh(t, `aws dynamodb scan --table-name "$TABLE" --output json`)
}

func (d *drill) wasEdited(n note) bool {
	return slices.ContainsFunc(d.kept, func(k note) bool { return k.id == n.id && k != n })
}
