package enginetest_test

import (
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"example.com/parley/internal/test/enginetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestStart_GivesEachTestItsOwnEngine(t *testing.T) {
	t.Parallel()
	a, b := enginetest.Start(t), enginetest.Start(t)
	for _, endpoint := range []string{a, b} {
		if code := listTables(t, endpoint); code != http.StatusOK {
			t.Errorf("ListTables at %s = %d, want 200", endpoint, code)
		}
	}
}

func listTables(t *testing.T, endpoint string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, endpoint, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	req.Close = true
	req.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
	req.Header.Set("Content-Type", "application/x-amz-json-1.0")
	req.Header.Set("X-Amz-Date", "20200101T000000Z")
	req.Header.Set("Authorization", "AWS4-HMAC-SHA256 "+
		"Credential=x/20200101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=x")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}
