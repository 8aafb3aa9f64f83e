package archive_test

import (
	"bytes"
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

// A list of people that is filled in maps the people who have a subject.
func TestReadMap_FilledList(t *testing.T) {
	t.Parallel()
	var list bytes.Buffer
	if err := slack.ListPeople("slack/testdata/team", &list); err != nil {
		t.Fatal(err)
	}
	const want = "id,handle,name,email,subject\nU1,ada,Ada Lovelace,ada@people.example,\nU2,bob,Bobby,,\nU3,cyd,cyd,,\n"
	if list.String() != want {
		t.Errorf("the list is\n%s", &list)
	}
	people, err := archive.ReadMap(strings.NewReader(strings.Replace(want, "Bobby,,", "\"Bobby, the second\",b@example.com,sub-2", 1)))
	if err != nil || len(people) != 1 || people[0].From != "U2" || people[0].To != "sub-2" {
		t.Errorf("%+v, %v", people, err)
	}
}

func TestReadMap(t *testing.T) {
	t.Parallel()
	people, err := archive.ReadMap(strings.NewReader("\uFEFFFrom,To\r\nU1, e129\r\nbob,f:1:b\r\n"))
	if err != nil || len(people) != 2 || people[0].From != "U1" || people[0].To != "e129" || people[1].To != "f:1:b" {
		t.Errorf("%+v, %v", people, err)
	}
}
