package apigw_test

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	api "github.com/aws/aws-sdk-go-v2/service/apigatewaymanagementapi"

	"example.com/parley/internal/apigw"
)

// serveEnv makes the test's binary the service that the benchmark posts to, so that the service's
// CPU time does not count.
const serveEnv = "PARLEY_POST_BENCH_SERVE"

func TestMain(m *testing.M) {
	if os.Getenv(serveEnv) != "" {
		serveForever()
	}
	os.Exit(m.Run())
}

// serveForever answers posts until standard input ends. It prints its address and certificate.
func serveForever() {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }))
	server.EnableHTTP2 = true // the SDK's client uses it
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	fmt.Println(server.URL)
	_ = pem.Encode(os.Stdout, &pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

// startService starts the service in a separate process.
func startService(b *testing.B) (url string, roots *x509.CertPool) {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), serveEnv+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
	lines := bufio.NewScanner(out)
	lines.Scan()
	url = lines.Text()
	var text strings.Builder
	for lines.Scan() && !strings.Contains(lines.Text(), "END") {
		text.WriteString(lines.Text() + "\n")
	}
	roots = x509.NewCertPool()
	if !roots.AppendCertsFromPEM([]byte(text.String() + lines.Text() + "\n")) {
		b.Fatalf("the service's certificate: %q", text.String())
	}
	return url, roots
}

// benchFrame is a frame with one message of usual length.
var benchFrame = []byte(`{"type":"changes","rooms":[{"id":"seattle","since":"` + strings.Repeat("x", 80) + `","changes":[` + strings.Repeat("x", 400) + `]}]}`)

// BenchmarkPost compares the CPU of a post by this client and by the SDK's, over TLS and with 64
// goroutines. It alternates between them, so that noise affects both, and reports the ratio.
func BenchmarkPost(b *testing.B) {
	url, roots := startService(b)
	ours, err := apigw.New(apigw.Config{Endpoint: url, Region: "eu-central-1", Credentials: keys, TLS: &tls.Config{RootCAs: roots}, Rate: 1 << 30})
	if err != nil {
		b.Fatal(err)
	}
	sdk := api.New(api.Options{
		BaseEndpoint: &url, Region: "eu-central-1", Credentials: aws.NewCredentialsCache(keys),
		HTTPClient: newSDKClient(roots),
	})
	var us, theirs time.Duration
	each := func(n int, send func() error) time.Duration {
		before := cpu(b)
		var workers sync.WaitGroup
		for w := range 64 {
			workers.Go(func() {
				for i := w; i < n; i += 64 {
					if err := send(); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		workers.Wait()
		return cpu(b) - before
	}
	postOurs := func() error { return ours.Post(b.Context(), connection, benchFrame) }
	postTheirs := func() error {
		_, err := sdk.PostToConnection(b.Context(), &api.PostToConnectionInput{ConnectionId: aws.String(string(connection)), Data: benchFrame})
		return err
	}
	each(200, postOurs) // the handshakes
	each(200, postTheirs)
	const round = 500
	n := 0
	for b.Loop() {
		us += each(round, postOurs)
		theirs += each(round, postTheirs)
		n += round
	}
	b.ReportMetric(float64(us.Microseconds())/float64(n), "cpu-µs/post")
	b.ReportMetric(float64(theirs.Microseconds())/float64(n), "sdk-cpu-µs/post")
	b.ReportMetric(float64(us)/float64(theirs), "ratio")
}

// newSDKClient returns the SDK's usual client, which trusts the service.
func newSDKClient(roots *x509.CertPool) *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.TLSClientConfig = &tls.Config{RootCAs: roots}
	t.MaxIdleConnsPerHost = 64
	return &http.Client{Transport: t}
}

// cpu returns the CPU time of this process.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
