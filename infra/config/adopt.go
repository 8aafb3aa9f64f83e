package config

import (
	"fmt"
	"regexp"
	"strings"
)

// tableARN matches the TableArn that `aws dynamodb describe-table` prints, streamARN the
// LatestStreamArn. Their groups are the Region and the account.
var (
	tableARN  = regexp.MustCompile(`^arn:aws[a-z-]*:dynamodb:([a-z0-9-]+):([0-9]{12}):table/[A-Za-z0-9_.-]{3,255}$`)
	streamARN = regexp.MustCompile(`^arn:aws[a-z-]*:dynamodb:([a-z0-9-]+):([0-9]{12}):table/[A-Za-z0-9_.-]{3,255}/stream/[0-9TZ:.-]+$`)
)

const (
	// newTableWrites is the capacity of a new table, in writes a second.
	newTableWrites = 4_000
	// maxWarmWrites bounds the price of a mistyped number, because the capacity is paid
	// immediately and never decreases. AWS allows 40,000 for one table until it raises the quota,
	// which the synth cannot read.
	maxWarmWrites = 100_000
	// partitionWrites is the most that one partition of a table accepts, in writes a second. The
	// table's stream has an open shard for each partition.
	partitionWrites = 1_000
)

// TableOf returns the ARN of the table to which a stream belongs.
func TableOf(stream string) string {
	table, _, _ := strings.Cut(stream, "/stream/")
	return table
}

func (t Table) check(p *problems) {
	p.refuse(t.AdoptStream != "" && !streamARN.MatchString(t.AdoptStream), "Adopt.Table",
		"must be the ARN of the table's stream (Table.LatestStreamArn of aws dynamodb describe-table), not "+
			"%q", t.AdoptStream)
	p.refuse(t.AdoptLog != "" && !tableARN.MatchString(t.AdoptLog), "Adopt.LogTable",
		"must be the ARN of a table (Table.TableArn of aws dynamodb describe-table), not %q", t.AdoptLog)
	p.refuse(t.AdoptLog != "" && t.AdoptLog == TableOf(t.AdoptStream), "Adopt.LogTable",
		"must be another table than Adopt.Table: the activity log has a table of its own")
	p.refuse(
		t.AdoptFiles != "" && !bucketName.MatchString(t.AdoptFiles), "Adopt.Files",
		"must be the name of a bucket without dots, not %q", t.AdoptFiles,
	)
	p.refuse(
		t.WarmWrites != 0 && t.AdoptStream != "", "WarmWrites",
		"applies to the stack's own table only: warm an adopted one with aws dynamodb update-table --warm-throughput",
	)
	p.refuse(t.WarmWrites != 0 && (t.WarmWrites < newTableWrites || t.WarmWrites > maxWarmWrites), "WarmWrites",
		"must be %d to %d, not %d: a new table has the first, and above 40,000 AWS must have raised the quota of the "+
			"table", newTableWrites, maxWarmWrites, t.WarmWrites)
}

// streamShards returns the least number of open shards of the table's stream.
func (t Table) streamShards() int {
	return (max(t.WarmWrites, newTableWrites) + partitionWrites - 1) / partitionWrites
}

// checkFeed refuses fewer reserved executions of the feed function than the stream has shards.
// Lambda runs one batch for each shard. With fewer executions, some batches would wait.
func (c Config) checkFeed(p *problems) {
	least := c.Table.streamShards()
	p.refuse(c.Feed.Reserved != 0 && c.Feed.Reserved < least, "FeedReserved",
		"must be at least %d, not %d: Lambda runs one execution for each shard of the table's stream, and a table "+
			"that takes %d writes a second has at least %d",
		least, c.Feed.Reserved, max(c.Table.WarmWrites, newTableWrites), least)
}

// checkPlace refuses tables and certificates outside the account and the Region of the deploy,
// because nothing there could use them. It checks nothing if the account is unknown.
func (c Config) checkPlace(account, region string) error {
	if account == "" {
		return nil
	}
	places := map[string][]string{
		"Adopt.Table":        tableARN.FindStringSubmatch(TableOf(c.Table.AdoptStream)),
		"Adopt.LogTable":     tableARN.FindStringSubmatch(c.Table.AdoptLog),
		"Domain.Certificate": certificateARN.FindStringSubmatch(c.API.Domain.Certificate),
	}
	for name, at := range places {
		if at != nil && (at[1] != region || at[2] != account) {
			return fmt.Errorf(
				"%s: %s is in %s of account %s, but the credentials are for %s of account %s", File(c.Env), name, at[1],
				at[2], region, account,
			)
		}
	}
	// its Region is fixed
	if at := certificateARN.FindStringSubmatch(c.Page.Certificate); at != nil && at[2] != account {
		return fmt.Errorf(
			"%s: Page.Certificate is of account %s, but the credentials are for account %s", File(c.Env), at[2],
			account,
		)
	}
	return nil
}
