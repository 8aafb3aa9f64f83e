//go:build deploy

package deploytest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
)

const (
	// root is the repository's folder.
	root = "../.."
	// region is the Region in the emulator's names.
	region = "us-east-1"
	// accessKey is the id and the secret of the key that the emulator accepts as the account's root.
	accessKey = "test"
	// startTime bounds the emulator's start, which takes 2 s on an idle machine.
	startTime = time.Minute
	// stopTime bounds the emulator's shutdown; after it, the emulator is killed.
	stopTime = 10 * time.Second
	// pollInterval is the pause between two attempts of a test.
	pollInterval = 200 * time.Millisecond
)

// emulator is an instance of the emulator: a process, a home folder, and the environment of its
// users.
type emulator struct {
	port  int
	home  string
	trust trust
	log   string // the emulator's own
	env   []string
	// patience bounds the waits for what a feed gets.
	patience time.Duration
}

// startEmulator starts an empty emulator and stops it when the test ends.
func startEmulator(t *testing.T) *emulator {
	t.Helper()
	e := &emulator{home: t.TempDir(), port: freePort(t), patience: feedTime}
	e.log = filepath.Join(e.home, "emulator.log")
	var err error
	if e.trust, err = newTrust(e.home); err != nil {
		t.Fatal(err)
	}
	if e.env, err = e.environment(startProxy(t, e.port)); err != nil {
		t.Fatal(err)
	}
	if err := e.start(t); err != nil {
		t.Fatal(err)
	}
	return e
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

func (e *emulator) start(t *testing.T) error {
	log, err := os.Create(e.log)
	if err != nil {
		return err
	}
	script, err := filepath.Abs(filepath.Join("testdata", "emulator.py"))
	if err != nil {
		return err
	}
	cmd := exec.Command(tool("ministack", "python"), script)
	cmd.Dir, cmd.Stdout, cmd.Stderr = e.home, log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Env = append(slices.Clone(e.env),
		"BIND_HOST=127.0.0.1", fmt.Sprintf("GATEWAY_PORT=%d", e.port), "MINISTACK_HOST="+region+".amazonaws.com",
		"USE_SSL=1", "MINISTACK_SSL_CERT="+e.trust.chain, "MINISTACK_SSL_KEY="+e.trust.key,
		// The emulator checks signatures and policies.
		"AUTH=true",
		// These two would not listen on only 127.0.0.1.
		"IOT_MTLS_ENABLED=0", "SFTP_ENABLED=0",
		"TMPDIR="+e.home,
	)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start the emulator; did scripts/python-tools run? %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { e.stop(t, cmd, ended, log) })
	return e.ready(t.Context(), ended)
}

// stop ends the emulator and the functions that it started.
func (e *emulator) stop(t *testing.T, cmd *exec.Cmd, ended <-chan error, log io.Closer) {
	_ = syscall.Kill(cmd.Process.Pid, syscall.SIGTERM)
	select {
	case err := <-ended:
		t.Logf("the emulator ended: %v", err)
	case <-time.After(stopTime):
	}
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	_ = log.Close()
	if t.Failed() {
		if text, err := os.ReadFile(e.log); err == nil {
			t.Logf("the emulator's log ends with:\n%s", text[max(0, len(text)-4000):])
		}
	}
}

// ready waits until the emulator answers.
func (e *emulator) ready(ctx context.Context, ended <-chan error) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	client := e.client()
	for {
		resp, err := client.Get(e.endpoint() + "/_ministack/health")
		if err == nil {
			_ = resp.Body.Close()
			return nil
		}
		select {
		case err := <-ended:
			text, _ := os.ReadFile(e.log)
			return fmt.Errorf("the emulator ended: %w\n%s", errors.Join(err), text)
		case <-ctx.Done():
			return fmt.Errorf("the emulator does not answer: %w", err)
		case <-time.After(pollInterval):
		}
	}
}

func (e *emulator) endpoint() string { return fmt.Sprintf("https://127.0.0.1:%d", e.port) }

// client connects to the emulator, whatever address the URL has.
func (e *emulator) client() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil
	transport.TLSClientConfig.RootCAs = e.trust.pool
	transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, fmt.Sprintf("127.0.0.1:%d", e.port))
	}
	return &http.Client{Transport: transport, Timeout: time.Minute}
}

// environment returns the environment of the emulator's users: dummy credentials, its address, its
// authority, a home folder and wrappers of two commands.
func (e *emulator) environment(proxy string) ([]string, error) {
	bin := filepath.Join(e.home, "bin")
	settings := `{"requireApproval": "never", "context": {"arch": "` + architecture() + `"}}`
	npx, err := exec.LookPath("npx")
	if err != nil {
		return nil, err
	}
	aws := "#!/bin/sh\nexec '" + tool("awscli", "aws") + "' --endpoint-url \"$AWS_ENDPOINT_URL\" \"$@\"\n"
	forced := "#!/bin/sh\ncase \" $* \" in *' cdk destroy '*) set -- \"$@\" --force;; esac\nexec '" + npx + "' \"$@\"\n"
	files := map[string]string{
		".cdk.json": settings,
		"bin/aws":   aws,
		"bin/npx":   forced,
	}
	if err := os.MkdirAll(bin, 0o700); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(e.home, name), []byte(files[name]), 0o700); err != nil {
			return nil, err
		}
	}
	variables := map[string]string{
		"HOME": e.home, "PATH": bin + string(os.PathListSeparator) + os.Getenv("PATH"),
		"AWS_ENDPOINT_URL": e.endpoint(), "AWS_REGION": region, "AWS_DEFAULT_REGION": region,
		"AWS_ACCESS_KEY_ID": accessKey, "AWS_SECRET_ACCESS_KEY": accessKey, "AWS_PAGER": "",
		"AWS_EC2_METADATA_DISABLED": "true",
		"HTTPS_PROXY":               proxy, "https_proxy": proxy, "NO_PROXY": "127.0.0.1,localhost", "no_proxy": "127.0.0.1,localhost",
		"CDK_DISABLE_VERSION_CHECK": "1",
	}
	for _, name := range []string{"AWS_CA_BUNDLE", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"} {
		variables[name] = e.trust.bundle
	}
	if err := keepCaches(variables); err != nil {
		return nil, err
	}
	return overlay(os.Environ(), variables), nil
}

// rootKey returns the credentials of the account's root.
func rootKey() aws.CredentialsProvider {
	return credentials.NewStaticCredentialsProvider(accessKey, accessKey, "")
}

// architecture returns this machine's architecture, as the stack's settings name it.
func architecture() string {
	if runtime.GOARCH == "amd64" {
		return "x86_64"
	}
	return runtime.GOARCH
}

// keepCaches keeps the caches of Go and npm at their places, although the home folder is another.
func keepCaches(variables map[string]string) error {
	for _, name := range []string{"GOPATH", "GOCACHE", "GOMODCACHE"} {
		value, err := exec.Command("go", "env", name).Output()
		if err != nil {
			return fmt.Errorf("go env %s: %w", name, err)
		}
		variables[name] = strings.TrimSpace(string(value))
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return err
	}
	variables["npm_config_cache"] = filepath.Join(home, ".npm")
	variables["npm_config_userconfig"] = filepath.Join(home, ".npmrc")
	variables["XDG_CACHE_HOME"] = filepath.Join(home, ".cache")
	return nil
}

// overlay sets variables in an environment.
func overlay(env []string, variables map[string]string) []string {
	env = slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		_, ours := variables[name]
		return ours || strings.HasPrefix(name, "AWS_")
	})
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		env = append(env, name+"="+variables[name])
	}
	return env
}

// tool returns the path of a program that scripts/python-tools installed.
func tool(name, program string) string {
	path, err := filepath.Abs(filepath.Join(root, "tools", "python", ".venv", name, "bin", program))
	if err != nil {
		panic(err)
	}
	return path
}
