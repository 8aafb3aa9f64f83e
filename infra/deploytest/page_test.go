//go:build deploy

package deploytest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/config"
	"example.com/parley/web"
)

// pageSettings serve the web app to the users of the stack's own pool.
const pageSettings = `SignInPages: config.SignInPages{Prefix: "acme-test"}, Page: config.Page{Host: "cloudfront"},`

// testPage reads the web app as a browser does: from CloudFront, with its headers, and the
// configuration with the addresses of this stack.
func testPage(t *testing.T, d *deployment) {
	page := d.outputs["PageUrl"]
	files, err := web.Files()
	if err != nil {
		t.Fatal(err)
	}
	files["index.html"] = bytes.Replace(files["index.html"], []byte("<head>"), []byte("<head>\n"+d.connectPolicy()), 1)
	files[""] = files["index.html"]
	for path, want := range files {
		if got := d.load(t, page+path); got.body != string(want) || !strings.Contains(got.header.Get("Cache-Control"), cacheOf(path)) {
			t.Errorf("%s%s: %d bytes, cached as %q; want %d", page, path, len(got.body), got.header.Get("Cache-Control"), len(want))
		}
	}
	d.checkPageConfig(t, page)
	d.checkPageAccess(t, page)
}

func cacheOf(name string) string {
	if strings.HasPrefix("/"+name, config.PageAssets) {
		return config.PageAssetCache
	}
	return config.PageCache
}

// connectPolicy returns the element with which the page allows itself this stack's hosts only.
func (d *deployment) connectPolicy() string {
	const own = "&#39;self&#39; "
	return `<meta http-equiv="Content-Security-Policy" content="img-src ` + own + "blob: " + d.filesOrigin() + "; connect-src " + own + d.filesOrigin() + " " +
		d.outputs["ApiUrl"] + " " + strings.TrimSuffix(d.outputs["SocketUrl"], "/ws") + " " + d.outputs["SignInUrl"] + "; media-src " + own + d.filesOrigin() + `">`
}

// filesOrigin returns the origin of links to files.
func (d *deployment) filesOrigin() string {
	return "https://" + d.outputs["FilesBucketName"] + ".s3." + region + ".amazonaws.com"
}

// checkPageConfig checks that the configuration names this stack, and that the page's policy allows
// what it names.
func (d *deployment) checkPageConfig(t *testing.T, page string) {
	t.Helper()
	answer := d.load(t, page+"config.json")
	var got config.Page
	if err := json.Unmarshal([]byte(answer.body), &got); err != nil {
		t.Fatalf("%v\n%s", err, answer.body)
	}
	pages := d.outputs["SignInUrl"]
	want := config.Page{API: d.outputs["ApiUrl"], Socket: d.outputs["SocketUrl"], Docs: d.outputs["ApiUrl"] + "/docs", Files: d.filesOrigin(), SignIn: config.PageSignIn{
		Kind: config.SignInOIDC, Client: d.outputs["UserPoolClientId"], Scope: "openid",
		Authorize: pages + "/oauth2/authorize", Token: pages + "/oauth2/token",
		Logout: pages + "/logout", Revoke: pages + "/oauth2/revoke",
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the page's configuration is %+v, want %+v", got, want)
	}
	inHeader := want
	inHeader.API, inHeader.Files = "https://*.execute-api."+region+".amazonaws.com", "https://*.s3."+region+".amazonaws.com"
	for name, value := range map[string]string{
		"Content-Security-Policy": inHeader.Policy(), "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
		"Strict-Transport-Security": "max-age=31536000", "Cross-Origin-Opener-Policy": config.PageOpener, "Permissions-Policy": config.PagePermissions,
	} {
		if header := answer.header.Get(name); header != value {
			t.Errorf("%s is %q, want %q", name, header, value)
		}
	}
}

// checkPageAccess checks who lets the page in: the API and the pool's client do, and the bucket
// lets nobody in but CloudFront.
func (d *deployment) checkPageAccess(t *testing.T, page string) {
	t.Helper()
	origin := strings.TrimSuffix(page, "/")
	for from, want := range map[string]string{origin: origin, "https://evil.example.com": ""} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodOptions, d.outputs["ApiUrl"]+"/rooms", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Origin", from)
		request.Header.Set("Access-Control-Request-Method", http.MethodGet)
		request.Header.Set("Access-Control-Request-Headers", "authorization")
		if got := d.send(t, request).header.Get("Access-Control-Allow-Origin"); got != want {
			t.Errorf("the API answers a page of %s with %q", from, got)
		}
	}
	var client struct {
		UserPoolClient struct{ CallbackURLs, LogoutURLs []string }
	}
	d.aws(t, &client, "cognito-idp", "describe-user-pool-client", "--user-pool-id", d.outputs["UserPoolId"], "--client-id", d.outputs["UserPoolClientId"])
	if c := client.UserPoolClient; !slices.Equal(c.CallbackURLs, []string{page}) || !slices.Equal(c.LogoutURLs, []string{page}) {
		t.Errorf("the pool sends users back to %v, and after signing out to %v", c.CallbackURLs, c.LogoutURLs)
	}
	direct := d.load(t, "https://"+d.outputs["PageBucketName"]+".s3."+region+".amazonaws.com/client.js")
	if direct.status != http.StatusForbidden {
		t.Errorf("the bucket answers %d to everyone", direct.status)
	}
}

// loaded is an answer that was read.
type loaded struct {
	status int
	header http.Header
	body   string
}

func (d *deployment) load(t *testing.T, url string) loaded {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d.send(t, request)
}

func (d *deployment) send(t *testing.T, request *http.Request) loaded {
	t.Helper()
	answer, err := d.client().Do(request)
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", request.URL, err))
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return loaded{answer.StatusCode, answer.Header, string(text)}
}
