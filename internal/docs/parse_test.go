package docs_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parley/internal/docs"
)

func TestParse_ReturnsEveryKind(t *testing.T) {
	t.Parallel()
	text := strings.Join([]string{
		"# Title", "```sh", "echo a", "", "echo b", "```", "words with ``` inside",
		"```sh serve", "make run", "```", "```sh ci", "make test", "```", "```sh aws first-deploy", "cdk deploy", "```",
		"```sh sam invoke", "sam local invoke", "```", "```sh account own-domain", "aws x", "```",
		"```json", `{"a": 1}`, "```", "```text", "a <placeholder>", "```",
		"```mermaid", "flowchart LR", "```", "```html page", "<ul></ul>", "```", "```go", "A: 1,", "```",
	}, "\n")
	got, err := docs.Parse("docs/a.md", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []docs.Block{
		{File: "docs/a.md", Line: 2, Kind: docs.Local, Text: "echo a\n\necho b\n"},
		{File: "docs/a.md", Line: 8, Kind: docs.Serve, Text: "make run\n"},
		{File: "docs/a.md", Line: 11, Kind: docs.CI, Text: "make test\n"},
		{File: "docs/a.md", Line: 14, Kind: docs.AWS, Name: "first-deploy", Text: "cdk deploy\n"},
		{File: "docs/a.md", Line: 17, Kind: docs.SAM, Name: "invoke", Text: "sam local invoke\n"},
		{File: "docs/a.md", Line: 20, Kind: docs.Account, Name: "own-domain", Text: "aws x\n"},
		{File: "docs/a.md", Line: 23, Kind: docs.JSON, Text: "{\"a\": 1}\n"},
		{File: "docs/a.md", Line: 26, Kind: docs.Text, Text: "a <placeholder>\n"},
		{File: "docs/a.md", Line: 29, Kind: docs.Mermaid, Text: "flowchart LR\n"},
		{File: "docs/a.md", Line: 32, Kind: docs.HTML, Name: "page", Text: "<ul></ul>\n"},
		{File: "docs/a.md", Line: 35, Kind: docs.Go, Text: "A: 1,\n"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestParse_RefusesBlocksThatNoScriptRuns(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"no info string", "```\necho\n```", "no info string"},
		{"another language", "```shell\necho\n```", `"shell" is no info string`},
		{"another kind", "```sh manual\necho\n```", `"manual" is no kind`},
		{"a kind without its name", "```sh aws\necho\n```", "want 2"},
		{"a name where there is none", "```sh ci once\necho\n```", "want 1"},
		{"a name with capitals", "```sh aws First\necho\n```", `"First" is no valid block name`},
		{"one name twice", "```sh aws a\necho\n```\n```sh aws a\necho\n```", "two blocks of this file are called a"},
		{"a page without a name", "```html\n<p>\n```", "has a name"},
		{"a page with a bad name", "```html A\n<p>\n```", "no valid block name"},
		{"words after json", "```json a\n{}\n```", "takes no more words"},
		{"a tilde fence", "~~~sh\necho\n~~~", "written with ``` only"},
		{"a fence in a list", "- a\n  ```sh\n  echo\n  ```", "beginning of its line"},
		{"a fence in a quotation", "> ```sh\n> echo\n> ```", "beginning of its line"},
		{"a fence that stays open", "```sh\necho\n", "never closed"},
		{"a fence within a fence", "```sh\necho\n```sh\necho\n```", "not closed before"},
		{"an empty block", "```sh\n\n```", "empty"},
		{"invalid JSON", "```json\n{a}\n```", "not valid JSON"},
		{"an account's command run locally", "```sh\nTABLE=$(aws cloudformation describe-stacks)\n```", "needs an account"},
		{"a deploy run locally", "```sh\nnpx --no-install cdk deploy -c env=dev\n```", "needs an account"},
		{"an unknown diagram", "```mermaid\nflow LR\n```", "does not begin with"},
		{"a command marked as a sample", "```text\naws s3 ls\n```", `"aws" is a command`},
		{"a command with a prompt", "```text\n$ ls\n```", `"$" is a command`},
		{"a placeholder", "```sh\ngit checkout <the commit before>\n```", "<the commit before> is a placeholder"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := docs.Parse("a.md", []byte(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "a.md:") {
				t.Errorf("Parse = %v, want an error with a.md and %q", err, tt.want)
			}
		})
	}
}

func TestParse_AcceptsRedirections(t *testing.T) {
	t.Parallel()
	if _, err := docs.Parse("a.md", []byte("```sh\nsort <in >out\ncat <<EOF >out\nx\nEOF\n```\n")); err != nil {
		t.Error(err)
	}
}

// TestRead_AcceptsTheDocumentation fails on a block that no script would run.
func TestRead_AcceptsTheDocumentation(t *testing.T) {
	t.Parallel()
	blocks, err := docs.Read("../..")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]bool{}
	for _, b := range blocks {
		files[b.File] = true
	}
	for _, file := range []string{"README.md", "docs/deploy.md"} {
		if !files[file] {
			t.Errorf("%s has no block", file)
		}
	}
}

func TestBook_NamesBlocksThatWereNotRun(t *testing.T) {
	t.Parallel()
	book := docs.NewBook([]docs.Block{
		{File: "a.md", Line: 1, Kind: docs.AWS, Name: "one"}, {File: "a.md", Line: 9, Kind: docs.AWS, Name: "two"},
		{File: "a.md", Line: 20, Kind: docs.Local},
	}, docs.AWS)
	if _, err := book.Take("a.md", "one"); err != nil {
		t.Fatal(err)
	}
	if err := book.Left(); err == nil || err.Error() != "a.md:9 (two) was not run" {
		t.Errorf("Left = %v, want the second block alone", err)
	}
	if _, err := book.Take("a.md", "three"); err == nil {
		t.Error("Take returns a block that does not exist")
	}
	if _, err := book.Take("a.md", "two"); err != nil {
		t.Fatal(err)
	}
	if err := book.Left(); err != nil {
		t.Errorf("Left = %v, want nil", err)
	}
}
