//go:build deploy

package deploytest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/docs"
)

// drillBlocks are the blocks that TestDrill_RestoresEveryLoss pastes, by file.
var drillBlocks = map[string][]string{
	"docs/runbooks.md": {
		"restore-point", "restore", "restore-deleted", "restore-deletions", "restore-copy", "repair-since", "adopt", "lift-policy",
	},
}

// drill is a restore drill: people, their messages, and the operator's shell.
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

// TestDrill_RestoresEveryLoss loses data in three ways and follows the runbook. Items are lost, and
// copied back from a restored table. The table is damaged, and a restored one is adopted. The
// adopted one is deleted, and restored once more. Each time the service must continue. Everything
// acknowledged before the restore point must exist, and nothing deleted may be readable.
//
// The emulator does not restore to a point in time: it copies the items that the table has. A
// backup at the restore point stands in for such a restore, and for the backup that DynamoDB makes
// of a deleted table.
func TestDrill_RestoresEveryLoss(t *testing.T) {
	t.Parallel()
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
	d.board = board["id"].(string)
	d.ask(t, d.ada, call{route: "PUT /rooms/{room}/members/{user}", path: map[string]string{"room": d.board, "user": d.bob.user}, body: `{"role":"member"}`, status: 201})
	return d
}

// outputsAgain reads the outputs again, here and in the shell, because they name another table
// after an adoption.
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

// backup backs up tables, by the names of their variables.
func (d *drill) backup(t *testing.T, tables ...string) {
	t.Helper()
	for _, variable := range tables {
		d.sh(t, `aws dynamodb create-backup --table-name "$`+variable+`" --backup-name restore-point`)
	}
}

// adoptLines matches the lines that scripts/adopt prints for the settings file.
var adoptLines = regexp.MustCompile(`(?s)Adopt: config\.Adopt\{.*?\n\},`)

// adopt adds the lines that scripts/adopt printed to the settings, and deploys.
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
	d.paste(t, "docs/runbooks.md", "lift-policy")
	d.mustRun(t, deployDev)
	d.outputsAgain(t)
}
