package measure

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/feedfn"
	"parley/internal/table"
)

// feed returns the load of a batch of the feed function, with the decoding of its event.
func (i *instructed) feed(ctx context.Context) (func() error, error) {
	event, err := i.feedEvent(ctx)
	if err != nil {
		return nil, err
	}
	function := feedfn.Config{DB: i.db, Table: i.table, Log: slog.New(slog.DiscardHandler)}.Function()
	return func() error {
		answer, err := function.Invoke(ctx, event)
		if err == nil && string(answer) != `{"batchItemFailures":[]}` {
			err = fmt.Errorf("the batch failed: %s", answer)
		}
		return err
	}, nil
}

// feedEvent returns an event with the messages of feedRoom, as they were stored.
func (i *instructed) feedEvent(ctx context.Context) ([]byte, error) {
	out, err := i.db.Query(ctx, &dynamodb.QueryInput{
		TableName: &i.table, KeyConditionExpression: aws.String("PK = :pk"), Limit: aws.Int32(feedRecords),
		ExpressionAttributeValues: table.Item{":pk": &types.AttributeValueMemberS{Value: table.ShardPK(feedRoom, 0)}},
	})
	if err != nil {
		return nil, err
	}
	if len(out.Items) != feedRecords {
		return nil, fmt.Errorf("the room has %d messages", len(out.Items))
	}
	records := make([]string, len(out.Items))
	for n, item := range out.Items {
		image, err := imageOf(item)
		if err != nil {
			return nil, err
		}
		keys, err := imageOf(table.Item{"PK": item["PK"], "SK": item["SK"]})
		if err != nil {
			return nil, err
		}
		records[n] = fmt.Sprintf(`{"eventID":"%032d","eventName":"INSERT","eventVersion":"1.1","eventSource":"aws:dynamodb","awsRegion":"us-east-1",`+
			`"dynamodb":{"ApproximateCreationDateTime":%d,"Keys":%s,"NewImage":%s,"SequenceNumber":"%021d","SizeBytes":%d,"StreamViewType":"NEW_AND_OLD_IMAGES"},`+
			`"eventSourceARN":"arn:aws:dynamodb:us-east-1:000000000000:table/parley/stream/%s"}`,
			n, i.now.Unix(), keys, image, n+1, len(image), feedGeneration)
	}
	var event bytes.Buffer
	event.WriteString(`{"Records":[`)
	for n, r := range records {
		if n > 0 {
			event.WriteByte(',')
		}
		event.WriteString(r)
	}
	event.WriteString(`]}`)
	return event.Bytes(), nil
}

// imageOf returns an item as the JSON of a stream.
func imageOf(item table.Item) (string, error) {
	var b bytes.Buffer
	for n, name := range slices.Sorted(maps.Keys(item)) {
		if n > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Quote(name) + ":")
		var value any
		switch v := item[name].(type) {
		case *types.AttributeValueMemberS:
			value = map[string]string{"S": v.Value}
		case *types.AttributeValueMemberN:
			value = map[string]string{"N": v.Value}
		case *types.AttributeValueMemberB:
			value = map[string][]byte{"B": v.Value}
		default:
			return "", fmt.Errorf("a message has the attribute %s of the type %T", name, v)
		}
		text, err := json.Marshal(value)
		if err != nil {
			return "", err
		}
		b.Write(text)
	}
	return "{" + b.String() + "}", nil
}
