// Package web has the built web app and the client for browsers. The build is committed, so that
// go build without Node gives a command that serves it; make web writes it.
package web

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
)

//go:embed all:dist
var dist embed.FS

// public are the scripts that other pages import, by names that remain.
var public = []string{"client.js", "more.js", "files.js", "search.js", "notices.js", "cache.js", "scrub.js"}

// worker is the service worker. Its place determines which paths it serves.
const worker = "sw.js"

// reference matches where a document or the worker names a script or the styles.
var reference = regexp.MustCompile(`"/([^"]+\.(?:js|css))"`)

// Files returns the files of the page by their names when served. Scripts and styles are below
// assets/<version>/, where browsers may keep them, and documents and the service worker refer to
// them there.
func Files() (map[string][]byte, error) {
	built, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, fmt.Errorf("open the folder: %w", err)
	}
	return versioned(built)
}

// versioned gives all files of a build the same version. The scripts import each other in circles,
// so none could have a version of its own without rewriting the others.
func versioned(built fs.FS) (map[string][]byte, error) {
	names, err := fs.Glob(built, "*")
	if err != nil {
		return nil, fmt.Errorf("list the files: %w", err)
	}
	files, digest := map[string][]byte{}, sha256.New()
	for _, name := range names {
		text, err := fs.ReadFile(built, name)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		_, _ = fmt.Fprintf(digest, "%s %d\n%s", name, len(text), text)
		files[name] = text
	}
	folder := fmt.Sprintf("assets/%x/", digest.Sum(nil)[:8])
	for _, name := range names {
		if ext := path.Ext(name); name == worker || ext != ".js" && ext != ".css" {
			continue
		}
		files[folder+name] = files[name]
		if !slices.Contains(public, name) {
			delete(files, name)
		}
	}
	for _, name := range names {
		if path.Ext(name) == ".html" || name == worker {
			files[name] = reference.ReplaceAll(files[name], []byte(`"/`+folder+`${1}"`))
		}
	}
	return files, nil
}
