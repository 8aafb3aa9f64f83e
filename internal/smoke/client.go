package smoke

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	// requestTime bounds one request: API Gateway itself gives up after 30 s.
	requestTime = 31 * time.Second
	// maxAnswer bounds what is read of an answer. A page of one message is far smaller.
	maxAnswer = 1 << 20
	// maxQuoted bounds how much of an answer that is no problem document an error quotes.
	maxQuoted = 200
)

// client calls the API as one user.
type client struct {
	base  string
	token string
	http  *http.Client
}

// newClient checks the address. A token is sent unencrypted to this machine alone.
func newClient(base, token string, transport http.RoundTripper) (*client, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil || (u.Scheme != "https" && u.Scheme != "http") {
		return nil, fmt.Errorf("the URL must be the API's address, such as https://abc123.execute-api.us-east-1.amazonaws.com, not %q", base)
	}
	if u.Scheme == "http" && !isLocal(u.Hostname()) {
		return nil, fmt.Errorf("the URL must be https, because a token is sent there: %q", base)
	}
	if token == "" {
		return nil, errors.New("a token is needed")
	}
	if strings.ContainsAny(token, " \t\r\n") {
		return nil, errors.New("the token holds a space or a line break")
	}
	c := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &client{base: strings.TrimSuffix(base, "/"), token: token, http: c}, nil
}

// isLocal reports whether a host is this machine. Names below localhost are those that emulators of
// API Gateway give their APIs.
func isLocal(host string) bool {
	return host == "127.0.0.1" || host == "::1" || host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// call is one request and what its answer must be.
type call struct {
	method, path string
	body         any
	ifMatch      string
	want         []int // statuses
	into         any   // what the body is decoded into, unless nil
}

// answer is what a call got besides the body.
type answer struct {
	status int
	header http.Header
}

// do makes a request. Its error names the method, the path and what the API said, never the token.
func (c *client) do(ctx context.Context, in call) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	fail := func(err error) (answer, error) {
		return answer{}, fmt.Errorf("%s %s: %w", in.method, in.path, err)
	}
	r, err := c.request(ctx, in)
	if err != nil {
		return fail(err)
	}
	res, err := c.http.Do(r)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // the URL is in the message already
		}
		return fail(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return fail(fmt.Errorf("read the answer: %w", err))
	}
	for _, status := range in.want {
		if res.StatusCode != status {
			continue
		}
		if in.into == nil {
			return answer{res.StatusCode, res.Header}, nil
		}
		if err := json.Unmarshal(text, in.into); err != nil {
			return fail(fmt.Errorf("read the answer: %w", err))
		}
		return answer{res.StatusCode, res.Header}, nil
	}
	return fail(errors.New(refusal(res.StatusCode, text)))
}

func (c *client) request(ctx context.Context, in call) (*http.Request, error) {
	var body io.Reader = http.NoBody
	if in.body != nil {
		text, err := json.Marshal(in.body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, in.method, c.base+in.path, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	if in.body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if in.ifMatch != "" {
		r.Header.Set("If-Match", in.ifMatch)
	}
	return r, nil
}

// refusal writes what an unexpected answer said: a problem document, API Gateway's own message, or
// the beginning of whatever it was.
func refusal(status int, text []byte) string {
	var problem struct{ Type, Detail, Message string }
	_ = json.Unmarshal(text, &problem) // what cannot be read is quoted
	parts := []string{fmt.Sprint(status)}
	for _, part := range []string{problem.Type, problem.Detail, problem.Message} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) == 1 && len(text) > 0 {
		parts = append(parts, fmt.Sprintf("%q", text[:min(len(text), maxQuoted)]))
	}
	return strings.Join(parts, ": ")
}
