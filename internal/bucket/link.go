package bucket

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Link is a signed request: a client sends it with exactly these headers.
type Link struct {
	URL     string
	Headers map[string]string
}

// Put returns a link that stores a file once. The service refuses other bytes, another size or
// type, and a second file with the key. The link expires after life.
func (c *Client) Put(ctx context.Context, key string, f File, life time.Duration) (Link, error) {
	r, err := c.putRequest(ctx, key, f)
	if err != nil {
		return Link{}, err
	}
	r.Header.Set(onceHeader, once)
	headers := make(map[string]string, len(r.Header))
	for name := range r.Header {
		headers[strings.ToLower(name)] = r.Header.Get(name)
	}
	address, err := c.sign(ctx, r, c.cfg.Clock(), life)
	return Link{address, headers}, err
}

// putRequest returns a request that stores a file, without its body.
func (c *Client) putRequest(ctx context.Context, key string, f File) (*http.Request, error) {
	r, err := c.request(ctx, http.MethodPut, key, url.Values{})
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", f.Type)
	r.Header.Set(ChecksumHeader, base64.StdEncoding.EncodeToString(f.SHA256[:]))
	r.ContentLength = f.Bytes
	return r, nil
}

// Shown is how a browser shows a file: its disposition, and its media type unless that is empty.
// Links to different versions of a file differ, so that a browser caches none for another.
type Shown struct{ Type, Disposition, Version string }

// versionParameter has the version in a link. The service ignores parameters that begin with "x-".
const versionParameter = "x-version"

// Get returns the address of a file, which works for life after from.
func (c *Client) Get(ctx context.Context, key string, from time.Time, life time.Duration, as Shown) (string, error) {
	query := url.Values{
		"response-content-disposition": {as.Disposition},
		"response-cache-control":       {"private, max-age=" + strconv.Itoa(int(life/time.Second))},
	}
	if as.Type != "" {
		query.Set("response-content-type", as.Type)
	}
	if as.Version != "" {
		query.Set(versionParameter, as.Version)
	}
	r, err := c.request(ctx, http.MethodGet, key, query)
	if err != nil {
		return "", err
	}
	return c.sign(ctx, r, from, life)
}

// sign returns the address of a request that anybody may send until it expires.
func (c *Client) sign(ctx context.Context, r *http.Request, at time.Time, life time.Duration) (string, error) {
	keys, err := c.cfg.Credentials.Retrieve(ctx)
	if err != nil {
		return "", fmt.Errorf("sign a link: %w", err)
	}
	query := r.URL.Query()
	query.Set("X-Amz-Expires", strconv.Itoa(int(life/time.Second)))
	r.URL.RawQuery = strings.ReplaceAll(query.Encode(), "+", "%20")
	address, _, err := c.signer.PresignHTTP(ctx, keys, r, unsigned, service, c.cfg.Region, at)
	if err != nil {
		return "", fmt.Errorf("sign a link: %w", err)
	}
	if rest, ok := strings.CutPrefix(address, c.cfg.Base); ok && c.cfg.Shown != "" {
		address = c.cfg.Shown + rest
	}
	return address, nil
}
