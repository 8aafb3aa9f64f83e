package rights

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// TestRecorder_DeniesLikeIAM makes calls that a role does not allow, directly and through a proxy.
// The SDK must receive the service's error, and the service must receive no request.
func TestRecorder_DeniesLikeIAM(t *testing.T) {
	var reached atomic.Int64
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached.Add(1)
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		_, _ = w.Write([]byte(`{}`))
	}))
	defer service.Close()
	r := NewRecorder(RepositoryStack("../../.."), testNames)
	client := func(endpoint string, options ...func(*dynamodb.Options)) *dynamodb.Client {
		return dynamodb.New(dynamodb.Options{
			Region: Region, BaseEndpoint: &endpoint,
			Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
				return aws.Credentials{AccessKeyID: "x", SecretAccessKey: "x"}, nil
			}),
		}, options...)
	}
	for _, tt := range []struct {
		name    string
		client  *dynamodb.Client
		ctx     context.Context
		key     string
		refused bool
	}{
		{"feed item by the feed function", client(service.URL, r.Client("feed")), t.Context(), "feed#seattle", false},
		{"user item by the feed function", client(service.URL, r.Client("feed")), t.Context(), "u#amsg", true},
		{"feed item by the write function", client(service.URL, r.Options), As(t.Context(), "write"), "feed#seattle", true},
		{"any item by the test itself", client(service.URL, r.Options), t.Context(), "feed#seattle", false},
		{"user item by another process", client(r.Proxy(t, "write", service.URL)), t.Context(), "u#amsg", false},
		{"feed item by another process", client(r.Proxy(t, "write", service.URL)), t.Context(), "feed#seattle", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			reached.Store(0)
			_, err := tt.client.PutItem(tt.ctx, &dynamodb.PutItemInput{
				TableName: aws.String("chat-1"), Item: map[string]types.AttributeValue{"PK": &types.AttributeValueMemberS{Value: tt.key}},
			})
			var e smithy.APIError
			refused := errors.As(err, &e) && e.ErrorCode() == "AccessDeniedException"
			if refused != tt.refused || reached.Load() != map[bool]int64{true: 0, false: 1}[tt.refused] {
				t.Errorf("error %v, %d requests reached the service", err, reached.Load())
			}
		})
	}
	if len(r.faults) == 0 {
		t.Error("refusals returns no error after denied calls")
	}
}

// TestRecorder_DeniesCallsToFiles makes calls to the bucket of files by each function's role.
func TestRecorder_DeniesCallsToFiles(t *testing.T) {
	t.Parallel()
	allowed := map[string][]string{
		"write": {http.MethodPut, http.MethodHead, http.MethodGet}, "read": {http.MethodHead, http.MethodGet}, "feed": {http.MethodPut, http.MethodDelete},
	}
	for _, function := range []string{"write", "read", "search", "incoming", "feed", "socket", "page"} {
		for _, method := range []string{http.MethodPut, http.MethodHead, http.MethodGet, http.MethodDelete} {
			r, reached := NewRecorder(repositoryStack(t), Names{"files.local": "FilesBucket"}), false
			bucket := r.Files(doer(func(request *http.Request) (*http.Response, error) {
				reached = true
				return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Request: request}, nil
			}))
			answer, err := bucket.RoundTrip(httptest.NewRequest(method, "http://files.local/seattle/amsg/x", nil).WithContext(As(t.Context(), function)))
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
			if want := slices.Contains(allowed[function], method); reached != want || (r.refusals() == nil) != want {
				t.Errorf("%s by %s: sent %v, %v", method, function, reached, r.refusals())
			}
		}
	}
}

// TestRecorder_ConfinesSearchesToTheirIndex makes calls to the bucket of files by the search function.
func TestRecorder_ConfinesSearchesToTheirIndex(t *testing.T) {
	t.Parallel()
	for call, want := range map[string]bool{
		"GET /_search/seattle/index": true, "PUT /_search/seattle/index": true, "DELETE /_search/seattle/index": true,
		"GET /?list-type=2&prefix=_search%2F": true, "GET /?list-type=2&prefix=_search%2Fseattle%2F": true,
		"GET /_people/amsg/x": false, "PUT /_people/amsg/x": false, "GET /?list-type=2": false, "GET /?list-type=2&prefix=seattle%2F": false,
	} {
		method, path, _ := strings.Cut(call, " ")
		r := NewRecorder(repositoryStack(t), Names{"files.local": "FilesBucket"})
		r.record("search", httptest.NewRequest(method, "http://files.local"+path, nil), nil)
		if refused := r.refusals(); (refused == nil) != want {
			t.Errorf("%s: %v, want it allowed: %t", call, refused, want)
		}
	}
}

// repository is the folder of the repository. It is set before any test changes the working folder.
var repository, _ = filepath.Abs("../../..")

// repositoryStack calls RepositoryStack, independently of the working folder.
func repositoryStack(t *testing.T) *Stack {
	t.Helper()
	s, err := ReadStack(filepath.Join(repository, template))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// writeRecording writes a recording into the working folder.
func writeRecording(t *testing.T, calls Calls) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(Recording), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(Recording, []byte(calls.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}
