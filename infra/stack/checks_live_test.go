package stack_test

import "example.com/parley/internal/table"

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
