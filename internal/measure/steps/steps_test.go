package steps_test

import (
	"bytes"
	"io"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/measure/steps"
)

// service answers each call after a time.
type service time.Duration

func (s service) Do(r *http.Request) (*http.Response, error) {
	time.Sleep(time.Duration(s))
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader([]byte("{}"))), Request: r}, nil
}

// chain makes calls one after another, each of which takes a time.
func chain(t *testing.T, m *steps.Meter, each ...time.Duration) {
	for _, d := range each {
		db := dynamo.LocalClient("http://127.0.0.1", m.Options, func(o *dynamodb.Options) { o.HTTPClient = service(d) })
		if _, err := db.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("chat")}); err != nil {
			t.Error(err)
		}
	}
}

// TestMeter_CountsTheLongestChain makes chains of calls concurrently. Slow calls of one chain do
// not add to the steps of another.
func TestMeter_CountsTheLongestChain(t *testing.T) {
	t.Parallel()
	const fast, slow = time.Millisecond, 100 * time.Millisecond
	for _, tt := range []struct {
		name   string
		chains [][]time.Duration
		want   int
	}{
		{"none", nil, 0},
		{"one call", [][]time.Duration{{fast}}, 1},
		{"three in turn", [][]time.Duration{{fast, slow, fast}}, 3},
		{"three concurrent ones", [][]time.Duration{{fast}, {slow}, {fast}}, 1},
		{"a slow chain among fast ones", [][]time.Duration{{slow, fast}, {fast, fast, fast}, {fast, slow}}, 3},
		{"a chain that begins slowly", [][]time.Duration{{slow, slow}, {fast, fast}}, 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := &steps.Meter{Pause: 5 * time.Millisecond}
			for range 2 { // Reset begins anew
				var all sync.WaitGroup
				for _, c := range tt.chains {
					all.Go(func() { chain(t, m, c...) })
				}
				all.Wait()
				if got := m.Reset(); got != tt.want {
					t.Errorf("%s: %d steps, want %d", tt.name, got, tt.want)
				}
			}
		})
	}
}
