package bucket

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// Sign returns a link without further parameters, as the example of AWS is.
func Sign(c *Client, ctx context.Context, key string, life time.Duration) (string, error) { //nolint:revive // the client is the receiver
	r, err := c.request(ctx, http.MethodGet, key, url.Values{})
	if err != nil {
		return "", err
	}
	return c.sign(ctx, r, c.cfg.Clock(), life)
}
