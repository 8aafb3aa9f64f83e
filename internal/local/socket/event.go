package socket

import (
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
)

const (
	// The service's account, Region and API, as they are in the ARN of an event.
	localAccount = "000000000000"
	localRegion  = "us-east-1"
	localAPI     = "local"
	// timeLayout is the layout of requestTime.
	timeLayout = "02/Jan/2006:15:04:05 -0700"
)

// newID returns an id in the service's form, such as L0SM9cOFvHcCIhw=.
func (g *Gateway) newID() (string, error) {
	var id [idSize]byte
	if _, err := io.ReadFull(g.cfg.Rand, id[:]); err != nil {
		return "", fmt.Errorf("create an id: %w", err)
	}
	return base64.URLEncoding.EncodeToString(id[:]), nil
}

// methodARN returns the ARN of the route $connect.
func (g *Gateway) methodARN() string {
	return fmt.Sprintf(
		"arn:aws:execute-api:%s:%s:%s/%s/%s", localRegion, localAccount, localAPI, g.cfg.Stage, ConnectKey,
	)
}

// authorizerEvent returns the event for the authorizer. WebSocket APIs' events have more context
// than this type, and no path.
func (g *Gateway) authorizerEvent(r *http.Request, c *conn) events.APIGatewayCustomAuthorizerRequestTypeRequest {
	headers := headersOf(r)
	query := map[string][]string(r.URL.Query())
	return events.APIGatewayCustomAuthorizerRequestTypeRequest{
		Type: "REQUEST", MethodArn: g.methodARN(),
		Headers: lasts(headers), MultiValueHeaders: headers,
		QueryStringParameters: lasts(query), MultiValueQueryStringParameters: query,
		StageVariables: map[string]string{},
		RequestContext: events.APIGatewayCustomAuthorizerRequestTypeRequestContext{
			Stage: g.cfg.Stage, RequestID: c.id, APIID: localAPI,
			Identity: events.APIGatewayCustomAuthorizerRequestTypeRequestIdentity{SourceIP: c.sourceIP},
		},
	}
}

// connectEvent returns the event of $connect. The service leaves out the headers of the upgrade.
func (g *Gateway) connectEvent(r *http.Request, c *conn) events.APIGatewayWebsocketProxyRequest {
	headers := headersOf(r)
	delete(headers, "Connection")
	delete(headers, "Upgrade")
	e := events.APIGatewayWebsocketProxyRequest{
		Headers: lasts(headers), MultiValueHeaders: headers,
		RequestContext: g.requestContext(c, ConnectKey, "CONNECT", c.id),
	}
	if query := map[string][]string(r.URL.Query()); len(query) > 0 {
		e.QueryStringParameters, e.MultiValueQueryStringParameters = lasts(query), query
	}
	return e
}

func (g *Gateway) messageEvent(c *conn, key string, body []byte) (events.APIGatewayWebsocketProxyRequest, error) {
	id, err := g.newID()
	e := events.APIGatewayWebsocketProxyRequest{
		Body: string(body), RequestContext: g.requestContext(c, key, "MESSAGE", id),
	}
	e.RequestContext.MessageID = id
	return e, err
}

// disconnectEvent returns the event of $disconnect for a connection that has ended.
func (g *Gateway) disconnectEvent(c *conn) (events.APIGatewayWebsocketProxyRequest, error) {
	id, err := g.newID()
	headers := map[string][]string{"Host": {c.host}, "x-api-key": {""}, "X-Forwarded-For": {""}, "x-restapi": {""}}
	e := events.APIGatewayWebsocketProxyRequest{
		Headers: lasts(headers), MultiValueHeaders: headers,
		RequestContext: g.requestContext(c, DisconnectKey, "DISCONNECT", id),
	}
	why := c.ended()
	e.RequestContext.DisconnectStatusCode = int64(why.code)
	e.RequestContext.DisconnectReason = &why.reason
	return e, err
}

func (g *Gateway) requestContext(c *conn, key, kind, id string) events.APIGatewayWebsocketProxyRequestContext {
	now := g.cfg.Clock()
	return events.APIGatewayWebsocketProxyRequestContext{
		RouteKey: key, EventType: kind, RequestID: id, ExtendedRequestID: id, MessageDirection: "IN",
		Stage: g.cfg.Stage, APIID: localAPI, DomainName: c.host,
		ConnectionID: c.id, ConnectedAt: c.since.UnixMilli(),
		RequestTime: now.UTC().Format(timeLayout), RequestTimeEpoch: now.UnixMilli(),
		Identity:   events.APIGatewayRequestIdentity{SourceIP: c.sourceIP, UserAgent: c.userAgent},
		Authorizer: maps.Clone(c.authorizer),
	}
}

// headersOf returns the headers of a request as the service passes them on: with the usual
// spelling of the WebSocket's headers, and with the headers of its proxy.
func headersOf(r *http.Request) map[string][]string {
	headers := map[string][]string{
		"Host": {r.Host}, "X-Forwarded-For": {sourceIP(r)}, "X-Forwarded-Port": {portOf(r)},
		"X-Forwarded-Proto": {"http"},
	}
	for name, values := range r.Header {
		if rest, ok := strings.CutPrefix(name, "Sec-Websocket-"); ok {
			name = "Sec-WebSocket-" + rest
		}
		headers[name] = slices.Clone(values)
	}
	return headers
}

// lasts returns the last value of each name.
func lasts(all map[string][]string) map[string]string {
	one := make(map[string]string, len(all))
	for name, values := range all {
		one[name] = values[len(values)-1]
	}
	return one
}

func sourceIP(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

func portOf(r *http.Request) string {
	if _, port, err := net.SplitHostPort(r.Host); err == nil {
		return port
	}
	return "80"
}

// isoTime returns a time in the form of the service's calls.
func isoTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
