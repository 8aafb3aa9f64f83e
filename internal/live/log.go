package live

import (
	"context"
	"log/slog"
)

// Fields of the line of a delivery, from which the stack makes metrics.
const (
	LogPosts     = "posts"
	LogGone      = "gone"
	LogDropped   = "dropped"
	LogRefused   = "refused"
	LogCut       = "cut"
	LogThrottled = "throttled"
	LogPaced     = "pacedMs"
)

// report counts the outcomes of a batch.
type report struct {
	posts   int // frames that were sent
	gone    int // connections that had ended
	dropped int // connections that miss changes and request them later
	refused int // dropped connections that rest because the service refused their frames
	cut     int // connections that are left for the next batch
	pacing  Pacing
}

func (r *report) any() bool { return r.posts+r.gone+r.dropped+r.cut > 0 }

// drop counts a dropped task. A connection that rests was counted when its rest began: otherwise a
// single client that does not read would count in each batch.
func (r *report) drop(t *task) {
	if !t.skipped {
		r.dropped++
	}
	if t.refused {
		r.refused++
	}
}

// since returns the pacing after an earlier one.
func (p Pacing) since(earlier Pacing) Pacing {
	return Pacing{Waited: p.Waited - earlier.Waited, Throttled: p.Throttled - earlier.Throttled}
}

// log writes the line of a delivery. It is a warning if a connection missed a change or waits, so
// the alarms also work at that level.
func (r *report) log(ctx context.Context, log *slog.Logger) {
	level := slog.LevelInfo
	if r.dropped+r.cut > 0 {
		level = slog.LevelWarn
	}
	log.Log(ctx, level, DeliveryLine,
		LogPosts, r.posts, LogGone, r.gone, LogDropped, r.dropped, LogRefused, r.refused, LogCut, r.cut,
		LogThrottled, r.pacing.Throttled, LogPaced, r.pacing.Waited.Milliseconds()) //nolint:sloglint // the line's own name
}
