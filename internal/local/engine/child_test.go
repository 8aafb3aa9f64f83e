package engine

import (
	"strings"
	"testing"
)

func TestTail_KeepsTheLastLines(t *testing.T) {
	t.Parallel()
	c := &child{}
	for range 1000 {
		c.note("all is well ☃")
	}
	c.note("the disk is full")
	said := c.failure().Error()
	if !strings.Contains(said, "the disk is full") || len(c.complaint) > maxComplaint || strings.Contains(said, `\x`) {
		t.Errorf("of %d bytes: %s", len(c.complaint), said)
	}
}
