package stack_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/parley/infra/config"
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

// tableFaults are in the stack's own table.
func tableFaults() []change {
	return []change{
		{"a key that is not an attribute", dropDefinition(table.IndexSK)},
		{"an attribute that is not a key", addDefinition},
		{"a local index", set("Table", "LocalSecondaryIndexes", []any{})},
		{"a stream without the old image", set("Table", "StreamSpecification", map[string]any{"StreamViewType": "NEW_IMAGE"})},
		{"a chat table whose items never expire", func(t template) { delete(t.Resources["Table"].Properties, "TimeToLiveSpecification") }},
		{"a chat table whose items expire by another attribute", set("Table", "TimeToLiveSpecification", map[string]any{"AttributeName": "at", "Enabled": true})},
		{"a table with the largest capacity", set("Table", "WarmThroughput", map[string]any{"WriteUnitsPerSecond": 40_000.0})},
		{"a second Region", replicas("Table", "eu-west-1", "eu-central-1")},
		{"no Region", replicas("Table")},
	}
}

// logTableFaults are in the stack's own activity log.
func logTableFaults() []change {
	return []change{
		{"an activity log that never expires", func(t template) { delete(t.Resources["LogTable"].Properties, "TimeToLiveSpecification") }},
		{"an activity log in a second Region", replicas("LogTable", "eu-west-1", "eu-central-1")},
	}
}

// adoptFaults leave a part of the stack with a table other than the adopted one.
func adoptFaults() []change {
	const other = "arn:aws:dynamodb:eu-west-1:123456789012:table/parley"
	return []change{
		{"a table of its own in addition to the adopted one", func(t template) { t.Resources["Table"] = resource{Type: typeTable} }},
		{"the stream of a former table", set("FeedMapping", "EventSourceArn", other+"/stream/2026-01-31T12:00:00.000")},
		{"another stream of the adopted table", set("FeedMapping", "EventSourceArn", adoptedTable+"/stream/2025-01-01T00:00:00.000")},
		{"rights on a former table", adoptedStatement("WriteRole", adoptedTable, other)},
		{"rights on a former index", adoptedStatement("ReadRole", adoptedTable+"/index/GSI1", other+"/index/GSI1")},
		{"rights on every index", adoptedStatement("ReadRole", adoptedTable+"/index/GSI1", adoptedTable+"/index/*")},
		{"rights on a former log", adoptedStatement("ReadRole", adoptedLog, other)},
		{"rights on a former stream", adoptedStatement("FeedRole", adoptedStream, other+"/stream/2026-01-31T12:00:00.000")},
		{"rights to list streams of every table", adoptedStatement("FeedRole", adoptedTable+"/stream/*", "*")},
		{"a function on a former table", func(t template) { variables(t, "WriteFunction")["PARLEY_TABLE"] = "parley" }},
		{"a function on a former log", func(t template) { variables(t, "ReadFunction")["PARLEY_LOG_TABLE"] = "parley" }},
	}
}

// adoptedStatement replaces a resource in the statements of a role.
func adoptedStatement(role, from, to string) func(template) {
	return func(t template) {
		found := false
		for _, s := range statements(t, role) {
			if s := s.(map[string]any); s["Resource"] == from {
				s["Resource"], found = to, true
			}
		}
		if !found {
			panic(fmt.Sprintf("%s has no statement on %s", role, from))
		}
	}
}

// replicas replicates a table to other Regions, with the set-up of its existing one.
func replicas(id string, regions ...string) func(template) {
	return func(t template) {
		var all []any
		for _, region := range regions {
			replica := map[string]any{}
			for key, value := range t.Resources[id].get("Replicas", "0").(map[string]any) {
				replica[key] = value
			}
			replica["Region"] = region
			all = append(all, replica)
		}
		t.Resources[id].Properties["Replicas"] = all
	}
}

func dropDefinition(name string) func(template) {
	return func(t template) {
		var kept []any
		for _, d := range list(t.Resources["Table"].get("AttributeDefinitions")) {
			if get(d, "AttributeName") != name {
				kept = append(kept, d)
			}
		}
		t.Resources["Table"].Properties["AttributeDefinitions"] = kept
	}
}

func addDefinition(t template) {
	p := t.Resources["Table"].Properties
	p["AttributeDefinitions"] = append(list(p["AttributeDefinitions"]), map[string]any{"AttributeName": "text", "AttributeType": "S"})
}

// checkLiveTable checks that the table of connections has the keys that the code writes, and that
// its rows expire. It must not have what would be paid for each row, or keep rows longer.
func checkLiveTable(i *inspection) {
	t := i.Resources["LiveTable"]
	i.sameSet("key", keys(t.get("KeySchema")), []string{table.PK + " HASH", table.SK + " RANGE"})
	for _, d := range list(t.get("AttributeDefinitions")) {
		i.expect(get(d, "AttributeType") == "S", "key %v is no text", get(d, "AttributeName"))
	}
	i.expect(t.get("TimeToLiveSpecification", "Enabled") == true, "rows of connections that ended stay")
	i.expect(t.text("TimeToLiveSpecification", "AttributeName") == table.TTL, "rows expire by %q", t.text("TimeToLiveSpecification", "AttributeName"))
	i.expect(t.text("BillingMode") == "PAY_PER_REQUEST", "billing mode %q", t.text("BillingMode"))
	i.expect(t.get("GlobalSecondaryIndexes") == nil && t.get("LocalSecondaryIndexes") == nil, "an index is written for each row, and cannot be read consistently")
	i.checkWarm("LiveTable", t.get("WarmThroughput"))
	i.expect(t.get("StreamSpecification") == nil, "nothing reads a stream of connections")
	i.expect(t.get("TableName") == nil, "a name keeps a second deployment from the account")
	i.expect(len(list(t.get("Replicas"))) == 1, "the table has %d replicas: %s", len(list(t.get("Replicas"))), "connections belong to one Region")
	replica := t.get("Replicas", "0")
	i.expect(get(replica, "PointInTimeRecoverySpecification") == nil, "rows without content are kept for a recovery")
	i.expect(get(replica, "DeletionProtectionEnabled") == nil, "a table without content outlives the stack")
	i.expect(t.DeletionPolicy == "Delete" && t.UpdateReplacePolicy == "Delete", "deletion policy %q, on replacement %q", t.DeletionPolicy, t.UpdateReplacePolicy)
}

// liveTableFaults are in the table of connections.
func liveTableFaults() []change {
	policy := func(change func(*resource)) func(template) {
		return func(t template) {
			r := t.Resources["LiveTable"]
			change(&r)
			t.Resources["LiveTable"] = r
		}
	}
	return []change{
		{"connections that never expire", func(t template) { delete(t.Resources["LiveTable"].Properties, "TimeToLiveSpecification") }},
		{"connections that expire by another attribute", set("LiveTable", "TimeToLiveSpecification", map[string]any{"AttributeName": "until", "Enabled": true})},
		{"connections with other keys", set("LiveTable", "KeySchema", []any{map[string]any{"AttributeName": table.PK, "KeyType": "HASH"}})},
		{"connections with an index", set("LiveTable", "GlobalSecondaryIndexes", []any{map[string]any{"IndexName": "GSI1"}})},
		{"connections with a stream", set("LiveTable", "StreamSpecification", map[string]any{"StreamViewType": "KEYS_ONLY"})},
		{"connections with reserved capacity", set("LiveTable", "BillingMode", "PROVISIONED")},
		{"connections in a second Region", replicas("LiveTable", "eu-west-1", "eu-central-1")},
		{"a recovery of connections", func(t template) {
			get(t.Resources["LiveTable"].get("Replicas"), "0").(map[string]any)["PointInTimeRecoverySpecification"] = map[string]any{"PointInTimeRecoveryEnabled": true}
		}},
		{"connections that outlive the stack", policy(func(r *resource) { r.DeletionPolicy = "Retain" })},
		{"connections that outlive a replacement", policy(func(r *resource) { r.UpdateReplacePolicy = "Retain" })},
	}
}

// TestTables_AdoptScriptMatches compares the script with a table of the stack. An adopted table
// must work alike.
func TestTables_AdoptScriptMatches(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "scripts", "adopt"))
	if err != nil {
		t.Fatal(err)
	}
	script := string(text)
	days := func(env config.Env) int { return config.Fixed(env).Table.RecoveryDays }
	for what, want := range map[string]string{
		"keys of the table": fmt.Sprintf("keys_are \"$table\" '%s %s'", table.PK, table.SK),
		"keys of the log":   fmt.Sprintf("keys_are \"$log_table\" '%s %s'", table.LogPK, table.LogSK),
		"index":             "IndexName\")\" = " + table.Index + " ]",
		"expiry":            "Enabled=true,AttributeName=" + table.TTL + " ",
		"expiry of the log": "Enabled=true,AttributeName=" + table.LogTTL + " ",
		"stream":            "StreamViewType=" + deployments["prod"].template.Resources["Table"].text("StreamSpecification", "StreamViewType"),
		// The emulator restores immediately. AWS takes longer than one wait of the AWS CLI.
		"wait for a restore":      "[ \"$status\" = CREATING ]; do sleep 20; done\n  aws dynamodb wait table-exists",
		"wait for its backups":    "recoverable \"$1\"\n  aws dynamodb update-continuous-backups",
		"recovery in dev":         fmt.Sprintf("dev) days=%d protect= ;;", days(config.Dev)),
		"recovery and protection": fmt.Sprintf("prod) days=%d protect=yes ;;", days(config.Prod)),
	} {
		if !strings.Contains(script, want) {
			t.Errorf("scripts/adopt does not state the %s: %s", what, want)
		}
	}
}
