package chat

import (
	"testing"
	"time"
)

func TestLogPosition_RefusesWhatNoPageEndsWith(t *testing.T) {
	scope := NewCursorScope("log")
	for name, p := range map[string]logPosition{"the zero time": {}, "a nanosecond": {time.Unix(1, 1)}} {
		if err := DecodeCursor(scope, EncodeCursor(scope, &p), new(logPosition)); KindOf(err) != BadCursor {
			t.Errorf("%s: %v", name, err)
		}
	}
}
