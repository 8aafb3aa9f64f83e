//go:build deploy

package deploytest

import (
	"context"
	"os/exec"
	"strings"
	"testing"

	"example.com/parley/internal/config"
	"example.com/parley/internal/docs"
)

// step is one block of the documentation, pasted in its turn.
type step struct {
	file, block string
	// before is a line that prepares what the text around the block assumes.
	before string
	// wants are parts of the block's output.
	wants []string
}

// inDev is the journey of a developer who tries Parley out, and rehearses a restore.
var inDev = []step{
	{file: "README.md", block: "deploy"},
	{file: "docs/deploy.md", block: "bootstrap", before: "npx --no-install cdk destroy -c env=dev"},
	{file: "docs/deploy.md", block: "outputs"},
	{file: "docs/deploy.md", block: "first-message", wants: []string{`"name":"Seattle"`, `"text":"hello"`}},
	{file: "docs/deploy.md", block: "doctor-after", before: reachable, wants: []string{"connect as a browser does", "0 blockers"}},
	{file: "docs/runbooks.md", block: "smoke"},
	{file: "docs/sign-in.md", block: "invite", wants: []string{"grace"}},
	{file: "docs/sign-in.md", block: "admin-token"},
	{file: "docs/quotas.md", block: "warm-look"},
	{file: "docs/runbooks.md", block: "restore-point", before: "make build && STACK=Parley-dev"},
	{file: "docs/runbooks.md", block: "restore"},
	{file: "docs/runbooks.md", block: "restore-deletions"},
	{file: "docs/runbooks.md", block: "restore-copy"},
	{file: "docs/runbooks.md", block: "repair-since"},
	{
		file: "docs/runbooks.md", block: "adopt", wants: []string{"config.Adopt{"},
		before: `aws dynamodb restore-table-to-point-in-time --source-table-name "$LOG_TABLE" --target-table-name "$LOG_TABLE-restored" --use-latest-restorable-time`,
	},
	{file: "docs/deploy.md", block: "stack-policy"},
	{file: "docs/runbooks.md", block: "lift-policy"},
	{
		file: "docs/runbooks.md", block: "restore-deleted",
		before: `aws dynamodb create-backup --table-name "$TABLE" --backup-name before
aws dynamodb delete-table --table-name "$TABLE-restored"`,
	},
}

// reachable sets variables of functions as socketsReachable does.
const reachable = `id() { aws cloudformation describe-stack-resource --stack-name Parley-dev --logical-resource-id "$1" --query StackResourceDetail.PhysicalResourceId --output text; }
for name in AuthorizerFunction SocketFunction FeedFunction; do
  function=$(id "$name")
  aws lambda get-function-configuration --function-name "$function" --query Environment --output json |
    SOCKETS="$AWS_ENDPOINT_URL/_aws/execute-api/$(id SocketApi)/ws" node -e '
      const environment = JSON.parse(require("fs").readFileSync(0));
      for (const name of ["HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE"]) environment.Variables[name] = process.env[name];
      if ("` + config.EnvSocketEndpoint + `" in environment.Variables) environment.Variables["` + config.EnvSocketEndpoint + `"] = process.env.SOCKETS;
      console.log(JSON.stringify(environment));' >environment.json
  aws lambda update-function-configuration --function-name "$function" --environment file://environment.json >/dev/null
done
rm environment.json`

// afterDev removes what the rehearsal of a restore leaves on purpose, and a stack with a file and a
// deleted file that S3 keeps.
const afterDev = `aws dynamodb delete-table --table-name "$TABLE-restored"
aws dynamodb delete-table --table-name "$LOG_TABLE-restored"
BUCKET=$(aws cloudformation describe-stack-resource --stack-name Parley-dev --logical-resource-id FilesBucket \
  --query StackResourceDetail.PhysicalResourceId --output text)
aws s3api put-bucket-versioning --bucket "$BUCKET" --versioning-configuration Status=Enabled
for file in 1 2; do aws s3 cp README.md "s3://$BUCKET/seattle/ada/$file"; done
POINT=$(date -u +%FT%TZ)
aws s3 rm "s3://$BUCKET/seattle/ada/1"
scripts/restore-files "$BUCKET" "$POINT"
aws s3api head-object --bucket "$BUCKET" --key seattle/ada/1
aws s3 rm "s3://$BUCKET/seattle/ada/2"
make destroy ENV=dev
unset STACK`

// aRoom creates the room that the runbook repairs, as a user whose token the operator fetches. In
// prod, the API accepts no password.
const aRoom = `URL=$(output 'OutputKey==` + "`ApiUrl`" + `') POOL=$(output 'OutputKey==` + "`UserPoolId`" + `') CLIENT=$(output 'OutputKey==` + "`UserPoolClientId`" + `')
aws cognito-idp admin-create-user --user-pool-id "$POOL" --username ada --message-action SUPPRESS
aws cognito-idp admin-set-user-password --user-pool-id "$POOL" --username ada --password 'choose-a-Long-1' --permanent
TOKEN=$(aws cognito-idp admin-initiate-auth --user-pool-id "$POOL" --client-id "$CLIENT" --auth-flow ADMIN_USER_PASSWORD_AUTH \
  --auth-parameters "USERNAME=ada,PASSWORD=choose-a-Long-1" --query AuthenticationResult.AccessToken --output text)
curl -sSf -X PUT "$URL/rooms/seattle" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"name":"Seattle"}'
make build`

// inProd is the journey of an operator, in the order of the guide and of the days.
var inProd = []step{
	{file: "docs/runbooks.md", block: "outputs", before: "npx --no-install cdk deploy -c env=prod"},
	{file: "docs/runbooks.md", block: "subscription", wants: []string{"ops@example.com"}},
	{file: "docs/runbooks.md", block: "test-alarm", wants: []string{"Parley-prod-FeedAge\tALARM"}},
	{file: "docs/runbooks.md", block: "stream", wants: []string{"Enabled"}},
	{file: "docs/runbooks.md", block: "dashboard", wants: []string{"https://"}},
	{file: "docs/runbooks.md", block: "canary", wants: []string{`"Username": "canary"`}},
	{file: "docs/runbooks.md", block: "canary-gone"},
	{file: "docs/runbooks.md", block: "repair", before: aRoom},
	{file: "docs/runbooks.md", block: "repair-all"},
	{file: "docs/runbooks.md", block: "file-failures"},
	{file: "docs/runbooks.md", block: "index-failures"},
	{file: "docs/runbooks.md", block: "repair-files"},
	{file: "docs/runbooks.md", block: "suspend", wants: []string{"mallory is suspended since", "mallory is not suspended any more"}},
	{
		file: "docs/runbooks.md", block: "purge-room", wants: []string{"would be removed with --apply", "were removed"},
		before: `curl -sSf -X DELETE "$URL/rooms/seattle" -H "Authorization: Bearer $TOKEN"`,
	},
	{file: "docs/runbooks.md", block: "receive"},
	{file: "docs/runbooks.md", block: "purge"},
	{file: "docs/deploy.md", block: "upgrade"},
	{file: "docs/deploy.md", block: "roll-back"},
	{file: "docs/deploy.md", block: "destroy-prod", before: "git reset -q --hard"},
	{file: "docs/deploy.md", block: "delete-data"},
}

// TestJourney_PastesEveryBlock pastes every block that needs an account, in a clean clone, as a
// reader would. A block without a journey fails the test.
func TestJourney_PastesEveryBlock(t *testing.T) {
	t.Parallel()
	clone := checkout(t, "HEAD")
	blocks, err := docs.Read(clone)
	if err != nil {
		t.Fatal(err)
	}
	book := docs.NewBook(blocks, docs.AWS)
	prepare(t, clone)
	e := startEmulator(t)
	journey(t, e, clone, book, inDev, afterDev)
	journey(t, e, clone, book, inProd, "")
	if err := book.Left(); err != nil {
		t.Error(err)
	}
	d := &deployment{emulator: e, dir: clone}
	if left := d.leftBehind(t); len(left) > 0 {
		t.Errorf("the commands left %v", left)
	}
}

// prepare configures the clone as a team would. It commits an address for alarms, as the guide
// asks.
func prepare(t *testing.T, clone string) {
	t.Helper()
	const lines = `
sed -i 's/AlarmEmail: .*/AlarmEmail: "ops@example.com",/' infra/settings/prod.go
git config user.name Ops && git config user.email ops@example.com
git commit -qam 'settings: mail alarms to ops'`
	cmd := exec.Command("bash", "-euc", lines)
	cmd.Dir = clone
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("prepare the clone: %v\n%s", err, out)
	}
}

// journey pastes blocks into one shell, and a line after them.
func journey(t *testing.T, e *emulator, clone string, book *docs.Book, steps []step, after string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*commandTime)
	defer cancel()
	shell, err := docs.NewShell(ctx, clone, e.env)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = shell.Close() }()
	paste := func(what, text string) {
		if _, err := shell.Run(docs.Block{File: what, Text: text + "\n"}); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range steps {
		paste("before "+s.block, s.before)
		block, err := book.Take(s.file, s.block)
		if err != nil {
			t.Error(err)
			continue
		}
		out, err := shell.Run(block)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s\n%s", block, out)
		for _, want := range s.wants {
			if !strings.Contains(out, want) {
				t.Errorf("%s does not print %s:\n%s", block, want, out)
			}
		}
		if strings.Contains(out, "/problems/") {
			t.Errorf("%s was refused:\n%s", block, out)
		}
	}
	paste("after the journey", after)
}
