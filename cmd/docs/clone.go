package main

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Paths that the import's block names, and their stand-ins in the clone.
const (
	samples      = "path/to"
	slackSample  = "internal/archive/slack/testdata/export"
	ircSample    = "internal/archive/irc/testdata/logs/2020-02-28_02.txt"
	slackArchive = "export.zip"
	ircLog       = "2004-11-15_03.txt"
)

// cloned clones the repository into a folder, and adds the two archives that a reader would bring.
// Like a reader's clone, it has only committed files.
func cloned(ctx context.Context, root, folder string) (string, error) {
	clone := filepath.Join(folder, "parley")
	if out, err := exec.CommandContext(ctx, "git", "clone", "-q", root, clone).CombinedOutput(); err != nil {
		return "", fmt.Errorf("clone the repository: %w\n%s", err, out)
	}
	to := filepath.Join(clone, filepath.FromSlash(samples))
	if err := os.MkdirAll(to, 0o700); err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(clone, filepath.FromSlash(ircSample)))
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(to, ircLog), text, 0o600); err != nil {
		return "", err
	}
	return clone, zipped(filepath.Join(clone, filepath.FromSlash(slackSample)), filepath.Join(to, slackArchive))
}

func zipped(folder, file string) error {
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	if err := errors.Join(w.AddFS(os.DirFS(folder)), w.Close()); err != nil {
		return fmt.Errorf("zip %s: %w", folder, err)
	}
	return os.WriteFile(file, archive.Bytes(), 0o600)
}

// environment returns the environment of the shells: that of this process, with sam first in the
// PATH. It has no credentials, because a block that calls AWS by mistake must fail.
func environment(bin string) []string {
	env := []string{"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"),
		"AWS_CONFIG_FILE=" + os.DevNull, "AWS_SHARED_CREDENTIALS_FILE=" + os.DevNull, "AWS_EC2_METADATA_DISABLED=true"}
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "AWS_") && !strings.HasPrefix(pair, "PATH=") {
			env = append(env, pair)
		}
	}
	return env
}
