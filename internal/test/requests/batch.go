package requests

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Batch is a batch of records.
type Batch struct {
	Name    string
	records []record
}

// record is a change of an item, whose images are in the JSON of DynamoDB. An image that is "" is
// absent.
type record struct {
	id     string // hexadecimal, without leading zeros
	number int    // the last digits of the sequence number
	at     int64  // Unix seconds
	size   int    // bytes, as the stream counts them
	old    string
	new    string
}

// The fields are in the order of AWS's documents.
type streamRecord struct {
	EventID        string `json:"eventID"`
	EventName      string `json:"eventName"`
	EventVersion   string `json:"eventVersion"`
	EventSource    string `json:"eventSource"`
	Region         string `json:"awsRegion"`
	Change         change `json:"dynamodb"`
	EventSourceARN string `json:"eventSourceARN"`
}

type change struct {
	At       int64                      `json:"ApproximateCreationDateTime"`
	Keys     map[string]json.RawMessage `json:"Keys"`
	New      json.RawMessage            `json:"NewImage,omitempty"`
	Old      json.RawMessage            `json:"OldImage,omitempty"`
	Number   string                     `json:"SequenceNumber"`
	Size     int                        `json:"SizeBytes"`
	ViewType string                     `json:"StreamViewType"`
}

// BatchOf returns the event of the batch with a name.
func BatchOf(name string) string {
	i := slices.IndexFunc(Batches, func(b Batch) bool { return b.Name == name })
	if i < 0 {
		panic("no batch " + name)
	}
	return Batches[i].Event()
}

// Event returns the event with which Lambda invokes the feed function, as indented JSON.
func (b Batch) Event() string {
	var event struct{ Records []streamRecord }
	for _, r := range b.records {
		event.Records = append(event.Records, r.event())
	}
	return indented(event)
}

func (r record) event() streamRecord {
	name, image := "MODIFY", r.new
	switch "" {
	case r.old:
		name = "INSERT"
	case r.new:
		name, image = "REMOVE", r.old
	}
	var item map[string]json.RawMessage
	if err := json.Unmarshal([]byte(image), &item); err != nil {
		panic(err) // the images are constant
	}
	return streamRecord{
		EventID: fmt.Sprintf("%032s", r.id), EventName: name, EventVersion: "1.1", EventSource: "aws:dynamodb", Region: "us-east-1",
		EventSourceARN: "arn:aws:dynamodb:us-east-1:000000000000:table/parley/stream/2018-08-29T11:59:00.000",
		Change: change{
			At: r.at, Keys: map[string]json.RawMessage{"PK": item["PK"], "SK": item["SK"]}, New: json.RawMessage(r.new), Old: json.RawMessage(r.old),
			Number: fmt.Sprintf("400000000000000000%03d", r.number), Size: r.size, ViewType: "NEW_AND_OLD_IMAGES",
		},
	}
}
