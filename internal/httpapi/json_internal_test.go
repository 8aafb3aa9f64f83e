package httpapi

import (
	"math"
	"testing"
)

// TestStrictJSON_HugeNumber checks that a number beyond the range of floats is accepted where any
// value is allowed, and refused as a number.
func TestStrictJSON_HugeNumber(t *testing.T) {
	var tree any
	if err := strictJSON(&bodySchema{}).Unmarshal([]byte(`{"metadata":{"a":[-1e400]},"seq":2}`), &tree); err != nil {
		t.Fatal(err)
	}
	root := tree.(map[string]any)
	if got := root["metadata"].(map[string]any)["a"].([]any)[0]; got != math.Inf(-1) || root["seq"] != 2.0 {
		t.Errorf("decoded %v", tree)
	}
	var body struct {
		Metadata metadata `json:"metadata"`
		Seq      float64  `json:"seq"`
	}
	if err := strictJSON(&bodySchema{}).Unmarshal([]byte(`{"metadata":{"a":[-1e400]},"seq":2}`), &body); err != nil || body.Metadata != `{"a":[-1e400]}` {
		t.Errorf("%+v, %v", body, err)
	}
	if err := strictJSON(&bodySchema{}).Unmarshal([]byte(`{"seq":1e400}`), &body); err == nil {
		t.Errorf("accepted as a number: %v", body.Seq)
	}
}
