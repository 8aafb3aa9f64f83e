package stack_test

import (
	"fmt"

	"example.com/parley/internal/table"
)

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
