package main

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// diskFailures are parts of the engine's messages about writes that the disk refuses.
var diskFailures = []string{"disk is full", "disk I/O error"}

// diskWatch logs, once for a server, that the disk refuses writes. Requests that fail then also log
// their own failures.
type diskWatch struct {
	once   sync.Once
	log    *slog.Logger
	folder string
}

// options makes a client of the engine report to the watch.
func (d *diskWatch) options(o *dynamodb.Options) { o.HTTPClient = &watchedClient{d, o.HTTPClient} }

type watchedClient struct {
	watch *diskWatch
	next  dynamodb.HTTPClient
}

// Do sends one attempt of one call.
func (c *watchedClient) Do(r *http.Request) (*http.Response, error) {
	res, err := c.next.Do(r)
	if err != nil || res.StatusCode != http.StatusInternalServerError {
		return res, err
	}
	text, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		return nil, err
	}
	res.Body = io.NopCloser(bytes.NewReader(text))
	if slices.ContainsFunc(diskFailures, func(part string) bool { return strings.Contains(string(text), part) }) {
		c.watch.once.Do(func() {
			c.watch.log.ErrorContext(
				r.Context(), "the disk is full or broken: nothing is stored until it has space", "folder",
				c.watch.folder,
			)
		})
	}
	return res, nil
}
