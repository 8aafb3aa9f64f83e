package stack_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	shared "example.com/parley/internal/config"
	"example.com/parley/internal/table"
)

const (
	typeTable  = "AWS::DynamoDB::GlobalTable"
	typeLogs   = "AWS::Logs::LogGroup"
	typePool   = "AWS::Cognito::UserPool"
	typeClient = "AWS::Cognito::UserPoolClient"
)

// checkTable checks that the keys are those that the code writes, and that data is protected as
// configured.
func checkTable(i *inspection) {
	i.sameSet("table", i.ids(typeTable), i.ownTables())
	if i.config.Table.AdoptStream != "" {
		return
	}
	t := i.Resources["Table"]
	i.sameSet("key", keys(t.get("KeySchema")), []string{table.PK + " HASH", table.SK + " RANGE"})
	index := t.get("GlobalSecondaryIndexes", "0")
	i.expect(get(index, "IndexName") == table.Index, "the index is not %s", table.Index)
	i.expect(get(index, "Projection", "ProjectionType") == "ALL", "the index leaves attributes out")
	i.sameSet("index key", keys(get(index, "KeySchema")), []string{table.IndexPK + " HASH", table.IndexSK + " RANGE"})
	var defined, used []string
	for _, d := range list(t.get("AttributeDefinitions")) {
		defined = append(defined, fmt.Sprint(get(d, "AttributeName")))
		i.expect(get(d, "AttributeType") == "S", "key %v is no text", get(d, "AttributeName"))
	}
	for _, k := range append(keys(t.get("KeySchema")), keys(get(index, "KeySchema"))...) {
		name, _, _ := strings.Cut(k, " ")
		used = append(used, name)
	}
	i.sameSet("attribute definition", defined, used)
	i.checkWarm("Table", t.get("WarmThroughput"))
	i.checkWarm("the index", get(index, "WarmThroughput"))
	i.expect(t.get("LocalSecondaryIndexes") == nil, "a local index keeps a hot partition whole")
	i.expect(t.text("StreamSpecification", "StreamViewType") == "NEW_AND_OLD_IMAGES", "the stream lacks images")
	i.expect(t.get("TimeToLiveSpecification", "Enabled") == true, "expired parts of feeds stay")
	i.expect(t.text("TimeToLiveSpecification", "AttributeName") == table.TTL, "items end by %q", t.text("TimeToLiveSpecification", "AttributeName"))
	i.checkKept("Table")
}

// checkWarm checks that the table and its index have the configured capacity, or a new table's.
func (i *inspection) checkWarm(what string, warm any) {
	writes := i.config.Table.WarmWrites
	if writes == 0 {
		i.expect(warm == nil, "%s is warmed, at a price that no setting states", what)
		return
	}
	i.expect(get(warm, "WriteUnitsPerSecond") == float64(writes), "%s takes a burst of %v writes", what, get(warm, "WriteUnitsPerSecond"))
	i.expect(get(warm, "ReadUnitsPerSecond") == nil, "%s is warmed for reads, at a price that no setting states", what)
}

// checkLogTable checks that the activity log is sorted by a number, and that its entries expire.
func checkLogTable(i *inspection) {
	if i.config.Table.AdoptLog != "" {
		return
	}
	t := i.Resources["LogTable"]
	i.sameSet("key", keys(t.get("KeySchema")), []string{table.LogPK + " HASH", table.LogSK + " RANGE"})
	var types []string
	for _, d := range list(t.get("AttributeDefinitions")) {
		types = append(types, fmt.Sprintf("%v %v", get(d, "AttributeName"), get(d, "AttributeType")))
	}
	i.sameSet("attribute definition", types, []string{table.LogPK + " S", table.LogSK + " N"})
	i.expect(t.get("TimeToLiveSpecification", "Enabled") == true, "entries do not end")
	i.expect(t.text("TimeToLiveSpecification", "AttributeName") == table.LogTTL, "entries end by %q", t.text("TimeToLiveSpecification", "AttributeName"))
	i.expect(t.get("GlobalSecondaryIndexes") == nil && t.get("LocalSecondaryIndexes") == nil, "the activity log has an index")
	i.checkKept("LogTable")
}

// ownTables returns the tables that the stack creates: always the table of connections, and the
// main table unless it is adopted.
func (i *inspection) ownTables() []string {
	own := []string{"LiveTable"}
	if i.config.Table.AdoptStream == "" {
		own = append(own, "Table")
	}
	if i.config.Table.AdoptLog == "" {
		own = append(own, "LogTable")
	}
	return own
}

// oneRegion is the reason for a single replica. Two Regions could each accept a message under the
// same id, and each assign the same number in a feed. Replication would then keep the later one and
// lose the other.
const oneRegion = "conditional writes are evaluated in each Region by itself, so that a second one breaks " +
	"the put that happens once and the numbers of feeds"

// checkKept checks that a table costs nothing at rest, and that its data is protected as
// configured.
func (i *inspection) checkKept(id string) {
	t := i.Resources[id]
	i.expect(t.text("BillingMode") == "PAY_PER_REQUEST", "%s: billing mode %q", id, t.text("BillingMode"))
	i.expect(len(list(t.get("Replicas"))) == 1, "%s has %d replicas: %s", id, len(list(t.get("Replicas"))), oneRegion)
	replica := t.get("Replicas", "0")
	i.expect(get(replica, "PointInTimeRecoverySpecification", "PointInTimeRecoveryEnabled") == true, "%s: no point-in-time recovery", id)
	i.expect(get(replica, "PointInTimeRecoverySpecification", "RecoveryPeriodInDays") == float64(i.config.Table.RecoveryDays), "%s: recovery period", id)
	i.expect(get(replica, "DeletionProtectionEnabled") == i.config.Table.DeletionProtection, "%s: deletion protection", id)
	i.checkRemoval(id, t)
}

func keys(schema any) []string {
	var keys []string
	for _, k := range list(schema) {
		keys = append(keys, fmt.Sprintf("%v %v", get(k, "AttributeName"), get(k, "KeyType")))
	}
	return keys
}

// checkRemoval checks that data is removed or retained with the stack, as configured.
func (i *inspection) checkRemoval(id string, r resource) {
	want := "Delete"
	if i.config.Table.Retain {
		want = "Retain"
	}
	i.expect(r.DeletionPolicy == want && r.UpdateReplacePolicy == want, "%s: deletion policy %q, on replacement %q", id, r.DeletionPolicy, r.UpdateReplacePolicy)
}

// checkLogs checks the retention of each log.
func checkLogs(i *inspection) {
	want := []string{"AccessLogs", "SocketAccessLogs"}
	for _, name := range i.functions() {
		want = append(want, name+"Logs")
	}
	i.sameSet("log", i.ids(typeLogs), want)
	for _, id := range i.ids(typeLogs) {
		days := i.Resources[id].number("RetentionInDays")
		i.expect(days == float64(i.config.Logs.Days), "%s is kept for %v days", id, days)
		i.checkRemoval(id, i.Resources[id])
	}
}

// outputKey matches the name of an output in a command of the guides.
var outputKey = regexp.MustCompile("OutputKey==`([A-Za-z]+)`")

// checkOutputs checks that the stack has the outputs that the deploy guide's commands query, and
// its version.
func checkOutputs(i *inspection) {
	i.expect(get(i.Outputs["Version"], "Value") == shared.Version, "the output Version is %s", render(i.Outputs["Version"]))
	for _, name := range []string{"deploy.md", "runbooks.md"} {
		guide, err := os.ReadFile(filepath.Join(root, "docs", name))
		i.expect(err == nil, "read the guide: %v", err)
		named := outputKey.FindAllStringSubmatch(string(guide), -1)
		i.expect(len(named) > 0, "%s names no output", name)
		for _, m := range named {
			ofPool := strings.HasPrefix(m[1], "UserPool") && !i.config.Tokens.OwnPool()
			ofTopic := m[1] == "AlarmTopicArn" && i.config.Alarms.Recipient == ""
			ofDashboard := m[1] == "DashboardUrl" && !i.config.Alarms.Enabled
			ofPage := strings.HasPrefix(m[1], "Page") && !i.config.Page.Served()
			i.expect(i.Outputs[m[1]] != nil || ofPool || ofTopic || ofDashboard || ofPage, "%s needs the output %s", name, m[1])
		}
	}
}
