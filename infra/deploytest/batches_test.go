//go:build deploy

package deploytest

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// settleTime is long enough for an unexpected batch to appear in the log.
const settleTime = 2 * time.Second

// tally counts the records that the feed function received, and the changes that it appended to
// feeds.
type tally struct{ records, changes int }

func (d *deployment) tally(ctx context.Context) (tally, error) {
	records, err := d.deliveredRecords(ctx)
	if err != nil {
		return tally{}, err
	}
	changes, err := d.feedChanges(ctx)
	return tally{records, changes}, err
}

// unfedOfEveryRoute is the number of records of everyRoute and follow that enter no feed, because
// they are for the connections of one person: a read marker, preferences, settings of notifications,
// a block, its end, a ban's state, and the records of lifeRoutes.
const unfedOfEveryRoute = 6 + 4

// checkBatches compares the counts since a tally. A mapping that passes other records causes calls
// that do nothing. A mapping that passes the function's own items never comes to rest.
func (d *deployment) checkBatches(ctx context.Context, before tally) error {
	time.Sleep(settleTime)
	return try(ctx, d.patience, func() error {
		now, err := d.tally(ctx)
		if err != nil {
			return err
		}
		records, changes := now.records-before.records, now.changes-before.changes
		if records != changes+unfedOfEveryRoute {
			return fmt.Errorf("the feed function received %d records, but appended %d changes, besides %d for only one person",
				records, changes, unfedOfEveryRoute)
		}
		return nil
	})
}

// deliveredRecords counts the records of all batches in the function's log.
func (d *deployment) deliveredRecords(ctx context.Context) (int, error) {
	group, err := d.physicalID(ctx, "FeedLogs")
	if err != nil {
		return 0, err
	}
	var answer struct{ Events []struct{ Message string } }
	if err := d.tryAWS(ctx, &answer, "logs", "filter-log-events", "--log-group-name", group); err != nil {
		return 0, err
	}
	n := 0
	for _, e := range answer.Events {
		var line struct {
			Msg     string
			Records int
		}
		if json.Unmarshal([]byte(strings.TrimSpace(e.Message)), &line) == nil && line.Msg == "batch" {
			n += line.Records
		}
	}
	return n, nil
}

// feedChanges adds up the heads of all feeds, and the changes that were merged into others.
func (d *deployment) feedChanges(ctx context.Context) (int, error) {
	scan := dynamodb.NewScanPaginator(dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(d.endpoint()), Region: region, HTTPClient: d.client(), Credentials: rootKey(),
	}), &dynamodb.ScanInput{
		TableName: aws.String(d.outputs["TableName"]), ConsistentRead: aws.Bool(true),
		FilterExpression:          aws.String("SK = :head OR attribute_exists(merged)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":head": &types.AttributeValueMemberS{Value: "head"}},
	})
	n := 0
	for scan.HasMorePages() {
		page, err := scan.NextPage(ctx)
		if err != nil {
			return 0, err
		}
		for _, item := range page.Items {
			if merged, ok := item["merged"].(*types.AttributeValueMemberB); ok && len(merged.Value) > 0 {
				n += mergedChanges(merged.Value)
				continue
			}
			seq, ok := item["seq"].(*types.AttributeValueMemberN)
			if !ok {
				return 0, fmt.Errorf("a head without a number: %v", item)
			}
			last, err := strconv.Atoi(seq.Value)
			if err != nil {
				return 0, err
			}
			n += last
		}
	}
	return n, nil
}

// mergedChanges counts the merged changes of a segment, each of which is two varints.
func mergedChanges(packed []byte) int {
	ends := 0
	for _, b := range packed {
		if b < 0x80 {
			ends++
		}
	}
	return ends / 2
}
