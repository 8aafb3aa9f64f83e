package bill

// Amazon SQS pricing: FIFO queues, after the first million requests of a month.
const priceQueueRequest = 0.50 / million

const (
	outboxMemoryMB  = 256
	deliverMemoryMB = 256
	// OutboxMilliseconds is the run time of the outbox function, which reads the hooks and sends to
	// the queue.
	OutboxMilliseconds = 20
	// DeliverMilliseconds is the run time of a delivery without the wait for the receiver.
	DeliverMilliseconds = 50
)

// Deliveries is the use of deliveries to the addresses of hooks.
type Deliveries struct {
	Reads, Writes float64 // units
	Requests      float64 // of the queue
	Calls         float64 // half of them of the outbox function, the others of the deliver function
	Bytes         float64 // of the requests to receivers
	Wait          float64 // the time until a receiver answers, in ms
}

// Lines returns the price of n times the deliveries.
func (d Deliveries) Lines(n float64) []Line {
	requests, calls := n*d.Requests, n*d.Calls
	compute := calls / 2 * (OutboxMilliseconds*outboxMemoryMB + (DeliverMilliseconds+d.Wait)*deliverMemoryMB) /
		thousand / 1024
	sent := n * d.Bytes / gigabyte
	return []Line{
		{
			Name: "Requests of the queue", Used: requests / million, Unit: "M", Dollar: requests * priceQueueRequest,
		},
		{
			Name: "Lambda requests and compute", Used: calls / million, Unit: "M",
			Dollar: calls*priceInvocation + compute*priceGBSecond,
		},
		{Name: "DynamoDB writes", Used: n * d.Writes / million, Unit: "M units", Dollar: n * d.Writes * priceWriteUnit},
		{Name: "DynamoDB reads", Used: n * d.Reads / million, Unit: "M units", Dollar: n * d.Reads * priceReadUnit},
		{Name: "Data transfer out", Used: sent, Unit: "GB", Dollar: sent * priceTransferGB},
	}
}

// DeliveriesText returns the price of a million changes, with its parts.
func DeliveriesText(d Deliveries) string {
	lines := d.Lines(million)
	text := dollars(Total(lines)) + ":"
	for i, l := range lines {
		if i > 0 {
			text += ","
		}
		text += " " + l.Name + " " + dollars(l.Dollar)
	}
	return text
}
