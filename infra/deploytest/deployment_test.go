//go:build deploy

package deploytest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider"
	"github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider/types"
)

const (
	bootstrap = "npx --no-install cdk bootstrap"
	deployDev = "npx --no-install cdk deploy -c env=dev"
	// stackName and prodStack are the stacks that the tests deploy.
	stackName = "Parley-dev"
	prodStack = "Parley-prod"
	// commandTime bounds one command. cdk deploy builds three functions and the stack's own
	// program.
	commandTime = 8 * time.Minute
	// password is the password of every user that the tests create.
	password = "choose-a-Long-1"
)

// deployment is a stack on an emulator.
type deployment struct {
	*emulator
	dir     string // the deployed checkout
	stack   string // its name
	outputs map[string]string
}

// deploy bootstraps an emulator and deploys a checkout's dev stack, with the commands that the
// guide prints.
func deploy(t *testing.T, dir string) *deployment {
	t.Helper()
	return deployStack(t, dir, stackName, deployDev)
}

// deployStack bootstraps an emulator and deploys a checkout's stack with a command.
func deployStack(t *testing.T, dir, stack, command string) *deployment {
	t.Helper()
	d := &deployment{emulator: startEmulator(t), dir: dir, stack: stack}
	d.mustRun(t, bootstrap)
	d.mustRun(t, command)
	d.readOutputs(t)
	return d
}

// run runs a line in the checkout and returns its output.
func (d *deployment) run(ctx context.Context, line string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", line)
	// Other journeys synthesize in the same checkout concurrently: the CDK locks its output.
	cmd.Dir, cmd.Env = d.dir, append(slices.Clone(d.env), "CDK_OUTPUT="+filepath.Join(d.home, "cdk.out"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("%s: %w\n%s", line, err, out)
	}
	return string(out), nil
}

func (d *deployment) mustRun(t *testing.T, line string) string {
	t.Helper()
	out, err := d.run(t.Context(), line)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// aws calls the AWS CLI and decodes its JSON output into v, unless v is nil.
func (d *deployment) aws(t *testing.T, v any, args ...string) {
	t.Helper()
	if err := d.tryAWS(t.Context(), v, args...); err != nil {
		t.Fatal(err)
	}
}

func (d *deployment) tryAWS(ctx context.Context, v any, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(d.home, "bin", "aws"), append(args, "--output", "json")...)
	cmd.Dir, cmd.Env = d.dir, d.env
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("aws %s: %w\n%s", strings.Join(args, " "), err, errs.Bytes())
	}
	if v == nil {
		return nil
	}
	if err := json.Unmarshal(out.Bytes(), v); err != nil {
		return fmt.Errorf("aws %s: %w\n%s", strings.Join(args, " "), err, out.Bytes())
	}
	return nil
}

// readOutputs reads the stack's outputs.
func (d *deployment) readOutputs(t *testing.T) {
	t.Helper()
	var answer struct {
		Stacks []struct {
			Outputs []struct{ OutputKey, OutputValue string }
		}
	}
	d.aws(t, &answer, "cloudformation", "describe-stacks", "--stack-name", d.stack)
	d.outputs = map[string]string{}
	for _, o := range answer.Stacks[0].Outputs {
		d.outputs[o.OutputKey] = o.OutputValue
	}
}

// resources returns the physical ids of the stack's resources by their logical ids.
func (d *deployment) resources(t *testing.T) map[string]string {
	t.Helper()
	var answer struct {
		StackResources []struct {
			LogicalID  string `json:"LogicalResourceId"`
			PhysicalID string `json:"PhysicalResourceId"`
		}
	}
	d.aws(t, &answer, "cloudformation", "describe-stack-resources", "--stack-name", d.stack)
	ids := map[string]string{}
	for _, r := range answer.StackResources {
		ids[r.LogicalID] = r.PhysicalID
	}
	return ids
}

// physicalID returns the physical id of one resource.
func (d *deployment) physicalID(ctx context.Context, id string) (string, error) {
	var answer struct {
		StackResourceDetail struct {
			PhysicalID string `json:"PhysicalResourceId"`
		}
	}
	err := d.tryAWS(ctx, &answer, "cloudformation", "describe-stack-resource", "--stack-name", d.stack, "--logical-resource-id", id)
	return answer.StackResourceDetail.PhysicalID, err
}

// caller is a user with a token.
type caller struct {
	*deployment
	user  string // the token's subject
	token string
}

// signUp creates a user in the stack's pool and fetches a token. It calls the emulator itself, because
// each start of the AWS CLI takes most of a second.
func (d *deployment) signUp(t *testing.T, name string) *caller {
	t.Helper()
	pool, client := aws.String(d.outputs["UserPoolId"]), aws.String(d.outputs["UserPoolClientId"])
	users := cognitoidentityprovider.New(cognitoidentityprovider.Options{
		BaseEndpoint: aws.String(d.endpoint()), Region: region, HTTPClient: d.client(), Credentials: rootKey(),
	})
	made, err := users.AdminCreateUser(t.Context(), &cognitoidentityprovider.AdminCreateUserInput{
		UserPoolId: pool, Username: &name, MessageAction: types.MessageActionTypeSuppress,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := users.AdminSetUserPassword(t.Context(), &cognitoidentityprovider.AdminSetUserPasswordInput{
		UserPoolId: pool, Username: &name, Password: aws.String(password), Permanent: true,
	}); err != nil {
		t.Fatal(err)
	}
	answer, err := users.InitiateAuth(t.Context(), &cognitoidentityprovider.InitiateAuthInput{
		ClientId: client, AuthFlow: types.AuthFlowTypeUserPasswordAuth,
		AuthParameters: map[string]string{"USERNAME": name, "PASSWORD": password},
	})
	if err != nil {
		t.Fatal(err)
	}
	c := &caller{deployment: d, token: aws.ToString(answer.AuthenticationResult.AccessToken)}
	for _, a := range made.User.Attributes {
		if aws.ToString(a.Name) == "sub" {
			c.user = aws.ToString(a.Value)
		}
	}
	if c.user == "" || c.token == "" {
		t.Fatalf("signing %s up gives the subject %q and a token of %d bytes", name, c.user, len(c.token))
	}
	return c
}

// logs returns the last lines of a log group with a physical id.
func (d *deployment) logs(t *testing.T, group string) []string {
	t.Helper()
	var answer struct{ Events []struct{ Message string } }
	d.aws(t, &answer, "logs", "filter-log-events", "--log-group-name", group)
	var lines []string
	for _, e := range answer.Events {
		lines = append(lines, e.Message)
	}
	return lines
}

// feedTime bounds the time until a change is in its feed: some 100 ms, or seconds on a busy
// machine.
const feedTime = 20 * time.Second

// try repeats a check until it passes or the time is over.
func try(ctx context.Context, limit time.Duration, attempt func() error) error {
	deadline := time.Now().Add(limit)
	for {
		err := attempt()
		if err == nil || ctx.Err() != nil || time.Now().After(deadline) {
			return err
		}
		time.Sleep(pollInterval)
	}
}

// eventually fails the test if try fails.
func eventually(t *testing.T, what string, attempt func() error) {
	t.Helper()
	if err := try(t.Context(), feedTime, attempt); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// checkout clones the repository at a revision into a new folder, with the tools next to it.
func checkout(t *testing.T, revision string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "parley")
	for _, args := range [][]string{{"clone", "-q", root, dir}, {"-C", dir, "checkout", "-q", revision}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	if err := os.CopyFS(filepath.Join(dir, "node_modules"), os.DirFS(filepath.Join(root, "node_modules"))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// gitLines runs git in the repository.
func gitLines(t *testing.T, args ...string) []string {
	t.Helper()
	out, err := exec.Command("git", append([]string{"-C", root}, args...)...).Output()
	if err != nil {
		t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return slices.DeleteFunc(strings.Split(string(out), "\n"), func(line string) bool { return line == "" })
}
