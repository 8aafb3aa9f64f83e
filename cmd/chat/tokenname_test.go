package main

import (
	"strings"
	"testing"
)

// TestTokenCmd_NameShowsUntilAProfileIsSaved reads one's own profile with tokens of one user.
func TestTokenCmd_NameShowsUntilAProfileIsSaved(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	out, err := command(t, "token", "--data", dir, "--user", "amsg", "--name", "Amsel Gruber").Output()
	if err != nil {
		t.Fatal(err)
	}
	named, plain := strings.TrimSpace(string(out)), tokenOf(t, dir, "amsg")
	for token, want := range map[string]string{named: `"name":"Amsel Gruber"`, plain: `"name":"amsg"`} {
		if me := mustCall(t, 200, "GET", s.url+"/people/me", token, ""); !strings.Contains(me, want) {
			t.Errorf("me is %s, want %s", me, want)
		}
	}
	mustCall(t, 201, "PUT", s.url+"/people/me", named, `{"name":"A."}`)
	if me := mustCall(t, 200, "GET", s.url+"/people/me", named, ""); !strings.Contains(me, `"name":"A."`) {
		t.Errorf("me is %s after saving a profile", me)
	}
}
