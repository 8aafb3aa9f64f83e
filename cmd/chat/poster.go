package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/apigw"
	"example.com/parley/internal/live"
	"example.com/parley/internal/local/socket"
)

// framePoster sends frames to the connections of a gateway. It is used once serve has been called.
type framePoster interface {
	live.Poster
	// Pacing returns how posts have kept within the account's rate of requests.
	Pacing() live.Pacing
	serve(*socket.Gateway)
	close()
}

// framePoster returns the poster that the flags select.
func (c *serveCmd) framePoster(db *dynamodb.Client) (framePoster, error) {
	if c.SignedPosts {
		return newSignedPoster(db, c.DeliveryTime)
	}
	return &directPoster{}, nil
}

// directPoster calls the gateway within the process. It does not pace posts: pacing protects a
// quota of AWS accounts.
type directPoster struct{ gateway *socket.Gateway }

func (p *directPoster) serve(g *socket.Gateway) { p.gateway = g }
func (p *directPoster) close()                  {}

// Pacing returns zeros.
func (p *directPoster) Pacing() live.Pacing { return live.Pacing{} }

// Post implements live.Poster. It never waits for a client.
func (p *directPoster) Post(ctx context.Context, to live.ConnectionID, frame []byte) error {
	if ctx.Err() != nil {
		return live.ErrPaced
	}
	return postError(p.gateway.Post(string(to), frame))
}

// Close implements live.Poster.
func (p *directPoster) Close(ctx context.Context, id live.ConnectionID) error {
	if ctx.Err() != nil {
		return live.ErrPaced
	}
	return postError(p.gateway.Delete(string(id)))
}

// postError returns the error that live.Poster documents for an error of the gateway.
func postError(err error) error {
	switch {
	case errors.Is(err, socket.ErrGone):
		return live.ErrGone
	case errors.Is(err, socket.ErrFull):
		return fmt.Errorf("%w: %w", live.ErrRefused, err)
	case err != nil:
		return fmt.Errorf("post to a connection: %w", err)
	}
	return nil
}

// signedPoster sends frames as the functions do in AWS: by signed requests to the management API,
// which the server serves on a port of its own.
type signedPoster struct {
	*apigw.Client
	listener net.Listener
	signer   socket.Signer
	server   *http.Server
}

// newSignedPoster listens for the requests, which only this machine can make.
func newSignedPoster(db *dynamodb.Client, timeout time.Duration) (*signedPoster, error) {
	o := db.Options()
	credentials, err := o.Credentials.Retrieve(context.Background())
	if err != nil {
		return nil, err
	}
	p := &signedPoster{signer: socket.Signer{Credentials: credentials, Region: o.Region, Clock: time.Now}}
	if p.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	p.Client, err = apigw.New(apigw.Config{
		Endpoint: "http://" + p.listener.Addr().String(), Region: o.Region, Credentials: o.Credentials,
		Timeout: timeout,
	})
	if err != nil {
		return nil, errors.Join(err, p.listener.Close())
	}
	return p, nil
}

func (p *signedPoster) serve(g *socket.Gateway) {
	p.server = &http.Server{
		Handler: socket.NewManagement(g, p.signer), ReadHeaderTimeout: headerTime, ReadTimeout: readTime,
	}
	go func() { _ = p.server.Serve(p.listener) }() // it ends with close
}

func (p *signedPoster) close() {
	p.CloseIdle()
	if p.server != nil {
		_ = p.server.Close() // nothing more is sent
	}
	_ = p.listener.Close()
}
