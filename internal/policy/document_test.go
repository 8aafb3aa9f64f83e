package policy_test

import (
	"testing"

	"example.com/parley/internal/policy"
)

// documentRoles are the columns of the tables below, one letter per role.
var documentRoles = []struct {
	letter byte
	role   policy.Role
}{
	{'b', policy.Banned}, {'u', policy.Muted}, {'s', policy.Stranger},
	{'m', policy.Member}, {'M', policy.Moderator}, {'O', policy.Owner},
}

// TestDecideDocument is the complete table of documents: who may read, write and administer one in
// a public room. That depends on the room's posting setting and the document's permissions. In a
// private room the same people may, except strangers. In a direct room, nobody administers
// documents.
func TestDecideDocument(t *testing.T) {
	t.Parallel()
	audiences := []policy.Audience{policy.AsRoom, policy.ForEveryone, policy.ForMembers, policy.ForModerators, policy.ForOwners}
	readers := map[policy.Audience]string{
		policy.AsRoom: "usmMO", policy.ForEveryone: "usmMO", policy.ForMembers: "umMO", policy.ForModerators: "MO", policy.ForOwners: "O",
	}
	writers := map[policy.Audience]string{
		policy.ForEveryone: "smMO", policy.ForMembers: "mMO", policy.ForModerators: "MO", policy.ForOwners: "O",
	}
	roomWriters := map[policy.Posting]string{policy.Everyone: "smMO", policy.Members: "mMO", policy.Moderators: "MO"}
	for posting, byRoom := range roomWriters {
		for _, read := range audiences {
			for _, write := range audiences {
				may := map[policy.Action]string{policy.Read: readers[read], policy.Write: writers[write]}
				if write == policy.AsRoom {
					may[policy.Write] = byRoom
				}
				may[policy.Write] = both(may[policy.Read], may[policy.Write])
				may[policy.Administer] = both("MO", may[policy.Write])
				for _, private := range []bool{false, true} {
					room := policy.Room{Private: private, Posting: posting}
					checkDocument(t, room, policy.Document{Read: read, Write: write}, may)
					room.Archived = true
					checkDocument(t, room, policy.Document{Read: read, Write: write}, may)
				}
				may[policy.Administer] = ""
				direct := policy.Room{Private: true, Direct: true, Posting: posting}
				checkDocument(t, direct, policy.Document{Read: read, Write: write}, may)
			}
		}
	}
}

func checkDocument(t *testing.T, room policy.Room, doc policy.Document, may map[policy.Action]string) {
	t.Helper()
	for _, action := range []policy.Action{policy.Read, policy.Write, policy.Administer, policy.Post, policy.Configure} {
		for _, r := range documentRoles {
			want := policy.Deny
			switch {
			case room.Private && (r.role == policy.Banned || r.role == policy.Stranger):
				want = policy.Hide
			case both(may[action], string(r.letter)) != "":
				want = policy.Allow
				if room.Archived && action != policy.Read {
					want = policy.DenyArchived
				}
			}
			if got := policy.DecideDocument(r.role, room, doc, action); got != want {
				t.Errorf("role %c, room %+v, document %+v, action %v: %v, want %v", r.letter, room, doc, action, got, want)
			}
		}
	}
}

// both returns the letters that are in a and in b.
func both(a, b string) string {
	var out []byte
	for i := range len(a) {
		for j := range len(b) {
			if a[i] == b[j] {
				out = append(out, a[i])
			}
		}
	}
	return string(out)
}

func TestParseAudience(t *testing.T) {
	t.Parallel()
	for a := policy.AsRoom; a <= policy.ForOwners; a++ {
		if got, ok := policy.ParseAudience(a.String()); !ok || got != a {
			t.Errorf("%v is parsed as %v, %v", a, got, ok)
		}
	}
	for _, s := range []string{"", "Everyone", "unknown", "nobody"} {
		if _, ok := policy.ParseAudience(s); ok {
			t.Errorf("%q is parsed as an audience", s)
		}
	}
	if got := policy.DecideDocument(policy.Moderator, policy.Room{}, policy.Document{Read: policy.ForOwners + 1}, policy.Read); got != policy.Deny {
		t.Errorf("an unknown audience allows a moderator to read: %v", got)
	}
}
