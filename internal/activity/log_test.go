package activity_test

import (
	"testing"
	"time"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/test/chattest"
)

// logTime is a position in a log that anyone could create.
type logTime struct{ at time.Time }

func (p *logTime) CursorFields(f *chat.CursorCodec) { f.Time(&p.at) }

func TestEvents_RefusesImpossibleCursors(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	scope := chat.NewCursorScope("log").Text("ada").Text("phone").Text("").Text("").Time(time.Time{}).Time(time.Time{})
	for name, tt := range map[string]struct {
		at   time.Time
		want chat.Kind
	}{
		"the zero time": {time.Time{}, chat.BadCursor},
		"a nanosecond":  {time.Unix(1, 1), chat.BadCursor},
		"a microsecond": {time.Unix(1, 1000), 0},
	} {
		cursor := chat.EncodeCursor(scope, &logTime{tt.at})
		_, err := s.Activity.Events(t.Context(), "ada", "phone", activity.LogQuery{PageRequest: chat.PageRequest{Limit: 1, Cursor: cursor}})
		if (err != nil) != (tt.want != 0) || err != nil && chat.KindOf(err) != tt.want {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
	}
}
