package stack_test

import shared "example.com/parley/internal/config"

// checkFiles checks the bucket of files: it is private, keeps deleted files only for as long as
// configured, and accepts requests of the pages that may call. It has an output, for repairs.
func checkFiles(i *inspection) {
	want := map[bool][]string{true: {"PageBucket"}}[i.config.Page.Served() || i.config.Tokens.OwnKeys()]
	if i.config.Table.AdoptFiles == "" {
		want = append(want, "FilesBucket")
		i.checkBucket("FilesBucket")
		i.checkBucketPolicy("FilesBucket")
		i.checkFilesRules()
	}
	i.sameSet("bucket", i.ids(typeBucket), want)
	i.expect(len(i.ids(typeBucketPolicy)) == len(want), "there are policies of other buckets")
	i.expect(render(get(i.Outputs["FilesBucketName"], "Value")) == i.at("${FilesBucket}"), "the bucket of files has no output")
}

// checkFilesRules checks the rules of CORS and the life of files.
func (i *inspection) checkFilesRules() {
	b := i.Resources["FilesBucket"]
	i.expect(b.get("ReplicationConfiguration") == nil && b.get("ObjectLockEnabled") == nil, "deleted files are kept")
	i.expect(b.get("AccelerateConfiguration") == nil && b.get("InventoryConfigurations") == nil && b.get("MetricsConfigurations") == nil, "the bucket costs money at rest")
	rules := append(list(b.get("LifecycleConfiguration", "Rules")), nil, nil)
	rule, empty := rules[0], rules[1]
	i.expect(get(rule, "Status") == "Enabled" && get(rule, "AbortIncompleteMultipartUpload", "DaysAfterInitiation") == 7.0, "parts of interrupted copies are kept: %v", rule)
	i.expect(get(rule, "ExpirationInDays") == nil && get(rule, "Transitions") == nil && get(rule, "Id") == "InterruptedCopies", "files end before their messages: %v", rule)
	i.expect(get(empty, "Status") == "Enabled" && get(empty, "ExpirationInDays") == 1.0 && get(empty, "ObjectSizeLessThan") == 1.0 && get(empty, "Prefix") == nil, "empty objects stay, or files end: %v", empty)
	i.checkRecovery(b, list(b.get("LifecycleConfiguration", "Rules")))
	cors := b.get("CorsConfiguration", "CorsRules", "0")
	if len(i.origins()) == 0 {
		i.expect(b.get("CorsConfiguration") == nil, "pages may call that are not configured")
		return
	}
	i.sameSet("origin of the files", rendered(get(cors, "AllowedOrigins")), i.origins())
	i.sameSet("method of the files", texts(get(cors, "AllowedMethods")), []string{"GET", "PUT"})
	i.sameSet("header of the files", texts(get(cors, "AllowedHeaders")), shared.FileHeaders())
	i.expect(get(cors, "ExposedHeaders") == nil, "pages may read headers that they do not need")
	i.expect(get(cors, "MaxAge") == 86_400.0, "a browser asks again after %v s", get(cors, "MaxAge"))
}

// checkRecovery checks that deleted files are kept for the days of the settings, and not at all
// without them.
func (i *inspection) checkRecovery(bucket resource, rules []any) {
	days := i.config.Files.RecoveryDays
	if days == 0 {
		i.expect(bucket.get("VersioningConfiguration") == nil, "deleted files are kept")
		days = 1 // for the versions of a time with other settings
	} else {
		i.expect(bucket.text("VersioningConfiguration", "Status") == "Enabled", "deleted files cannot be brought back")
	}
	i.expect(len(rules) == 4, "the bucket has %d rules of life", len(rules))
	rules = append(rules, nil, nil, nil, nil)
	files, index := rules[2], rules[3]
	i.expect(get(files, "Status") == "Enabled" && get(files, "NoncurrentVersionExpiration", "NoncurrentDays") == float64(days), "deleted files are kept for other days: %v", files)
	i.expect(get(files, "NoncurrentVersionExpiration", "NewerNoncurrentVersions") == nil && get(files, "Prefix") == nil && get(files, "ExpirationInDays") == nil, "some deleted files stay, or files end: %v", files)
	i.expect(get(files, "ExpiredObjectDeleteMarker") == true, "markers of deleted files stay: %v", files)
	i.expect(get(index, "Status") == "Enabled" && get(index, "NoncurrentVersionExpiration", "NoncurrentDays") == 1.0 && get(index, "Prefix") == "_search/", "deleted texts stay in the index: %v", index)
	i.expect(get(index, "ExpirationInDays") == nil, "the index ends: %v", index)
}

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
