package live

import (
	"context"
	"log/slog"
)

// Fields of the line of a delivery, from which the stack makes metrics.
const (
	LogPosts   = "posts"
	LogGone    = "gone"
	LogDropped = "dropped"
	LogCut     = "cut"
	LogPaced   = "pacedMs"
)

// log writes the line of a delivery. It is a warning if a connection missed a change or waits, so
// the alarms also work at that level.
func (r report) log(ctx context.Context, log *slog.Logger) {
	level := slog.LevelInfo
	if r.dropped+r.cut > 0 {
		level = slog.LevelWarn
	}
	log.Log(ctx, level, DeliveryLine, LogPosts, r.posts, LogGone, r.gone, LogDropped, r.dropped, LogCut, r.cut, LogPaced, r.paced.Milliseconds()) //nolint:sloglint // the line's own name
}
