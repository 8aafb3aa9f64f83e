package stack_test

// filesFaults keep deleted files, lose others, or open the stack's own bucket.
func filesFaults() []change {
	rule := func(id, key string, value any) func(template) {
		return func(t template) {
			t.Resources["FilesBucket"].get(id+"Configuration", map[string]string{"Cors": "CorsRules", "Lifecycle": "Rules"}[id], "0").(map[string]any)[key] = value
		}
	}
	return []change{
		{"versions of files", set("FilesBucket", "VersioningConfiguration", map[string]any{"Status": "Enabled"})},
		{"copies of files", set("FilesBucket", "ReplicationConfiguration", map[string]any{"Rules": []any{}})},
		{"files that end", rule("Lifecycle", "ExpirationInDays", 365.0)},
		{"parts that are kept", rule("Lifecycle", "Status", "Disabled")},
		{"files in the page's bucket", func(t template) {
			variables(t, "WriteFunction")["PARLEY_FILES_BUCKET"] = map[string]any{"Ref": "PageBucket"}
		}},
		{"a bucket with a name that others may take first", set("FilesBucket", "BucketName", "parley-files")},
		{"a policy of the bucket for everybody", func(t template) {
			t.bucketStatements("FilesBucket")[0].(map[string]any)["Effect"] = "Allow"
		}},
	}
}
