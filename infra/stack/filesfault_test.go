package stack_test

// filesFaults keep deleted files, lose others, or open the stack's own bucket.
func filesFaults(t template) []change {
	rule := func(n int, key string, value any) func(template) {
		return func(t template) {
			list(t.Resources["FilesBucket"].get("LifecycleConfiguration", "Rules"))[n].(map[string]any)[key] = value
		}
	}
	all := []change{
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
	if t.Resources["FilesBucket"].get("VersioningConfiguration") == nil {
		return append(all, change{"versions of files", set("FilesBucket", "VersioningConfiguration", map[string]any{"Status": "Enabled"})})
	}
	return append(all,
		change{"deleted files that nobody can bring back", set("FilesBucket", "VersioningConfiguration", map[string]any{"Status": "Suspended"})},
		change{"deleted files that stay", rule(2, "Status", "Disabled")},
		change{"deleted files that stay for longer", rule(2, "NoncurrentVersionExpiration", map[string]any{"NoncurrentDays": 35.0})},
		change{"a last version that stays", rule(2, "NoncurrentVersionExpiration", map[string]any{"NoncurrentDays": 7.0, "NewerNoncurrentVersions": 1.0})},
		change{"markers that stay", rule(2, "ExpiredObjectDeleteMarker", false)},
		change{"deleted files of one room", rule(2, "Prefix", "seattle/")},
		change{"deleted texts that stay in the index", rule(3, "NoncurrentVersionExpiration", map[string]any{"NoncurrentDays": 7.0})},
		change{"an index that ends", rule(3, "ExpirationInDays", 1.0)})
}
