//go:build deploy

package deploytest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// template is the template of the deployed stack.
type template = map[string]any

// removals remove one thing each from a template. The check of the deployed stack must notice every
// one. A test of the stack's package does the same for each single property, without an emulator.
var removals = []struct {
	what   string
	remove func(template)
}{
	{"the route that posts", func(t template) {
		resources := t["Resources"].(map[string]any)
		for id := range resources {
			if at(resources, id, "Properties", "RouteKey") == "POST /{proxy+}" {
				delete(resources, id)
			}
		}
	}},
	{"a variable of the read function", func(t template) {
		delete(at(t, "Resources", "ReadFunction", "Properties", "Environment", "Variables").(map[string]any), "PARLEY_LOG_TABLE")
	}},
	{"the mapping's filter", func(t template) {
		// The emulator keeps a filter that the template no longer has, and treats an empty one as
		// none.
		at(t, "Resources", "FeedMapping", "Properties").(map[string]any)["FilterCriteria"] = template{"Filters": []any{}}
	}},
	{"the mapping", func(t template) { delete(at(t, "Resources").(map[string]any), "FeedMapping") }},
	{"the write function's right to put items", func(t template) { revoke(t, "WriteRole", "dynamodb:PutItem") }},
	{"the read function's right to query", func(t template) { revoke(t, "ReadRole", "dynamodb:Query") }},
	{"the search function's right to query", func(t template) { revoke(t, "SearchRole", "dynamodb:Query") }},
	{"the feed function's right to put items", func(t template) { revoke(t, "FeedRole", "dynamodb:PutItem") }},
}

// at follows keys.
func at(v any, path ...string) any {
	for _, key := range path {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}

// revoke removes an action from every statement of a role.
func revoke(t template, role, action string) {
	for _, policy := range at(t, "Resources", role, "Properties", "Policies").([]any) {
		for _, s := range at(policy, "PolicyDocument", "Statement").([]any) {
			statement := s.(map[string]any)
			var kept []any
			actions, many := statement["Action"].([]any)
			if !many {
				actions = []any{statement["Action"]}
			}
			for _, a := range actions {
				if a != action {
					kept = append(kept, a)
				}
			}
			if len(kept) == 0 {
				kept = []any{"dynamodb:DescribeLimits"} // an empty list is no policy
			}
			statement["Action"] = kept
		}
	}
}

// missedTime bounds the wait for changes that never arrive because a part of the stack was removed.
// In an intact stack they take some 100 ms.
const missedTime = 6 * time.Second

// testRemovals removes parts of the deployed template, one at a time, and restores the stack at last.
func testRemovals(t *testing.T, d *deployment) {
	ada, bob := d.signUp(t, "remy"), d.signUp(t, "rosa")
	var deployed struct{ TemplateBody json.RawMessage }
	d.aws(t, &deployed, "cloudformation", "get-template", "--stack-name", stackName)
	whole := string(deployed.TemplateBody)
	if err := ada.check(t.Context(), "whole", bob.user); err != nil {
		t.Fatalf("the check fails for the intact stack: %v", err)
	}
	d.patience = missedTime
	for n, r := range removals {
		t.Run(r.what, func(t *testing.T) {
			var changed template
			if err := json.Unmarshal([]byte(whole), &changed); err != nil {
				t.Fatal(err)
			}
			r.remove(changed)
			text, err := json.Marshal(changed)
			if err != nil {
				t.Fatal(err)
			}
			d.update(t, string(text))
			if err := ada.check(t.Context(), fmt.Sprintf("without-%d", n), bob.user); err == nil {
				t.Error("no check notices the removal")
			} else {
				t.Log(err)
			}
		})
	}
	d.patience = feedTime
	d.update(t, whole)
	if err := ada.answers(t.Context(), "whole-again", bob.user); err != nil {
		t.Errorf("the check fails for the restored stack: %v", err)
	}
}

// check calls every route in a new room, follows the feed, and compares the feed function's records
// with the changes. It deletes a room last.
func (c *caller) check(ctx context.Context, room, other string) error {
	before, err := c.tally(ctx)
	if err != nil {
		return err
	}
	if err := c.answers(ctx, room, other); err != nil {
		return err
	}
	if err := c.checkBatches(ctx, before); err != nil {
		return err
	}
	_, err = c.talk(ctx, deletion(room))
	return err
}

// answers calls every route in a new room and follows the feed.
func (c *caller) answers(ctx context.Context, room, other string) error {
	if _, err := c.talk(ctx, c.everyRoute(room, other)); err != nil {
		return err
	}
	return c.follow(ctx, room, changesOfEveryRoute)
}

// templateBucket is the bootstrap's bucket. It carries the template, which is too large for a request.
const templateBucket = "cdk-hnb659fds-assets-000000000000-" + region

// update deploys a template in place of the stack's. The AWS CLI's own command for that looks at the
// stack every 30 seconds, and an update takes one or two.
func (d *deployment) update(t *testing.T, text string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "template.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d.aws(t, nil, "s3api", "put-object", "--bucket", templateBucket, "--key", "template.json", "--body", file)
	d.aws(t, nil, "cloudformation", "update-stack", "--stack-name", stackName, "--capabilities", "CAPABILITY_NAMED_IAM",
		"--template-url", "https://s3."+region+".amazonaws.com/"+templateBucket+"/template.json")
	err := try(t.Context(), commandTime, func() error {
		var status string
		d.aws(t, &status, "cloudformation", "describe-stacks", "--stack-name", stackName, "--query", "Stacks[0].StackStatus")
		switch status {
		case "UPDATE_COMPLETE":
			return nil
		case "UPDATE_IN_PROGRESS", "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS":
			return errors.New(status)
		}
		t.Fatalf("the update ends with %s", status)
		return nil
	})
	if err != nil {
		t.Fatalf("the update does not end: %v", err)
	}
}
