// Package stream replaces Lambda's event source mapping on a laptop. It reads the engine's stream
// and passes batches to the feed function's handler, as the events that Lambda sends.
package stream

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

// event is the JSON form of a batch in Lambda.
type event struct {
	Records []eventRecord `json:"Records"`
}

type eventRecord struct {
	EventID        string       `json:"eventID"`
	EventName      string       `json:"eventName"`
	EventVersion   string       `json:"eventVersion"`
	EventSource    string       `json:"eventSource"`
	AWSRegion      string       `json:"awsRegion"`
	DynamoDB       streamRecord `json:"dynamodb"`
	EventSourceARN string       `json:"eventSourceARN"`
}

type streamRecord struct {
	ApproximateCreationDateTime int64          `json:"ApproximateCreationDateTime"` // whole seconds, as in the service
	Keys                        map[string]any `json:"Keys"`
	NewImage                    map[string]any `json:"NewImage,omitempty"`
	OldImage                    map[string]any `json:"OldImage,omitempty"`
	SequenceNumber              string         `json:"SequenceNumber"`
	SizeBytes                   int64          `json:"SizeBytes"`
	StreamViewType              string         `json:"StreamViewType"`
}

// Event returns the JSON of Lambda's event for records of a stream.
func Event(arn string, records []types.Record) ([]byte, error) {
	e := event{Records: []eventRecord{}}
	for _, r := range records {
		if r.Dynamodb == nil {
			return nil, fmt.Errorf("write event: record %s has no change", aws.ToString(r.EventID))
		}
		rec := eventRecord{
			EventID: aws.ToString(r.EventID), EventName: string(r.EventName),
			EventVersion: aws.ToString(r.EventVersion),
			EventSource:  aws.ToString(r.EventSource), AWSRegion: aws.ToString(r.AwsRegion), EventSourceARN: arn,
			DynamoDB: streamRecord{
				ApproximateCreationDateTime: aws.ToTime(r.Dynamodb.ApproximateCreationDateTime).
					Truncate(time.Second).Unix(),
				SequenceNumber: aws.ToString(r.Dynamodb.SequenceNumber),
				SizeBytes:      aws.ToInt64(r.Dynamodb.SizeBytes),
				StreamViewType: string(r.Dynamodb.StreamViewType),
			},
		}
		for to, from := range map[*map[string]any]map[string]types.AttributeValue{
			&rec.DynamoDB.Keys: r.Dynamodb.Keys, &rec.DynamoDB.NewImage: r.Dynamodb.NewImage,
			&rec.DynamoDB.OldImage: r.Dynamodb.OldImage,
		} {
			image, err := imageOf(from)
			if err != nil {
				return nil, fmt.Errorf("write event: record %s: %w", aws.ToString(r.EventID), err)
			}
			*to = image
		}
		e.Records = append(e.Records, rec)
	}
	return json.Marshal(e)
}

// imageOf converts an image to the form of events. It returns nil for an empty one.
func imageOf(item map[string]types.AttributeValue) (map[string]any, error) {
	if len(item) == 0 {
		return nil, nil
	}
	image := make(map[string]any, len(item))
	for name, v := range item {
		value, err := valueOf(v)
		if err != nil {
			return nil, fmt.Errorf("attribute %s: %w", name, err)
		}
		image[name] = value
	}
	return image, nil
}

// valueOf converts one value, as in {"S": "text"}. encoding/json writes bytes as base64.
func valueOf(v types.AttributeValue) (map[string]any, error) {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return map[string]any{"S": v.Value}, nil
	case *types.AttributeValueMemberN:
		return map[string]any{"N": v.Value}, nil
	case *types.AttributeValueMemberB:
		return map[string]any{"B": v.Value}, nil
	case *types.AttributeValueMemberBOOL:
		return map[string]any{"BOOL": v.Value}, nil
	case *types.AttributeValueMemberNULL:
		return map[string]any{"NULL": v.Value}, nil
	case *types.AttributeValueMemberSS:
		return map[string]any{"SS": v.Value}, nil
	case *types.AttributeValueMemberNS:
		return map[string]any{"NS": v.Value}, nil
	case *types.AttributeValueMemberBS:
		return map[string]any{"BS": v.Value}, nil
	case *types.AttributeValueMemberL:
		list := make([]any, len(v.Value))
		for i, element := range v.Value {
			value, err := valueOf(element)
			if err != nil {
				return nil, err
			}
			list[i] = value
		}
		return map[string]any{"L": list}, nil
	case *types.AttributeValueMemberM:
		m, err := imageOf(v.Value)
		if m == nil {
			m = map[string]any{}
		}
		return map[string]any{"M": m}, err
	}
	return nil, fmt.Errorf("type %T is unknown", v)
}
