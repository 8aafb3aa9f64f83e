package rights

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

var testNames = Names{"chat-*": "Table", "log": "LogTable", "failures": "FailureQueue"}

func TestNames_CallsOfARequest(t *testing.T) {
	const message = `{"PK":{"S":"seattle-1"},"SK":{"S":"amsg#x"},"GSI1PK":{"S":"seattle-1"},"n":{"N":"1"},"l":{"L":[{"S":"a"}]}}`
	for _, tt := range []struct{ name, target, body, want string }{
		{"get", "DynamoDB_20120810.GetItem", `{"TableName":"chat-1","Key":{"PK":{"S":"u#amsg"},"SK":{"S":"root"}}}`, "dynamodb:GetItem Table u#x"},
		{"put", "DynamoDB_20120810.PutItem", `{"TableName":"chat-1","Item":` + message + `,"ReturnValuesOnConditionCheckFailure":"ALL_OLD"}`, "dynamodb:PutItem Table x-1"},
		{"put of a log entry", "DynamoDB_20120810.PutItem", `{"TableName":"log","Item":{"device":{"S":"amsg#phone"},"at":{"N":"1"}},"ConditionExpression":"attribute_not_exists(#device)"}`, "dynamodb:PutItem LogTable x#x"},
		{"put of an audit entry", "DynamoDB_20120810.PutItem", `{"TableName":"log","Item":{"device":{"S":"r#seattle"}},"ConditionExpression":"attribute_not_exists(#device)"}`, "dynamodb:PutItem LogTable r#x"},
		{"query", "DynamoDB_20120810.Query",
			`{"TableName":"chat-1","KeyConditionExpression":"SK > :a AND PK = :pk","ExpressionAttributeValues":{":pk":{"S":"feed#seattle"},":a":{"S":"1"}}}`, "dynamodb:Query Table feed#x"},
		{"query of the index", "DynamoDB_20120810.Query",
			`{"TableName":"chat-1","IndexName":"GSI1","KeyConditionExpression":"#p = :p","ExpressionAttributeNames":{"#p":"GSI1PK"},"ExpressionAttributeValues":{":p":{"S":"rooms"}}}`,
			"dynamodb:Query Table/index/GSI1 rooms"},
		{"batch get", "DynamoDB_20120810.BatchGetItem", `{"RequestItems":{"chat-1":{"Keys":[{"PK":{"S":"u#a"}},{"PK":{"S":"feed#b"}},{"PK":{"S":"u#c"}}]}}}`, "dynamodb:BatchGetItem Table feed#x u#x"},
		{"batch get of some attributes", "DynamoDB_20120810.BatchGetItem",
			`{"RequestItems":{"chat-1":{"Keys":[{"PK":{"S":"u#a"}}],"ProjectionExpression":"#a0, #a1","ExpressionAttributeNames":{"#a0":"PK","#a1":"users"}}}}`, "dynamodb:BatchGetItem Table u#x only PK SK users"},
		{"transaction needs the permissions of its items", "DynamoDB_20120810.TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"chat-1","Item":` + message + `}},
			{"Delete":{"TableName":"chat-1","Key":{"PK":{"S":"u#a"}}}},{"ConditionCheck":{"TableName":"chat-1","Key":{"PK":{"S":"r#seattle"}}}},
			{"Update":{"TableName":"chat-1","Key":{"PK":{"S":"m#seattle#1"}}}}]}`,
			"dynamodb:PutItem Table x-1, dynamodb:DeleteItem Table u#x, dynamodb:ConditionCheckItem Table r#x, dynamodb:UpdateItem Table m#x"},
		{"stored failure", "AmazonSQS.SendMessage", `{"QueueUrl":"http://127.0.0.1:1/000000000000/failures"}`, "sqs:SendMessage FailureQueue"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			calls, err := testNames.calls(tt.target, []byte(tt.body))
			var got []string
			for _, c := range calls {
				got = append(got, c.String())
			}
			if err != nil || strings.Join(got, ", ") != tt.want {
				t.Errorf("calls %v, %v, want %s", got, err, tt.want)
			}
		})
	}
}

func TestNames_CallsOfUnknownNamesFail(t *testing.T) {
	for name, tt := range map[string]struct{ target, body string }{
		"unknown table":            {"DynamoDB_20120810.GetItem", `{"TableName":"other","Key":{"PK":{"S":"u#amsg"}}}`},
		"unknown index":            {"DynamoDB_20120810.Query", `{"TableName":"chat-1","IndexName":"GSI2"}`},
		"unknown kind of key":      {"DynamoDB_20120810.GetItem", `{"TableName":"chat-1","Key":{"PK":{"S":"thread#1"}}}`},
		"no key":                   {"DynamoDB_20120810.Scan", `{"TableName":"chat-1"}`},
		"unknown table in a batch": {"DynamoDB_20120810.BatchGetItem", `{"RequestItems":{"other":{"Keys":[]}}}`},
		"batch write":              {"DynamoDB_20120810.BatchWriteItem", `{"RequestItems":{"chat-1":[]}}`},
		"unknown queue":            {"AmazonSQS.SendMessage", `{"QueueUrl":"http://127.0.0.1:1/000000000000/other"}`},
		"a put that may overwrite a line of an audit": {"DynamoDB_20120810.PutItem", `{"TableName":"log","Item":{"device":{"S":"r#seattle"}}}`},
		"the same in a transaction":                   {"DynamoDB_20120810.TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"log","Item":{"device":{"S":"r#seattle"}}}}]}`},
		"invalid JSON":                                {"DynamoDB_20120810.GetItem", `{`},
	} {
		if calls, err := testNames.calls(tt.target, []byte(tt.body)); err == nil {
			t.Errorf("%s: got calls %v, want an error", name, calls)
		}
	}
}

// TestRecorder_Settle compares calls with a recording that differs in several ways.
func TestRecorder_Settle(t *testing.T) {
	stack := RepositoryStack("../../..")
	get := Call{Action: "dynamodb:GetItem", Resource: "Table", Keys: "u#x"}
	query := Call{Action: "dynamodb:Query", Resource: "Table", Keys: "u#x"}
	for _, tt := range []struct {
		name     string
		recorded []Call
		called   []Call
		whole    bool
		want     string // a part of the error, or "" for no error
	}{
		{name: "no difference", recorded: []Call{get}, called: []Call{get}, whole: true},
		{name: "a new call", recorded: []Call{get}, called: []Call{get, query}, want: "made and not in"},
		{name: "a removed call", recorded: []Call{get, query}, called: []Call{get}, whole: true, want: "no longer made"},
		{name: "a removed call in a partial run", recorded: []Call{get, query}, called: []Call{get}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			folder := t.TempDir()
			t.Chdir(folder)
			writeRecording(t, Calls{"read": tt.recorded})
			r := NewRecorder(stack, testNames)
			r.calls["read"] = map[Call]error{}
			for _, c := range tt.called {
				r.calls["read"][c] = nil
			}
			if err := r.settle(tt.whole); (err == nil) != (tt.want == "") || !strings.Contains(fmt.Sprint(err), tt.want) {
				t.Errorf("settle: %v, want %q", err, tt.want)
			}
		})
	}
}

func TestRecorder_SettleFailsAfterADeniedCall(t *testing.T) {
	t.Chdir(t.TempDir())
	writeRecording(t, Calls{})
	r := NewRecorder(repositoryStack(t), testNames)
	request := httptest.NewRequest(http.MethodPost, "/", nil)
	request.Header.Set("X-Amz-Target", "DynamoDB_20120810.PutItem")
	refusal := r.record("read", request, []byte(`{"TableName":"chat-1","Item":{"PK":{"S":"u#a"}}}`))
	if !strings.Contains(refusal, "not allowed") {
		t.Errorf("refusal %q", refusal)
	}
	if err := r.settle(false); err == nil || !strings.Contains(err.Error(), "read: dynamodb:PutItem Table u#x is not allowed") {
		t.Errorf("settle: %v", err)
	}
}

// TestRecorder_KnowsCallsToConnections checks that the method and the stage of a call to a
// connection are authorized.
func TestRecorder_KnowsCallsToConnections(t *testing.T) {
	t.Parallel()
	for method, want := range map[string]string{
		http.MethodPost:   "execute-api:ManageConnections SocketApi/ws/POST/@connections/x",
		http.MethodDelete: "execute-api:ManageConnections SocketApi/ws/DELETE/@connections/x",
	} {
		r := NewRecorder(repositoryStack(t), testNames)
		refusal := r.record("read", httptest.NewRequest(method, "/ws/@connections/L0SM9cOFvHcCIhw%3D", nil), nil)
		if !strings.Contains(refusal, want+" is not allowed") {
			t.Errorf("%s: refusal %q", method, refusal)
		}
	}
}

// TestReplay_Complains checks each complaint about a role.
func TestReplay_Complains(t *testing.T) {
	stack := RepositoryStack("../../..")
	arn, err := stack.ARN("Table")
	if err != nil {
		t.Fatal(err)
	}
	calls := []Call{{Action: "dynamodb:GetItem", Resource: "Table", Keys: "u#x"}}
	role := func(actions ...string) []Statement {
		return []Statement{{ID: "Read", Effect: "Allow", Actions: actions, Resources: []string{arn}}}
	}
	confined := role("dynamodb:GetItem")
	confined[0].Conditions = []Condition{{"ForAllValues:StringLike", "dynamodb:LeadingKeys", []string{"u#*", "r#*"}}}
	for name, tt := range map[string]struct {
		role []Statement
		want string
	}{
		"no complaint":       {role("dynamodb:GetItem"), ""},
		"a denied call":      {role("dynamodb:Query"), "not allowed"},
		"an unused action":   {role("dynamodb:GetItem", "dynamodb:Query"), "the action dynamodb:Query of Read is never used"},
		"a duplicate action": {append(role("dynamodb:GetItem"), role("dynamodb:GetItem")...), "never used"},
		"an unused key":      {confined, "the value r#* of Read is never used"},
		"a Deny statement":   {append(role("dynamodb:GetItem"), Statement{ID: "No", Effect: "Deny", Actions: []string{"sqs:*"}, Resources: []string{"*"}}), "No denies"},
	} {
		got := Replay(stack, tt.role, calls)
		if tt.want == "" && len(got) > 0 || tt.want != "" && !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, tt.want) }) {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := Replay(stack, role("dynamodb:GetItem"), nil); len(got) == 0 {
		t.Error("Replay reports no complaint for a role without recorded calls")
	}
}

// TestRecorder_KnowsCallsToBuckets checks the action and the object of requests to S3, whose hosts
// are the bucket or whose paths begin with it.
func TestRecorder_KnowsCallsToBuckets(t *testing.T) {
	t.Parallel()
	names := Names{"page-bucket": "PageBucket", "files.local": "FilesBucket"}
	for request, want := range map[string]string{
		"PUT /page-bucket/assets/a.js":            "s3:PutObject PageBucket/x",
		"DELETE /page-bucket/app.js":              "s3:DeleteObject PageBucket/x",
		"GET /page-bucket/app.js":                 "s3:GetObject PageBucket/x s3:ListBucket PageBucket x/x/x",
		"GET /page-bucket?list-type=2&prefix=a":   "s3:ListBucket PageBucket x",
		"HEAD http://files.local/seattle/amsg/a":  "s3:GetObject FilesBucket/x s3:ListBucket FilesBucket x/x/x",
		"DELETE http://files.local/a/b/c/preview": "s3:DeleteObject FilesBucket/x",
		"DELETE http://files.local/_people/amsg":  "s3:DeleteObject FilesBucket/_people/x",
		"PUT http://files.local/_search/a/index":  "s3:PutObject FilesBucket/_search/x",
		"GET http://files.local/?list-type=2":     "s3:ListBucket FilesBucket",

		"GET http://files.local/?list-type=2&prefix=_search%2F":     "s3:ListBucket FilesBucket _search/x",
		"GET http://files.local/?list-type=2&prefix=_search%2Fa%2F": "s3:ListBucket FilesBucket _search/x",
		"GET http://other.local/page-bucket/a":                      "s3:GetObject PageBucket/x s3:ListBucket PageBucket x/x/x",
		"GET http://files.local/_search/a/index":                    "s3:GetObject FilesBucket/_search/x s3:ListBucket FilesBucket _search/x/x",
		"GET http://other.local/a":                                  "",
		"PUT /other/app.js":                                         "",
		"PUT /page-bucket":                                          "",
		"GET /page-bucket":                                          "",
		"POST /page-bucket/app.js":                                  "",
		"DELETE /page-bucket/app.js?versionId=AA":                   "",
	} {
		method, path, _ := strings.Cut(request, " ")
		calls, err := names.objectCall(httptest.NewRequest(method, path, nil))
		var all []string
		for _, c := range calls {
			all = append(all, c.String())
		}
		if got := strings.Join(all, " "); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %v, %v, want %q", request, calls, err, want)
		}
	}
}
