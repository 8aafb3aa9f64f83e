package stack_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	shared "example.com/parley/internal/config"
)

const (
	typeBucket       = "AWS::S3::Bucket"
	typeBucketPolicy = "AWS::S3::BucketPolicy"
	typeDistribution = "AWS::CloudFront::Distribution"
	typePageAccess   = "AWS::CloudFront::OriginAccessControl"
	typeHeaders      = "AWS::CloudFront::ResponseHeadersPolicy"
	typePageFiles    = "Custom::PageFiles"
)

// cachedByHeaders is the id that AWS documents for its policy CachingOptimized: for at least a
// second, and otherwise as Cache-Control says; compressed.
const cachedByHeaders = "658327ea-f89d-4fab-a63d-7e88639e58f6"

// digest matches the version of the web app's files.
var digest = regexp.MustCompile(`^[0-9a-f]{64}$`)

// origins returns the pages that may call, with the web app.
func (i *inspection) origins() []string {
	if !i.config.Page.Served() {
		return i.config.API.Origins
	}
	return append([]string{i.pageOrigin()}, i.config.API.Origins...)
}

func (i *inspection) pageOrigin() string {
	if name := i.config.Page.Name; name != "" {
		return "https://" + name
	}
	return "https://${PageDistribution.DomainName}"
}

// pageAddress returns the address of the web app, if there is one, as a list.
func (i *inspection) pageAddress() []string {
	if !i.config.Page.Served() {
		return nil
	}
	return []string{i.pageOrigin() + "/"}
}

// rendered formats the entries of a list; see render.
func rendered(v any) []string {
	var all []string
	for _, e := range list(v) {
		all = append(all, render(e))
	}
	return all
}

// checkPage checks the web app: only CloudFront reads its bucket, every answer has the headers that
// protect it, and a deploy writes the files with the configuration of this stack. Without a page,
// none of its resources may exist. The keys of an app are in the same bucket, with or without a page.
func checkPage(i *inspection) {
	page, site := i.config.Page.Served(), i.config.Page.Served() || i.config.Tokens.OwnKeys()
	for kind, part := range map[string]struct {
		id     string
		exists bool
	}{typeDistribution: {"PageDistribution", site}, typePageAccess: {"PageAccess", site}, typeHeaders: {"PageHeaders", page}, typePageFiles: {"PageFiles", page}} {
		var want []string
		if part.exists {
			want = []string{part.id}
		}
		i.sameSet("part of the page", i.ids(kind), want)
	}
	i.expect(page || i.Outputs["PageUrl"] == nil, "there is an address of a page that is not configured")
	if !site {
		i.expect(i.Resources["PageBucket"].Type == "", "there is a bucket without files")
		return
	}
	i.checkBucket("PageBucket")
	i.checkBucketPolicy("PageBucket", "Allow | s3:GetObject | ${PageBucket.Arn}/* | <nil>cloudfront.amazonaws.com | "+
		"<nil>arn:${AWS::Partition}:cloudfront::${AWS::AccountId}:distribution/${PageDistribution}")
	i.checkDistribution()
	if !page {
		return
	}
	i.checkPageHeaders()
	i.checkPageFiles()
	i.expect(render(get(i.Outputs["PageUrl"], "Value")) == i.pageOrigin()+"/", "the output PageUrl is %q", render(get(i.Outputs["PageUrl"], "Value")))
	i.expect(render(get(i.Outputs["PageBucketName"], "Value")) == "${PageBucket}", "the bucket has no output")
	i.expect((i.config.Page.Name != "") == (render(get(i.Outputs["PageTarget"], "Value")) == "${PageDistribution.DomainName}"), "the target of the page's name has no output")
}

// checkBucket checks that a bucket is private, encrypted, and removed as configured.
func (i *inspection) checkBucket(id string) {
	b := i.Resources[id]
	i.expect(b.Type == typeBucket, "there is no bucket %s", id)
	for _, block := range []string{"BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"} {
		i.expect(b.get("PublicAccessBlockConfiguration", block) == true, "the bucket lacks %s", block)
	}
	i.expect(get(b.get("BucketEncryption", "ServerSideEncryptionConfiguration"), "0", "ServerSideEncryptionByDefault", "SSEAlgorithm") == "AES256", "the bucket is not encrypted with S3's own keys")
	i.expect(get(b.get("OwnershipControls", "Rules"), "0", "ObjectOwnership") == "BucketOwnerEnforced", "files of the bucket may have lists of their own")
	i.expect(b.get("WebsiteConfiguration") == nil && b.get("AccessControl") == nil && b.get("BucketName") == nil, "the bucket is public, or has a fixed name")
	i.checkRemoval(id, b)
}

// bucketStatements returns the statements of the policies of a bucket.
func (t template) bucketStatements(bucket string) []any {
	var all []any
	for _, id := range t.ids(typeBucketPolicy) {
		if ref(t.Resources[id].get("Bucket")) == bucket {
			all = append(all, list(t.Resources[id].get("PolicyDocument", "Statement"))...)
		}
	}
	return all
}

// checkBucketPolicy checks that a bucket is used with TLS only, and that nobody but the functions is
// allowed anything, except by some statements.
func (i *inspection) checkBucketPolicy(bucket string, allowed ...string) {
	var got []string
	for _, s := range i.bucketStatements(bucket) {
		got = append(got, strings.Join([]string{
			render(get(s, "Effect")), strings.Join(texts(get(s, "Action")), " "), strings.Join(rendered(get(s, "Resource")), " "),
			render(get(s, "Principal", "AWS")) + render(get(s, "Principal", "Service")),
			render(get(s, "Condition", "Bool", "aws:SecureTransport")) + render(get(s, "Condition", "StringEquals", "AWS:SourceArn")),
		}, " | "))
	}
	i.sameSet("statement of "+bucket, got, append(allowed, "Deny | s3:* | ${"+bucket+".Arn} ${"+bucket+".Arn}/* | *<nil> | false<nil>"))
}

// checkDistribution checks that CloudFront serves the bucket over HTTPS, compressed, with the cache
// rules of the files, and without features that cost money at rest.
func (i *inspection) checkDistribution() {
	c := resource{Properties: map[string]any{}}
	c.Properties, _ = i.Resources["PageDistribution"].get("DistributionConfig").(map[string]any)
	i.expect(c.get("Enabled") == true && c.get("IPV6Enabled") == true, "the page is off, or not for everyone")
	i.expect(c.text("HttpVersion") == "http2and3", "the page is served by %q", c.text("HttpVersion"))
	i.expect(c.text("PriceClass") == "PriceClass_100", "the page is of the %q", c.text("PriceClass"))
	i.expect(c.text("Comment") != "", "nobody can tell what the distribution is for")
	i.expect(c.get("Logging") == nil && c.get("WebACLId") == nil && c.get("CacheBehaviors") == nil && c.get("OriginGroups") == nil, "the distribution has parts that are billed or unknown")
	behavior := func(key string) any { return c.get("DefaultCacheBehavior", key) }
	i.sameSet("method of the page", texts(behavior("AllowedMethods")), []string{"GET", "HEAD"})
	i.expect(behavior("ViewerProtocolPolicy") == "redirect-to-https" && behavior("Compress") == true, "the page is served without TLS, or not compressed")
	i.expect(behavior("CachePolicyId") == cachedByHeaders, "the page is cached by %v", behavior("CachePolicyId"))
	origin := c.get("Origins", "0")
	i.expect(get(origin, "Id") != nil && get(origin, "Id") == behavior("TargetOriginId"), "the page is of another origin")
	i.expect(render(get(origin, "DomainName")) == "${PageBucket.RegionalDomainName}", "the files are of %s", render(get(origin, "DomainName")))
	i.expect(ref(get(origin, "OriginAccessControlId")) == "PageAccess" && get(origin, "S3OriginConfig", "OriginAccessIdentity") == "", "CloudFront does not sign its reads")
	access := i.Resources["PageAccess"].get("OriginAccessControlConfig")
	i.expect(get(access, "OriginAccessControlOriginType") == "s3" && get(access, "SigningBehavior") == "always" && get(access, "SigningProtocol") == "sigv4", "CloudFront signs as %v", access)
	i.expect(render(get(access, "Name")) == i.pageName(), "the access has the name %q, which another Region may use", render(get(access, "Name")))
	if i.config.Page.Served() {
		missing := []any{map[string]any{"ErrorCode": 403.0, "ResponseCode": 404.0, "ResponsePagePath": "/missing.html"}}
		i.expect(reflect.DeepEqual(c.get("CustomErrorResponses"), any(missing)), "an unknown address is answered by %v", c.get("CustomErrorResponses"))
		i.expect(c.text("DefaultRootObject") == "index.html", "the page's address shows %q", c.text("DefaultRootObject"))
		i.expect(ref(behavior("ResponseHeadersPolicyId")) == "PageHeaders", "the page has other headers")
	}
	if i.config.Page.Name == "" {
		i.expect(c.get("Aliases") == nil && c.get("ViewerCertificate") == nil, "the page has a name that is not configured")
		return
	}
	i.sameSet("name of the page", texts(c.get("Aliases")), []string{i.config.Page.Name})
	i.expect(c.text("ViewerCertificate", "AcmCertificateArn") == i.config.Page.Certificate && c.text("ViewerCertificate", "SslSupportMethod") == "sni-only", "the certificate is another, or billed by the month")
	i.expect(c.text("ViewerCertificate", "MinimumProtocolVersion") == "TLSv1.2_2021", "old versions of TLS are accepted")
}

// pageName returns the name that the page's parts have in the account.
func (i *inspection) pageName() string {
	return i.stackName() + "-page-${AWS::Region}"
}

// checkPageHeaders checks the headers of every answer. The policy allows this stack's hosts only, or
// the HTTP APIs and the buckets of the Region where the stack cannot name its own.
func (i *inspection) checkPageHeaders() {
	c := i.Resources["PageHeaders"].get("ResponseHeadersPolicyConfig")
	i.expect(render(get(c, "Name")) == i.pageName(), "the headers have the name %q, which another Region may use", render(get(c, "Name")))
	security := func(key string) any { return get(c, "SecurityHeadersConfig", key) }
	api, socket := "https://*.execute-api.${AWS::Region}.${AWS::URLSuffix}", "wss://${SocketApi}.execute-api.${AWS::Region}.${AWS::URLSuffix}"
	if d := i.config.API.Domain; d.Name != "" {
		api = "https://" + d.Name
		if d.Socket != "" {
			socket = "wss://" + d.Socket
		}
	}
	signIn, pictures := "https://"+i.config.Pool.Pages.Prefix+".auth.${AWS::Region}.amazoncognito.com", ""
	if !i.config.Tokens.OwnPool() {
		signIn, pictures = "https://id.example.com https://tokens.example.com", " https://pictures.example.com"
	}
	policy := render(get(security("ContentSecurityPolicy"), "ContentSecurityPolicy"))
	const files = " https://*.s3.${AWS::Region}.${AWS::URLSuffix}"
	want := "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:" + files + pictures + "; connect-src 'self'" + files + " " + api + " " + socket + " " + signIn +
		"; media-src 'self'" + files + "; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	i.expect(policy == want, "the page's policy is %q, want %q", policy, want)
	i.expect(get(security("ReferrerPolicy"), "ReferrerPolicy") == shared.PageReferrer, "the page tells where its visitors come from")
	i.expect(get(security("StrictTransportSecurity"), "AccessControlMaxAgeSec") == 31_536_000.0, "browsers come back without TLS")
	for _, name := range []string{"ContentSecurityPolicy", "ContentTypeOptions", "ReferrerPolicy", "StrictTransportSecurity"} {
		i.expect(get(security(name), "Override") == true, "the header of %s is left to the files", name)
	}
	var custom []string
	for _, h := range list(get(c, "CustomHeadersConfig", "Items")) {
		i.expect(get(h, "Override") == true, "the header %v is left to the files", get(h, "Header"))
		custom = append(custom, render(get(h, "Header"))+": "+render(get(h, "Value")))
	}
	i.sameSet("header of the page", custom, []string{"Cross-Origin-Opener-Policy: same-origin", "Permissions-Policy: " + shared.PagePermissions})
	cors := get(c, "CorsConfig")
	for key, want := range map[string][]string{"AccessControlAllowOrigins": {"*"}, "AccessControlAllowHeaders": {"*"}, "AccessControlAllowMethods": {"GET", "HEAD"}} {
		i.sameSet(key, texts(get(cors, key, "Items")), want)
	}
	i.expect(get(cors, "AccessControlAllowCredentials") == false && get(cors, "OriginOverride") == true, "other pages cannot import the client, or with cookies")
}

// checkPageFiles checks that a deploy writes the files, and the addresses of this stack.
func (i *inspection) checkPageFiles() {
	f := i.Resources["PageFiles"]
	i.expect(render(f.get("ServiceToken")) == "${PageFunction.Arn}", "the files are written by %s", render(f.get("ServiceToken")))
	i.expect(digest.MatchString(f.text("Files")), "a new version of the files is not written")
	i.expect(f.text("Keep") == map[bool]string{true: "true", false: "false"}[i.config.Table.Retain], "the files are kept: %q", f.text("Keep"))
	least := 3 * i.Resources["PageFunction"].number("Timeout")
	i.expect(f.text("ServiceTimeout") != "" && atLeast(f.text("ServiceTimeout"), least), "a deploy waits for %q s", f.text("ServiceTimeout"))
	want := shared.Page{API: i.apiURL(), Socket: "wss://${SocketApi}.execute-api.${AWS::Region}.${AWS::URLSuffix}/ws", AvatarHosts: i.config.Page.AvatarHosts, Files: i.at("https://${FilesBucket}.s3.${AWS::Region}.${AWS::URLSuffix}")}
	if d := i.config.API.Domain; d.Name != "" {
		want.API = "https://" + d.Name
		if d.Socket != "" {
			want.Socket = "wss://" + d.Socket + "/ws"
		}
	}
	want.Docs = want.API + "/docs"
	pages := "https://" + i.config.Pool.Pages.Prefix + ".auth.${AWS::Region}.amazoncognito.com"
	want.SignIn = shared.PageSignIn{
		Kind: "oidc", Authorize: pages + "/oauth2/authorize", Token: pages + "/oauth2/token", Logout: pages + "/logout",
		Revoke: pages + "/oauth2/revoke", Client: "${UserPoolClient}", Scope: "openid",
	}
	if in := i.config.Page.SignIn; !i.config.Tokens.OwnPool() {
		want.SignIn = shared.PageSignIn{Kind: "oidc", Authorize: in.Authorize, Token: in.Token, Logout: in.Logout, Revoke: in.Revoke, Client: in.Client, Scope: in.Scope}
	} else {
		i.expect(slices.Contains(texts(i.Resources["UserPoolClient"].get("AllowedOAuthScopes")), "openid"), "the client may not ask for the page's scope")
	}
	var got shared.Page
	err := json.Unmarshal([]byte(render(f.get("Config"))), &got)
	i.expect(err == nil && reflect.DeepEqual(got, want), "the page's configuration is %s, %v", render(f.get("Config")), err)
}

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
