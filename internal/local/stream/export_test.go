package stream

import "time"

// SetEndTimeout must be called before Run.
func (p *Poller) SetEndTimeout(d time.Duration) { p.endTimeout = d }
