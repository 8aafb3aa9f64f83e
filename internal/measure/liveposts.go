package measure

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/apigatewaymanagementapi"

	"example.com/parley/internal/apigw"
	"example.com/parley/internal/live"
)

const (
	// measuredPosts take about a second of CPU.
	measuredPosts = 5000
	// postersAtOnce is the number of a feed function's concurrent posts.
	postersAtOnce = 64
	// postRounds alternate between the clients, so both experience the same machine load.
	postRounds = 3
	// postGoal is the CPU of a post as a share of the SDK client's.
	postGoal   = 0.55
	postRegion = "us-east-1"
)

// LivePosts compares the CPU that our client and the SDK's take for a post over TLS. Each runs in
// its own process, which self starts with the arguments of PostMany, so the server's CPU does not
// count.
func LivePosts(ctx context.Context, self string, scale Scale) ([]Figure, error) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	// of handshakes that end with a client
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.StartTLS()
	defer server.Close()
	dir, err := os.MkdirTemp("", "parley-posts-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	roots := filepath.Join(dir, "roots.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(roots, text, 0o600); err != nil {
		return nil, err
	}
	cpu := func(client string, posts int) (time.Duration, error) {
		cmd := exec.CommandContext(ctx, self, "posts", client, strconv.Itoa(posts), server.URL, roots)
		cmd.Stderr = os.Stderr
		err := cmd.Run()
		if err != nil {
			return 0, fmt.Errorf("post with %s: %w", client, err)
		}
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
	}
	sum := map[string]time.Duration{}
	rounds, posts := scale.of(postRounds), scale.of(measuredPosts)
	for range rounds {
		for _, client := range []string{"ours", "sdk"} {
			whole, err := cpu(client, posts)
			start, startErr := cpu(client, postersAtOnce) // the start and the handshakes
			if err := errors.Join(err, startErr); err != nil {
				return nil, err
			}
			sum[client] += whole - start
		}
	}
	each := func(client string) float64 {
		return float64(sum[client].Microseconds()) / float64(rounds*(posts-postersAtOnce))
	}
	ratio := each("ours") / each("sdk")
	value := fmt.Sprintf("%.2f × (%.0f µs, %.0f µs)%s", ratio, each("ours"), each("sdk"), over(ratio, postGoal))
	return []Figure{{
		Name: "CPU of a post over TLS, beside the SDK's client", Goal: fmt.Sprintf("≤ %.2f ×", postGoal), Value: value,
	}}, nil
}

// PostMany makes posts with one of the clients, ours or sdk, to a server with a certificate.
func PostMany(ctx context.Context, client string, posts int, endpoint, roots string) error {
	text, err := os.ReadFile(roots)
	if err != nil {
		return err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return errors.New("the file of certificates has none")
	}
	send, err := sender(client, endpoint, &tls.Config{RootCAs: pool})
	if err != nil {
		return err
	}
	frame := make([]byte, 1000) // of a few messages
	var all sync.WaitGroup
	errs := make([]error, postersAtOnce)
	for n := range postersAtOnce {
		all.Go(func() {
			for range posts / postersAtOnce {
				errs[n] = errors.Join(errs[n], send(ctx, fmt.Sprintf("L0SM9cOFvHcCIhw%d=", n), frame))
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// sender returns the post of a client.
func sender(client, endpoint string, t *tls.Config) (func(context.Context, string, []byte) error, error) {
	provider := credentials.NewStaticCredentialsProvider("AKIDEXAMPLE", "secret", "session")
	if client == "ours" {
		c, err := apigw.New(apigw.Config{
			Endpoint: endpoint, Region: postRegion, Credentials: provider, Rate: rigRate, TLS: t,
		})
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context, id string, frame []byte) error {
			return c.Post(ctx, live.ConnectionID(id), frame)
		}, nil
	}
	c := apigatewaymanagementapi.New(apigatewaymanagementapi.Options{
		BaseEndpoint: aws.String(endpoint), Region: postRegion, Credentials: provider,
		HTTPClient: &http.Client{Transport: &http.Transport{TLSClientConfig: t, MaxIdleConnsPerHost: postersAtOnce}},
	})
	return func(ctx context.Context, id string, frame []byte) error {
		_, err := c.PostToConnection(
			ctx, &apigatewaymanagementapi.PostToConnectionInput{ConnectionId: &id, Data: frame},
		)
		return err
	}, nil
}
