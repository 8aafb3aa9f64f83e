package stack_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// atLeast reports whether a text is a number that is not less than another.
func atLeast(text string, least float64) bool {
	n, err := strconv.ParseFloat(text, 64)
	return err == nil && n >= least
}

// pagePaths are the places of the page's parts whose properties are removed one at a time.
var pagePaths = map[string][][]string{
	"PageDistribution": {{"DistributionConfig"}, {"DistributionConfig", "DefaultCacheBehavior"}, {"DistributionConfig", "Origins", "0"}, {"DistributionConfig", "ViewerCertificate"}},
	"PageHeaders": {{"ResponseHeadersPolicyConfig"}, {"ResponseHeadersPolicyConfig", "CorsConfig"}, {"ResponseHeadersPolicyConfig", "SecurityHeadersConfig"},
		{"ResponseHeadersPolicyConfig", "SecurityHeadersConfig", "StrictTransportSecurity"}},
	"PageAccess":  {{"OriginAccessControlConfig"}},
	"PageBucket":  {{"PublicAccessBlockConfiguration"}},
	"FilesBucket": {{"PublicAccessBlockConfiguration"}, {"CorsConfiguration", "CorsRules", "0"}, {"LifecycleConfiguration", "Rules", "0"}},
}

func pageRemovals(t template) []change {
	var all []change
	for _, id := range slices.Sorted(maps.Keys(pagePaths)) {
		for _, path := range pagePaths[id] {
			properties, _ := t.Resources[id].get(path...).(map[string]any)
			for _, key := range slices.Sorted(maps.Keys(properties)) {
				all = append(all, change{id + "." + strings.Join(append(path, key), "."), func(t template) {
					delete(t.Resources[id].get(path...).(map[string]any), key)
				}})
			}
		}
	}
	return all
}

// pageFaults open the page's bucket, weaken its headers, or make it the page of another stack.
func pageFaults(d deployment) []change {
	if !d.config.Page.Served() && d.config.Tokens.OwnKeys() {
		return nil // keysFaults
	}
	if !d.config.Page.Served() {
		return []change{{"a bucket without a page", func(t template) { t.Resources["PageBucket"] = resource{Type: typeBucket} }}}
	}
	at := func(id, key string, value any, path ...string) func(template) {
		return func(t template) { t.Resources[id].get(path...).(map[string]any)[key] = value }
	}
	behavior := func(key string, value any) func(template) {
		return at("PageDistribution", key, value, "DistributionConfig", "DefaultCacheBehavior")
	}
	security := func(name, key string, value any) func(template) {
		return at("PageHeaders", key, value, "ResponseHeadersPolicyConfig", "SecurityHeadersConfig", name)
	}
	header := func(n int, key string, value any) func(template) {
		return func(t template) {
			list(t.Resources["PageHeaders"].get("ResponseHeadersPolicyConfig", "CustomHeadersConfig", "Items"))[n].(map[string]any)[key] = value
		}
	}
	statement := func(n int, key string, value any) func(template) {
		return func(t template) {
			t.bucketStatements("PageBucket")[n].(map[string]any)[key] = value
		}
	}
	return []change{
		{"a bucket that everyone reads", statement(1, "Principal", map[string]any{"AWS": "*"})},
		{"a bucket that every distribution reads", statement(1, "Condition", map[string]any{})},
		{"a bucket that CloudFront writes", statement(1, "Action", []any{"s3:GetObject", "s3:PutObject"})},
		{"a bucket that shows what it has", statement(1, "Action", []any{"s3:GetObject", "s3:ListBucket"})},
		{"a bucket without TLS", statement(0, "Effect", "Allow")},
		{"a bucket that may become public", at("PageBucket", "BlockPublicPolicy", false, "PublicAccessBlockConfiguration")},
		{"a website in the bucket", set("PageBucket", "WebsiteConfiguration", map[string]any{"IndexDocument": "index.html"})},
		{"another rule for the bucket's removal", func(t template) {
			r := t.Resources["PageBucket"]
			r.DeletionPolicy = map[string]string{"Retain": "Delete", "Delete": "Retain"}[r.DeletionPolicy]
			t.Resources["PageBucket"] = r
		}},
		{"a page without TLS", behavior("ViewerProtocolPolicy", "allow-all")},
		{"a page that takes posts", behavior("AllowedMethods", []any{"GET", "HEAD", "OPTIONS", "PUT", "PATCH", "POST", "DELETE"})},
		{"a page that is never cached", behavior("CachePolicyId", "4135ea2d-6df8-44a3-9df3-4b5a84be39ad")},
		{"a page that is not compressed", behavior("Compress", false)},
		{"reads that are not signed", at("PageAccess", "SigningBehavior", "never", "OriginAccessControlConfig")},
		{"an error of the bucket for people", at("PageDistribution", "CustomErrorResponses", nil, "DistributionConfig")},
		{"a dearer class", at("PageDistribution", "PriceClass", "PriceClass_All", "DistributionConfig")},
		{"a log of reads", at("PageDistribution", "Logging", map[string]any{"Bucket": "logs.s3.amazonaws.com"}, "DistributionConfig")},
		{"a firewall", at("PageDistribution", "WebACLId", "arn:aws:wafv2:us-east-1:123456789012:global/webacl/x", "DistributionConfig")},
		{"scripts of everyone", security("ContentSecurityPolicy", "ContentSecurityPolicy", "default-src *")},
		{"headers that the files may replace", security("ContentSecurityPolicy", "Override", false)},
		{"a day of TLS", security("StrictTransportSecurity", "AccessControlMaxAgeSec", 86_400.0)},
		{"a socket of every API", func(t template) {
			p := t.Resources["PageHeaders"].get("ResponseHeadersPolicyConfig", "SecurityHeadersConfig", "ContentSecurityPolicy").(map[string]any)
			p["ContentSecurityPolicy"] = render(p["ContentSecurityPolicy"]) + " wss:"
		}},
		{"a window that others may reach into", header(0, "Value", "unsafe-none")},
		{"a camera", header(1, "Value", "camera=*")},
		{"permissions that the files may replace", header(1, "Override", false)},
		{"a referrer", security("ReferrerPolicy", "ReferrerPolicy", "unsafe-url")},
		{"cookies of other pages", at("PageHeaders", "AccessControlAllowCredentials", true, "ResponseHeadersPolicyConfig", "CorsConfig")},
		{"files that another function writes", set("PageFiles", "ServiceToken", map[string]any{"Fn::GetAtt": []any{"WriteFunction", "Arn"}})},
		{"a page of another stack", set("PageFiles", "Config", `{"api":"https://api.other.example","socket":"","signIn":{"kind":"local"},"docs":""}`)},
		{"files that are never written again", set("PageFiles", "Files", "1")},
		{"the opposite rule for the files", set("PageFiles", "Keep", map[bool]string{true: "false", false: "true"}[d.config.Table.Retain])},
		{"a deploy that gives up early", set("PageFiles", "ServiceTimeout", "10")},
		{"a function that reads the files", allowed("PageRole", "s3:GetObject")},
		{"a function that opens the bucket", allowed("PageRole", "s3:PutBucketPolicy")},
		{"files of another bucket", func(t template) { variables(t, "PageFunction")["PARLEY_PAGE_BUCKET"] = "other" }},
		{"an API that the page may not call", set("Api", "CorsConfiguration", nil)},
		{"connections that the page may not open", func(t template) { variables(t, "AuthorizerFunction")["PARLEY_ORIGINS"] = "" }},
	}
}
