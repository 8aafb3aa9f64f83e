package httpapi

import (
	"math"
	"net/http"
	"strings"
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

// TestShorten_CutsBehindTheBound reads a body like huma, and counts the elements that remain to
// validate.
func TestShorten_CutsBehindTheBound(t *testing.T) {
	t.Parallel()
	body := &bodySchema{}
	api := newAPI(http.NewServeMux(), body)
	postEventsOperation().register(api, nil)
	body.take(api)
	for sent, want := range map[int]int{1: 1, 25: 25, 26: 26, 27: 26, 50_000: 26} {
		var tree any
		text := `{"events":[0` + strings.Repeat(`,0`, sent-1) + `],"other":[` + strings.Repeat(`0,`, 99) + `0]}`
		if err := api.Unmarshal(jsonType, []byte(text), &tree); err != nil {
			t.Fatal(err)
		}
		fields := tree.(map[string]any)
		if got := len(fields["events"].([]any)); got != want {
			t.Errorf("of %d elements %d are validated, want %d", sent, got, want)
		}
		if got := len(fields["other"].([]any)); got != 100 {
			t.Errorf("an unknown field has %d elements", got)
		}
	}
	for _, text := range []string{`[]`, `1`, `"x"`, `{"events":{}}`, `{"events":[[1]]}`} { // not in the schema's form
		var tree any
		if err := api.Unmarshal(jsonType, []byte(text), &tree); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
