package requests

import (
	"fmt"
	"strings"
)

// Wakes are batches of the queue of hooks' deliveries, by name. The first one is a file of events/.
var Wakes = []WakeBatch{
	{"room-with-news", []string{
		`{"holder":"helpdesk","hook":"moderator","created":1535544000123,"rooms":[{"room":"seattle","seq":1,"first":0,"gen":"2018-08-29T11:59:00.000"}]}`,
	}},
	{"hook-changed", []string{`{"holder":"helpdesk","hook":"moderator","created":1535544000123,"once":1535544000124}`}},
	{"deleted-hooks", []string{
		`{"holder":"helpdesk","hook":"gone","created":1535544000123,"once":1}`,
		`{"holder":"helpdesk","hook":"gone-too","created":1535544000123,"once":1}`,
	}},
	{"hooks-of-rooms", []string{ // whose persons are an owner and nobody
		`{"holder":"room/seattle","hook":"ours","created":1535544000123,"once":1535544000124}`,
		`{"holder":"room/seattle","hook":"theirs","created":1535544000123,"once":1535544000124}`,
	}},
	{"unreadable", []string{`{"service":`}},
}

// WakeBatch is a batch of messages of the queue.
type WakeBatch struct {
	Name   string
	bodies []string
}

// The fields are in the order of AWS's documents.
type queueMessage struct {
	MessageID     string            `json:"messageId"`
	ReceiptHandle string            `json:"receiptHandle"`
	Body          string            `json:"body"`
	Attributes    map[string]string `json:"attributes"`
	Source        string            `json:"eventSource"`
	SourceARN     string            `json:"eventSourceARN"`
	Region        string            `json:"awsRegion"`
}

// Event returns the event with which Lambda invokes the deliver function, as indented JSON.
func (b WakeBatch) Event() string {
	var event struct{ Records []queueMessage }
	for n, body := range b.bodies {
		event.Records = append(event.Records, queueMessage{
			MessageID: MessageID(n), ReceiptHandle: fmt.Sprintf("AQEBhandle%d", n), Body: body,
			Attributes: map[string]string{
				"ApproximateReceiveCount": "1", "SentTimestamp": "1535544060123", "SequenceNumber": fmt.Sprintf("188496142300000000%02d", n),
				"MessageGroupId": strings.Repeat("0", 31) + fmt.Sprint(n), "ApproximateFirstReceiveTimestamp": "1535544060124",
			},
			Source: "aws:sqs", SourceARN: "arn:aws:sqs:us-east-1:123456789012:hooks.fifo", Region: "us-east-1",
		})
	}
	return indented(event)
}

// MessageID returns the id of a message of a batch, by its place.
func MessageID(n int) string { return fmt.Sprintf("059f36b4-87a3-44ab-83d2-6619751%05d", n) }
