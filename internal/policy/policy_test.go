package policy

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "update the golden table")

var (
	roles   = []Role{Owner, Moderator, Member, Muted, Banned, Stranger}
	actions = []struct {
		name   string
		action Action
	}{
		{"see", See}, {"read", Read}, {"post", Post}, {"write", Write},
		{"administer", Administer}, {"configure", Configure}, {"audit", Audit},
		{"join", Join}, {"delete", DeleteRoom}, {"report", Report},
		{"mentionroom", MentionRoom}, {"pin", Pin}, {"react", React},
	}
	decisions = map[Decision]string{Allow: "yes", Deny: "no", Hide: "hidden", DenyArchived: "archived"}
)

// The kinds of rooms.
var (
	public  = Room{}
	private = Room{Private: true}
	direct  = Room{Private: true, Direct: true}
	kinds   = []Room{public, private, direct}
)

// columns are the columns of the table: a role, and the kinds of rooms that the column stands for,
// which must have the same decisions. In a direct room everyone is a member, and nobody has a
// higher role. The table also contains these roles, to check that they give no further right.
var columns = []struct {
	name string
	role Role
	of   []Room
}{
	{"owner", Owner, []Room{public, private}}, {"moderator", Moderator, []Room{public, private}},
	{"member", Member, []Room{public, private}}, {"muted", Muted, []Room{public, private, direct}},
	{"stranger", Stranger, []Room{public}}, {"banned", Banned, []Room{public}},
	{"stranger, private", Stranger, []Room{private, direct}}, {"banned, private", Banned, []Room{private, direct}},
	{"member, direct", Member, []Room{direct}}, {"moderator, direct", Moderator, []Room{direct}}, {"owner, direct", Owner, []Room{direct}},
}

// grants are the settings of rights that members may share.
var grants = []Grant{GrantModerators, GrantMembers}

// withGrant returns a room whose members share such rights, or do not.
func withGrant(room Room, g Grant) Room {
	room.RoomMentions, room.Pinning = g, g
	return room
}

// cell returns the text for a role's decisions in some kinds of rooms. If they depend on the
// posting setting, it names the strictest setting that allows the action. If they depend on what
// members may do, it says so.
func cell(role Role, of []Room, action Action, archived bool) string {
	var cells []string
	for _, room := range of {
		room.Archived = archived
		var byGrant []string
		for _, g := range grants {
			byGrant = append(byGrant, postingCell(role, withGrant(room, g), action))
		}
		text := strings.Join(byGrant, "|")
		switch {
		case byGrant[0] == byGrant[1]:
			text = byGrant[0]
		case text == "no|yes":
			text = "if granted"
		}
		cells = append(cells, text)
	}
	if slices.Equal(cells, slices.Repeat(cells[:1], len(cells))) {
		return cells[0]
	}
	return strings.Join(cells, " or private ")
}

// postingCell is cell for one room.
func postingCell(role Role, room Room, action Action) string {
	var all []string
	for _, room.Posting = range []Posting{Everyone, Members, Moderators} {
		all = append(all, decisions[Decide(role, room, action)])
	}
	text := strings.Join(all, "/")
	switch {
	case all[0] == all[1] && all[1] == all[2]:
		return all[0]
	case text == "yes/yes/no":
		return "if members"
	case text == "yes/no/no":
		return "if everyone"
	}
	return text
}

// table returns all decisions, with a line for each action and a column for each role.
func table() string {
	var b strings.Builder
	for _, archived := range []bool{false, true} {
		fmt.Fprintf(&b, "%-12s", map[bool]string{true: "archived"}[archived])
		for _, c := range columns {
			fmt.Fprintf(&b, "%-18s ", c.name)
		}
		b.WriteString("\n")
		for _, a := range actions {
			fmt.Fprintf(&b, "%-12s", a.name)
			for _, c := range columns {
				fmt.Fprintf(&b, "%-18s ", cell(c.role, c.of, a.action, archived))
			}
			b.WriteString("\n")
		}
		b.WriteString("\n")
	}
	b.WriteString("if everyone: if everyone may post; if members: if everyone or members may post;\n" +
		"if granted: if the setting gives the right to members; no|archived: archived only with that setting;\n" +
		"hidden: no, and the room looks as if it did not exist. Columns without \"private\" are for\n" +
		"public rooms; those from owner to muted are for private rooms as well.\n" +
		"Direct rooms are private, and everyone in them is a member.\n" +
		"archived: the role would be enough, but the room is archived. Nobody may join it; everyone may leave.\n\n")
	b.WriteString("Who may change a role (left) to another (top): o: owners, m: moderators, s: the person themselves.\n")
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

// TestDecide_MatchesTheTable compares all decisions with the readable golden table, so that a
// change shows in review.
func TestDecide_MatchesTheTable(t *testing.T) {
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
		t.Errorf("%s differs; go test ./internal/policy -args -update writes it. Got\n%s\nwant\n%s", golden, got, want)
	}
}

// TestDecide_TableIsComplete reads each decision back from the cells of the table.
func TestDecide_TableIsComplete(t *testing.T) {
	postings := []Posting{Everyone, Members, Moderators}
	decided := 0
	check := func(role Role, room Room, a int, text string) {
		want := text
		if each := strings.Split(want, "|"); len(each) > 1 {
			want = each[room.RoomMentions]
		}
		switch want {
		case "if granted":
			want = map[Grant]string{GrantModerators: "no", GrantMembers: "yes"}[room.RoomMentions]
		case "if everyone":
			want = "yes/no/no"
		case "if members":
			want = "yes/yes/no"
		}
		if each := strings.Split(want, "/"); len(each) > 1 {
			want = each[room.Posting]
		}
		if got := decisions[Decide(role, room, actions[a].action)]; got != want {
			t.Errorf("%s, %+v, %s: %s, but the table has %q", orStranger(role), room, actions[a].name, got, text)
		}
		decided++
	}
	for _, c := range columns {
		for _, room := range c.of {
			for a := range actions {
				for _, archived := range []bool{false, true} {
					text := cell(c.role, c.of, actions[a].action, archived)
					for _, posting := range postings {
						for _, g := range grants {
							room.Posting, room.Archived = posting, archived
							check(c.role, withGrant(room, g), a, text)
						}
					}
				}
			}
		}
	}
	if want := len(roles) * len(kinds) * 2 * len(postings) * len(grants) * len(actions); decided != want {
		t.Errorf("the table has %d decisions of %d", decided, want)
	}
	if Add != Action(len(actions)) || Decide(Owner, Room{}, Enter+1) == Allow { // Add and Enter have their own tests
		t.Error("an action is missing from the table: add it to actions in policy_test.go")
	}
}

// TestDecide_Invariants checks rules that hold for every table.
func TestDecide_Invariants(t *testing.T) {
	for _, room := range kinds {
		for _, room.Posting = range []Posting{Everyone, Members, Moderators} {
			for _, a := range actions {
				administers := slices.Contains([]Action{Administer, Configure, Audit}, a.action)
				if d := Decide(Owner, room, a.action); room.Direct && administers && d != Deny {
					t.Errorf("%s of a direct room: %v", a.name, decisions[d])
				}
				for _, outsider := range []Role{Stranger, Banned} {
					if room.Private && Decide(outsider, room, a.action) != Hide {
						t.Errorf("%s of a private room as %s is not hidden", a.name, orStranger(outsider))
					}
				}
				if d := Decide(Banned, room, a.action); d == Allow {
					t.Errorf("banned people may %s", a.name)
				}
				for i, role := range []Role{Member, Moderator, Owner} {
					if i > 0 && Decide(role-1, room, a.action) == Allow && Decide(role, room, a.action) != Allow {
						t.Errorf("%s may not %s, but a lower role may", role, a.name)
					}
				}
			}
			if Decide(Muted, room, Post) == Allow || Decide(Muted, room, Write) == Allow {
				t.Error("muted people may write")
			}
			for _, role := range []Role{Stranger, Muted, Banned} {
				if Decide(role, withGrant(room, GrantMembers), MentionRoom) == Allow {
					t.Errorf("%s may mention the room", orStranger(role))
				}
				if Decide(role, withGrant(room, GrantMembers), Pin) == Allow {
					t.Errorf("%s may pin", orStranger(role))
				}
			}
		}
	}
}

// TestDecide_ArchiveOnlyDenies checks that archiving a room allows nothing new and does not change
// hiding, and that an archived room accepts only writes of its settings.
func TestDecide_ArchiveOnlyDenies(t *testing.T) {
	for _, role := range roles {
		for _, private := range []bool{false, true} {
			for _, a := range actions {
				open := Decide(role, Room{Private: private}, a.action)
				want := open
				if open == Allow && !slices.Contains([]Action{See, Read, Audit, Configure, DeleteRoom}, a.action) {
					want = DenyArchived
				}
				if got := Decide(role, Room{Private: private, Archived: true}, a.action); got != want {
					t.Errorf("%s of an archived room as %s: %s, want %s", a.name, orStranger(role), decisions[got], decisions[want])
				}
			}
		}
	}
}

// TestMayChangeOwn_OnlyJoinsAndLeaves checks that people cannot raise their own role, and cannot
// end their own ban, mute or ownership.
func TestMayChangeOwn_OnlyJoinsAndLeaves(t *testing.T) {
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

// TestMayAdd_ServiceAddsOnlyStrangersAsMembers checks that a service may add to every room but a
// direct one, regardless of the caller's role, and cannot undo a mute or a ban.
func TestMayAdd_ServiceAddsOnlyStrangersAsMembers(t *testing.T) {
	for _, from := range roles {
		for _, private := range []bool{false, true} {
			if got := Decide(from, Room{Private: private, Posting: Moderators}, Add); got != Allow {
				t.Errorf("a service for a person who is %s: %s", orStranger(from), decisions[got])
			}
		}
		if got := Decide(from, direct, Add); got == Allow {
			t.Errorf("a service adds to a direct room, for a person who is %s", orStranger(from))
		}
		for _, to := range roles {
			if got := MayAdd(from, to); got != (to == Member && (from == Stranger || from == Member)) {
				t.Errorf("a service turns %s into %s: %v", orStranger(from), orStranger(to), got)
			}
		}
	}
}

// TestDecide_InvitationsOpenPrivateRooms checks who may enter by an invitation: everyone except
// banned people, even a private room, but never a direct or an archived one.
func TestDecide_InvitationsOpenPrivateRooms(t *testing.T) {
	for _, role := range roles {
		for _, room := range []Room{public, private} {
			want := Allow
			if role == Banned {
				want = Deny
			}
			if got := Decide(role, room, Enter); got != want {
				t.Errorf("%s, %+v: %s", orStranger(role), room, decisions[got])
			}
			room.Archived = true
			if got := Decide(role, room, Enter); got == Allow {
				t.Errorf("%s enters an archived room", orStranger(role))
			}
		}
		if got := Decide(role, direct, Enter); got == Allow {
			t.Errorf("%s enters a direct room", orStranger(role))
		}
	}
}

func TestParseRole_AndSettings(t *testing.T) {
	for _, r := range roles {
		got, ok := ParseRole(r.String())
		if ok != (r != Stranger) || ok && got != r {
			t.Errorf("role %q is parsed as %v %v", r, got, ok)
		}
	}
	for _, p := range []Posting{Everyone, Members, Moderators} {
		if got, ok := ParsePosting(p.String()); !ok || got != p {
			t.Errorf("posting %q is parsed as %v %v", p, got, ok)
		}
	}
	for _, g := range grants {
		if got, ok := ParseGrant(g.String()); !ok || got != g {
			t.Errorf("grant %q is parsed as %v %v", g, got, ok)
		}
	}
	_, posting := ParsePosting("nobody")
	_, grant := ParseGrant("everyone")
	if posting || grant {
		t.Error("an unknown setting is parsed")
	}
}
