//go:build deploy

package deploytest

import (
	"maps"
	"strings"
	"testing"
)

// TestDeploy_StackWorks deploys once and checks the deployed stack.
func TestDeploy_StackWorks(t *testing.T) {
	t.Parallel()
	d := deploy(t, root)
	t.Run("every route answers a Cognito token", func(t *testing.T) { testEveryRoute(t, d) })
	t.Run("a record that cannot be read goes to the failure queue", func(t *testing.T) { testFailureQueue(t, d) })
	t.Run("a file is uploaded, read and removed", func(t *testing.T) { testFiles(t, d) })
	t.Run("a picture is replaced, seen and removed", func(t *testing.T) { testPictures(t, d) })
	t.Run("a message is found, and the index is swept", func(t *testing.T) { testSearch(t, d) })
	t.Run("a socket hears of a post", func(t *testing.T) { testSocket(t, d) })
	t.Run("a second deploy changes nothing", func(t *testing.T) { testSecondDeploy(t, d) })
	t.Run("logs contain no text and no token", func(t *testing.T) { testLogs(t, d) })
	t.Run("each removal is noticed", func(t *testing.T) { testRemovals(t, d) })
}

func testSecondDeploy(t *testing.T, d *deployment) {
	before := d.resources(t)
	out := d.mustRun(t, "npx --no-install cdk deploy -c env=dev")
	if !strings.Contains(out, "(no changes)") {
		t.Errorf("the second deploy changes the stack:\n%s", out)
	}
	if after := d.resources(t); !maps.Equal(before, after) {
		t.Errorf("the resources were %v, and are now %v", before, after)
	}
}
