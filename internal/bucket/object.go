package bucket

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// ErrChanged is returned for an object that has another version than the given one.
var ErrChanged = errors.New("the object has another version")

// maxObject bounds the bytes of an answer.
const maxObject = 16 << 20

// Object describes an object of a list.
type Object struct {
	Key      string
	Bytes    int64
	Modified time.Time
}

// Read returns the bytes and the version of an object, which may have maxObject bytes. The error
// wraps ErrNotFound if there is no object.
func (c *Client) Read(ctx context.Context, key string) (body []byte, version string, err error) {
	err = c.call(ctx, call{method: http.MethodGet, key: key}, func(answer *http.Response, all []byte) (err error) {
		if len(all) > maxObject {
			return fmt.Errorf("the object %s has more than %d bytes", key, maxObject)
		}
		body = all
		version, err = versionOf(answer)
		return err
	})
	return body, version, err
}

// Write replaces the version of an object, and returns the new one. The empty version stands for an
// object that does not exist yet. The error wraps ErrChanged if the object has another version.
//
// Write succeeds if the object has the bytes already: after a lost answer, a repeated attempt finds
// the object that it wrote itself.
func (c *Client) Write(ctx context.Context, key string, body []byte, version string) (written string, err error) {
	sum := sha256.Sum256(body)
	put := call{method: http.MethodPut, key: key, body: body, headers: http.Header{
		"Content-Type": {"application/octet-stream"}, ChecksumHeader: {base64.StdEncoding.EncodeToString(sum[:])},
	}}
	if version == "" {
		put.headers[onceHeader] = []string{once}
	} else {
		put.headers[versionHeader] = []string{version}
	}
	err = c.call(ctx, put, func(answer *http.Response, _ []byte) (err error) {
		written, err = versionOf(answer)
		return err
	})
	if !errors.Is(err, ErrChanged) && !errors.Is(err, ErrNotFound) {
		return written, err
	}
	stored, written, err := c.Read(ctx, key)
	switch {
	case err == nil && bytes.Equal(stored, body):
		return written, nil
	case err == nil, errors.Is(err, ErrNotFound):
		return "", fmt.Errorf("write %s: %w", key, ErrChanged)
	}
	return "", err
}

// versionHeader refuses to write an object that has another version.
const versionHeader = "If-Match"

// versionOf returns the version of the object in an answer.
func versionOf(answer *http.Response) (string, error) {
	version := answer.Header.Get("ETag")
	if version == "" {
		return "", errors.New("the answer has no ETag")
	}
	return version, nil
}

// List returns objects whose keys begin with a prefix and follow a key, in the order of keys, and
// whether more follow.
func (c *Client) List(ctx context.Context, prefix, after string) (objects []Object, more bool, err error) {
	query := url.Values{"list-type": {"2"}, "prefix": {prefix}}
	if after != "" {
		query.Set("start-after", after)
	}
	err = c.call(ctx, call{method: http.MethodGet, query: query}, func(_ *http.Response, body []byte) error {
		var list struct {
			IsTruncated bool
			Contents    []struct {
				Key          string
				Size         int64
				LastModified time.Time
			}
		}
		if err := xml.Unmarshal(body, &list); err != nil {
			return fmt.Errorf("list %s: %w", prefix, err)
		}
		for _, object := range list.Contents {
			objects = append(objects, Object{object.Key, object.Size, object.LastModified})
		}
		more = list.IsTruncated
		return nil
	})
	return objects, more, err
}
