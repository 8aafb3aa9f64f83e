package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/jsii-runtime-go"

	"example.com/parley/internal/table"
)

// liveTable creates the table of open connections and their subscriptions. It holds no content,
// and reconnecting clients refill it. So it has no recovery and no protection, and is removed with
// the stack, even in prod. At rest it is empty and costs nothing.
//
// It is a table of its own because each connection writes dozens of rows, which a stream of the
// main table would carry to the feed function. Its readers need the newest rows, so it has no
// index.
func (b *builder) liveTable() awsdynamodb.ITableV2 {
	t := awsdynamodb.NewTableV2(b.scope, jsii.String("LiveTable"), &awsdynamodb.TablePropsV2{
		PartitionKey: text(table.PK),
		SortKey:      text(table.SK),
		// The rows of connections that ended without notice.
		TimeToLiveAttribute: jsii.String(table.TTL),
		Billing:             awsdynamodb.Billing_OnDemand(nil),
		WarmThroughput:      b.warm(),
		RemovalPolicy:       awscdk.RemovalPolicy_DESTROY,
	})
	fixID(t, "LiveTable")
	except(t, aLiveTable)
	return t
}
