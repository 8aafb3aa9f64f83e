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
	// requestTime bounds one request. API Gateway itself gives up after 30 s.
	requestTime = 31 * time.Second
	// maxAnswer bounds the part of a response that is read. A page of one message is far smaller.
	maxAnswer = 1 << 20
	// maxQuoted bounds the part of a response that an error quotes when it is no problem document.
	maxQuoted = 200
)

// client calls the API as one user.
type client struct {
	base  string
	token string
	http  *http.Client
}

// newClient checks the address and the token. Plain HTTP is accepted only for this machine, because
// the token is sent with each request.
func newClient(base, token string, transport http.RoundTripper) (*client, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil || (u.Scheme != "https" && u.Scheme != "http") {
		return nil, fmt.Errorf("the URL must be the API's address, such as https://abc123.execute-api.us-east-1.amazonaws.com, not %q", base)
	}
	if u.Scheme == "http" && !isLocal(u.Hostname()) {
		return nil, fmt.Errorf("the URL must be https, because the token is sent to it: %q", base)
	}
	if token == "" {
		return nil, errors.New("the token is missing")
	}
	if strings.ContainsAny(token, " \t\r\n") {
		return nil, errors.New("the token contains a space or a line break")
	}
	c := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &client{base: strings.TrimSuffix(base, "/"), token: token, http: c}, nil
}

// isLocal reports whether host is this machine. Emulators of API Gateway name their APIs below
// localhost.
func isLocal(host string) bool {
	return host == "127.0.0.1" || host == "::1" || host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// call is one request and its expected outcome.
type call struct {
	method, path string
	body         any
	ifMatch      string
	want         []int // accepted statuses
	into         any   // receives the decoded body, unless nil
}

// answer is the rest of a response, without its body.
type answer struct {
	status int
	header http.Header
}

// do sends a request. Its error names the method, the path and the API's reason, never the token.
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
			err = u.Err // the URL is already in the message
		}
		return fail(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return fail(fmt.Errorf("read the response: %w", err))
	}
	for _, status := range in.want {
		if res.StatusCode != status {
			continue
		}
		if in.into == nil {
			return answer{res.StatusCode, res.Header}, nil
		}
		if err := json.Unmarshal(text, in.into); err != nil {
			return fail(fmt.Errorf("decode the response: %w", err))
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

// refusal describes an unexpected response: by its problem document, by API Gateway's own message,
// or by the beginning of its body.
func refusal(status int, text []byte) string {
	var problem struct{ Type, Detail, Message string }
	_ = json.Unmarshal(text, &problem) // a body that is not JSON is quoted
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
