//go:build !unix

package bucket

import "os"

// lock returns at once: data folders need a Unix system, so no other process uses the files.
func lock(*os.File) error { return nil }
