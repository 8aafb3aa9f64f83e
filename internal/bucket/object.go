package bucket

import (
	"context"
	"errors"
	"time"
)

// ErrChanged is returned for an object that has another version than the given one.
var ErrChanged = errors.New("the object has another version")

// Object describes an object of a list.
type Object struct {
	Key      string
	Bytes    int64
	Modified time.Time
}

// Read returns the bytes and the version of an object. The error wraps ErrNotFound if there is none.
// It reads at most maxObject bytes.
func (c *Client) Read(ctx context.Context, key string) (body []byte, version string, err error) {
	return nil, "", ErrNotFound
}

// Write replaces the version of an object, and returns the new one. The empty version stands for an
// object that does not exist yet. The error wraps ErrChanged if the object has another version.
//
// After a lost answer, a repeated attempt may find the object that it wrote itself: Write then
// succeeds.
func (c *Client) Write(ctx context.Context, key string, body []byte, version string) (written string, err error) {
	return "", ErrChanged
}

// List returns objects whose keys begin with a prefix and follow a key, in the order of keys, and
// whether more follow.
func (c *Client) List(ctx context.Context, prefix, after string) (objects []Object, more bool, err error) {
	return nil, false, nil
}
