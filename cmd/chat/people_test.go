package main

import (
	"strings"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/local/folder"
	"example.com/parley/internal/people"
	"example.com/parley/internal/table"
)

// TestPeopleIndexCmd_FindsPeopleOfOlderCode removes the words of people, as if older code had
// stored the people, and resumes the command after its budget is used up.
func TestPeopleIndexCmd_FindsPeopleOfOlderCode(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	e, err := folder.Join(t.Context(), folder.Config{Dir: dir}) // the server runs it
	if err != nil {
		t.Fatal(err)
	}
	store := dynamo.NewTable(dynamo.LocalClient(e.Endpoint()), localTable, nil)
	for user, name := range map[string]string{"ann": "Ann Abt", "bob": "Bob Abt", "cy": "Cy Abt"} {
		token := tokenOf(t, dir, user)
		mustCall(t, 201, "PUT", s.url+"/people/me", token, `{"name":"`+name+`"}`)
		var deletes []dynamo.Write
		for sk, item := range people.Items(people.Person{User: chat.UserID(user), Name: name}) {
			if table.KindOf(item) == table.WordKind {
				deletes = append(deletes, store.Delete(table.Key("u#"+user, sk), table.Update{}))
			}
		}
		if err := store.Transact(t.Context(), "test", deletes); err != nil {
			t.Fatal(err)
		}
	}
	token := tokenOf(t, dir, "ann")
	find := func() string { return mustCall(t, 200, "GET", s.url+"/people?name=abt", token, "") }
	if got := find(); strings.Count(got, "Abt") != 0 {
		t.Fatalf("without words the search finds %s", got)
	}
	progress := dir + "/index.json"
	run := func(flags ...string) (string, error) {
		out, err := command(t, append([]string{"people", "index", "--data", dir, "--progress", progress}, flags...)...).CombinedOutput()
		return string(out), err
	}
	if out, err := run("--budget", "1"); err == nil || !strings.Contains(out, "--resume") {
		t.Fatalf("a budget of 1 read unit: %v, %s", err, out)
	}
	if got := find(); strings.Count(got, "Abt") != 1 {
		t.Errorf("after an interruption the search finds %s", got)
	}
	if out, err := run("--resume"); err != nil || !strings.Contains(out, "3 people read, the words of 3 changed") {
		t.Fatalf("resumed: %v, %s", err, out)
	}
	if got := find(); strings.Count(got, "Abt") != 3 {
		t.Errorf("the search finds %s", got)
	}
	if out, err := run(); err != nil || !strings.Contains(out, "3 people read, the words of 0 changed") {
		t.Errorf("again: %v, %s", err, out)
	}
}
