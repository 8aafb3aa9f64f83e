package main

import (
	"crypto/sha1" // #nosec G505 -- the SDK names its cache files by SHA-1
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/tabletest"
)

const signOnURL = "https://parley.awsapps.example/start"

// accountConfig is a configuration of the AWS CLI with a profile of each kind.
const accountConfig = `
[profile keys]
region = eu-west-1
aws_access_key_id = AKIAEXAMPLE
aws_secret_access_key = secret

[profile process]
region = eu-west-1
credential_process = /bin/echo '{"Version":1,"AccessKeyId":"AKIAEXAMPLE","SecretAccessKey":"secret"}'

[profile nowhere]
aws_access_key_id = AKIAEXAMPLE
aws_secret_access_key = secret

[profile endpoint]
region = eu-west-1
aws_access_key_id = AKIAEXAMPLE
aws_secret_access_key = secret
services = local

[services local]
dynamodb =
  endpoint_url = ENDPOINT

[profile signon]
region = eu-west-1
sso_session = team
sso_account_id = 123456789012
sso_role_name = operator

[sso-session team]
sso_region = eu-west-1
sso_start_url = ` + signOnURL + `
`

// operator holds a table and a home folder with a configuration of the AWS CLI.
type operator struct{ home, endpoint string }

func newOperator(t *testing.T) operator {
	t.Helper()
	o := operator{home: t.TempDir(), endpoint: enginetest.Start(t)}
	db := dynamo.LocalClient(o.endpoint)
	tabletest.Create(t, db, "chat")
	if _, err := dynamo.EnableStream(t.Context(), db, "chat"); err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(accountConfig, "ENDPOINT", o.endpoint, 1)
	if err := os.WriteFile(filepath.Join(o.home, "config"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return o
}

// repair runs feed repair for a missing room. With valid credentials, the error is that there is
// no such room.
func (o operator) repair(t *testing.T, env []string, args ...string) string {
	t.Helper()
	cmd := command(t, append([]string{"feed", "repair", "--room", "nowhere"}, args...)...)
	cmd.Env = append(cmd.Env, "HOME="+o.home, "AWS_CONFIG_FILE="+filepath.Join(o.home, "config"))
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Errorf("%q: repair of a room that does not exist succeeded", args)
	}
	return string(out)
}

// signOn writes a session that ended an hour ago to the CLI's cache.
func (o operator) signOn(t *testing.T) {
	t.Helper()
	dir := filepath.Join(o.home, ".aws", "sso", "cache")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	sum := sha1.Sum([]byte("team")) // #nosec G401
	session := `{"accessToken":"t","expiresAt":"` + time.Now().Add(-time.Hour).UTC().Format(time.RFC3339) + `"}`
	if err := os.WriteFile(filepath.Join(dir, hex.EncodeToString(sum[:])+".json"), []byte(session), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestAccount_IsFoundLikeTheAWSCLI sets credentials, a region and an endpoint in each supported
// way.
func TestAccount_IsFoundLikeTheAWSCLI(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	general, own := "AWS_ENDPOINT_URL="+o.endpoint, "AWS_ENDPOINT_URL_DYNAMODB="+o.endpoint
	keys := []string{"AWS_ACCESS_KEY_ID=x", "AWS_SECRET_ACCESS_KEY=x", "AWS_REGION=eu-west-1"}
	for name, tt := range map[string]struct {
		env, args []string
	}{
		"the environment's keys":        {append(keys, general), nil},
		"the service's endpoint":        {append(keys, "AWS_ENDPOINT_URL=http://127.0.0.1:1", own), nil},
		"a region as a flag":            {append(keys[:2:2], general), []string{"--region", "eu-west-1"}},
		"a profile as a flag":           {[]string{general}, []string{"--profile", "keys"}},
		"a profile in the environment":  {[]string{general, "AWS_PROFILE=keys"}, nil},
		"a profile that runs a program": {[]string{general, "AWS_PROFILE=process"}, nil},
		"a profile with an endpoint":    {[]string{"AWS_PROFILE=endpoint"}, nil},
	} {
		if out := o.repair(t, tt.env, append(tt.args, "--table", "chat")...); !strings.Contains(out, "there is no such room") {
			t.Errorf("%s: %s", name, out)
		}
	}
}

// TestAccount_SaysWhatToDo checks the messages for an operator who is not signed in.
func TestAccount_SaysWhatToDo(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	general := "AWS_ENDPOINT_URL=" + o.endpoint
	for name, tt := range map[string]struct {
		env   []string
		table string
		says  string
	}{
		"no credentials":     {[]string{general, "AWS_REGION=eu-west-1"}, "chat", "no AWS credentials: run aws sso login --profile NAME or aws configure"},
		"no region":          {[]string{general, "AWS_PROFILE=nowhere"}, "chat", "no region is configured: give --region, set AWS_REGION, or add a region to profile nowhere"},
		"an unknown profile": {[]string{general, "AWS_PROFILE=typo"}, "chat", `there is no profile "typo" in ~/.aws/config`},
		"never signed on":    {[]string{general, "AWS_PROFILE=signon"}, "chat", "run aws sso login --profile signon"},
		"another table":      {[]string{general, "AWS_PROFILE=keys"}, "typo", "there is no table typo in eu-west-1 in this account"},
	} {
		if out := o.repair(t, tt.env, "--table", tt.table); !strings.Contains(out, tt.says) {
			t.Errorf("%s: %s", name, out)
		}
	}
	o.signOn(t)
	if out := o.repair(t, []string{general, "AWS_PROFILE=signon"}, "--table", "chat"); !strings.Contains(out, "has expired or does not exist: run aws sso login --profile signon") {
		t.Errorf("expired session: %s", out)
	}
}

// TestAccount_RefusedByDynamoDB checks the messages for expired, unknown and insufficient
// credentials.
func TestAccount_RefusedByDynamoDB(t *testing.T) {
	t.Parallel()
	for code, says := range map[string]string{
		"com.amazon.coral.service#ExpiredTokenException":       "sign in again with aws sso login --profile NAME",
		"com.amazon.coral.service#UnrecognizedClientException": "sign in again with aws sso login --profile NAME",
		"com.amazon.coral.service#AccessDeniedException":       "these credentials may not describe table chat; run aws sts get-caller-identity to see whose they are",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/x-amz-json-1.0")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"__type":"`+code+`","message":"injected"}`)
		}))
		t.Cleanup(server.Close)
		o := operator{home: t.TempDir()}
		env := []string{"AWS_ENDPOINT_URL=" + server.URL, "AWS_ACCESS_KEY_ID=x", "AWS_SECRET_ACCESS_KEY=x", "AWS_REGION=eu-west-1", "AWS_CONFIG_FILE=" + os.DevNull}
		if out := o.repair(t, env, "--table", "chat"); !strings.Contains(out, says) {
			t.Errorf("%s: %s", code, out)
		}
	}
}
