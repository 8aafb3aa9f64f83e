package feedfn

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/test/requests"
)

// likeLambda decodes a batch as lambda.NewHandler would.
func likeLambda(payload []byte) (batch events.DynamoDBEvent, err error) {
	err = json.Unmarshal(payload, &batch)
	return batch, err
}

func compare(t *testing.T, payload []byte) {
	t.Helper()
	want, err := likeLambda(payload)
	if err != nil {
		return // the function may refuse input that Lambda's library refuses
	}
	got, err := decodeBatch(payload)
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(events.DynamoDBAttributeValue{}, events.SecondsEpochTime{})); err != nil || diff != "" {
		t.Errorf("%v, %s\n%.2000s", err, diff, payload)
	}
}

func TestFunction_DecodesEveryEvent(t *testing.T) {
	t.Parallel()
	for _, b := range requests.Batches {
		text := []byte(b.Event())
		var compact bytes.Buffer
		if err := json.Compact(&compact, text); err != nil {
			t.Fatal(err)
		}
		batch, err := decodeBatch(compact.Bytes())
		if err != nil || len(batch.Records) == 0 || len(batch.Records[0].Change.Keys) == 0 {
			t.Errorf("%s: %v, %d records", b.Name, err, len(batch.Records))
		}
		compare(t, text)
		compare(t, compact.Bytes())
	}
}

func TestFunction_RefusesWhatIsNoBatch(t *testing.T) {
	t.Parallel()
	for _, payload := range []string{"", "[]", `{"Records":[{]}`, `{"Records":[{"dynamodb":{"Keys":{"PK":{"S":1}}}}]}`} {
		if answer, err := (Function{}).Invoke(t.Context(), []byte(payload)); err == nil {
			t.Errorf("%q is answered with %s", payload, answer)
		}
	}
}

// FuzzDecodeBatch compares the decoding of an attribute with the result of Lambda's library.
func FuzzDecodeBatch(f *testing.F) {
	for _, attribute := range []string{
		`{"S":"text"}`, `{"S":"\u00e9\"\\ 😀"}`, `{"S":"\ud800"}`, "{\"S\":\"\xff\"}", `{"S":""}`, `{"S":"a","N":"1"}`, `{"S":"a","S":"b"}`, `{"S":null}`, `{ "S" : "a" }`,
		`{"N":"1.5"}`, `{"B":"AAE="}`, `{"B":""}`, `{"B":"A\nA=="}`, `{"B":"?"}`, `{"BOOL":true}`, `{"NULL":true}`, `{"SS":["a","b"]}`, `{"L":[{"S":"a"}]}`, `{"M":{"a":{"N":"1"}}}`, `{}`, `null`,
	} {
		f.Add(attribute)
	}
	f.Fuzz(func(t *testing.T, attribute string) {
		compare(t, []byte(`{"Records":[{"dynamodb":{"Keys":{"PK":`+attribute+`}}}]}`))
	})
}
