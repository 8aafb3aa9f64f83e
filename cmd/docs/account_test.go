//go:build deploy

package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/docs"
	"parley/internal/httpapi"
)

// cli is the path at which scripts/python-tools installs the AWS CLI.
const cli = "../../tools/python/.venv/awscli/bin/aws"

// standIns run the AWS CLI without an account. The CLI checks a command, its parameters and its
// query before it connects to the endpoint, and nothing listens there. curl resolves the domain to
// this machine.
const standIns = `aws() {
  local said
  said=$("$CLI" --endpoint-url http://127.0.0.1:9 "$@" 2>&1 >/dev/null) || true
  case $said in
    *'Could not connect to the endpoint URL'*) echo placeholder-of-some-length ;;
    *) printf '%s\n' "aws $*: $said" >&2; return 1 ;;
  esac
}
read() { CODE=123456; }   # nobody is asked for a code
curl() {
  local word words=()
  for word; do words+=("${word/#"https://$DOMAIN"/"$API_HERE"}"); done
  command curl --fail "${words[@]}"
}
`

// TestBlock_AccountBlocksPassTheCLI runs the blocks that need an account, as far as the AWS CLI goes
// without one. Blocks of identity providers are left out.
func TestBlock_AccountBlocksPassTheCLI(t *testing.T) {
	blocks, err := docs.Read("../..")
	if err != nil {
		t.Fatal(err)
	}
	shells := map[string]*docs.Shell{}
	for _, b := range blocks {
		if b.Kind != docs.Account || docs.Answers()[b.File][b.Name].Ran != docs.ByCLI {
			continue
		}
		if shells[b.File] == nil {
			shells[b.File] = withoutAccount(t)
		}
		if printed, err := shells[b.File].Run(b); err != nil {
			t.Errorf("%v\n%s", err, printed)
		}
	}
	if len(shells) == 0 {
		t.Error("no block needs an account")
	}
}

// TestBlock_WrongCommandsFailAtTheCLI shows that the stand-in of the AWS CLI refuses commands that the
// CLI refuses.
func TestBlock_WrongCommandsFailAtTheCLI(t *testing.T) {
	for command, want := range map[string]string{
		"aws lambda get-acount-settings":                               "Invalid choice",
		"aws lambda get-account-settings --qurey x":                    "Unknown options",
		"aws lambda get-account-settings --query 'a['":                 "Bad value for --query",
		"aws dynamodb update-table --table-name t --warm-throughput x": "Error parsing parameter",
		"aws acm describe-certificate":                                 "required",
		"curl -sS https://chat.example.com/openapi.jsn":                "404",
	} {
		shell := withoutAccount(t)
		if err := shell.Set("DOMAIN", "chat.example.com"); err != nil {
			t.Fatal(err)
		}
		_, err := shell.Run(docs.Block{File: "a.md", Text: command + "\n"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", command, err, want)
		}
	}
}

// withoutAccount returns a shell with the stand-ins.
func withoutAccount(t *testing.T) *docs.Shell {
	t.Helper()
	path, err := filepath.Abs(cli)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("the AWS CLI is not installed (scripts/python-tools awscli): %v", err)
	}
	// The blocks only read the API's documents, so that the operations need no store.
	api := httptest.NewServer(httpapi.New(httpapi.Options{
		Operations: httpapi.Reads(), Subject: func(*http.Request) string { return "" }, Log: slog.New(slog.DiscardHandler), Clock: time.Now,
	}))
	t.Cleanup(api.Close)
	env := append(environment(t.TempDir()), "AWS_ACCESS_KEY_ID=none", "AWS_SECRET_ACCESS_KEY=none", "AWS_DEFAULT_REGION=us-east-1", "AWS_MAX_ATTEMPTS=1")
	shell, err := docs.NewShell(t.Context(), "../..", env)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = shell.Close() })
	for name, value := range map[string]string{"CLI": path, "API_HERE": api.URL, "STACK": "Parley-prod",
		"TABLE": "placeholder", "POOL": "eu-west-1_placeholder", "CLIENT": "placeholder", "CLIENT_ID": "placeholder", "NAME": "ada", "PASSWORD": "choose-a-Long-1",
		"PAGE_BUCKET": "placeholder",
	} {
		if err := shell.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := shell.Run(docs.Block{File: "the stand-ins", Text: standIns}); err != nil {
		t.Fatal(err)
	}
	return shell
}
