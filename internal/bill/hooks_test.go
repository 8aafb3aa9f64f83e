package bill

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"example.com/parley/internal/measure"
	"example.com/parley/internal/test/tabletest"
	"example.com/parley/internal/test/templates"
)

const (
	minutesPerMonth = daysPerMonth * 24 * 60
	// pollers is the number of Lambda's connections to an idle queue, and pollSeconds how long each
	// request waits for a message.
	pollers     = 5
	pollSeconds = 20
	// sweepSeconds is the run time of a look for timers, which is one query.
	sweepSeconds = 0.01
	// answerSeconds is the run time of a delivery to a receiver that answers in 0.2 s.
	answerSeconds = 0.25
	// wakeRequests are a wake-up's requests: it is sent, received and removed.
	wakeRequests = 3
	// deliveryReads and deliveryWrites are the units of a change that is sent alone, and outboxReads
	// those of the outbox for it.
	deliveryReads, outboxReads = 6, 1
	deliveryWrites             = 1
)

// TestDeliveries_MatchThePage counts the consumption of deliveries on the real engine, and computes
// the prices that docs/performance.md states.
func TestDeliveries_MatchThePage(t *testing.T) {
	t.Parallel()
	db := tabletest.Start(t, "bill")
	bench := measure.New(db, "bill", measure.Full)
	var counted [2]Deliveries
	for i, changes := range []int{1, 20} {
		u, err := bench.HookUse(t.Context(), changes)
		if err != nil {
			t.Fatal(err)
		}
		counted[i] = Deliveries{Reads: u.Reads, Writes: u.Writes, Requests: u.Requests, Calls: u.Calls, Bytes: math.Round(u.Bytes/20) * 20}
	}
	alone, together := counted[0], counted[1]
	if alone.Reads != deliveryReads+outboxReads || alone.Writes != deliveryWrites || alone.Requests != wakeRequests || alone.Calls != 2 {
		t.Errorf("a change that is sent alone consumes %+v", alone)
	}
	row := func(name, goal string, wait float64) string {
		a, b := alone, together
		a.Wait, b.Wait = wait, wait
		return fmt.Sprintf("| %s | %s | %s |%s", name, dollars(Total(a.Lines(million))), dollars(Total(b.Lines(million))), goal)
	}
	soon, slow := alone, alone
	soon.Wait, slow.Wait = 50, 5000
	states(t, "adr/0091-send-changes-by-a-queue-of-wake-ups.md",
		fmt.Sprintf("a million lone deliveries cost %s, to a receiver that answers in %.0f ms", dollars(Total(soon.Lines(million))), soon.Wait))
	states(t, "performance.md",
		fmt.Sprintf("| read units, write units | %g, %g | %g, %g |", alone.Reads, alone.Writes, together.Reads, together.Writes),
		fmt.Sprintf("| requests of the queue, calls of functions | %g, %g | %g, %g |", alone.Requests, alone.Calls, together.Requests, together.Calls),
		row("a million, to a receiver that answers in 50 ms", " $4, $0.40 |", 50), row("in 200 ms", " |", 200), row("in 5 s", " |", slow.Wait),
		fmt.Sprintf("The outbox function runs %d ms, and the deliver function %d ms and the wait, both with %d MB", OutboxMilliseconds, DeliverMilliseconds, deliverMemoryMB),
		fmt.Sprintf("%s a month", dollars(Total(slow.Lines(daysPerMonth*24*60*60/5)))))
}

// TestHooks_PriceMatchesTheSettings computes the prices of hooks that docs/settings.md states, with
// the interval and the memory of the synthesized template.
func TestHooks_PriceMatchesTheSettings(t *testing.T) {
	t.Parallel()
	text, err := templates.Read("../..", "adopted")
	if err != nil {
		t.Fatal(err)
	}
	var stack struct {
		Resources map[string]struct {
			Properties struct {
				MemorySize         float64
				ScheduleExpression string
			}
		}
	}
	if err := json.Unmarshal(text, &stack); err != nil {
		t.Fatal(err)
	}
	if rate := stack.Resources["TimerSchedule"].Properties.ScheduleExpression; rate != "rate(1 minute)" {
		t.Errorf("timers are looked for at %s", rate)
	}
	for id, want := range map[string]float64{"OutboxFunction": outboxMemoryMB, "DeliverFunction": deliverMemoryMB} {
		if got := stack.Resources[id].Properties.MemorySize; got != want {
			t.Errorf("%s has %v MB, but the bill states %v", id, got, want)
		}
	}
	call := func(function string, seconds float64) float64 {
		return priceInvocation + stack.Resources[function].Properties.MemorySize/1024*seconds*priceGBSecond
	}
	sweeps := minutesPerMonth * (call("OutboxFunction", sweepSeconds) + priceReadUnit)
	polls := pollers * minutesPerMonth * 60 / pollSeconds * priceQueueRequest
	queue, function := million*wakeRequests*priceQueueRequest, million*call("DeliverFunction", answerSeconds)
	table := million * (deliveryReads*priceReadUnit + deliveryWrites*priceWriteUnit)
	states(t, "settings.md",
		fmt.Sprintf("%s a month at rest, or %s in an account that has used SQS's free million", dollars(sweeps), dollars(sweeps+polls)),
		fmt.Sprintf("or about $%.0f if it has an address: %s for the queue, %s for the deliver function", queue+function+table, dollars(queue), dollars(function)),
		fmt.Sprintf("and %s for the table", dollars(table)))
	if requests := pollers * minutesPerMonth * 60 / pollSeconds; requests > million {
		t.Errorf("%d polls a month are more than the free million", requests)
	}
}
