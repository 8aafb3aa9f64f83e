package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/jsii-runtime-go"

	"parley/infra/config"
	"parley/internal/table"
)

// tables are the two there are.
type tables struct{ chat, log awsdynamodb.ITableV2 }

// tables returns the tables of the deployment: each is the stack's own, or an existing one that
// it adopts. The stack has no table of its own beside an adopted one: it would be empty, and a
// mistake in the settings would then be answered with an empty chat.
func (b *builder) tables() tables {
	var t tables
	if stream := b.Config.Table.AdoptStream; stream != "" {
		t.chat = awsdynamodb.TableV2_FromTableAttributes(b.scope, jsii.String("AdoptedTable"), &awsdynamodb.TableAttributesV2{
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

// table keeps everything but the activity log. On demand: at rest it costs what is
// stored ($0.25 a GB and month after the first 25 GB, recovery $0.20 more),
// and nothing when it is empty. The stream costs nothing at rest, and nothing when Lambda reads it.
//
// There is no local index, ever: it would keep DynamoDB from splitting a hot
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
		// Segments of feeds alone have it. Removing them costs nothing.
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

// warm is what a table takes at once, if more than a new one does. The index is written as often as
// the table is, and holds it up when it takes less. Reads need no number of their own: each partition
// that writes are spread over takes three times as many. It is paid once, and never gets less.
func (b *builder) warm() *awsdynamodb.WarmThroughput {
	writes := b.Config.Table.WarmWrites
	if writes == 0 {
		return nil
	}
	return &awsdynamodb.WarmThroughput{WriteUnitsPerSecond: jsii.Number(writes)}
}

// logTable keeps the activity log, whose sort key is a number. DynamoDB removes entries
// after their time for nothing; at rest it costs what is stored, as the other does.
func (b *builder) logTable() awsdynamodb.ITableV2 {
	t := awsdynamodb.NewTableV2(b.scope, jsii.String("LogTable"), &awsdynamodb.TablePropsV2{
		PartitionKey:        text(table.LogPK),
		SortKey:             &awsdynamodb.Attribute{Name: jsii.String(table.LogSK), Type: awsdynamodb.AttributeType_NUMBER},
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

// text is a key of type string.
func text(name string) *awsdynamodb.Attribute {
	return &awsdynamodb.Attribute{Name: jsii.String(name), Type: awsdynamodb.AttributeType_STRING}
}

// indexARN is the one resource besides the table that reads name.
func indexARN(t awsdynamodb.ITableV2) *string {
	return jsii.String(*t.TableArn() + "/index/" + table.Index)
}
