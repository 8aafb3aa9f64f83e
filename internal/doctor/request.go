package doctor

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

const (
	// callTime bounds one call. Services usually respond in well under a second; the slowest is a
	// billing console in another Region.
	callTime = 15 * time.Second
	// maxAnswer bounds a response. The longest is a page of log events, of at most 1 MB.
	maxAnswer = 4 << 20
	// global is the Region that serves calls to services without Regions, and that their
	// signatures name.
	global = "us-east-1"
)

// request is one call that reads. Its zero method is POST.
type request struct {
	service string // as signatures name it
	host    string // unless AWS_ENDPOINT_URL names another
	region  string // that signatures name
	right   string // the permission that the call needs, as IAM names it
	method  string
	path    string
	header  map[string]string
	body    []byte
	decode  func([]byte, any) error
}

// jsonCall returns a call of a service with the JSON protocol. The prefix and the operation form
// its target.
func jsonCall(service, region, prefix, operation string, in any) request {
	body, err := json.Marshal(in)
	if err != nil {
		panic(err) // the inputs are maps of texts and numbers
	}
	return request{
		service: service, host: service + "." + region + ".amazonaws.com", region: region,
		right: service + ":" + operation,
		path:  "/", body: body, decode: json.Unmarshal,
		header: map[string]string{
			"Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": prefix + "." + operation,
		},
	}
}

// queryCall returns a call of a service with the query protocol, whose responses are XML.
func queryCall(service, region, version, operation string, in map[string]string) request {
	form := url.Values{"Action": {operation}, "Version": {version}}
	for name, value := range in {
		form.Set(name, value)
	}
	return request{
		service: service, host: service + "." + region + ".amazonaws.com", region: region,
		right: service + ":" + operation,
		path:  "/", body: []byte(form.Encode()), decode: xml.Unmarshal,
		header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"},
	}
}

// get returns a call of a service with a REST protocol. API Gateway responds with links and
// different names unless a call accepts plain JSON.
func get(service, region, path, right string) request {
	return request{
		service: service, host: service + "." + region + ".amazonaws.com", region: region, right: right,
		method: http.MethodGet, path: path, decode: json.Unmarshal,
		header: map[string]string{"Accept": "application/json"},
	}
}

// account calls AWS with the credentials of one account.
type account struct {
	cfg   aws.Config
	http  aws.HTTPClient
	clock func() time.Time
}

// call sends a request and decodes the response. The error for a status other than 200 is a
// *refusal.
func (a account) call(ctx context.Context, in request, into any) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	r, err := a.signed(ctx, in)
	if err != nil {
		return fmt.Errorf("%s: %w", in.right, err)
	}
	res, err := a.http.Do(r)
	if err != nil {
		return fmt.Errorf("%s: %w", in.right, unwrapped(err))
	}
	defer func() { _ = res.Body.Close() }() // it has been read
	text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("%s: read the response: %w", in.right, err)
	}
	if res.StatusCode != http.StatusOK {
		return refusalOf(in, res, text)
	}
	if err := in.decode(text, into); err != nil {
		return fmt.Errorf("%s: decode the response: %w", in.right, err)
	}
	return nil
}

// signed returns the request of a call. An endpoint in the configuration replaces the endpoints of
// all services.
func (a account) signed(ctx context.Context, in request) (*http.Request, error) {
	base := "https://" + in.host
	if a.cfg.BaseEndpoint != nil {
		base = strings.TrimSuffix(*a.cfg.BaseEndpoint, "/")
	}
	method := in.method
	if method == "" {
		method = http.MethodPost
	}
	r, err := http.NewRequestWithContext(ctx, method, base+in.path, bytes.NewReader(in.body))
	if err != nil {
		return nil, err
	}
	for name, value := range in.header {
		r.Header.Set(name, value)
	}
	credentials, err := a.cfg.Credentials.Retrieve(ctx)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(in.body)
	return r, v4.NewSigner().SignHTTP(ctx, credentials, r, hex.EncodeToString(sum[:]), in.service, in.region, a.clock())
}

// unwrapped returns the cause of a failed request, without its address.
func unwrapped(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// refusal is an error response of a service.
type refusal struct {
	right         string
	status        int
	code, message string
}

func (r *refusal) Error() string {
	if r.code == "" {
		return fmt.Sprintf("%s was answered with %d", r.right, r.status)
	}
	return fmt.Sprintf("%s: %s: %s", r.right, r.code, r.message)
}

// deniedCodes are the services' codes for calls that the caller's policies do not allow.
var deniedCodes = []string{"AccessDenied", "AccessDeniedException", "UnauthorizedOperation"}

// codeOf returns the code of a refusal in an error, or "".
func codeOf(err error) string {
	var r *refusal
	if errors.As(err, &r) {
		return r.code
	}
	return ""
}

// missingRight returns the permission that the credentials lack, if a call failed for that reason.
func missingRight(err error) (right string, ok bool) {
	var r *refusal
	if errors.As(err, &r) && slices.Contains(deniedCodes, r.code) {
		return r.right, true
	}
	return "", false
}

// refusalOf reads the code and the message of an error in the formats of all protocols.
func refusalOf(in request, res *http.Response, text []byte) *refusal {
	var answer struct {
		Type    string `json:"__type"`
		Code    string `json:"code"`
		Message string `json:"message"`
		Capital string `json:"Message"`
	}
	var tagged struct {
		Error struct{ Code, Message string }
	}
	r := &refusal{right: in.right, status: res.StatusCode, code: res.Header.Get("X-Amzn-Errortype")}
	switch {
	case json.Unmarshal(text, &answer) == nil:
		for _, code := range []string{answer.Type, answer.Code} {
			if r.code == "" {
				r.code = code
			}
		}
		if r.message = answer.Message; r.message == "" {
			r.message = answer.Capital
		}
	case xml.Unmarshal(text, &tagged) == nil:
		r.code, r.message = tagged.Error.Code, tagged.Error.Message
	}
	// A code may follow a namespace and precede a URL: "com.amazon#Code:http://…".
	r.code, _, _ = strings.Cut(r.code[strings.LastIndexByte(r.code, '#')+1:], ":")
	return r
}
