package dynamo_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/faults"
)

// script answers attempts in order, and repeats its last answer. It counts the attempts.
type script struct {
	answers []answer
	asked   int
}

// answer is a status with the code of an error, or a lost connection if the status is 0.
type answer struct {
	status int
	code   string
}

var (
	written = answer{http.StatusOK, ""}
	lost    = answer{}
)

func (s *script) Do(r *http.Request) (*http.Response, error) {
	a := s.answers[min(s.asked, len(s.answers)-1)]
	s.asked++
	if a == lost {
		return nil, &timeout{}
	}
	body := "{}"
	if a.code != "" {
		body = fmt.Sprintf(`{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":"scripted"}`, a.code)
	}
	return &http.Response{
		StatusCode: a.status, Request: r, Body: io.NopCloser(strings.NewReader(body)),
		Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
	}, nil
}

// TestPutOnce_RetriesRefusalsOnly counts the attempts after each response of the service.
func TestPutOnce_RetriesRefusalsOnly(t *testing.T) {
	t.Parallel()
	const attempts = dynamo.MaxAttempts
	exceeded := answer{http.StatusBadRequest, "ProvisionedThroughputExceededException"}
	for _, tt := range []struct {
		name    string
		answers []answer
		asked   int
		ok      bool
	}{
		{"a partition at its limit", []answer{exceeded}, attempts, false},
		{"a table at its limit", []answer{{http.StatusBadRequest, "ThrottlingException"}}, attempts, false},
		{"an account at its limit", []answer{{http.StatusBadRequest, "RequestLimitExceeded"}}, attempts, false},
		{"a refusal that passes", []answer{exceeded, exceeded, written}, 3, true},
		{"a lost answer", []answer{lost, written}, 1, false},
		{"a lost answer after a refusal", []answer{exceeded, lost, written}, 2, false},
		{"a failure of the service", []answer{{http.StatusInternalServerError, "InternalServerError"}, written}, 1, false},
		{"a failure with the code of a refusal", []answer{{http.StatusServiceUnavailable, "ThrottlingException"}, written}, 1, false},
		{"a write in progress", []answer{{http.StatusBadRequest, "TransactionConflictException"}, written}, 1, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				service := &script{answers: tt.answers}
				client := dynamo.LocalClient("http://127.0.0.1:1", func(o *dynamodb.Options) { o.HTTPClient = service })
				err := dynamo.NewTable(client, "live", nil).PutOnce(t.Context(), "test", table.Key("p", "s"))
				if service.asked != tt.asked || (err == nil) != tt.ok {
					t.Errorf("%d attempts, want %d: %v", service.asked, tt.asked, err)
				}
				if err != nil && chat.KindOf(err) != chat.Unavailable {
					t.Errorf("the error is not Unavailable: %v", err)
				}
			})
		})
	}
}

// TestPutOnce_WritesAtMostOnce injects each fault into a first attempt. Only after a refusal is there a
// second one, so the service never receives two puts.
func TestPutOnce_WritesAtMostOnce(t *testing.T) {
	t.Parallel()
	for _, fault := range faults.All() {
		if !fault.Fits("PutItem") || fault == faults.Slow {
			continue
		}
		t.Run(fault.String(), func(t *testing.T) {
			t.Parallel()
			service := &script{answers: []answer{written}}
			var injector faults.Injector
			client := dynamo.LocalClient("http://127.0.0.1:1", func(o *dynamodb.Options) { o.HTTPClient = service }, injector.Options)
			injector.Plan(faults.Rule{Fault: fault, Operation: "PutItem", N: 1, Attempts: 1})
			err := dynamo.NewTable(client, "live", nil).PutOnce(t.Context(), "test", table.Key("p", "s"))
			refused := fault == faults.Throttled || fault == faults.Throttling
			if (err == nil) != refused || service.asked > 1 {
				t.Errorf("%d attempts reached the service: %v", service.asked, err)
			}
		})
	}
}
