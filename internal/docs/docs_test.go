package docs

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sample has a block of nearly every kind.
const sample = "# Title\n```sh\necho a\n\necho b\n```\nwords with ``` inside\n```sh serve\nmake run\n```\n" +
	"```sh aws first\ncdk deploy\n```\n```json\n{}\n```\n```text\na <placeholder>\n```\n```sh aws second\ncdk destroy\n```\n```html client\n<ul>\n```\n"

func TestParse_ReturnsKindsAndLines(t *testing.T) {
	t.Parallel()
	got, err := Parse("docs/a.md", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	want := []Block{
		{File: "docs/a.md", Line: 2, Kind: Local, Text: "echo a\n\necho b\n"},
		{File: "docs/a.md", Line: 8, Kind: Serve, Text: "make run\n"},
		{File: "docs/a.md", Line: 11, Kind: AWS, Name: "first", Text: "cdk deploy\n"},
		{File: "docs/a.md", Line: 14, Kind: JSON, Text: "{}\n"},
		{File: "docs/a.md", Line: 17, Kind: "text", Text: "a <placeholder>\n"},
		{File: "docs/a.md", Line: 20, Kind: AWS, Name: "second", Text: "cdk destroy\n"},
		{File: "docs/a.md", Line: 23, Kind: "html client", Text: "<ul>\n"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestParse_RefusesBlocksThatNothingRuns(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"```\necho\n```":               "no info string",
		"```shell\necho\n```":          "no info string",
		"```sh manual\necho\n```":      "no info string",
		"```sh aws\necho\n```":         "no info string",
		"a\n\n    indented":            "no info string",
		"```text\na\n\n```sh\necho a":  "is it closed",
		"```json\n{a}\n```":            "not valid JSON",
		"```text\n  aws s3 ls\n```":    `"aws" is a command`,
		"- list\n\n  ```\n  echo\n```": "a.md:3: ",
	} {
		if _, err := Parse("a.md", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: Parse = %v, want an error with %q", text, err, want)
		}
	}
}

func TestBook_NamesBlocksThatWereNotRun(t *testing.T) {
	t.Parallel()
	blocks, err := Parse("a.md", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	book := NewBook(blocks, AWS)
	for range 2 {
		if b, err := book.Take("a.md", "first"); err != nil || b.Text != "cdk deploy\n" {
			t.Errorf("Take = %v, %v", b, err)
		}
	}
	if _, err := book.Take("a.md", ""); err == nil {
		t.Error("Take returns a block of another kind")
	}
	if err := book.Left(); err == nil || err.Error() != "a.md:20 (second) was not run" {
		t.Errorf("Left = %v, want the second block only", err)
	}
	if _, err := book.Take("a.md", "second"); err != nil || book.Left() != nil {
		t.Errorf("Take = %v, Left = %v, want nil", err, book.Left())
	}
}
