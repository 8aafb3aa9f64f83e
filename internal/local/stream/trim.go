package stream

import (
	"context"
	"time"
)

// trimPause is the shortest time from one trim to the next. A trim costs the engine a few
// milliseconds for each thousand records, and one transaction.
const trimPause = time.Second

// trim lets the engine delete the records that were delivered, if the last trim is trimPause ago or
// the poller ends. A failure is logged: the next trim includes these records.
func (p *Poller) trim(ctx context.Context, ending bool) {
	if p.cfg.Trim == nil || len(p.shards) != 1 || !ending && p.cfg.Clock().Sub(p.trimmedAt) < trimPause {
		return
	}
	done := p.position.Done[p.shards[0].id]
	if done == "" || done == p.trimmed {
		return
	}
	p.trimmedAt = p.cfg.Clock()
	if err := p.cfg.Trim(ctx, done); err != nil {
		p.cfg.Log.WarnContext(ctx, "the stream cannot be trimmed", "error", err)
		return
	}
	p.trimmed = done
}
