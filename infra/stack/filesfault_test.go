package stack_test

// filesFaults keep deleted files, lose others, or open the stack's own bucket.
func filesFaults() []change {
	rule := func(n int, key string, value any) func(template) {
		return func(t template) {
			list(t.Resources["FilesBucket"].get("LifecycleConfiguration", "Rules"))[n].(map[string]any)[key] = value
		}
	}
	return []change{
		{"versions of files", set("FilesBucket", "VersioningConfiguration", map[string]any{"Status": "Enabled"})},
		{"copies of files", set("FilesBucket", "ReplicationConfiguration", map[string]any{"Rules": []any{}})},
		{"files that end", rule(0, "ExpirationInDays", 365.0)},
		{"parts that are kept", rule(0, "Status", "Disabled")},
		{"empty objects that are kept", rule(1, "Status", "Disabled")},
		{"small files that end", rule(1, "ObjectSizeLessThan", 2.0)},
		{"empty objects that end before a day", rule(1, "ExpirationInDays", 0.0)},
		{"files in the page's bucket", func(t template) {
			variables(t, "WriteFunction")["PARLEY_FILES_BUCKET"] = map[string]any{"Ref": "PageBucket"}
		}},
		{"a bucket with a name that others may take first", set("FilesBucket", "BucketName", "parley-files")},
		{"a policy of the bucket for everybody", func(t template) {
			t.bucketStatements("FilesBucket")[0].(map[string]any)["Effect"] = "Allow"
		}},
	}
}
