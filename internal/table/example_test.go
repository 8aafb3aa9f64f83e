package table_test

import (
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// The primary key of a message follows from its room, its shard and its id. The id's UUID contains
// the time at which it was sent.
func ExampleMessageKey() {
	sent := time.Date(2018, 8, 29, 12, 0, 0, 123_000_000, time.UTC)
	id := chat.MessageID{User: "amsg", UUID: chat.NewUUID(sent, [10]byte{})}
	key := table.MessageKey("seattle", 0, id)
	fmt.Println(key[table.PK].(*types.AttributeValueMemberS).Value)
	fmt.Println(key[table.SK].(*types.AttributeValueMemberS).Value)
	// Output:
	// seattle-1
	// amsg#2018-08-29:12:00:00.123#0165858d-fe7b-7000-8000-000000000000
}

// A query for the messages of one user in August 2018 is one range of sort keys.
func ExampleSpanRange() {
	august := chat.MessageRange{
		Room: "seattle", User: "amsg",
		From: time.Date(2018, 8, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2018, 9, 1, 0, 0, 0, 0, time.UTC),
	}
	r := table.SpanRange(august)
	fmt.Println(r.Low)
	fmt.Println(r.High)
	// Output:
	// amsg#2018-08-01:00:00:00.000
	// amsg#2018-09-01:00:00:00.000
}
