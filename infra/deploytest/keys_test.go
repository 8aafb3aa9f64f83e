//go:build deploy

package deploytest

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/config"
	"example.com/parley/internal/publickey"
	"example.com/parley/internal/test/owntokens"
)

// TestDeploy_AppSignsItsTokens deploys with the key of an app, signs people in, rotates the key, and
// removes the stack. The keys exist before API Gateway's authorizer, and go after it. Another claim
// that is the user is refused, unless the operator says so twice.
func TestDeploy_AppSignsItsTokens(t *testing.T) {
	t.Parallel()
	dir, keys := checkout(t, "HEAD"), owntokens.Keys()
	state(t, dir, "", keys[0])
	d := deployStack(t, dir, stackName, deployDev)
	first := d.ownTokens(t)
	current, next, sent := d.bearer(first, "the current key"), d.bearer(first, "the next key"), slices.Clone(first)
	t.Run("the keys are published before the authorizer", func(t *testing.T) { testPublished(t, d) })
	t.Run("a person signs in", func(t *testing.T) { testSignedIn(t, d, current) })
	t.Run("a hook is tried", func(t *testing.T) { testHookIsTried(t, d, current) })
	t.Run("a key is rotated", func(t *testing.T) {
		next.refused(t, "before its key is there")
		state(t, dir, "", keys...)
		d.mustRun(t, deployDev)
		for _, c := range d.ownTokens(t) { // whose clocks are ahead of now
			sent = append(sent, c)
			(&caller{deployment: d, user: owntokens.User, token: c.Token}).answered(t, c.Name, c.OK)
		}
		state(t, dir, "", keys[1])
		d.mustRun(t, deployDev)
		next.answered(t, "after the rotation", true)
		current.refused(t, "after the rotation")
	})
	t.Run("another claim is refused", func(t *testing.T) { testClaim(t, d, dir, keys[1], next) })
	t.Run("no log has a token", func(t *testing.T) { d.wantNoToken(t, sent) })
	t.Run("the removal leaves nothing", func(t *testing.T) { testKeysRemoved(t, d) })
}

// state writes settings with keys, and with a claim that is the user unless it is empty.
func state(t *testing.T, dir, claim string, keys ...publickey.Key) {
	t.Helper()
	var list strings.Builder
	for _, key := range keys {
		text, err := publickey.PEM(key.Public)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&list, "{ID: %q, PEM: %q}, ", key.ID, text)
	}
	settings := fmt.Sprintf("package settings\n\nimport \"example.com/parley/infra/config\"\n\nfunc dev() config.Settings {\n"+
		"return config.Settings{Issuer: \"keys\", Hooks: \"on,owners\", UserClaim: %q, Keys: []config.Key{%s}}\n}\n", claim, list.String())
	if err := os.WriteFile(filepath.Join(dir, "infra", "settings", "dev.go"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
}

// ownTokens returns tokens that are issued about now.
func (d *deployment) ownTokens(t *testing.T) []owntokens.Case {
	t.Helper()
	return d.issuer().Cases(t)
}

func (d *deployment) issuer() owntokens.Issuer {
	return owntokens.Issuer{Name: d.outputs["Issuer"], Audience: config.OwnAudience, Life: config.OwnTokenLife, Now: time.Now()}
}

// bearer returns a caller with one of the tokens.
func (d *deployment) bearer(cases []owntokens.Case, name string) *caller {
	n := slices.IndexFunc(cases, func(c owntokens.Case) bool { return c.Name == name })
	return &caller{deployment: d, user: owntokens.User, token: cases[n].Token}
}

// answered checks whether the API accepts the caller's token. The edge or a function may refuse it.
func (c *caller) answered(t *testing.T, what string, accepted bool) {
	t.Helper()
	want := map[bool]int{true: http.StatusOK, false: http.StatusUnauthorized}[accepted]
	if _, err := c.do(t.Context(), call{route: "GET /people/me", status: want}); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

func (c *caller) refused(t *testing.T, what string) {
	t.Helper()
	c.answered(t, what, false)
}

// testPublished reads the documents at the issuer's address, and the order of events.
func testPublished(t *testing.T, d *deployment) {
	issuer := d.outputs["Issuer"]
	for path, want := range map[string]string{publickey.DiscoveryPath: `"issuer":"` + issuer + `"`, publickey.SetPath: `"kid":"` + owntokens.Current + `"`} {
		got := d.load(t, issuer+path)
		if got.status != http.StatusOK || !strings.Contains(got.body, want) || got.header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d %s: %s", path, got.status, got.header.Get("Content-Type"), got.body)
		}
	}
	if text := d.load(t, issuer+publickey.SetPath).body; strings.Contains(text, `"d"`) {
		t.Errorf("the key set is %s", text)
	}
	d.wantOrder(t, d.stack, "IssuerFiles CREATE_COMPLETE", authorizerID+" CREATE_IN_PROGRESS")
}

// authorizerID is the logical id of the authorizer.
const authorizerID = "ApiTokensFEAF71AF"

// wantOrder checks that one event of a stack came before another.
func (d *deployment) wantOrder(t *testing.T, stack, first, then string) {
	t.Helper()
	var answer struct {
		StackEvents []struct {
			LogicalID string `json:"LogicalResourceId"`
			Status    string `json:"ResourceStatus"`
		}
	}
	d.aws(t, &answer, "cloudformation", "describe-stack-events", "--stack-name", stack)
	var events []string
	for _, e := range slices.Backward(answer.StackEvents) { // the newest comes first
		events = append(events, e.LogicalID+" "+e.Status)
	}
	if a, b := slices.Index(events, first), slices.Index(events, then); a < 0 || b < 0 || a > b {
		t.Errorf("%q is event %d and %q is event %d of %q", first, a, then, b, events)
	}
}

// testSignedIn calls the API and opens a connection.
func testSignedIn(t *testing.T, d *deployment, c *caller) {
	in := map[string]string{"room": "own"}
	for _, r := range []call{
		{route: "PUT /rooms/{room}", path: in, body: `{"name":"Own"}`, status: 201},
		{route: "POST /rooms/{room}/messages", path: in, body: `{"text":"hello"}`, status: 201, holds: `"user":"` + owntokens.User + `"`},
	} {
		if _, err := c.do(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	d.socketsReachable(t)
	ctx, cancel := context.WithTimeout(t.Context(), liveTime)
	defer cancel()
	ws, err := d.connect(ctx, config.Subprotocol, "bearer."+c.token)
	if err != nil {
		t.Fatal(err)
	}
	_ = ws.CloseNow()
}

// testClaim changes the claim only in the settings, and then also for one deploy.
func testClaim(t *testing.T, d *deployment, dir string, key publickey.Key, c *caller) {
	state(t, dir, "oid", key)
	out, err := d.run(t.Context(), deployDev)
	if err == nil || !strings.Contains(out, "--parameters UserClaim=oid") {
		t.Fatalf("a changed claim: %v\n%s", err, out)
	}
	c.answered(t, "after the refused deploy", true)
	d.mustRun(t, deployDev+" --parameters UserClaim=oid")
	c.refused(t, "with another claim")
	if out := d.mustRun(t, deployDev); !strings.Contains(out, "(no changes)") {
		t.Errorf("the next deploy asks again, or changes something:\n%s", out)
	}
}

// wantNoToken looks for the payloads and the signatures of tokens in the logs of the functions.
func (d *deployment) wantNoToken(t *testing.T, cases []owntokens.Case) {
	t.Helper()
	ids := d.resources(t)
	for _, group := range []string{"WriteLogs", "ReadLogs", "SocketLogs", "AuthorizerLogs", "PageLogs"} {
		lines := strings.Join(d.logs(t, ids[group]), "\n")
		for _, c := range cases {
			for _, part := range strings.Split(c.Token, ".")[1:] {
				if part != "" && strings.Contains(lines, part) {
					t.Errorf("%s has a part of the token with %s", group, c.Name)
				}
			}
		}
	}
}

// testKeysRemoved removes the stack.
func testKeysRemoved(t *testing.T, d *deployment) {
	var stacks struct{ Stacks []struct{ StackId string } } //nolint:revive // as AWS names it
	d.aws(t, &stacks, "cloudformation", "describe-stacks", "--stack-name", d.stack)
	issuer := d.outputs["Issuer"]
	d.mustRun(t, "npx --no-install cdk destroy -c env=dev")
	d.wantOrder(t, stacks.Stacks[0].StackId, authorizerID+" DELETE_COMPLETE", "IssuerFiles DELETE_IN_PROGRESS")
	if left := d.leftBehind(t); len(left) > 0 {
		t.Errorf("the teardown left %v", left)
	}
	if got := d.load(t, issuer+publickey.SetPath); got.status == http.StatusOK {
		t.Errorf("the keys are still published: %s", got.body)
	}
	var buckets []string
	d.aws(t, &buckets, "s3api", "list-buckets", "--query", "Buckets[].Name")
	if len(slices.DeleteFunc(buckets, func(name string) bool { return strings.HasPrefix(name, "cdk-") })) > 0 {
		t.Errorf("the teardown left the buckets %v", buckets)
	}
}
