package stream

import (
	"context"

	"example.com/parley/internal/config"
)

// trimBatch is the number of delivered records after which a busy stream is trimmed: one full
// read. The engine deletes that many within a few milliseconds.
const trimBatch = config.StreamBatch

// trim lets the engine delete the records that a round of reads has delivered. It waits for the
// end of the stream or for trimBatch records. A failure is logged: the next trim includes these
// records.
func (p *Poller) trim(ctx context.Context, read int) {
	p.untrimmed += read
	if p.cfg.Trim == nil || len(p.shards) != 1 || read > 0 && p.untrimmed < trimBatch {
		return
	}
	done := p.position.Done[p.shards[0].id]
	if done == "" || done == p.trimmed {
		return
	}
	if err := p.cfg.Trim(ctx, done); err != nil {
		p.cfg.Log.WarnContext(ctx, "the stream cannot be trimmed", "error", err)
		return
	}
	p.trimmed, p.untrimmed = done, 0
}
