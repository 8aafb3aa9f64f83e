package httpapi_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestShorten_LongArrayIsRefusedOnce sends as many faults as fit in a body. A response that names
// each would have 6 MB, more than a function may return.
func TestShorten_LongArrayIsRefusedOnce(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	got := a.want(t, 422, "POST", "/devices/phone/events", `{"events":[{}`+strings.Repeat(`,{}`, 65_000)+`]}`)
	checkProblem(t, "a long array", got)
	if got.body["detail"] != "events must have at most 25 elements." {
		t.Errorf("the detail is %v", got.body["detail"])
	}
	if faults := got.body["errors"].([]any); len(got.text) > 4<<10 || len(faults) != 20 {
		t.Errorf("the answer has %d bytes and %d faults", len(got.text), len(faults))
	}
}

// TestAddFault_ManyUnknownFields breaks as many rules as a body without arrays can.
func TestAddFault_ManyUnknownFields(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	var fields []string
	for i := range 15_000 {
		fields = append(fields, fmt.Sprintf(`"f%d":1`, i))
	}
	got := a.want(t, 422, "PUT", "/rooms/seattle", "{"+strings.Join(fields, ",")+"}")
	checkProblem(t, "many fields", got)
	if faults := got.body["errors"].([]any); len(faults) != 20 {
		t.Errorf("%d faults are named", len(faults))
	}
}
