package stream

import "time"

// SetEndTimeout must be called before Run.
func (p *Poller) SetEndTimeout(d time.Duration) { p.endTimeout = d }

// SetIdlePause sets the longest pause after a read without records.
func (p *Poller) SetIdlePause(d time.Duration) { p.idlePause = d }
