//go:build deploy

package deploytest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parley/internal/chat"
	"parley/internal/docs"
)

// drillBlocks are the blocks that TestRestoreDrill pastes, by file.
var drillBlocks = map[string][]string{
	"docs/runbooks.md": {"restore-point", "restore", "restore-deleted", "restore-deletions", "restore-copy", "repair-since"},
	"docs/adopt.md":    {"adopt", "lift-policy"},
}

// drill is a restore drill: people, what they wrote, and the operator's shell.
type drill struct {
	*deployment
	shell    *docs.Shell
	book     *docs.Book
	ada, bob *caller
	board    string // a private room
	kept     []note // acknowledged, and never deleted
	gone     []note // deleted
	texts    int
}

// note is a message and what it says.
type note struct{ room, id, text string }

// TestRestoreDrill loses data in three ways and follows the runbook. Items are lost, and copied back
// from a restored table. The table is damaged, and a restored one is adopted. The adopted one is
// deleted, and restored once more. Each time the service goes on, nothing that was acknowledged before
// the restore point is missing, and nothing that was deleted can be read.
//
// The emulator restores no point in time: it copies the items that the table has. A backup that is
// made at the restore point stands in for it, and for the one that DynamoDB makes of a deleted table.
func TestRestoreDrill(t *testing.T) {
	d := newDrill(t)
	d.write(t, "seattle", 3)
	d.write(t, d.board, 3)
	d.document(t, "seattle")

	t.Run("lost items are copied back", func(t *testing.T) { testCopyBack(t, d) })
	t.Run("a restored table is adopted", func(t *testing.T) { testAdoption(t, d) })
	t.Run("a deleted table is restored", func(t *testing.T) { testTableLost(t, d) })

	if err := d.book.Left(); err != nil {
		t.Error(err)
	}
}

func newDrill(t *testing.T) *drill {
	t.Helper()
	clone := checkout(t, "HEAD")
	all, err := docs.Read(clone)
	if err != nil {
		t.Fatal(err)
	}
	blocks := slices.DeleteFunc(all, func(b docs.Block) bool { return !slices.Contains(drillBlocks[b.File], b.Name) })
	d := &drill{deployment: deploy(t, clone), book: docs.NewBook(blocks, docs.AWS)}
	d.mustRun(t, "make build")
	if d.shell, err = docs.NewShell(t.Context(), clone, d.env); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.shell.Close() })
	d.sh(t, "output() { aws cloudformation describe-stacks --stack-name "+stackName+" --query \"Stacks[0].Outputs[?$1].OutputValue\" --output text; }")
	d.outputsAgain(t)
	d.ada, d.bob = d.signUp(t, "ada"), d.signUp(t, "bob")
	d.ask(t, d.ada, call{route: "PUT /rooms/{room}", path: map[string]string{"room": "seattle"}, body: `{"name":"Seattle"}`, status: 201})
	board := d.ask(t, d.ada, call{route: "POST /rooms", body: `{"visibility":"private","name":"The board"}`, status: 201})
	d.board = board["room"].(string)
	d.ask(t, d.ada, call{route: "PUT /rooms/{room}/members/{user}", path: map[string]string{"room": d.board, "user": d.bob.user}, body: `{"role":"member"}`, status: 201})
	return d
}

// outputsAgain reads the outputs, here and in the shell: they name another table after an adoption.
func (d *drill) outputsAgain(t *testing.T) {
	t.Helper()
	d.readOutputs(t)
	d.sh(t, "TABLE=$(output 'OutputKey==`TableName`') LOG_TABLE=$(output 'OutputKey==`LogTableName`')")
}

// sh runs a line in the operator's shell.
func (d *drill) sh(t *testing.T, line string) string {
	t.Helper()
	out, err := d.shell.Run(docs.Block{File: "the drill", Text: line + "\n"})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// paste runs a block of the documentation, after a line that prepares it.
func (d *drill) paste(t *testing.T, file, name string) string {
	t.Helper()
	block, err := d.book.Take(file, name)
	if err != nil {
		t.Fatal(err)
	}
	out, err := d.shell.Run(block)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s\n%s", block, out)
	return out
}

func (d *drill) ask(t *testing.T, c *caller, r call) map[string]any {
	t.Helper()
	answer, err := c.do(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

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

// text is one that no other message has.
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

// wantWhole checks that everything acknowledged is there and everything deleted is not.
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
		t.Error("the table holds a deleted text")
	}
}

// scan is everything in the table, as JSON.
func (d *drill) scan(t *testing.T) string {
	t.Helper()
	return d.sh(t, `aws dynamodb scan --table-name "$TABLE" --output json`)
}

// wantGoesOn checks that the service goes on: a client that comes from the former feed is told to begin
// again, begins with a page, and is told of what is posted next.
func (d *drill) wantGoesOn(t *testing.T, before position) {
	t.Helper()
	in := map[string]string{"room": "seattle"}
	page := d.ask(t, d.ada, call{route: "GET /rooms/{room}/messages", path: in, status: 200})
	n := d.post(t, d.ada, "seattle")
	d.kept = append(d.kept, n)
	eventually(t, "the feed begins again", func() error {
		answer, err := d.ada.do(t.Context(), call{route: "GET /rooms/{room}/changes", path: in, query: before.query(), status: 200})
		if err == nil && answer["reset"] != true {
			err = fmt.Errorf("a client that stood at %v is told %v", before, answer)
		}
		return err
	})
	from := position{page["since"], page["generation"]}
	eventually(t, "a client that has begun again is told of the next message", func() error {
		answer, err := d.ada.do(t.Context(), call{route: "GET /rooms/{room}/changes", path: in, query: from.query(), status: 200})
		switch {
		case err != nil:
			return err
		case answer["reset"] == true: // the page came before the first change of the new feed
			page := d.ask(t, d.ada, call{route: "GET /rooms/{room}/messages", path: in, status: 200, holds: n.text})
			from = position{page["since"], page["generation"]}
			return errors.New("it is told to begin again")
		case !strings.Contains(fmt.Sprint(answer), n.text):
			return fmt.Errorf("it is told %v", answer)
		}
		return nil
	})
}

// position is where a client stands in a feed.
type position struct{ seq, generation any }

func (p position) query() string { return fmt.Sprintf("since=%.0f&generation=%v", p.seq, p.generation) }

// stands returns where a client is that has seen everything.
func (d *drill) stands(t *testing.T) position {
	t.Helper()
	answer := d.ask(t, d.ada, call{route: "GET /rooms/{room}/changes", path: map[string]string{"room": "seattle"}, status: 200})
	return position{answer["head"], answer["generation"]}
}

// testCopyBack loses messages, versions and a document.
func testCopyBack(t *testing.T, d *drill) {
	d.paste(t, "docs/runbooks.md", "restore-point")
	d.paste(t, "docs/runbooks.md", "restore")
	d.write(t, "seattle", 1) // people go on
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
		t.Fatalf("there is no item %s", key)
	}
}

// testAdoption restores both tables, and goes on with them. What was deleted since must not be seen
// again, and who was banned since must not come back.
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
	settings := d.paste(t, "docs/adopt.md", "adopt")
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

func (d *drill) wasEdited(n note) bool {
	return slices.ContainsFunc(d.kept, func(k note) bool { return k.id == n.id && k != n })
}

// testTableLost deletes the table. DynamoDB backs it up as of its deletion.
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

// backup backs tables up, by the names of their variables.
func (d *drill) backup(t *testing.T, tables ...string) {
	t.Helper()
	for _, variable := range tables {
		d.sh(t, `aws dynamodb create-backup --table-name "$`+variable+`" --backup-name restore-point`)
	}
}

// adoptLines are what scripts/adopt prints for the settings file.
var adoptLines = regexp.MustCompile(`(?s)Adopt: config\.Adopt\{.*?\n\},`)

// adopt states the lines that scripts/adopt printed, and deploys.
func (d *drill) adopt(t *testing.T, printed string) {
	t.Helper()
	lines := adoptLines.FindString(printed)
	if lines == "" {
		t.Fatalf("scripts/adopt prints no settings:\n%s", printed)
	}
	file := filepath.Join(d.dir, "infra", "settings", "dev.go")
	d.mustRun(t, "git checkout -q -- infra/settings/dev.go")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	stated := strings.Replace(string(text), "config.Settings{", "config.Settings{\n"+lines+"\n", 1)
	if err := os.WriteFile(file, []byte(stated), 0o600); err != nil {
		t.Fatal(err)
	}
	d.paste(t, "docs/adopt.md", "lift-policy")
	d.mustRun(t, deployDev)
	d.outputsAgain(t)
}
