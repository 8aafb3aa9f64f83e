package config

import (
	"fmt"
	"regexp"
	"strings"
)

// tableARN and streamARN are what `aws dynamodb describe-table` prints as TableArn and
// LatestStreamArn. Their groups are the Region and the account.
var (
	tableARN  = regexp.MustCompile(`^arn:aws[a-z-]*:dynamodb:([a-z0-9-]+):([0-9]{12}):table/[A-Za-z0-9_.-]{3,255}$`)
	streamARN = regexp.MustCompile(`^arn:aws[a-z-]*:dynamodb:([a-z0-9-]+):([0-9]{12}):table/[A-Za-z0-9_.-]{3,255}/stream/[0-9TZ:.-]+$`)
)

// What DynamoDB gives to a new table, and lets one table use before AWS raises it, in writes a second.
const (
	newTableWrites = 4_000
	tableWrites    = 40_000
)

// TableOf returns the ARN of the table that a stream is of.
func TableOf(stream string) string {
	table, _, _ := strings.Cut(stream, "/stream/")
	return table
}

func (t Table) check(p *problems) {
	p.refuse(t.AdoptStream != "" && !streamARN.MatchString(t.AdoptStream), "Adopt.Table",
		"must be the ARN of the table's stream (Table.LatestStreamArn of aws dynamodb describe-table), not %q", t.AdoptStream)
	p.refuse(t.AdoptLog != "" && !tableARN.MatchString(t.AdoptLog), "Adopt.LogTable",
		"must be the ARN of a table (Table.TableArn of aws dynamodb describe-table), not %q", t.AdoptLog)
	p.refuse(t.AdoptLog != "" && t.AdoptLog == TableOf(t.AdoptStream), "Adopt.LogTable",
		"must be another table than Adopt.Table: the activity log has a table of its own")
	p.refuse(t.WarmWrites != 0 && t.AdoptStream != "", "WarmWrites", "is of the stack's own table: warm an adopted one with aws dynamodb update-table --warm-throughput")
	p.refuse(t.WarmWrites != 0 && (t.WarmWrites < newTableWrites || t.WarmWrites > tableWrites), "WarmWrites",
		"must be %d to %d, not %d: a new table has the first, and one table may use the second", newTableWrites, tableWrites, t.WarmWrites)
}

// CheckPlace refuses tables and a certificate that are not in the account and the Region that a
// deploy is for: nothing there could use them. Without an account the place is not known.
func (c Config) CheckPlace(account, region string) error {
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
			return fmt.Errorf("%s: %s is in %s of account %s, and the credentials are for %s of account %s", File(c.Env), name, at[1], at[2], region, account)
		}
	}
	return nil
}
