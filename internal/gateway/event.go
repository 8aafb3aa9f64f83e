package gateway

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
)

const (
	payloadVersion = "2.0"
	// timeLayout is the common log format's, which the service uses.
	timeLayout = "02/Jan/2006:15:04:05 -0700"
	// localAccount and localAPI replace the ids of the service.
	localAccount = "000000000000"
	localAPI     = "local"
)

// Incoming is a request with the values that the service adds to it.
type Incoming struct {
	Request    *http.Request
	Body       []byte            // the complete body of Request, which is not read again
	Route      string            // the route's key: "GET /rooms/{room}"
	Parameters map[string]string // of the path, decoded
	Claims     map[string]string // of the verified token; nil for public routes
	Scopes     []string
	RequestID  string
	Time       time.Time
}

// Event returns the event that the service would send for a request.
func Event(in Incoming) events.APIGatewayV2HTTPRequest {
	r := in.Request
	body, encoded := eventBody(r.Header.Get("Content-Type"), in.Body)
	return events.APIGatewayV2HTTPRequest{
		Version:               payloadVersion,
		RouteKey:              in.Route,
		RawPath:               r.URL.Path,
		RawQueryString:        r.URL.RawQuery,
		Cookies:               eventCookies(r),
		Headers:               eventHeaders(r),
		QueryStringParameters: eventQuery(r.URL.RawQuery),
		PathParameters:        maps.Clone(in.Parameters),
		RequestContext:        eventContext(in),
		Body:                  body,
		IsBase64Encoded:       encoded,
	}
}

func eventContext(in Incoming) events.APIGatewayV2HTTPRequestContext {
	r := in.Request
	prefix, _, _ := strings.Cut(r.Host, ".")
	c := events.APIGatewayV2HTTPRequestContext{
		RouteKey:     in.Route,
		AccountID:    localAccount,
		Stage:        DefaultStage,
		RequestID:    in.RequestID,
		APIID:        localAPI,
		DomainName:   r.Host,
		DomainPrefix: prefix,
		Time:         in.Time.UTC().Format(timeLayout),
		TimeEpoch:    in.Time.UnixMilli(),
		HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{
			Method:    r.Method,
			Path:      r.URL.Path,
			Protocol:  r.Proto,
			SourceIP:  sourceIP(r.RemoteAddr),
			UserAgent: r.UserAgent(),
		},
	}
	if in.Claims != nil {
		c.Authorizer = &events.APIGatewayV2HTTPRequestContextAuthorizerDescription{
			JWT: &events.APIGatewayV2HTTPRequestContextAuthorizerJWTDescription{
				Claims: maps.Clone(in.Claims),
				Scopes: in.Scopes,
			},
		}
	}
	return c
}

func eventHeaders(r *http.Request) map[string]string {
	h := make(map[string]string, len(r.Header)+1)
	for name, values := range r.Header {
		h[strings.ToLower(name)] = strings.Join(values, ",")
	}
	delete(h, "cookie") // Cookies has it
	h["host"] = r.Host
	return h
}

func eventCookies(r *http.Request) []string {
	var cookies []string
	for _, line := range r.Header.Values("Cookie") {
		for _, c := range strings.Split(line, ";") {
			if c = strings.TrimSpace(c); c != "" {
				cookies = append(cookies, c)
			}
		}
	}
	return cookies
}

// eventQuery joins repeated parameters by commas, as the service does. It omits a parameter that
// cannot be parsed, which RawQueryString still contains.
func eventQuery(raw string) map[string]string {
	values, _ := url.ParseQuery(raw)
	if len(values) == 0 {
		return nil
	}
	q := make(map[string]string, len(values))
	for name, all := range values {
		q[name] = strings.Join(all, ",")
	}
	return q
}

// eventBody returns UTF-8 text unchanged. It encodes any other body, such as a form, as base64.
func eventBody(contentType string, body []byte) (text string, encoded bool) {
	if len(body) == 0 || isText(contentType) && utf8.Valid(body) {
		return string(body), false
	}
	return base64.StdEncoding.EncodeToString(body), true
}

func isText(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return false
	}
	switch media {
	case "application/json", "application/javascript", "application/xml":
		return true
	}
	return strings.HasPrefix(media, "text/") ||
		strings.HasSuffix(media, "+json") || strings.HasSuffix(media, "+xml")
}

func sourceIP(remote string) string {
	if host, _, err := net.SplitHostPort(remote); err == nil {
		return host
	}
	return remote
}

// Function is a function behind an HTTP API. It is a lambda.Handler: it decodes each event with
// Decode, which accepts claims that aws-lambda-go's own decoding refuses.
type Function func(context.Context, events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error)

// Invoke handles one event. An error fails the invocation, which the client sees as a 500.
func (f Function) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	e, err := Decode(payload)
	if err != nil {
		return nil, err
	}
	resp, err := f(ctx, e)
	if err != nil {
		return nil, err
	}
	return json.Marshal(resp)
}

// Decode decodes an event of payload format 2.0. The service sends every claim of a token as a
// string. Emulators send numbers and booleans as they are in the token, so Decode accepts these
// and returns their JSON text. Any other kind of claim is an error, because no service sends one.
func Decode(payload []byte) (events.APIGatewayV2HTTPRequest, error) {
	// The fields here hide embedded fields with the same JSON name.
	var in struct {
		events.APIGatewayV2HTTPRequest
		RequestContext struct {
			events.APIGatewayV2HTTPRequestContext
			Authorizer *struct {
				JWT *struct {
					Claims map[string]claim `json:"claims"`
					Scopes []string         `json:"scopes"`
				} `json:"jwt"`
			} `json:"authorizer"`
		} `json:"requestContext"`
	}
	if err := json.Unmarshal(payload, &in); err != nil {
		return events.APIGatewayV2HTTPRequest{}, fmt.Errorf("decode the event: %w", err)
	}
	e := in.APIGatewayV2HTTPRequest
	e.RequestContext = in.RequestContext.APIGatewayV2HTTPRequestContext
	if a := in.RequestContext.Authorizer; a != nil && a.JWT != nil {
		claims, err := claimTexts(a.JWT.Claims)
		if err != nil {
			return events.APIGatewayV2HTTPRequest{}, fmt.Errorf("decode the event: %w", err)
		}
		e.RequestContext.Authorizer = &events.APIGatewayV2HTTPRequestContextAuthorizerDescription{
			JWT: &events.APIGatewayV2HTTPRequestContextAuthorizerJWTDescription{Claims: claims, Scopes: a.JWT.Scopes},
		}
	}
	return e, nil
}

func claimTexts(claims map[string]claim) (map[string]string, error) {
	if claims == nil {
		return nil, nil
	}
	texts := make(map[string]string, len(claims))
	for name, c := range claims {
		if !c.known {
			return nil, fmt.Errorf("claim %q is not a string, a number or a boolean", name)
		}
		texts[name] = c.text
	}
	return texts, nil
}

// claim is one claim of a token. The kind is checked by claimTexts, which knows the claim's name.
type claim struct {
	text  string
	known bool
}

// UnmarshalJSON decodes a string as its value, and a number or a boolean as its JSON text.
func (c *claim) UnmarshalJSON(text []byte) error {
	switch text[0] {
	case '"':
		c.known = true
		return json.Unmarshal(text, &c.text)
	case 'n', '[', '{':
		return nil
	}
	c.text, c.known = string(text), true
	return nil
}
