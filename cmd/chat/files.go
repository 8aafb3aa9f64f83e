package main

import (
	"crypto/rand"
	"net/http"
	"path/filepath"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/dynamo"
	localbucket "example.com/parley/internal/local/bucket"
)

const (
	// filesFolder is the folder of the files of messages in the data folder.
	filesFolder = "files"
	// filesPath begins the addresses of files.
	filesPath = "/files"
	// filesRegion is the Region for which requests are signed.
	filesRegion = "us-east-1"
)

// localFiles are the files of messages: the handler that stores them, and a client of it.
type localFiles struct {
	handler http.Handler
	client  *bucket.Client
}

// openFiles returns the files in the data folder. The keys that sign links are new with each start,
// so links end with it.
func (c *serveCmd) openFiles() localFiles {
	keys := aws.Credentials{AccessKeyID: "local", SecretAccessKey: rand.Text()}
	handler := localbucket.New(localbucket.Config{
		Dir: filepath.Join(c.Data, filesFolder), Region: filesRegion, Credentials: keys, Clock: time.Now, Origins: c.Origin,
	})
	client := bucket.New(bucket.Config{
		Base: localbucket.Base, Shown: filesPath, Region: filesRegion, HTTP: handler,
		Credentials: dynamo.StaticCredentials(keys.AccessKeyID, keys.SecretAccessKey, ""),
	})
	return localFiles{handler, client}
}

// withFiles answers requests for files, and passes other requests on.
func withFiles(files, next http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle(filesPath+"/", http.StripPrefix(filesPath, files))
	mux.Handle("/", next)
	return mux
}
