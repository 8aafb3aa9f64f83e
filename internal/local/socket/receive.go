package socket

import (
	"context"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"github.com/coder/websocket"

	"github.com/aws/aws-lambda-go/events"
)

// The ends of connections that the gateway causes.
var (
	tooBig      = closing{websocket.StatusMessageTooBig, "Message too big"}
	notTextual  = closing{websocket.StatusUnsupportedData, "Binary messages are not supported"}
	notUTF8     = closing{websocket.StatusInvalidFramePayloadData, "Invalid UTF-8"}
	malformed   = closing{websocket.StatusProtocolError, "Protocol error"}
	lost        = closing{websocket.StatusAbnormalClosure, "Connection Closed Abnormally"}
	goingAway   = closing{websocket.StatusGoingAway, "Going away"}
	closedByAPI = closing{websocket.StatusNormalClosure, "Connection Closed Normally"}
)

// serve receives messages until the connection ends, and then reports the end.
func (c *conn) serve() {
	defer c.gateway.running.Done()
	why := c.receive()
	if c.end(why) {
		if why == lost {
			_ = c.ws.CloseNow()
		} else {
			_ = c.ws.Close(why.code, why.reason) // does nothing after the client's own close frame
		}
	}
	c.gateway.disconnect(c)
}

// receive handles messages and returns why there are no more.
func (c *conn) receive() closing {
	for n := 1; ; n++ {
		kind, body, err := c.ws.Read(context.Background())
		switch {
		case c.meter.oversized(n):
			return tooBig
		case err != nil:
			return closingOf(err)
		case kind != websocket.MessageText:
			return notTextual
		case !utf8.Valid(body):
			return notUTF8
		}
		if c.ended() == nil {
			c.touch()
			c.heard.Store(true)
			c.gateway.message(c, body)
		}
	}
}

// closingOf returns the end of a connection that cannot be read.
func closingOf(err error) closing {
	var frame websocket.CloseError
	switch {
	case errors.As(err, &frame) && frame.Code == websocket.StatusNoStatusRcvd:
		return closing{frame.Code, "Client-side close frame status not set"}
	case errors.As(err, &frame):
		return closing{frame.Code, frame.Reason}
	case errors.Is(err, websocket.ErrMessageTooBig):
		return tooBig
	case isNetworkError(err):
		return lost
	}
	return malformed
}

// message calls the function of a message's route, and sends its response if the route is two-way.
func (g *Gateway) message(c *conn, body []byte) {
	route, ok := g.routes[g.selects(body)]
	if !ok {
		route, ok = g.routes[DefaultKey]
	}
	e, err := g.messageEvent(c, route.Key, body)
	var resp events.APIGatewayProxyResponse
	if ok && err == nil {
		resp, err = g.invoke(context.Background(), route, e)
	}
	var reply []byte
	switch {
	case err != nil:
		g.cfg.Log.Error("invocation failed", "route", route.Key, "connection", c.id, "error", err)
		reply = gatewayMessage("Internal server error", c.id, e.RequestContext.RequestID)
	case !ok:
		reply = gatewayMessage("Forbidden", c.id, e.RequestContext.RequestID)
	case !route.TwoWay:
		return
	case !succeeded(resp):
		reply = gatewayMessage("Internal server error", c.id, e.RequestContext.RequestID)
	default:
		reply = []byte(resp.Body)
	}
	if len(reply) > 0 {
		_ = c.send(reply) // the connection may have ended
	}
}

// selects returns the route key in a message, or "". A message cannot select the routes of the
// service.
func (g *Gateway) selects(body []byte) string {
	var message map[string]json.RawMessage
	var key string
	if json.Unmarshal(body, &message) != nil || json.Unmarshal(message[g.cfg.Selector], &key) != nil {
		return ""
	}
	if key == ConnectKey || key == DisconnectKey {
		return ""
	}
	return key
}

// disconnect calls the function of $disconnect.
func (g *Gateway) disconnect(c *conn) {
	route, ok := g.routes[DisconnectKey]
	if !ok {
		return
	}
	g.disconnects <- struct{}{}
	defer func() { <-g.disconnects }()
	e, err := g.disconnectEvent(c)
	if err == nil {
		_, err = g.invoke(context.Background(), route, e)
	}
	if err != nil {
		g.cfg.Log.Error("invocation failed", "route", route.Key, "connection", c.id, "error", err)
	}
}
