package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/jsii-runtime-go"

	"example.com/parley/infra/config"
	"example.com/parley/internal/table"
)

// tables are the three tables of the deployment.
type tables struct{ chat, log, live awsdynamodb.ITableV2 }

// tables returns the tables of the deployment. The stack creates or adopts the tables with data.
// If it adopts a table, it does not also create one: a mistake in the settings would switch the
// chat to the empty table.
func (b *builder) tables() tables {
	t := tables{live: b.liveTable()}
	if stream := b.Config.Table.AdoptStream; stream != "" {
		t.chat = awsdynamodb.TableV2_FromTableAttributes(b.scope, jsii.String("AdoptedTable"),
			&awsdynamodb.TableAttributesV2{
				TableArn: jsii.String(config.TableOf(stream)), TableStreamArn: jsii.String(stream),
			})
	} else {
		t.chat = b.table()
	}
	if arn := b.Config.Table.AdoptLog; arn != "" {
		t.log = awsdynamodb.TableV2_FromTableArn(b.scope, jsii.String("AdoptedLogTable"), jsii.String(arn))
	} else {
		t.log = b.logTable()
	}
	return t
}

// table creates the table for everything but the activity log, on demand. At rest it costs only
// storage ($0.25 a GB and month after the first 25 GB, recovery $0.20 more). The stream costs
// nothing at rest, and nothing when Lambda reads it.
//
// The table never has a local index, because that would keep DynamoDB from splitting a hot
// partition.
func (b *builder) table() awsdynamodb.ITableV2 {
	t := awsdynamodb.NewTableV2(b.scope, jsii.String("Table"), &awsdynamodb.TablePropsV2{
		PartitionKey: text(table.PK),
		SortKey:      text(table.SK),
		GlobalSecondaryIndexes: &[]*awsdynamodb.GlobalSecondaryIndexPropsV2{{
			IndexName:      jsii.String(table.Index),
			PartitionKey:   text(table.IndexPK),
			SortKey:        text(table.IndexSK),
			ProjectionType: awsdynamodb.ProjectionType_ALL,
			WarmThroughput: b.warm(),
		}},
		WarmThroughput: b.warm(),
		// Only segments of feeds have the attribute. Their removal is free.
		TimeToLiveAttribute: jsii.String(table.TTL),

		Billing:      awsdynamodb.Billing_OnDemand(nil),
		DynamoStream: awsdynamodb.StreamViewType_NEW_AND_OLD_IMAGES,
		PointInTimeRecoverySpecification: &awsdynamodb.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: jsii.Bool(true),
			RecoveryPeriodInDays:       jsii.Number(b.Config.Table.RecoveryDays),
		},
		DeletionProtection: jsii.Bool(b.Config.Table.DeletionProtection),
		RemovalPolicy:      b.removal(),
	})
	fixID(t, "Table")
	return t
}

// warm returns the configured capacity of the table, or nil for a new table's capacity. The index
// is written as often as the table, and slows it down if its capacity is lower. The connection
// table has the same capacity, because it bounds how fast people reconnect. Reads need no number:
// each partition that the writes need serves three times as many reads. The capacity is paid once,
// and never decreases.
func (b *builder) warm() *awsdynamodb.WarmThroughput {
	writes := b.Config.Table.WarmWrites
	if writes == 0 {
		return nil
	}
	return &awsdynamodb.WarmThroughput{WriteUnitsPerSecond: jsii.Number(writes)}
}

// logTable creates the table of the activity log, whose sort key is a number. DynamoDB removes
// expired entries for free; at rest the table costs only storage.
func (b *builder) logTable() awsdynamodb.ITableV2 {
	t := awsdynamodb.NewTableV2(b.scope, jsii.String("LogTable"), &awsdynamodb.TablePropsV2{
		PartitionKey: text(table.LogPK),
		SortKey: &awsdynamodb.Attribute{
			Name: jsii.String(table.LogSK), Type: awsdynamodb.AttributeType_NUMBER,
		},
		TimeToLiveAttribute: jsii.String(table.LogTTL),
		Billing:             awsdynamodb.Billing_OnDemand(nil),
		PointInTimeRecoverySpecification: &awsdynamodb.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: jsii.Bool(true),
			RecoveryPeriodInDays:       jsii.Number(b.Config.Table.RecoveryDays),
		},
		DeletionProtection: jsii.Bool(b.Config.Table.DeletionProtection),
		RemovalPolicy:      b.removal(),
	})
	fixID(t, "LogTable")
	return t
}

// text returns a key attribute of type string.
func text(name string) *awsdynamodb.Attribute {
	return &awsdynamodb.Attribute{Name: jsii.String(name), Type: awsdynamodb.AttributeType_STRING}
}

// indexARN returns the ARN of the index, the only resource besides the table that reads name.
func indexARN(t awsdynamodb.ITableV2) *string {
	return jsii.String(*t.TableArn() + "/index/" + table.Index)
}

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
