package policy

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table anew")

var (
	roles   = []Role{Owner, Moderator, Member, Muted, Banned, Stranger}
	actions = []struct {
		name   string
		action Action
	}{
		{"see", See}, {"read", Read}, {"post", Post}, {"write", Write},
		{"administer", Administer}, {"configure", Configure}, {"audit", Audit},
	}
	decisions = map[Decision]string{Allow: "yes", Deny: "no", Hide: "hidden"}
)

// table writes every decision: a block a kind of room, a line a role, a
// column an action.
func table() string {
	var b strings.Builder
	for _, private := range []bool{false, true} {
		for _, posting := range []Posting{Everyone, Members, Moderators} {
			kind := map[bool]string{false: "public", true: "private"}[private]
			fmt.Fprintf(&b, "%s room, %s may post\n%-12s", kind, posting, "")
			for _, a := range actions {
				fmt.Fprintf(&b, "%-12s", a.name)
			}
			b.WriteString("\n")
			for _, role := range roles {
				name := role.String()
				if role == Stranger {
					name = "stranger"
				}
				fmt.Fprintf(&b, "%-12s", name)
				for _, a := range actions {
					fmt.Fprintf(&b, "%-12s", decisions[Decide(role, Room{Private: private, Posting: posting}, a.action)])
				}
				b.WriteString("\n")
			}
			b.WriteString("\n")
		}
	}
	b.WriteString("who may turn a role (left) into another (top); o: owners, m: moderators too, s: they themselves\n")
	fmt.Fprintf(&b, "%-12s", "")
	for _, to := range roles {
		fmt.Fprintf(&b, "%-12s", orStranger(to))
	}
	b.WriteString("\n")
	for _, from := range roles {
		fmt.Fprintf(&b, "%-12s", orStranger(from))
		for _, to := range roles {
			who := ""
			for _, actor := range roles {
				if MayChange(actor, from, to) {
					who += orStranger(actor)[:1]
				}
			}
			if MayChangeOwn(from, to) {
				who += "s"
			}
			fmt.Fprintf(&b, "%-12s", who)
		}
		b.WriteString("\n")
	}
	var trimmed []string
	for line := range strings.Lines(b.String()) {
		trimmed = append(trimmed, strings.TrimRight(line, " \n"))
	}
	return strings.Join(trimmed, "\n") + "\n"
}

func orStranger(r Role) string {
	if r == Stranger {
		return "stranger"
	}
	return r.String()
}

// The table is what was decided; it is read by people, and a change to it shows in review.
func TestEveryDecisionIsThatOfTheTable(t *testing.T) {
	golden := filepath.Join("testdata", "table.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(table()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := table(); got != string(want) {
		t.Errorf("the table is now\n%s\nwas\n%s", got, want)
	}
}

// What follows must hold whatever the table says.
func TestNobodyGainsByWhatTheyAreNot(t *testing.T) {
	for _, private := range []bool{false, true} {
		for _, posting := range []Posting{Everyone, Members, Moderators} {
			room := Room{Private: private, Posting: posting}
			for _, a := range actions {
				for _, outsider := range []Role{Stranger, Banned} {
					if private && Decide(outsider, room, a.action) != Hide {
						t.Errorf("%s of a private room by one who is %s is not hidden", a.name, orStranger(outsider))
					}
				}
				if d := Decide(Banned, room, a.action); d == Allow {
					t.Errorf("the banned may %s", a.name)
				}
				for i, role := range []Role{Member, Moderator, Owner} {
					if i > 0 && Decide(role-1, room, a.action) == Allow && Decide(role, room, a.action) != Allow {
						t.Errorf("%s may not %s, and a lesser role may", role, a.name)
					}
				}
			}
			if Decide(Muted, room, Post) == Allow || Decide(Muted, room, Write) == Allow {
				t.Error("the muted may speak")
			}
		}
	}
}

func TestNobodyRaisesThemselvesOrEndsTheirOwnBanMuteOrOwnership(t *testing.T) {
	for _, from := range roles {
		for _, to := range roles {
			joins := from == Stranger && to == Member
			leaves := to == Stranger && from != Owner && from != Banned
			if MayChangeOwn(from, to) && !joins && !leaves {
				t.Errorf("%s may turn themselves into %s", orStranger(from), orStranger(to))
			}
		}
	}
}

func TestRolesAndPostingsReadBack(t *testing.T) {
	for _, r := range roles {
		got, ok := ParseRole(r.String())
		if ok != (r != Stranger) || ok && got != r {
			t.Errorf("role %q reads as %v %v", r, got, ok)
		}
	}
	for _, p := range []Posting{Everyone, Members, Moderators} {
		if got, ok := ParsePosting(p.String()); !ok || got != p {
			t.Errorf("posting %q reads as %v %v", p, got, ok)
		}
	}
	if _, ok := ParsePosting("nobody"); ok {
		t.Error("an unknown posting is read")
	}
}
