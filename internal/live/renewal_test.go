package live_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"example.com/parley/internal/live"
)

// TestConsume_RenewedConnectionsHearOn delivers to connections whose first token has ended: while
// their ends cannot be read, they hear nothing and are not closed. Then one that was renewed hears
// what it missed, and the end of each is read once. One that was not is closed a
// second later.
func TestConsume_RenewedConnectionsHearOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		h.join("seattle", live.Full, "renewed", "ended", "lasting")
		for i := range h.rows["seattle"][:2] {
			c := &h.rows["seattle"][i].Connection
			c.Until, c.RenewableUntil = time.Now().Add(-time.Minute), time.Now().Add(time.Hour)
		}
		d := h.delivery()
		if err := d.Consume(t.Context(), h.message("seattle", "one")); err == nil {
			t.Error("no error reports that ends cannot be read")
		}
		if len(h.posts) > 0 || len(h.closed) > 0 {
			t.Errorf("sent are %+v, closed %v", h.posts, h.closed)
		}
		h.renewed = map[live.ConnectionID]time.Time{"renewed": time.Now().Add(time.Hour)}
		for _, text := range []string{"two", "three"} {
			if err := d.Consume(t.Context(), h.message("seattle", text)); err != nil {
				t.Fatal(err)
			}
		}
		for _, id := range []string{"renewed", "lasting"} {
			if got := h.seqs(id); !slices.Equal(got, []int64{1, 2, 3}) {
				t.Errorf("%s has received %v", id, got)
			}
		}
		time.Sleep(live.CloseDelay)
		if err := d.Consume(t.Context(), h.message("seattle", "four")); err != nil {
			t.Fatal(err)
		}
		if got := h.received("ended"); !slices.Equal(got, []string{`{"type":"closing","reason":"expired"}`}) || !slices.Contains(h.closed, "ended") {
			t.Errorf("the one that was not renewed has received %q; closed are %v", got, h.closed)
		}
		if h.endReads != 2 {
			t.Errorf("ends are read %d times", h.endReads)
		}
	})
}
