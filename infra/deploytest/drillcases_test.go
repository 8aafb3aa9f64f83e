//go:build deploy

package deploytest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/chat"
)

// wantGoesOn checks that the service continues. A client of the former feed must be required to
// start again, read a page, and receive the next post as a change.
func (d *drill) wantGoesOn(t *testing.T, before position) {
	t.Helper()
	in := map[string]string{"room": "seattle"}
	page := d.ask(t, d.ada, call{route: "GET /rooms/{room}/messages", path: in, status: 200})
	n := d.post(t, d.ada, "seattle")
	d.kept = append(d.kept, n)
	eventually(t, "the feed begins again", func() error {
		answer, err := d.ada.do(t.Context(), call{route: "GET /rooms/{room}/changes", path: in, query: before.query(), status: 200})
		if err == nil && answer["reset"] != true {
			err = fmt.Errorf("a client at %v receives %v", before, answer)
		}
		return err
	})
	from := position{page["since"]}
	eventually(t, "a client that has started again receives the next message", func() error {
		answer, err := d.ada.do(t.Context(), call{route: "GET /rooms/{room}/changes", path: in, query: from.query(), status: 200})
		switch {
		case err != nil:
			return err
		case answer["reset"] == true: // the page is older than the first change of the new feed
			page := d.ask(t, d.ada, call{route: "GET /rooms/{room}/messages", path: in, status: 200, holds: n.text})
			from = position{page["since"]}
			return errors.New("it must start again")
		case !strings.Contains(fmt.Sprint(answer), n.text):
			return fmt.Errorf("it receives %v", answer)
		}
		return nil
	})
}

// position is a client's position in a feed.
type position struct{ since any }

func (p position) query() string { return fmt.Sprintf("since=%v", p.since) }

// stands returns the position of a client that has just read a page of messages.
func (d *drill) stands(t *testing.T) position {
	t.Helper()
	answer := d.ask(t, d.ada, call{route: "GET /rooms/{room}/messages", path: map[string]string{"room": "seattle"}, status: 200})
	return position{answer["since"]}
}

// testCopyBack loses messages, versions and a document.
func testCopyBack(t *testing.T, d *drill) {
	d.paste(t, "docs/runbooks.md", "restore-point")
	d.paste(t, "docs/runbooks.md", "restore")
	d.write(t, "seattle", 1) // people continue
	for _, n := range []note{d.kept[0], d.kept[2]} {
		uuid, user, _ := strings.Cut(n.id, "~")
		id, err := chat.ParseUUID(uuid)
		if err != nil {
			t.Fatal(err)
		}
		sent := chat.MessageID{UUID: id, User: chat.UserID(user)}.SentAt().Format("2006-01-02:15:04:05.000")
		d.lose(t, n.room+"-1", user+"#"+sent+"#"+uuid)
	}
	d.lose(t, "d#seattle#charter", "metadata")
	d.lose(t, "d#seattle#charter", "v0_preamble")
	d.lose(t, "r#"+d.board, "permissions")
	out := d.paste(t, "docs/runbooks.md", "restore-copy")
	if !strings.Contains(out, "5 changes were written") {
		t.Errorf("5 items were lost:\n%s", out)
	}
	d.paste(t, "docs/runbooks.md", "repair-since")
	d.wantWhole(t)
	d.sh(t, `aws dynamodb delete-table --table-name "$TABLE-restored"`)
}

func (d *drill) lose(t *testing.T, pk, sk string) {
	t.Helper()
	key := fmt.Sprintf(`{"PK":{"S":%q},"SK":{"S":%q}}`, pk, sk)
	var was struct{ Attributes map[string]any }
	d.aws(t, &was, "dynamodb", "delete-item", "--table-name", d.outputs["TableName"], "--key", key, "--return-values", "ALL_OLD")
	if len(was.Attributes) == 0 {
		t.Fatalf("item %s does not exist", key)
	}
}

// testAdoption restores both tables, and continues with them. Messages deleted since then must stay
// deleted, and people banned since then must stay banned.
func testAdoption(t *testing.T, d *drill) {
	d.paste(t, "docs/runbooks.md", "restore-point")
	d.backup(t, "TABLE", "LOG_TABLE")
	kept := slices.Clone(d.kept)
	for _, room := range []string{"seattle", d.board} {
		for _, n := range kept {
			if n.room == room && strings.HasSuffix(n.id, d.ada.user) && !strings.Contains(n.text, "edited") && !d.wasEdited(n) {
				d.remove(t, n)
				d.kept = slices.DeleteFunc(d.kept, func(k note) bool { return k == n })
				break
			}
		}
	}
	lost := len(d.kept)
	d.write(t, "seattle", 1) // after the restore point: it is not in the restored table
	d.ask(t, d.ada, call{route: "PUT /rooms/{room}/members/{user}", path: map[string]string{"room": d.board, "user": d.bob.user}, body: `{"role":"banned"}`, status: 200})
	before := d.stands(t)
	d.kept = d.kept[:lost]
	d.gone = d.gone[:len(d.gone)-2] // deleted and lost

	d.sh(t, "OLD=$TABLE OLD_LOG=$LOG_TABLE")
	d.paste(t, "docs/runbooks.md", "restore-deleted")
	d.sh(t, "TABLE=$LOG_TABLE")
	d.paste(t, "docs/runbooks.md", "restore-deleted")
	d.sh(t, "TABLE=$OLD")
	settings := d.paste(t, "docs/runbooks.md", "adopt")
	out := d.paste(t, "docs/runbooks.md", "restore-deletions")
	if !strings.Contains(out, "3 changes were written") { // two messages and a ban
		t.Errorf("two messages were deleted and one person was banned:\n%s", out)
	}
	d.adopt(t, settings)
	d.wantGoesOn(t, before)
	d.paste(t, "docs/runbooks.md", "repair-since")
	d.wantWhole(t)
	d.ask(t, d.bob, call{route: "GET /rooms/{room}/messages", path: map[string]string{"room": d.board}, status: 404})
	d.ask(t, d.ada, call{route: "GET /rooms/{room}/audit", path: map[string]string{"room": d.board}, status: 200, holds: "member.role"})
}

// testTableLost deletes the table. DynamoDB backs up a table when it is deleted.
func testTableLost(t *testing.T, d *drill) {
	d.write(t, "seattle", 1)
	before := d.stands(t)
	d.backup(t, "TABLE")
	d.sh(t, `aws dynamodb delete-table --table-name "$TABLE"`)
	d.ask(t, d.ada, call{route: "GET /rooms/{room}/messages", path: map[string]string{"room": "seattle"}, status: 500})
	d.paste(t, "docs/runbooks.md", "restore-deleted")
	d.adopt(t, d.sh(t, `scripts/adopt dev "$TABLE-restored" "$LOG_TABLE"`))
	d.wantGoesOn(t, before)
	d.wantWhole(t)
}
