package bill

import (
	"encoding/json"
	"fmt"
	"testing"

	"example.com/parley/internal/test/templates"
)

// Amazon SQS pricing: FIFO queues, after the first million requests of a month.
const priceQueueRequest = 0.50 / million

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
	// deliveryReads and deliveryWrites are the units of a change that is sent alone.
	deliveryReads  = 8
	deliveryWrites = 1
)

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
