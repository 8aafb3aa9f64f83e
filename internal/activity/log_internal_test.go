package activity

import (
	"testing"
	"time"

	"parley/internal/chat"
)

func TestLogPosition_RefusesImpossibleTimes(t *testing.T) {
	scope := chat.NewCursorScope("log")
	for name, p := range map[string]logPosition{"the zero time": {}, "a nanosecond": {time.Unix(1, 1)}} {
		if err := chat.DecodeCursor(scope, chat.EncodeCursor(scope, &p), new(logPosition)); chat.KindOf(err) != chat.BadCursor {
			t.Errorf("%s: %v", name, err)
		}
	}
}
