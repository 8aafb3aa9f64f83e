package archive_test

import (
	"strings"
	"testing"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/archive/slack"
)

func TestReadMap_ErrorNamesTheLine(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"U1,e129\nU2":             "line 2 of the map of people: has 1 fields",
		"U1,e129\n\n# x\nU2,a#b":  `line 4 of the map of people: "a#b"`,
		"U1,me":                   "line 1 of",
		"U1,\"e129":               "line 1 of",
		"U1,e129,more":            "line 1 of",
		"from,to\nU1,e129\nU1, ":  "line 3 of",
		"U1,e129\nnobody,e130":    `line 2 of the map of people: "nobody" is neither`,
		"U1,e129\nbob,e1\nada,e2": `line 3 of the map of people: "ada" is mapped twice`,
	} {
		people, err := archive.ReadMap(strings.NewReader(text))
		if err == nil {
			_, err = slack.Open("slack/testdata/team", slack.Options{People: people})
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %s", text, err, says)
		}
	}
}

func TestReadMap(t *testing.T) {
	t.Parallel()
	people, err := archive.ReadMap(strings.NewReader("\uFEFFFrom,To\r\nU1, e129\r\nbob,f:1:b\r\n"))
	if err != nil || len(people) != 2 || people[0].From != "U1" || people[0].To != "e129" || people[1].To != "f:1:b" {
		t.Errorf("%+v, %v", people, err)
	}
}
