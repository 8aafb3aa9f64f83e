package rights

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

var testNames = Names{"chat-*": "Table", "log": "LogTable", "failures": "FailureQueue"}

func TestNames_CallsOfARequest(t *testing.T) {
	const message = `{"PK":{"S":"seattle-1"},"SK":{"S":"amsg#x"},"GSI1PK":{"S":"seattle-1"},"n":{"N":"1"},"l":{"L":[{"S":"a"}]}}`
	for _, tt := range []struct{ name, target, body, want string }{
		{"a get", "DynamoDB_20120810.GetItem", `{"TableName":"chat-1","Key":{"PK":{"S":"u#amsg"},"SK":{"S":"root"}}}`, "dynamodb:GetItem Table u#x"},
		{"a put", "DynamoDB_20120810.PutItem", `{"TableName":"chat-1","Item":` + message + `,"ReturnValuesOnConditionCheckFailure":"ALL_OLD"}`, "dynamodb:PutItem Table x-1"},
		{"a put of an entry", "DynamoDB_20120810.PutItem", `{"TableName":"log","Item":{"device":{"S":"amsg#phone"},"at":{"N":"1"}}}`, "dynamodb:PutItem LogTable x#x"},
		{"a put of an audit's entry", "DynamoDB_20120810.PutItem", `{"TableName":"log","Item":{"device":{"S":"r#seattle"}}}`, "dynamodb:PutItem LogTable r#x"},
		{"a query", "DynamoDB_20120810.Query",
			`{"TableName":"chat-1","KeyConditionExpression":"SK > :a AND PK = :pk","ExpressionAttributeValues":{":pk":{"S":"feed#seattle"},":a":{"S":"1"}}}`, "dynamodb:Query Table feed#x"},
		{"a query of the index", "DynamoDB_20120810.Query",
			`{"TableName":"chat-1","IndexName":"GSI1","KeyConditionExpression":"#p = :p","ExpressionAttributeNames":{"#p":"GSI1PK"},"ExpressionAttributeValues":{":p":{"S":"rooms"}}}`,
			"dynamodb:Query Table/index/GSI1 rooms"},
		{"a batch", "DynamoDB_20120810.BatchGetItem", `{"RequestItems":{"chat-1":{"Keys":[{"PK":{"S":"u#a"}},{"PK":{"S":"feed#b"}},{"PK":{"S":"u#c"}}]}}}`, "dynamodb:BatchGetItem Table feed#x u#x"},
		{"a transaction takes the rights of its items", "DynamoDB_20120810.TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"chat-1","Item":` + message + `}},
			{"Delete":{"TableName":"chat-1","Key":{"PK":{"S":"u#a"}}}},{"ConditionCheck":{"TableName":"chat-1","Key":{"PK":{"S":"r#seattle"}}}},
			{"Update":{"TableName":"chat-1","Key":{"PK":{"S":"m#seattle#1"}}}}]}`,
			"dynamodb:PutItem Table x-1, dynamodb:DeleteItem Table u#x, dynamodb:ConditionCheckItem Table r#x, dynamodb:UpdateItem Table m#x"},
		{"a failure that is kept", "AmazonSQS.SendMessage", `{"QueueUrl":"http://127.0.0.1:1/000000000000/failures"}`, "sqs:SendMessage FailureQueue"},
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

func TestNames_CallsOfWhatIsNotKnown(t *testing.T) {
	for name, tt := range map[string]struct{ target, body string }{
		"a table":         {"DynamoDB_20120810.GetItem", `{"TableName":"other","Key":{"PK":{"S":"u#amsg"}}}`},
		"an index":        {"DynamoDB_20120810.Query", `{"TableName":"chat-1","IndexName":"GSI2"}`},
		"a kind of key":   {"DynamoDB_20120810.GetItem", `{"TableName":"chat-1","Key":{"PK":{"S":"thread#1"}}}`},
		"no key":          {"DynamoDB_20120810.Scan", `{"TableName":"chat-1"}`},
		"a batch's table": {"DynamoDB_20120810.BatchGetItem", `{"RequestItems":{"other":{"Keys":[]}}}`},
		"a batch of puts": {"DynamoDB_20120810.BatchWriteItem", `{"RequestItems":{"chat-1":[]}}`},
		"a queue":         {"AmazonSQS.SendMessage", `{"QueueUrl":"http://127.0.0.1:1/000000000000/other"}`},
		"no JSON":         {"DynamoDB_20120810.GetItem", `{`},
	} {
		if calls, err := testNames.calls(tt.target, []byte(tt.body)); err == nil {
			t.Errorf("%s is taken for %v", name, calls)
		}
	}
}

// TestRecorder_Settle compares what was called with a recording in each way that it can differ.
func TestRecorder_Settle(t *testing.T) {
	stack := RepositoryStack("../../..")
	get := Call{"dynamodb:GetItem", "Table", "u#x"}
	query := Call{"dynamodb:Query", "Table", "u#x"}
	for _, tt := range []struct {
		name  string
		kept  []Call
		made  []Call
		whole bool
		want  string // in the error; none is no error
	}{
		{name: "the same", kept: []Call{get}, made: []Call{get}, whole: true},
		{name: "a new call", kept: []Call{get}, made: []Call{get, query}, want: "made and not in"},
		{name: "a call that is gone", kept: []Call{get, query}, made: []Call{get}, whole: true, want: "no longer made"},
		{name: "a call that a part of the tests does not make", kept: []Call{get, query}, made: []Call{get}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			folder := t.TempDir()
			t.Chdir(folder)
			writeRecording(t, Calls{"read": tt.kept})
			r := NewRecorder(stack, testNames)
			r.calls["read"] = map[Call]error{}
			for _, c := range tt.made {
				r.calls["read"][c] = nil
			}
			if err := r.settle(tt.whole); (err == nil) != (tt.want == "") || !strings.Contains(fmt.Sprint(err), tt.want) {
				t.Errorf("settle: %v, want %q", err, tt.want)
			}
		})
	}
}

func TestRecorder_SettleFailsAfterARefusal(t *testing.T) {
	t.Chdir(t.TempDir())
	writeRecording(t, Calls{})
	r := NewRecorder(repositoryStack(t), testNames)
	refusal := r.record("read", "DynamoDB_20120810.PutItem", []byte(`{"TableName":"chat-1","Item":{"PK":{"S":"u#a"}}}`))
	if !strings.Contains(refusal, "not allowed") {
		t.Errorf("refusal %q", refusal)
	}
	if err := r.settle(false); err == nil || !strings.Contains(err.Error(), "read: dynamodb:PutItem Table u#x is not allowed") {
		t.Errorf("settle: %v", err)
	}
}

// TestReplay_Complains shows each complaint that a role can earn.
func TestReplay_Complains(t *testing.T) {
	stack := RepositoryStack("../../..")
	arn, err := stack.ARN("Table")
	if err != nil {
		t.Fatal(err)
	}
	calls := []Call{{"dynamodb:GetItem", "Table", "u#x"}}
	role := func(actions ...string) []Statement {
		return []Statement{{ID: "Read", Effect: "Allow", Actions: actions, Resources: []string{arn}}}
	}
	confined := role("dynamodb:GetItem")
	confined[0].Conditions = []Condition{{"ForAllValues:StringLike", "dynamodb:LeadingKeys", []string{"u#*", "r#*"}}}
	for name, tt := range map[string]struct {
		role []Statement
		want string
	}{
		"nothing":                           {role("dynamodb:GetItem"), ""},
		"a call that is refused":            {role("dynamodb:Query"), "not allowed"},
		"an action that is not used":        {role("dynamodb:GetItem", "dynamodb:Query"), "the action dynamodb:Query of Read is never used"},
		"an action twice":                   {append(role("dynamodb:GetItem"), role("dynamodb:GetItem")...), "never used"},
		"a key that is not used":            {confined, "the value r#* of Read is never used"},
		"a denial, which nothing can prove": {append(role("dynamodb:GetItem"), Statement{ID: "No", Effect: "Deny", Actions: []string{"sqs:*"}, Resources: []string{"*"}}), "No denies"},
	} {
		got := Replay(stack, tt.role, calls)
		if tt.want == "" && len(got) > 0 || tt.want != "" && !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, tt.want) }) {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := Replay(stack, role("dynamodb:GetItem"), nil); len(got) == 0 {
		t.Error("a role of which no call is recorded passes")
	}
}
