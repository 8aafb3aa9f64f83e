package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/local/engine"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/enginetest"
)

// TestServe_FetchesItsEngineOnce starts a server in an empty folder of a machine without an engine,
// without Node and without the repository, and then again without a registry.
func TestServe_FetchesItsEngineOnce(t *testing.T) {
	t.Parallel()
	program, err := engine.Ensure(t.Context(), os.Getenv, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	env := newMachine(t, text)
	dir := dataDir(t)
	ready := func(env []string) string {
		t.Helper()
		s := start(t, dir, func(cmd *exec.Cmd) { cmd.Dir, cmd.Env = t.TempDir(), append(cmd.Env, env...) })
		mustCall(t, 200, "GET", s.url+"/openapi.json", "", "")
		if err := s.end(t, os.Interrupt); err != nil {
			t.Error(err)
		}
		return s.logs.String()
	}
	if said := ready(env); !strings.Contains(said, "fetching the local engine @dynoxide/") || strings.Count(said, "\n") != 1 {
		t.Errorf("the first start writes %q, want one line about the engine", said)
	}
	if said := ready(append(env, "npm_config_registry=http://127.0.0.1:1")); said != "" {
		t.Errorf("the second start writes %q", said)
	}
	cmd := command(t, "serve", "--addr", "127.0.0.1:0", "--data", dir)
	cmd.Dir, cmd.Env = t.TempDir(), append(cmd.Env, newMachine(t, text)...)
	cmd.Env = append(cmd.Env, "npm_config_registry=http://127.0.0.1:1", "ENGINE_INTEGRITY=")
	if out, err := cmd.CombinedOutput(); err == nil || strings.Count(string(out), "\n") != 2 || !strings.Contains(string(out), "Install Rust") {
		t.Errorf("without a registry: %v\n%s", err, out)
	}
}

// TestInstall_LeavesToNpmWhatItHas runs scripts/install with an npm that installs an engine or does
// not, as the lock file has the engine for one platform.
func TestInstall_LeavesToNpmWhatItHas(t *testing.T) {
	t.Parallel()
	for npm, want := range map[string]string{"mkdir -p node_modules/@dynoxide": "", "true": "dynoxide\n"} {
		dir := t.TempDir()
		env := newMachine(t, []byte("a program"))
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		script, err := os.ReadFile("../../scripts/install")
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{
			"scripts/install": string(script),
			"bin/npm":         "#!/bin/sh\nif [ \"$1\" = config ]; then echo \"$REGISTRY\"; else " + npm + "; fi\n",
			"bin/go":          "#!/bin/sh\ntest \"$1 $2\" = 'run ./cmd/chat' && shift 2 && exec '" + self + "' \"$@\"\n",
		} {
			file := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "scripts/install"))
		cmd.Env = append(append(command(t).Env, env...), "PATH="+filepath.Join(dir, "bin")+":/usr/bin:/bin")
		for _, v := range env {
			if registry, ok := strings.CutPrefix(v, "npm_config_registry="); ok {
				cmd.Env = append(cmd.Env, "REGISTRY="+registry, "npm_config_registry=")
			}
		}
		if out, err := cmd.Output(); err != nil || !strings.HasSuffix(string(out), want) || (want == "") != (len(out) == 0) {
			t.Errorf("with an npm that runs %s: %q, %v; want %q", npm, out, err, want)
		}
	}
}

// newMachine returns variables of a machine with an empty home and a registry whose package for this
// platform holds a program.
func newMachine(t *testing.T, program []byte) []string {
	t.Helper()
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	files := tar.NewWriter(zipped)
	err := files.WriteHeader(&tar.Header{Name: "package/dynoxide", Mode: 0o755, Size: int64(len(program))})
	if err == nil {
		_, err = files.Write(program)
	}
	if err != nil || files.Close() != nil || zipped.Close() != nil {
		t.Fatal(err)
	}
	sum := sha512.Sum512(packed.Bytes())
	integrity := "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
	var registry *httptest.Server
	registry = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/engine.tgz" {
			_, _ = w.Write(packed.Bytes())
			return
		}
		fmt.Fprintf(w, `{"versions":{%q:{"dist":{"integrity":%q,"tarball":%q}}}}`, engine.Version, integrity, registry.URL+"/engine.tgz")
	}))
	t.Cleanup(registry.Close)
	home := t.TempDir()
	return []string{
		"HOME=" + home, "XDG_CACHE_HOME=" + filepath.Join(home, "cache"), "PATH=/usr/bin:/bin", "DYNOXIDE_BIN=",
		"npm_config_registry=" + registry.URL, "ENGINE_INTEGRITY=" + integrity,
	}
}

// TestCreateLocalTable_CreatesATableThatExistsByNameOnly answers the first read of a table as the
// engine does after a start that was killed while it created the table.
func TestCreateLocalTable_CreatesATableThatExistsByNameOnly(t *testing.T) {
	t.Parallel()
	half := &halfTable{}
	db := dynamo.LocalClient(enginetest.Start(t), half.options)
	arn, err := createLocalTable(t.Context(), db)
	if err != nil || arn == "" || half.created != 2 || half.deleted != 1 {
		t.Fatalf("stream %q, %v; created %d times, deleted %d times", arn, err, half.created, half.deleted)
	}
	put := &dynamodb.PutItemInput{TableName: aws.String(localTable), Item: map[string]types.AttributeValue{
		table.PK: &types.AttributeValueMemberS{Value: "a"}, table.SK: &types.AttributeValueMemberS{Value: "b"},
	}}
	if _, err := db.PutItem(t.Context(), put); err != nil {
		t.Fatal(err)
	}
	if again, err := createLocalTable(t.Context(), db); err != nil || again != arn || half.deleted != 1 {
		t.Errorf("a table with an item: stream %q, %v; deleted %d times", again, err, half.deleted)
	}
}

// halfTable is a client's HTTP client that refuses reads of the first table, and counts.
type halfTable struct {
	next             dynamodb.HTTPClient
	created, deleted int
}

func (h *halfTable) options(o *dynamodb.Options) {
	h.next, o.HTTPClient = o.HTTPClient, h
	o.RetryMaxAttempts = 1
}

func (h *halfTable) Do(r *http.Request) (*http.Response, error) {
	switch r.Header.Get("X-Amz-Target") {
	case "DynamoDB_20120810.CreateTable":
		h.created++
	case "DynamoDB_20120810.DeleteTable":
		h.deleted++
	case "DynamoDB_20120810.Scan":
		if h.deleted == 0 {
			const answer = `{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"backend: no such table: parley"}`
			return &http.Response{StatusCode: http.StatusInternalServerError, Header: http.Header{}, Body: io.NopCloser(bytes.NewBufferString(answer)), Request: r}, nil
		}
	}
	return h.next.Do(r)
}
