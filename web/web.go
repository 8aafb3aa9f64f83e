// Package web has the built web app and the client for browsers. The build is committed, so that
// go build alone gives a command that serves it; make web writes it.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Files returns the files of the build, with names such as app.js.
func Files() (fs.FS, error) { return fs.Sub(dist, "dist") }
