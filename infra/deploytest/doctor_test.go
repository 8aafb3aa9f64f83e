//go:build deploy

package deploytest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	// bootstrapVersion is the parameter with the version of the CDK's bootstrap.
	bootstrapVersion = "/cdk-bootstrap/hnb659fds/version"
	// administrator is the policy that deployments have by default.
	administrator = "arn:aws:iam::aws:policy/AdministratorAccess"
)

// doctor runs the doctor of the checkout for dev, and expects parts of its table.
func (d *deployment) doctor(t *testing.T, more string, wants ...string) {
	t.Helper()
	out := d.mustRun(t, "make doctor ENV=dev "+more)
	t.Log(out)
	for _, want := range append(wants, "\n0 blockers, ") {
		if !strings.Contains(out, want) {
			t.Errorf("the doctor does not print %q:\n%s", want, out)
		}
	}
}

// TestDeploy_DoctorFindsBlockers brings an account and settings into the states in which a deploy
// fails, as far as the emulator has such states. Tests of internal/doctor have the others.
func TestDeploy_DoctorFindsBlockers(t *testing.T) {
	t.Parallel()
	d := &deployment{emulator: startEmulator(t), dir: checkout(t, "HEAD"), stack: stackName}
	d.doctor(t, "", "Parley-dev does not exist yet", "the account has no bootstrap in this Region yet")
	d.mustRun(t, bootstrap+" --cloudformation-execution-policies "+administrator)
	d.doctor(t, "", "deployments may do everything (AdministratorAccess)")
	d.spoil(t)
	for env, blockers := range map[string][]string{
		"dev": {
			"the bootstrap has version 5", "the role for deployments has no policy", "with FeedReserved 500, fewer than 100 are left",
			"its discovery document names the issuer",
		},
		"prod": {"acme-taken belongs to the user pool", "Domain.Certificate is for other.example.com, and not for chat.example.com", "Page.Certificate does not exist"},
	} {
		out, err := d.run(t.Context(), "make doctor ENV="+env)
		if err == nil {
			t.Errorf("%s is not blocked", env)
		}
		for _, want := range blockers {
			if !strings.Contains(out, want) {
				t.Errorf("%s: the doctor does not print %q:\n%s", env, want, out)
			}
		}
	}
	if out, err := d.run(t.Context(), "PATH=/nonexistent bin/chat doctor --env=dev"); err == nil || !strings.Contains(out, "the CDK needs Node.js") {
		t.Errorf("without Node: %v\n%s", err, out)
	}
	if out, err := d.run(t.Context(), "AWS_REGION=eu-west-1 AWS_DEFAULT_REGION=eu-west-1 bin/chat doctor --env=prod"); err == nil || !strings.Contains(out, "Domain.Certificate is in us-east-1") {
		t.Errorf("in another Region: %v\n%s", err, out)
	}
}

// spoil makes the account unfit for deploys, and states settings that do not fit it.
func (d *deployment) spoil(t *testing.T) {
	t.Helper()
	d.aws(t, nil, "ssm", "put-parameter", "--name", bootstrapVersion, "--value", "5", "--overwrite")
	role := "cdk-hnb659fds-cfn-exec-role-000000000000-" + region
	d.aws(t, nil, "iam", "detach-role-policy", "--role-name", role, "--policy-arn", administrator)
	var pool struct {
		UserPool struct {
			ID string `json:"Id"`
		}
	}
	d.aws(t, &pool, "cognito-idp", "create-user-pool", "--pool-name", "another")
	d.aws(t, nil, "cognito-idp", "create-user-pool-domain", "--user-pool-id", pool.UserPool.ID, "--domain", "acme-taken")
	var certificate struct{ CertificateArn string }
	d.aws(t, &certificate, "acm", "request-certificate", "--domain-name", "other.example.com", "--validation-method", "DNS")
	const missing = "arn:aws:acm:us-east-1:000000000000:certificate/12345678-1234-1234-1234-123456789012"
	for name, fields := range map[string]string{
		"dev": `FeedReserved: 500, Audience: []string{"chat"}, Issuer: "https://cognito-idp.` + region + `.amazonaws.com/` + pool.UserPool.ID + `/"`,
		"prod": `Issuer: "own", SignUp: "admin", RoomCreators: []string{"everyone"}, Origins: []string{"none"}, AlarmEmail: "none", FeedReserved: config.Unreserved,
			SignInPages: config.SignInPages{Prefix: "acme-taken"},
			Domain: config.Domain{Name: "chat.example.com", Certificate: "` + certificate.CertificateArn + `"},
			Page: config.Page{Host: "cloudfront", Name: "www.example.com", Certificate: "` + missing + `"}`,
	} {
		text := "package settings\n\nimport \"example.com/parley/infra/config\"\n\nfunc " + name + "() config.Settings { return config.Settings{" + fields + "} }\n"
		if err := os.WriteFile(filepath.Join(d.dir, "infra", "settings", name+".go"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
