//go:build deploy

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/parley/internal/docs"
)

// cli is the path at which scripts/python-tools installs the AWS CLI.
const cli = "../../tools/python/.venv/awscli/bin/aws"

// standIns run the AWS CLI without an account. The CLI checks a command, its parameters and its
// query before it connects to the endpoint, and nothing listens there. curl finds the documents of
// the API.
const standIns = `aws() {
  local said
  said=$("$CLI" --endpoint-url http://127.0.0.1:9 "$@" 2>&1 >/dev/null) || true
  case $said in
    *'Could not connect to the endpoint URL'*) echo placeholder-of-some-length ;;
    *) printf '%s\n' "aws $*: $said" >&2; return 1 ;;
  esac
}
read() { CODE=123456; }   # nobody is asked for a code
curl() { local url=${*: -1}; cat "api/${url#"https://$DOMAIN/"}"; }
`

// TestRunner_AccountBlocksPassTheCLI runs the blocks that need an account, as far as the AWS CLI
// can run them without one.
func TestRunner_AccountBlocksPassTheCLI(t *testing.T) {
	blocks, err := docs.Read("../..")
	if err != nil {
		t.Fatal(err)
	}
	shells := map[string]*docs.Shell{}
	for _, b := range blocks {
		if b.Kind != docs.Account {
			continue
		}
		if shells[b.File] == nil {
			shells[b.File] = withoutAccount(t)
		}
		if _, err := shells[b.File].Run(b); err != nil {
			t.Error(err)
		}
	}
	if len(shells) == 0 {
		t.Error("no block needs an account")
	}
}

// TestRunner_WrongCommandsFailAtTheCLI shows that the stand-ins refuse wrong commands.
func TestRunner_WrongCommandsFailAtTheCLI(t *testing.T) {
	for command, want := range map[string]string{
		"aws lambda get-acount-settings":                               "Invalid choice",
		"aws lambda get-account-settings --query 'a['":                 "Bad value for --query",
		"aws dynamodb update-table --table-name t --warm-throughput x": "Error parsing parameter",
		"aws acm describe-certificate":                                 "required",
		"DOMAIN=a.example; curl -sS https://$DOMAIN/openapi.jsn":       "No such file",
	} {
		_, err := withoutAccount(t).Run(docs.Block{File: "a.md", Text: command + "\n"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", command, err, want)
		}
	}
}

// withoutAccount returns a shell with the stand-ins.
func withoutAccount(t *testing.T) *docs.Shell {
	t.Helper()
	path, err := filepath.Abs(cli)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		t.Fatalf("the AWS CLI is not installed (scripts/python-tools awscli): %v", err)
	}
	shell, err := docs.NewShell(t.Context(), "../..", append(environment(), "CLI="+path,
		"AWS_ACCESS_KEY_ID=none", "AWS_SECRET_ACCESS_KEY=none", "AWS_DEFAULT_REGION=us-east-1", "AWS_MAX_ATTEMPTS=1",
		"POOL=eu-west-1_placeholder", "CLIENT=placeholder", "CLIENT_ID=placeholder", "PAGE_BUCKET=placeholder", "FILES=placeholder", "TOPIC=placeholder"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = shell.Close() })
	if _, err := shell.Run(docs.Block{File: "the stand-ins", Text: standIns}); err != nil {
		t.Fatal(err)
	}
	return shell
}
