package outgoing

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

// secure serves https on 127.0.0.1 with a certificate for example.com, and returns a client that
// accepts it and reaches it under any name.
func secure(t *testing.T, config *tls.Config, handler http.HandlerFunc) (*Client, *[]string) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.TLS = config
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // it would report each refused handshake
	server.StartTLS()
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	c := New(Options{Roots: roots})
	t.Cleanup(c.Close)
	var dialed []string
	c.transport.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		dialed = append(dialed, addr)
		var d net.Dialer
		return d.DialContext(ctx, network, server.Listener.Addr().String())
	}
	return c, &dialed
}

// TestNew_UsesNoProxy looks at the field, because net/http reads the environment once in a process.
func TestNew_UsesNoProxy(t *testing.T) {
	if New(Options{}).transport.Proxy != nil {
		t.Error("the client uses a proxy, which would resolve names itself")
	}
}

func TestPost_HTTPS(t *testing.T) {
	var version uint16
	var host, protocol string
	c, dialed := secure(t, nil, func(_ http.ResponseWriter, r *http.Request) {
		version, host, protocol = r.TLS.Version, r.Host, r.Proto
	})
	for range 2 {
		if answer, err := c.Post(t.Context(), "https://Example.com/hook", nil, []byte("{}")); err != nil || !answer.OK() {
			t.Fatalf("the answer is %+v, %v", answer, err)
		}
	}
	if version != tls.VersionTLS13 || host != "example.com" || protocol != "HTTP/1.1" {
		t.Errorf("the receiver got %s for %s over version %x", protocol, host, version)
	}
	if len(*dialed) != 1 || (*dialed)[0] != "example.com:443" {
		t.Errorf("connections were made to %v", *dialed)
	}
}

func TestPost_RefusesHandshakes(t *testing.T) {
	for name, c := range map[string]struct {
		url    string
		config *tls.Config
		roots  *x509.CertPool
		want   error
	}{
		"TLS 1.2":             {"https://example.com", &tls.Config{MaxVersion: tls.VersionTLS12}, nil, nil},
		"TLS 1.1":             {"https://example.com", &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}, nil, ErrTLS},
		"another name":        {"https://example.net", nil, nil, ErrTLS},
		"an unknown root":     {"https://example.com", nil, x509.NewCertPool(), ErrTLS},
		"a client's own cert": {"https://example.com", &tls.Config{ClientAuth: tls.RequireAnyClientCert, MaxVersion: tls.VersionTLS12}, nil, ErrTLS},
	} {
		client, _ := secure(t, c.config, func(http.ResponseWriter, *http.Request) {})
		if c.roots != nil {
			client.options.Roots = c.roots
		}
		if _, err := client.Post(t.Context(), c.url, nil, nil); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestPost_NoTLS(t *testing.T) {
	url := receive(t, func(http.ResponseWriter, *http.Request) {})
	c := New(Options{})
	c.transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, url[len("http://"):])
	}
	if _, err := c.Post(t.Context(), "https://example.com", nil, nil); !errors.Is(err, ErrTLS) {
		t.Errorf("the error is %v", err)
	}
}
