package bill

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	infra "example.com/parley/infra/config"
	"example.com/parley/internal/ratelimit"
	"example.com/parley/internal/test/templates"
)

const (
	securityPage = "security.md"
	attackBegin  = "<!-- The cost of one person: go run ./cmd/bench attack -->\n"
	attackEnd    = "<!-- End of the cost -->\n"
)

func TestAttackMarkdown_MatchesThePage(t *testing.T) {
	t.Parallel()
	if between(t, securityPage, attackBegin, attackEnd) != AttackMarkdown() {
		t.Errorf("the page is stale. Replace the lines between its markers by the output of go run ./cmd/bench attack:\n%s", AttackMarkdown())
	}
}

// TestAttackLines_AddUpByHand computes some lines in another way.
func TestAttackLines_AddUpByHand(t *testing.T) {
	t.Parallel()
	got := map[string]float64{}
	for _, l := range AttackLines() {
		got[l.Name] = l.Dollar
	}
	for name, want := range map[string]float64{
		"Requests over HTTP, nearly all of them refused": 2000 * 3600 * 1.20 / 1e6,
		"Lambda compute": 64 * 3600 * 3 * 0.0000133334,
		"Messages":       36_030 * (15*0.625 + 6.2*0.125) / 1e6,
		"Mentions":       8 * 1_041 * (2.05*0.625 + 1.6*0.125) / 1e6,
		"Their texts":    262_144 * 25 / 24.0 * 4 * 0.625 / 1e6,
		"Other changes":  (500*3600 + 5000) / 4 * (6*0.625 + 5.5*0.125) / 1e6,
		"What they cost more as votes in large polls": 6 * (500*3600 + 5000) / 4 * (6*0.625 + 5.5*0.125) / 1e6,
		"Reads":                       1.3 * (200*3600 + 2000) * 0.125 / 1e6,
		"Searches' calls to S3":       600 / 30.0 * 1.3 * (200*3600 + 2000) * 0.4e-6,
		"Pages sent":                  1.3 * (200*3600 + 2000) * 4096 / (1 << 30) * 0.09,
		"Frames to 1,000 connections": 36,
		"Frames sent":                 36e6 * 32768 / (1 << 30) * 0.09,
		"Requests over sockets, and their answers": 2000 * 3600 * 2.20 / 1e6,
		"Subscriptions and syncs":                  (500*3600 + 5000) * 0.625 / 1e6,
	} {
		if d, ok := got[name]; !ok || !near(d, want) {
			t.Errorf("%s costs %.3f, want %.3f", name, d, want)
		}
	}
}

// TestAttackLines_FollowTheLimits checks that a budget that is twice as large lets a person spend
// twice as much.
func TestAttackLines_FollowTheLimits(t *testing.T) {
	t.Parallel()
	for _, id := range ratelimit.IDs() {
		if once, twice := spent(ratelimit.For(10)[id]), spent(ratelimit.For(20)[id]); !near(twice, 2*once) {
			t.Errorf("%v: %v and %v", id, once, twice)
		}
	}
}

// TestAttack_MatchesTheStack compares the rates with the synthesized stages, and the number of bytes
// for a unit with the price in the code.
func TestAttack_MatchesTheStack(t *testing.T) {
	t.Parallel()
	text, err := templates.Read("../..", "prod")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), fmt.Sprintf(`"ThrottlingRateLimit": %d`+"\n", stageRate)); n != 2 {
		t.Errorf("%d stages have a rate of %d, want the stages of HTTP and of sockets", n, stageRate)
	}
	if greeting.writes != infra.HelloWrites || connectRate != (infra.Table{}).ConnectRate() {
		t.Errorf("the stack derives its rate from %d writes of a hello, want %v", infra.HelloWrites, greeting.writes)
	}
	if !regexp.MustCompile(fmt.Sprintf(`"\$connect": \{[^}]*"ThrottlingRateLimit": %d\s`, connectRate)).Match(text) {
		t.Errorf("new connections do not have a rate of %d", connectRate)
	}
	code, err := os.ReadFile("../httpapi/costs.go")
	if err != nil || !strings.Contains(string(code), fmt.Sprintf("pageBytes = %d << 10\n", pageBytes>>10)) || !strings.Contains(string(code), fmt.Sprintf("itemUnits = %d\n", reactionPrice)) || !strings.Contains(string(code), fmt.Sprintf("searchUnits = %d\n", searchPrice)) {
		t.Errorf("prices of the code differ, %v", err)
	}
	if code, err = os.ReadFile("../search/budget.go"); err != nil || !strings.Contains(string(code), fmt.Sprintf("maxCalls = %d\n", searchCalls)) {
		t.Errorf("the bound of a search differs, %v", err)
	}
}

// TestAttack_MatchesTheUnits compares the units of messages and reactions with docs/quotas.md.
func TestAttack_MatchesTheUnits(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/quotas.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{
		fmt.Sprintf("| a person's first reply, with its follow-up writes | %.2f R and %.2f W |", replyReads, float64(replyWrites)),
		fmt.Sprintf("| the rows of a message that mentions 20 people, for each | %.2f R and %.2f W |", mentionReads, mentionWrites),
		"| react to a message | 3.50 R and 2.00 W |", "| recount 1 reactions and write the tally | 2.00 R and 2.00 W |",
	} {
		if !strings.Contains(string(text), row) {
			t.Errorf("the page of units has no row %s", row)
		}
	}
	if reactionReads != 3.5+2 || reactionWrites != 2+2+feeding.writes {
		t.Errorf("a reaction has %v and %v units", reactionReads, reactionWrites)
	}
}
