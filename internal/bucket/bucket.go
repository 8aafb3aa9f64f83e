// Package bucket stores files in Amazon S3, or in the local handler that replaces it. Clients send
// and receive the bytes themselves, by links that this package signs: they never pass through a
// function.
package bucket

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"example.com/parley/internal/config"
)

const (
	// service is the name with which requests are signed.
	service = "s3"
	// unsigned stands for the hash of a body that the signature does not cover. A link's body is
	// covered by the signed checksum instead.
	unsigned = "UNSIGNED-PAYLOAD"
	// emptyHash is the hash of an empty body.
	emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	// emptyChecksum is the same hash as ChecksumHeader has it.
	emptyChecksum = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

	// attempts bounds one call, and backoff is the longest pause before the second attempt. It
	// doubles with each further one. S3 asks for few.
	attempts = 3
	backoff  = 100 * time.Millisecond
	// attemptTimeout ends an attempt of which no byte has moved for so long. S3 responds to these
	// calls within tens of milliseconds.
	attemptTimeout = 3 * time.Second

	// sending is the longest time that a file takes to be sent. An empty object remains for at
	// least as long, because a rule of the bucket counts in days.
	sending = 24 * time.Hour
)

// The headers of a file, as S3 names them.
const (
	ChecksumHeader = "X-Amz-Checksum-Sha256"
	// checksumMode asks for the checksum in the answer.
	checksumMode = "X-Amz-Checksum-Mode"
	// onceHeader, with the value once, refuses a second file with a key.
	onceHeader = "If-None-Match"
	once       = "*"
)

// ErrNotFound is returned for a file that does not exist.
var ErrNotFound = errors.New("there is no such file")

// ErrRemoved is returned for a file that was removed so recently that its key refuses bytes.
var ErrRemoved = errors.New("the file was removed less than two days ago; store it later, or under another key")

// errStalled is returned for an attempt that attemptTimeout has ended.
var errStalled = errors.New("no byte moved for " + attemptTimeout.String())

// Config configures a Client. Base, Region and Credentials are required.
type Config struct {
	// Base is the address of the bucket, without a slash at its end.
	Base string
	// Shown replaces Base in links, if it is not empty. It may be a path.
	Shown       string
	Region      string
	Credentials aws.CredentialsProvider
	HTTP        http.RoundTripper // nil means the default
	Clock       func() time.Time  // nil means time.Now
}

// Client signs links and makes calls. It is safe for concurrent use.
type Client struct {
	cfg    Config
	http   *http.Client
	signer *v4.Signer
}

// New returns a client. It makes no request.
func New(cfg Config) *Client {
	if cfg.Clock == nil {
		cfg.Clock = time.Now
	}
	return &Client{
		cfg: cfg,
		http: &http.Client{
			Transport:     cfg.HTTP,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		signer: v4.NewSigner(func(o *v4.SignerOptions) {
			// S3 signs paths as they are, and its limits must be headers that a client must send.
			o.DisableURIPathEscaping, o.DisableHeaderHoisting = true, true
		}),
	}
}

// FromEnv returns a client of the bucket that the environment names, or nil if it names none.
func FromEnv(getenv func(string) string, credentials aws.CredentialsProvider) *Client {
	name, region := getenv(config.EnvFilesBucket), getenv("AWS_REGION")
	if name == "" {
		return nil
	}
	return New(Config{
		Base: Address(name, region, config.Endpoint(getenv, config.EnvStorageEndpoint)), Region: region,
		Credentials: credentials,
	})
}

// Address returns the address of a bucket of the service in a Region, or at another endpoint, where
// buckets have no host names.
func Address(name, region, endpoint string) string {
	if endpoint != "" {
		return strings.TrimSuffix(endpoint, "/") + "/" + name
	}
	return "https://" + name + ".s3." + region + ".amazonaws.com"
}

// File describes the bytes of a file.
type File struct {
	Type   string
	Bytes  int64
	SHA256 [32]byte
}

// Store stores a file, whose bytes it sends itself. It succeeds if the key has a file already. The
// error wraps ErrRemoved if the file was removed within about a day.
func (c *Client) Store(ctx context.Context, key string, f File, body io.Reader) error {
	r, err := c.putRequest(ctx, key, f)
	if err != nil {
		return err
	}
	r.Header.Set(onceHeader, once)
	if err := c.signCall(ctx, r, unsigned); err != nil {
		return err
	}
	r.Body = io.NopCloser(body)
	answer, err := c.http.Do(r)
	if err != nil {
		return fmt.Errorf("store a file: %w", err)
	}
	defer func() { _ = answer.Body.Close() }()
	switch answer.StatusCode {
	case http.StatusOK:
		return nil
	case http.StatusPreconditionFailed:
		if _, err = c.Head(ctx, key); errors.Is(err, ErrNotFound) {
			return fmt.Errorf("store a file: %w", ErrRemoved)
		}
		return err
	}
	return fmt.Errorf("store a file: status %d", answer.StatusCode)
}

// Head returns the size and the checksum of a file. The error wraps ErrNotFound if there is no
// file, or an empty object in its place.
func (c *Client) Head(ctx context.Context, key string) (f File, err error) {
	err = c.call(ctx, call{
		method: http.MethodHead, key: key, headers: http.Header{checksumMode: {"ENABLED"}},
	}, func(answer *http.Response, _ []byte) error {
		if answer.ContentLength == 0 {
			return ErrNotFound
		}
		f.Type, f.Bytes = answer.Header.Get("Content-Type"), answer.ContentLength
		sum, err := base64.StdEncoding.DecodeString(answer.Header.Get(ChecksumHeader))
		if err != nil || len(sum) != len(f.SHA256) {
			return fmt.Errorf("the checksum %q cannot be read", answer.Header.Get(ChecksumHeader))
		}
		copy(f.SHA256[:], sum)
		return nil
	})
	return f, err
}

// Delete removes an object to which nobody has a link to send. It succeeds if there is none.
func (c *Client) Delete(ctx context.Context, key string) error {
	return c.remove(ctx, call{method: http.MethodDelete, key: key})
}

// Remove removes a file, and refuses its bytes from then on. Its links to send expire at the time
// until; zero is unknown. While a link or a transfer may bring the bytes back, an empty object
// takes the place of the file, and no link replaces that. It succeeds if there is no file. ADR 82
// has the reasons.
func (c *Client) Remove(ctx context.Context, key string, until time.Time) error {
	if !until.IsZero() && c.cfg.Clock().After(until.Add(sending)) {
		return c.Delete(ctx, key)
	}
	return c.remove(ctx, call{method: http.MethodPut, key: key, headers: http.Header{ChecksumHeader: {emptyChecksum}}})
}

func (c *Client) remove(ctx context.Context, what call) error {
	err := c.call(ctx, what, func(*http.Response, []byte) error { return nil })
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// request returns a request for the file with a key.
func (c *Client) request(ctx context.Context, method, key string, query url.Values) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, method, c.cfg.Base+"/"+escape(key), nil)
	if err != nil {
		return nil, fmt.Errorf("address of a file: %w", err)
	}
	r.URL.RawQuery = strings.ReplaceAll(query.Encode(), "+", "%20")
	return r, nil
}

// escape encodes a key as a path, as S3 does.
func escape(key string) string {
	parts := strings.Split(key, "/")
	for i, part := range parts {
		parts[i] = strings.ReplaceAll(url.QueryEscape(part), "+", "%20")
	}
	return strings.Join(parts, "/")
}

// signCall signs a request in its headers, given the hash of its body.
func (c *Client) signCall(ctx context.Context, r *http.Request, hash string) error {
	keys, err := c.cfg.Credentials.Retrieve(ctx)
	if err == nil {
		r.Header.Set("X-Amz-Content-Sha256", hash)
		err = c.signer.SignHTTP(ctx, keys, r, hash, service, c.cfg.Region, c.cfg.Clock())
	}
	if err != nil {
		return fmt.Errorf("sign a call: %w", err)
	}
	return nil
}
