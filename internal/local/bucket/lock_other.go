//go:build !unix

package bucket

import "os"

// lock does nothing: data folders need a Unix system, so no other process uses the files.
func lock(*os.File) error { return nil }
