package gateway

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/aws/aws-lambda-go/events"
)

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
