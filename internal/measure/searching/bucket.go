package searching

import (
	"net/http"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/dynamo"
	localbucket "example.com/parley/internal/local/bucket"
)

// S3 is a bucket of this machine that answers after some time. It counts the calls and the bytes of
// their answers.
type S3 struct {
	*bucket.Client
	wait                time.Duration
	handler             http.RoundTripper
	reads, writes, sent atomic.Int64
}

// NewS3 returns the bucket of a folder.
func NewS3(dir string, wait time.Duration, clock func() time.Time) *S3 {
	const region = "us-east-1"
	keys := aws.Credentials{AccessKeyID: "local", SecretAccessKey: "secret"}
	s := &S3{
		wait:    wait,
		handler: localbucket.New(localbucket.Config{Dir: dir, Region: region, Credentials: keys, Clock: clock}),
	}
	s.Client = bucket.New(bucket.Config{
		Base: localbucket.Base, Region: region, HTTP: s, Clock: clock,
		Credentials: dynamo.StaticCredentials(keys.AccessKeyID, keys.SecretAccessKey, ""),
	})
	return s
}

// RoundTrip implements http.RoundTripper.
func (s *S3) RoundTrip(r *http.Request) (*http.Response, error) {
	select {
	case <-r.Context().Done():
		return nil, r.Context().Err()
	case <-time.After(s.wait):
	}
	if r.Method == http.MethodGet {
		s.reads.Add(1)
	} else {
		s.writes.Add(1)
	}
	answer, err := s.handler.RoundTrip(r)
	if err == nil && r.Method == http.MethodGet {
		s.sent.Add(max(0, answer.ContentLength))
	}
	return answer, err
}

// Traffic is what a bucket was asked for.
type Traffic struct{ Reads, Writes, Sent int64 }

// Take returns the traffic since its previous call.
func (s *S3) Take() Traffic {
	return Traffic{s.reads.Swap(0), s.writes.Swap(0), s.sent.Swap(0)}
}
