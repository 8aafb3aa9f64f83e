package doctor_test

import (
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/doctor"
)

// withStack is an account with a working stack.
func withStack() answers {
	all := healthy()
	all["DescribeStacks"] = answer{200, `<R><DescribeStacksResult><Stacks><member><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>
<member><OutputKey>ApiUrl</OutputKey><OutputValue>https://api.example.com</OutputValue></member>
<member><OutputKey>SocketUrl</OutputKey><OutputValue>wss://live.example.com/ws</OutputValue></member></Outputs></member></Stacks></DescribeStacksResult></R>`}
	all["ListStackResources"] = answer{200, `<R><ListStackResourcesResult><StackResourceSummaries>
<member><LogicalResourceId>FeedMapping</LogicalResourceId><PhysicalResourceId>6b-1</PhysicalResourceId></member>
<member><LogicalResourceId>SearchFunction</LogicalResourceId><PhysicalResourceId>search-1</PhysicalResourceId></member>
<member><LogicalResourceId>WriteLogs</LogicalResourceId><PhysicalResourceId>logs-of-write</PhysicalResourceId></member>
</StackResourceSummaries></ListStackResourcesResult></R>`}
	all["/2015-03-31/event-source-mappings/6b-1"] = answer{200, `{"State":"Enabled","LastProcessingResult":"OK"}`}
	all["/2015-03-31/functions/search-1/invocations"] = answer{200, `null`}
	all["FilterLogEvents"] = answer{200, `{"events":[]}`}
	return all
}

func TestAfter_ReadsTheMappingAndTheLogs(t *testing.T) {
	t.Parallel()
	const refusal = `{"events":[{"message":"{\"level\":\"WARN\",\"cause\":\"AccessDeniedException: User: arn:aws:sts::1:x is not authorized to perform: dynamodb:UpdateItem on resource: y\"}"}]}`
	for name, tt := range map[string]struct {
		operation, body string
		status          int
		check, says     string
		want            doctor.Status
	}{
		"it works":              {check: "mapping", says: "enabled; OK", want: doctor.OK},
		"nothing is refused":    {check: "refused calls", says: "none", want: doctor.OK},
		"the mapping is off":    {"/2015-03-31/event-source-mappings/6b-1", `{"State":"Disabled","StateTransitionReason":"USER_INITIATED"}`, 200, "mapping", "not read: Disabled USER_INITIATED", doctor.Blocker},
		"a batch fails":         {"/2015-03-31/event-source-mappings/6b-1", `{"State":"Enabled","LastProcessingResult":"PROBLEM: Function call failed"}`, 200, "mapping", "PROBLEM: Function call failed", doctor.Blocker},
		"a call is refused":     {"FilterLogEvents", refusal, 200, "refused calls", "Write dynamodb:UpdateItem", doctor.Blocker},
		"S3 refuses a call":     {"FilterLogEvents", `{"events":[{"message":"{\"level\":\"ERROR\",\"cause\":\"find a file: status 403\"}"}]}`, 200, "refused calls", "Write s3", doctor.Blocker},
		"a sweep fails":         {"/2015-03-31/functions/search-1/invocations", `{"errorMessage":"list the bucket: status 403","errorType":"Error"}`, 200, "sweep", "cannot sweep its index: list the bucket: status 403", doctor.Blocker},
		"no right to a sweep":   {"/2015-03-31/functions/search-1/invocations", `{"Code":"AccessDeniedException"}`, 403, "sweep", "needs lambda:InvokeFunction", doctor.Unread},
		"no right to a log":     {"FilterLogEvents", `{"__type":"AccessDeniedException"}`, 400, "refused calls", "needs logs:FilterLogEvents", doctor.Unread},
		"no right to a mapping": {"/2015-03-31/event-source-mappings/6b-1", `{"Code":"AccessDeniedException"}`, 403, "mapping", "needs lambda:GetEventSourceMapping", doctor.Unread},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sound()
			s.answers = withStack()
			if tt.operation != "" {
				s.answers[tt.operation] = answer{tt.status, tt.body}
			}
			o, _ := s.options(t)
			d, err := doctor.FindDeployed(t.Context(), o)
			if err != nil || d.URL != "https://api.example.com" || d.Socket != "wss://live.example.com/ws" || d.SendRate != 10 {
				t.Fatalf("%+v, %v", d, err)
			}
			for _, f := range d.After(t.Context(), time.Now()) {
				if f.Check == tt.check {
					if f.Status != tt.want || !strings.Contains(f.Found, tt.says) {
						t.Errorf("%+v, want %s with %q", f, tt.want, tt.says)
					}
				} else if f.Status != doctor.OK {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

func TestFindDeployed_NeedsAStack(t *testing.T) {
	t.Parallel()
	o, _ := sound().options(t)
	if _, err := doctor.FindDeployed(t.Context(), o); err == nil || !strings.Contains(err.Error(), "Parley-prod is not deployed in eu-west-1") {
		t.Error(err)
	}
}
